// A motion of the frames that a message has and of those that the page has already; see `MotionShown` in messages.js.

import { Motion } from "/view/motion.js";

export const REMEMBERED = 8; // motions whose frames the engine may refer to

/**
 * Return a motion. given: its body. arrays: of the message. before: the motions that had its place, the newest first.
 *
 * @param {any} given
 * @param {any} tree
 * @param {Record<string, any>} arrays
 * @param {Motion[]} [before]
 */
export function assembled(given, tree, { kept, spans, moves, root, balls, hinges }, before = []) {
  const { frames } = given, ballNumbers = 3 * (1 + Math.max(...tree.balls)), angles = tree.axes.length;
  const poses = {
    root: new Float32Array(3 * frames),
    balls: new Uint16Array(ballNumbers * frames),
    hinges: new Float32Array(angles * frames),
  };
  const copy = (to, first, from, begin, count, width) =>
    to.set(from.subarray(width * begin, width * (begin + count)), width * first);
  for (let k = 0; k < kept.length; k += 4) {
    const [first, count, age, begin] = kept.subarray(k, k + 4), from = before[age];
    copy(poses.root, first, from.roots, begin, count, 3);
    copy(poses.balls, first, from.balls.packed, begin, count, ballNumbers);
    copy(poses.hinges, first, from.angles, begin, count, angles);
  }
  for (let k = 0, begin = 0; k < spans.length; k += 2) {
    const [first, count] = spans.subarray(k, k + 2);
    copy(poses.root, first, root, begin, count, 3);
    copy(poses.balls, first, balls, begin, count, ballNumbers);
    copy(poses.hinges, first, hinges, begin, count, angles);
    begin += count;
  }
  return new Motion({ ...given, moves: moves.slice(), hinges: null, poses }, tree);
}
