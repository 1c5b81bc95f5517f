// A motion as a strip of stick figures, for variants: a glance tells them apart, a click takes one.

import { Placement } from "/view/motion.js";
import { carried } from "/view/vectors.js";
import { assembled } from "./assembled.js";
import { draw } from "./elements.js";

const ENDS = ["head_top", "left_toe_tip", "right_toe_tip", "left_knuckles", "right_knuckles"];

/**
 * Return the lines of a figure at a frame: pairs of places, each [x, y, z] in m.
 *
 * @param {import("/view/motion.js").Motion} motion
 * @param {number} frame
 */
export function bones(motion, frame) {
  const { parents } = motion.tree, placement = motion.place(frame, new Placement(parents.length));
  const at = (s) => Array.from(placement.places.subarray(3 * s, 3 * s + 3)), lines = [];
  parents.forEach((parent, s) => { if (parent >= 0) lines.push([at(parent), at(s)]); });
  for (const name of ENDS) {
    const point = motion.points[name];
    if (!point) continue;
    const end = new Float32Array(3);
    carried(end, 0, placement.places, 3 * point.segment, placement.turns, 4 * point.segment, ...point.place);
    lines.push([at(point.segment), Array.from(end)]);
  }
  return lines;
}

/**
 * Return a drawing of figures at even times from start to stop, seen from the side of the way.
 *
 * @param {any} message  `motion` with its body and arrays
 * @param {any} tree
 */
export function filmstrip(message, tree, start, stop, count = 7, width = 220, height = 62) {
  const motion = assembled(message.body, tree, message.arrays);
  const low = Math.max(start ?? motion.start, motion.start), high = Math.min(stop ?? motion.stop, motion.stop);
  const frames = Array.from({ length: count }, (_, k) => motion.frameAt(low + (high - low) * k / (count - 1)));
  const first = motion.rootAt(Math.floor(frames[0])), last = motion.rootAt(Math.floor(frames.at(-1)));
  const [dx, dz] = [last[0] - first[0], last[2] - first[2]], far = Math.hypot(dx, dz);
  const ahead = far > 0.2 ? [dx / far, dz / far] : [0.6, 0.8], scale = 0.9 * height / (1.08 * motion.stature);
  const strip = draw("svg", { class: "filmstrip", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  frames.forEach((frame, k) => {
    const root = motion.rootAt(Math.floor(frame)), middle = width * (k + 0.5) / count;
    const point = (/** @type {number[]} */ at) => {
      const [x, y, z] = at;
      const along = (x - root[0]) * ahead[0] + (z - root[2]) * ahead[1];
      return `${(middle + scale * along).toFixed(1)} ${(height - 3 - scale * y).toFixed(1)}`;
    };
    const d = bones(motion, frame).map(([from, to]) => `M${point(from)}L${point(to)}`).join("");
    strip.append(draw("path", { d }));
  });
  return strip;
}
