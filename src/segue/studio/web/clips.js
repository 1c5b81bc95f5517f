// Edits that bring a clip into the text: as a new line, or as a transition behind the shown motion.

/** @import { Change, TreeNode } from "./messages.js" */

import { freshName, quoted } from "./arguments.js";

export const DRAGGED = "application/x-segue-clip"; // what a clip of the library is called while it is dragged

/** Return a call that loads a clip. map: the name of its map file, "" for none. */
export function loadCall(path, map = "") {
  return `load(${quoted(path)}${map ? `, map=${quoted(map)}` : ""})`;
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
  const node = tree.find((each) => each.node === shown), end = text.length;
  const newline = text && !text.endsWith("\n") ? "\n" : "", name = freshName(text, path.split("/").at(-1), taken);
  if (!node) return [{ start: end, stop: end, text: `${newline}${name} = ${loadCall(path, map)}\n${name}\n` }];
  const statement = tree.find((each) => each.node === shown.split("/")[0]);
  // the clip gets a name in a line before the statement, so that the statement stays short
  return [
    { start: statement.start, stop: statement.start, text: `${name} = ${loadCall(path, map)}\n` },
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
