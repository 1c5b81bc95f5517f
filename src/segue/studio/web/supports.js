// Supports in the text: the choices and footsteps in the argument `support` of a call that fills gaps.

/** @import { Change, FunctionShape, TreeNode } from "./messages.js" */

import { argumentsOf, bound, setArgument } from "./arguments.js";

const FILLS = ["transition", "fill", "fill_gaps", "sp"];

/** Return whether a node is a call that fills gaps. */
export function fillsGaps(node) {
  return node?.what === "call" && FILLS.includes(node.label);
}

/**
 * Return the entries of the argument `support` of a call, as texts of the language: one for each choice or target.
 *
 * @param {string} text
 * @param {TreeNode} call
 * @param {FunctionShape} shape
 * @returns {string[]}
 */
export function entriesOf(text, call, shape) {
  const { arguments: given } = argumentsOf(text, call.start, call.stop);
  const [mine] = bound(given, shape.parameters).get("support") ?? [];
  if (!mine) return [];
  const value = text.slice(mine.from, mine.stop);
  const items = value.startsWith("[") ? listed(value) : [value];
  return items.flatMap((item) => (/^["']/.test(item) ? choices(item) : [item])).filter((item) => item !== "none");
}

/** Return the items of a list, as texts. */
function listed(value) {
  const call = `(${value.slice(1, -1)})`;
  return argumentsOf(call, 0, call.length).arguments.map(({ start, stop }) => call.slice(start, stop));
}

/** Return the choices in a text such as "left_foot=never, right_foot=auto", a text each. */
function choices(item) {
  return item.slice(1, -1).split(",").map((each) => each.trim()).filter(Boolean).map((each) => `"${each}"`);
}

/**
 * Return the changes that give a call other entries.
 *
 * @param {string} text
 * @param {TreeNode} call
 * @param {FunctionShape} shape
 * @param {string[]} entries
 * @returns {Change[]}
 */
export function withEntries(text, call, shape, entries) {
  const value = entries.length === 0 ? null : entries.length === 1 ? entries[0] : `[${entries.join(", ")}]`;
  return setArgument(text, call, shape, "support", value);
}

/** Return the entries with another choice for a foot: "auto" (none written), "enforce" or "never". */
export function withChoice(entries, foot, choice) {
  const others = entries.filter((each) => !each.startsWith(`"${foot}=`));
  return choice === "auto" ? others : [...others, `"${foot}=${choice}"`];
}

/** Return the choice that is written for a foot. */
export function choiceOf(entries, foot) {
  const mine = entries.find((each) => each.startsWith(`"${foot}=`));
  return mine ? mine.slice(foot.length + 2, -1).trim() : "auto";
}

/**
 * Return the entries with a footstep from start to stop in place of the one of the same foot that it overlaps.
 *
 * @param {string[]} entries
 * @param {{ foot: string, start: number, stop: number, x: number, z: number, heading: number }} step  heading: rad
 */
export function withFootstep(entries, { foot, start, stop, x, z, heading }) {
  const number = (value) => String(Number(value.toFixed(3)) + 0);
  const degrees = Number((heading * 180 / Math.PI).toFixed(1));
  const written = `footstep("${foot}", ${[start, stop, x, z, degrees].map(number).join(", ")})`;
  const overlaps = (entry) => {
    const found = /^footstep\(\s*["'](\w+)["']\s*,\s*([-\d.]+)\s*,\s*([-\d.]+)/.exec(entry);
    return found && found[1] === foot && Number(found[2]) < stop && Number(found[3]) > start;
  };
  const at = entries.findIndex(overlaps);
  return at < 0 ? [...entries, written] : entries.map((entry, k) => (k === at ? written : entry));
}
