// Footprints of planned steps: the outline of a sole on the floor, and a small floor for each step of a grid.

/** @import { FloorPlan, Sole } from "./messages.js" */

import { draw } from "./elements.js";
import { SOLE } from "./footprints.js";

const LENGTH = 0.265; // m, of the outline in footprints.js
const FEET = /** @type {const} */ (["left", "right"]);

/**
 * Return the corners of a foot's sole on the floor, each [x, z] in m.
 *
 * @param {Sole} sole  the point under the ankle
 * @param {string} side
 * @param {FloorPlan} plan
 * @returns {number[][]}
 */
export function corners({ x, z, heading }, side, { heel, tip }) {
  const scale = (heel + tip) / LENGTH, out = side === "left" ? 1 : -1;
  const sine = Math.sin(heading), cosine = Math.cos(heading);
  return SOLE.map(([across, along]) => {
    const right = scale * out * across, ahead = scale * along + (tip - heel) / 2;
    return [x + right * cosine + ahead * sine, z - right * sine + ahead * cosine];
  });
}

/**
 * Return the feet before a step and after it, by side.
 *
 * @param {FloorPlan} plan
 * @param {number} step
 */
export function around(plan, step) {
  const { left, right } = step > 0 ? plan.steps[step - 1] : plan, after = plan.steps[step];
  return { before: { left, right }, after: { left: after.left, right: after.right } };
}

/**
 * Return a drawing of the floor at the end of a step, the first heading up: where feet were, are, and which one moved.
 *
 * @param {FloorPlan} plan
 * @param {number} step
 */
export function stepFloor(plan, step, width = 60, height = 82, metres = 1.45) {
  const { before, after } = around(plan, step), { moves, weight } = plan.steps[step];
  const all = FEET.flatMap((side) => [before[side], after[side]]);
  const middle = (axis) => {
    const along = all.map((each) => each[axis]);
    return (Math.min(...along) + Math.max(...along)) / 2;
  };
  const [x0, z0] = [middle("x"), middle("z")], scale = height / metres, sine = Math.sin(plan.heading),
    cosine = Math.cos(plan.heading);
  const paper = (/** @type {number[]} */ [x, z]) => {
    const [dx, dz] = [x - x0, z - z0], left = dx * cosine - dz * sine, ahead = dx * sine + dz * cosine;
    return [width / 2 - scale * left, height / 2 - scale * ahead];
  };
  const outline = (sole, side, kind) => draw("polygon", {
    class: `step-sole ${side} ${kind}`,
    points: corners(sole, side, plan).map((at) => paper(at).map((each) => each.toFixed(1)).join()).join(" "),
  });
  const svg = draw("svg", { class: "step-floor", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  for (const side of FEET) {
    if (side === moves) svg.append(outline(before[side], side, "was"));
    svg.append(outline(after[side], side, side === moves ? "moved" : weight === side ? "stands" : "rests"));
  }
  if (moves) {
    const [a, b] = [before[moves], after[moves]].map(({ x, z }) => paper([x, z]));
    svg.append(draw("line", { class: `step-way ${moves}`, x1: a[0].toFixed(1), y1: a[1].toFixed(1), x2: b[0].toFixed(1),
      y2: b[1].toFixed(1) }));
  }
  return svg;
}
