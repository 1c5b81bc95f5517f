// The expression tree as a picture [Rose1996, figure 6]: which nodes are drawn, and where keys lead.

/** @import { NodeValue, TreeNode } from "./messages.js" */

import { inWords } from "./elements.js";

/**
 * A drawn node. depth: of a statement 0. chips: its small arguments, such as numbers. children: the drawn nodes below
 * it.
 *
 * @typedef {object} Placed
 * @property {TreeNode} node
 * @property {number} depth
 * @property {TreeNode[]} chips
 * @property {Placed[]} children
 * @property {Placed | null} parent
 */

const SMALL = new Set(["number", "text", "negative"]);

/**
 * Return the drawn nodes in reading order. Numbers and texts are chips of the call that they are given to.
 *
 * @param {TreeNode[]} tree
 * @param {Set<string>} [folded]  paths of nodes whose children are not drawn
 * @returns {Placed[]}
 */
export function layout(tree, folded = new Set()) {
  /** @type {Map<string, TreeNode[]>} */
  const below = new Map();
  for (const node of tree) below.set(node.parent, [...(below.get(node.parent) ?? []), node]);
  /** @type {Placed[]} */
  const placed = [];
  const place = (node, depth, parent) => {
    const inside = below.get(node.node) ?? [], small = inside.filter((each) => isChip(each, node));
    /** @type {Placed} */
    const here = { node, depth, chips: small, children: [], parent };
    placed.push(here);
    const shown = folded.has(node.node) ? [] : inside.filter((each) => !small.includes(each));
    here.children = shown.map((each) => place(each, depth + 1, here));
    return here;
  };
  for (const node of below.get("") ?? []) place(node, 0, null);
  return placed;
}

/** Whether a node is drawn inside its parent: a number or text given to a call. */
function isChip(node, parent) {
  return parent.what === "call" && (SMALL.has(node.what) || (node.what === "name" && node.parameter === "joints"));
}

/**
 * Return the node that an arrow key leads to, as trees of screen readers have it; null where there is none.
 *
 * @param {Placed[]} placed
 * @param {Placed} from
 * @param {string} key
 * @returns {Placed | null}
 */
export function step(placed, from, key) {
  const at = placed.indexOf(from);
  switch (key) {
    case "ArrowDown": return placed[at + 1] ?? null;
    case "ArrowUp": return placed[at - 1] ?? null;
    case "ArrowRight": return from.children[0] ?? null;
    case "ArrowLeft": return from.parent;
    case "Home": return placed[0] ?? null;
    case "End": return placed.at(-1) ?? null;
    default: return null;
  }
}

/**
 * Return the edits that let two nodes of the text change places; none if one lies in the other.
 *
 * @param {string} text
 * @param {TreeNode} first
 * @param {TreeNode} second
 */
export function swapped(text, first, second) {
  if (first.start < second.stop && second.start < first.stop) return [];
  if ([first, second].some(({ what }) => what === "comprehension")) return []; // it stands only in calls and lists
  const of = (node) => text.slice(node.start, node.stop);
  const put = (node, other) => ({ start: node.start, stop: node.stop, text: enclosed(of(other), other, node) });
  return [put(first, second), put(second, first)];
}

const LOOSE = new Set(["binary", "conditional", "range", "negative"]);

/** Return a node's text for the place of another: in brackets where its operators could bind to the neighbours'. */
export function enclosed(written, node, place) {
  return LOOSE.has(node.what) && !place.parameter ? `(${written})` : written;
}

/**
 * Return what is known of a node's value in few words: "motion, 3.20 s, 1 gap, 2 ms".
 *
 * @param {NodeValue | undefined} value
 */
export function about(value) {
  if (!value) return "";
  const words = [value.type];
  if (value.start !== null && value.stop !== null) words.push(`${(value.stop - value.start).toFixed(2)} s`);
  else if (value.type !== "motion") words.push(value.said);
  const { length } = value.gaps ?? [];
  if (length) words.push(length === 1 ? "1 gap" : `${length} gaps`);
  if (value.cached) words.push("from memory");
  else if (value.ms >= 0.05) words.push(inWords(value.ms));
  return words.join(", ");
}
