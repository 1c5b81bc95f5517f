// The call that the selection means: the node itself, the nearest call around it, or that of its statement.

/** @import { FunctionShape, TreeNode, Welcome } from "./messages.js" */
/** @import { Store } from "./store.js" */

/**
 * Return the description of a function by its name or by [Rose1996]'s name for it.
 *
 * @param {Welcome | null} welcome
 * @param {string} name
 * @returns {FunctionShape | undefined}
 */
export function shapeOf(welcome, name) {
  const plain = welcome?.aliases[name] ?? name;
  return welcome?.functions.find((each) => each.name === plain);
}

/**
 * Return the call of a known function that a path means; undefined for none.
 *
 * @param {Store} store
 * @param {string} path
 * @returns {TreeNode | undefined}
 */
export function callAt(store, path) {
  const known = (node) => node?.what === "call" && shapeOf(store.welcome, node.label) !== undefined;
  const node = store.node(path);
  // a statement means what it says
  if (node && ["assignment", "evaluation", "definition"].includes(node.what)) {
    const below = store.node(`${path}/0`);
    if (known(below)) return below;
  }
  for (let at = path; at; at = at.includes("/") ? at.slice(0, at.lastIndexOf("/")) : "") {
    const here = store.node(at);
    if (known(here)) return here;
  }
  return undefined;
}

/**
 * Return the call that the inspector shows: the selected one, else that of the shown motion.
 *
 * @param {Store} store
 */
export function selectedCall(store) {
  return (store.selection && callAt(store, store.selection)) || callAt(store, store.values?.shown ?? "") || undefined;
}
