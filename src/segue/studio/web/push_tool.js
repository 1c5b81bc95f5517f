// Pushing a simulated dancer: an arrow that is dragged from a limb on the stage, and its equivalent by keys.

/** @import { Store } from "./store.js" */
/** @import { Simulation } from "./simulation.js" */

import { pick, planeHit, rayThrough } from "/view/picking.js";
import { add, carried, scaled } from "/view/vectors.js";
import { draw } from "./elements.js";
import { dragged } from "./pointing.js";

export const NEWTONS = 250; // for a metre of the arrow
const MOST = 400, LEAST = 5; // N
const WAYS = { left: [1, 0, 0], right: [-1, 0, 0], forward: [0, 0, 1], back: [0, 0, -1], up: [0, 1, 0], down: [0, -1, 0] };

export const DIRECTIONS = Object.keys(WAYS);

export class PushTool {
  /**
   * @param {Store} store
   * @param {Simulation} simulation
   */
  constructor(store, simulation) {
    this.store = store;
    this.simulation = simulation;
    this.lasting = 0.1;
    this.line = draw("path", { class: "push-line" });
    this.label = draw("text", { class: "push-label", "text-anchor": "middle" });
    this.svg = draw("svg", { class: "overlay push", "aria-hidden": "true" }, this.line, this.label);
    this.svg.style.pointerEvents = "none";
    /** @type {{ motion: number, segment: number, off: number[], tip: number[], force: number[] } | null} */
    this.held = null;
  }

  /** Return whether a press on the picture takes hold of a dancer. */
  grab(event) {
    const { view } = this.store.stage;
    if (event.button !== 0 || event.shiftKey || event.ctrlKey || !this.simulation.shown) return false;
    const ray = rayThrough(view.camera, event.offsetX, event.offsetY), hit = pick(ray, view.stage.figures, view.motions);
    if (!hit) return false;
    event.preventDefault();
    const at = add(ray.origin, scaled(ray.direction, hit.distance)), from = this.originOf(hit.motion, hit.segment);
    const held = this.held = { ...hit, off: add(at, scaled(from, -1)), tip: at, force: [0, 0, 0] };
    const box = view.canvas.getBoundingClientRect();
    dragged(event, {
      move: (moved) => {
        const base = this.base(held);
        const through = rayThrough(view.camera, moved.clientX - box.left, moved.clientY - box.top);
        const tip = planeHit(through, base, view.camera.axes().forward);
        if (!tip) return;
        const force = scaled(add(tip, scaled(base, -1)), NEWTONS), size = Math.hypot(...force);
        held.force = scaled(force, Math.min(1, MOST / Math.max(size, 1e-9)));
        view.moved();
      },
      end: (keep) => {
        this.held = null;
        this.update();
        if (keep && Math.hypot(...held.force) >= LEAST) this.apply(held.motion, held.segment, held.force);
      },
    });
    return true;
  }

  /** Return where a segment's joint is, in m. */
  originOf(motion, segment) {
    const { placement, shift } = this.store.stage.view.stage.figures[motion];
    return add(Array.from(placement.places.subarray(3 * segment, 3 * segment + 3)), shift);
  }

  base({ motion, segment, off }) {
    return add(this.originOf(motion, segment), off);
  }

  apply(motion, segment, force) {
    const { view } = this.store.stage, round = (value) => Math.round(10 * value) / 10;
    this.simulation.push(motion, view.tree.segments[segment], force.map(round), this.lasting);
  }

  /** Push a segment in a direction that is relative to where the dancer faces. */
  pushTowards(motion, segment, direction, newtons) {
    const { view } = this.store.stage, figure = view.stage.figures[motion];
    if (!figure || !this.simulation.shown) return;
    const ahead = [0, 0, 0], [x, y, z] = WAYS[direction], index = view.tree.segments.indexOf(segment);
    carried(ahead, 0, [0, 0, 0], 0, figure.placement.turns, 0, 0, 0, 1);
    const length = Math.max(Math.hypot(ahead[0], ahead[2]), 1e-9), sine = ahead[0] / length, cosine = ahead[2] / length;
    this.apply(motion, index, scaled([x * cosine + z * sine, y, z * cosine - x * sine], newtons));
  }

  /** Draw the arrow. */
  update() {
    const { held } = this, { view } = this.store.stage;
    this.svg.style.display = held ? "" : "none";
    if (!held) return;
    const matrix = view.camera.matrix(), base = this.base(held), size = Math.hypot(...held.force);
    const from = view.camera.project(matrix, base);
    const to = view.camera.project(matrix, add(base, scaled(held.force, 1 / NEWTONS)));
    if (!from || !to) return;
    const [x, y] = [to[0] - from[0], to[1] - from[1]], length = Math.max(Math.hypot(x, y), 1e-9);
    const [u, v] = [9 * x / length, 9 * y / length], head = length > 12
      ? `M${to[0] - u - 0.6 * v} ${to[1] - v + 0.6 * u}L${to[0]} ${to[1]}L${to[0] - u + 0.6 * v} ${to[1] - v - 0.6 * u}` : "";
    this.line.setAttribute("d", `M${from[0]} ${from[1]}L${to[0]} ${to[1]}${head}`);
    this.label.setAttribute("x", String(to[0] + 2 * u));
    this.label.setAttribute("y", String(to[1] + 2 * v + 4));
    this.label.textContent = `${Math.round(size)} N`;
  }
}
