// Keyframes in the text: `key(motion, at, time)` and `pose(name, time)`, and the edit that moves one in time.

/** @import { Change, TreeNode, Welcome } from "./messages.js" */
/** @import { Store } from "./store.js" */

import { setArgument } from "./arguments.js";
import { numeral } from "./handles.js";
import { shapeOf } from "./selected.js";

/**
 * A keyframe. time: when it is met, in s. parameter: the one that sets it. fixed: its time is no plain number.
 *
 * @typedef {{ call: TreeNode, time: number, parameter: string, fixed: boolean }} KeyHandle
 */

/**
 * Return the keyframes of the text whose times can be read.
 *
 * @param {TreeNode[]} tree
 * @param {Record<string, { type: string, said: string }>} values
 * @returns {KeyHandle[]}
 */
export function keysOf(tree, values = {}) {
  /** @type {KeyHandle[]} */
  const found = [];
  for (const call of tree) {
    if (call.what !== "call" || (call.label !== "key" && call.label !== "pose")) continue;
    const given = tree.filter((each) => each.parent === call.node);
    const named = (name) => given.find(({ parameter }) => parameter === name), timed = named("time") ?? named("at");
    if (!timed) continue;
    const plain = timed.what === "number", time = Number(plain ? timed.label : values[timed.node]?.said);
    if (Number.isFinite(time)) found.push({ call, time, parameter: "time", fixed: !plain });
  }
  return found;
}

/**
 * Return the edit that moves a keyframe to a time; the pose that it takes from its motion stays the same.
 *
 * @param {Store} store
 * @param {string} text
 * @param {KeyHandle} key
 * @param {number} time
 * @returns {Change[]}
 */
export function moved(store, text, key, time) {
  const shape = shapeOf(/** @type {Welcome} */ (store.welcome), key.call.label);
  return shape ? setArgument(text, key.call, shape, key.parameter, numeral(Math.max(time, 0))) : [];
}
