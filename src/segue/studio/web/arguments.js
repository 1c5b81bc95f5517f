// Calls in the text: where their arguments stand, and the edits that set, add and remove one.

/** @import { Change, FunctionShape, ParameterShape } from "./messages.js" */

/**
 * An argument of a call. start, stop: its text, with its name; from: where its value begins. comma: the offset of the
 * comma behind it, -1 for none. name: "" where none is written.
 *
 * @typedef {{ start: number, stop: number, from: number, comma: number, name: string }} Argument
 */

const OPENING = "([{", CLOSING = ")]}", NAMED = /^([A-Za-z_][A-Za-z0-9_]*)\s*=(?!=)\s*/;

/**
 * Return the arguments of a call, and the offset of its opening bracket. start, stop: the call's span in the text.
 *
 * @param {string} text
 * @returns {{ open: number, arguments: Argument[] }}
 */
export function argumentsOf(text, start, stop) {
  const open = text.indexOf("(", start), /** @type {Argument[]} */ found = [];
  let depth = 0, first = -1, last = -1;
  const end = (comma) => {
    if (first < 0) return;
    const named = NAMED.exec(text.slice(first, last));
    found.push({ start: first, stop: last, from: first + (named?.[0].length ?? 0), comma, name: named?.[1] ?? "" });
    first = last = -1;
  };
  for (let k = open + 1; k < stop - 1; k++) {
    const sign = text[k], from = k;
    if (sign === "#") {
      k = lineEnd(text, k, stop) - 1;
      continue;
    }
    if (sign === '"' || sign === "'") k = text.indexOf(sign, k + 1);
    if (OPENING.includes(sign)) depth += 1;
    else if (CLOSING.includes(sign)) depth -= 1;
    else if (sign === "," && depth === 0) {
      end(k);
      continue;
    }
    if (!/\s/.test(sign)) {
      if (first < 0) first = from;
      last = k + 1;
    }
  }
  end(-1);
  return { open, arguments: found };
}

function lineEnd(text, from, stop) {
  const found = text.indexOf("\n", from);
  return found < 0 ? stop : Math.min(found, stop);
}

/**
 * Return which argument each parameter of a function is given; several for one that takes many.
 *
 * @param {Argument[]} given
 * @param {ParameterShape[]} parameters
 * @returns {Map<string, Argument[]>}
 */
export function bound(given, parameters) {
  /** @type {Map<string, Argument[]>} */
  const found = new Map(parameters.map(({ name }) => [name, []]));
  let position = 0;
  for (const argument of given) {
    const name = argument.name || parameters[position]?.name;
    if (!argument.name && parameters[position] && !parameters[position].many) position += 1;
    found.get(name)?.push(argument);
  }
  return found;
}

/**
 * Return the changes that give a parameter of a call a value, as text of the language; null takes the argument away,
 * so that the default holds. An argument without a name that others follow cannot be taken away.
 *
 * @param {string} text
 * @param {{ start: number, stop: number }} call
 * @param {FunctionShape} shape
 * @param {string} name
 * @param {string | null} value
 * @returns {Change[]}
 */
export function setArgument(text, call, shape, name, value) {
  const { open, arguments: given } = argumentsOf(text, call.start, call.stop);
  const mine = bound(given, shape.parameters).get(name) ?? [];
  if (value === null) return mine.length ? removed(text, given, mine) : [];
  if (mine.length) return replaced(mine, value);
  const { many } = shape.parameters.find((each) => each.name === name) ?? {};
  // many arguments stand without a name, and only the last parameters of all can be missing before them
  return inserted(given, open, many && value ? value : `${name}=${value}`);
}

function replaced(mine, value) {
  const [first, ...rest] = mine, last = rest.at(-1) ?? first;
  return [{ start: first.from, stop: last.stop, text: value }];
}

function inserted(given, open, written) {
  const last = given.at(-1), at = last ? last.stop : open + 1;
  return [{ start: at, stop: at, text: last ? `, ${written}` : written }];
}

/** Return the changes that take neighbouring arguments away with one comma; comments between them stay. */
function removed(text, given, mine) {
  const first = given.indexOf(mine[0]), last = given.indexOf(mine.at(-1));
  const later = given.slice(last + 1);
  if (!mine[0].name && later.some((each) => !each.name)) return [];
  const { start } = mine[0], { stop, comma } = mine.at(-1);
  const before = given[first - 1], after = given[last + 1];
  const gone = { start, stop, text: "" };
  if (before) {
    const blank = !text.slice(before.comma + 1, start).trim();
    if (blank) return [{ start: before.comma, stop, text: "" }];
    return [{ start: before.comma, stop: before.comma + 1, text: "" }, gone];
  }
  if (!after) return comma < 0 ? [gone] : [gone, { start: comma, stop: comma + 1, text: "" }];
  const blank = !text.slice(stop, after.start).replace(",", "").trim();
  return blank ? [{ start, stop: after.start, text: "" }] : [gone, { start: comma, stop: comma + 1, text: "" }];
}

/** Return a text in quotes that it does not contain; the language has no other way to write one. */
export function quoted(value) {
  const plain = value.replace(/\n/g, " ");
  if (!plain.includes('"')) return `"${plain}"`;
  return `'${plain.replaceAll("'", "’")}'`;
}

/** Return a name that stands for nothing yet in the text: "walk", "walk2", ... from a file's name. */
export function freshName(text, wanted, taken = []) {
  const plain = wanted.replace(/\.[^.]*$/, "").replace(/\W+/g, "_").replace(/^(?=\d)/, "m").replace(/^_+|_+$/g, "")
    || "motion";
  const used = new Set([...(text.match(/[A-Za-z_]\w*/g) ?? []), ...taken]);
  for (let k = 1; ; k++) {
    const name = k === 1 ? plain : `${plain}${k}`;
    if (!used.has(name)) return name;
  }
}
