// Edits that bring a clip into the text: as a new line, or as a transition behind the shown motion.

/** @import { Change, TreeNode } from "./messages.js" */

import { freshName, quoted } from "./arguments.js";

export const DRAGGED = "application/x-segue-clip"; // what a clip of the library is called while it is dragged
export const DRAGGED_DANCE = "application/x-segue-dance"; // the same of a pattern

/** Return a call that loads a clip. map: the name of its map file, "" for none. */
export function loadCall(path, map = "") {
  return `load(${quoted(path)}${map ? `, map=${quoted(map)}` : ""})`;
}

/** Return a call that dances a pattern. */
export function danceCall(name) {
  return `dance(${quoted(name)})`;
}

/**
 * Return the edit that adds a clip to a script: behind the shown motion with a transition, or as the only motion.
 *
 * @param {string} text
 * @param {TreeNode[]} tree
 * @param {string} shown  path of the shown motion's node, "" for none
 * @param {string} path
 * @returns {Change[]}
 */
export function joined(text, tree, shown, path, map = "", taken = []) {
  return joinedCall(text, tree, shown, path.split("/").at(-1), loadCall(path, map), taken);
}

/** Return the edit that adds the motion of a call to a script, as `joined` does for a clip; named: what it shows. */
export function joinedCall(text, tree, shown, named, call, taken = []) {
  const node = tree.find((each) => each.node === shown), end = text.length;
  const newline = text && !text.endsWith("\n") ? "\n" : "", name = freshName(text, named, taken);
  if (!node) return [{ start: end, stop: end, text: `${newline}${name} = ${call}\n${name}\n` }];
  const statement = tree.find((each) => each.node === shown.split("/")[0]);
  // the motion gets a name in a line before the statement, so that the statement stays short
  return [
    { start: statement.start, stop: statement.start, text: `${name} = ${call}\n` },
    { start: node.start, stop: node.start, text: "transition(" },
    { start: node.stop, stop: node.stop, text: `, ${name})` },
  ];
}

/** Return the edit that gives every `load` of a clip its map file. */
export function mapped(text, tree, path, map) {
  return tree.flatMap((call) => {
    if (call.what !== "call" || call.label !== "load") return [];
    const given = tree.filter((each) => each.parent === call.node),
      file = given.find(({ parameter }) => parameter === "file");
    if (file?.label.slice(1, -1) !== path || given.some(({ parameter }) => parameter === "map")) return [];
    const last = given.at(-1);
    return [{ start: last.stop, stop: last.stop, text: `, map=${quoted(map)}` }];
  });
}
