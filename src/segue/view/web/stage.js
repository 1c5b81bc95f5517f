// Who stands where at a time: figures in their colours, side by side or overlaid, their ghosts; what a camera follows.

import { BESIDE } from "./camera.js";
import { Exposure } from "./exposure.js";
import { add, carried, clamped, extent } from "./vectors.js";

const GHOST_OPACITY = 0.42;
const MOST_GHOSTS = 14;

/**
 * Return the unit vectors (x, z) along the way of a motion and to its left, or null where it stays where it was.
 *
 * @returns {[number[], number[]] | null}
 */
function courseOf(way) {
  const [x, z] = [0, 1].map((axis) => way.at(-1)[axis] - way[0][axis]), length = Math.hypot(x, z);
  return length > 0.5 ? [[x / length, z / length], [z / length, -x / length]] : null;
}

export class Stage {
  /** segments: of a body. */
  constructor(motions, colours, azimuth, segments) {
    this.motions = motions;
    this.colours = colours;
    this.segments = segments;
    this.ways = motions.map((motion) => motion.smoothWay());
    this.figures = motions.map((_, k) => new Exposure(k, this.segments));
    this.spare = motions.map((_, k) => this.sparesOf(k));
    this.ghosts = [];
    const sine = Math.sin(azimuth * Math.PI / 180), cosine = Math.cos(azimuth * Math.PI / 180);
    /** @type {[number[], number[]]} */
    this.across = [[-sine, -cosine], [cosine, -sine]];
    this.effort = null; // called with a motion's number and a time: returns the tint of each segment, or null
    this.course = courseOf(this.ways[0] ?? [[0, 0]]);
    this.lanes = this.findLanes(this.course ?? this.across);
    this.arrange("beside");
  }

  /** Return exposures of a motion for its ghosts. */
  sparesOf(k) {
    return Array.from({ length: MOST_GHOSTS }, () => new Exposure(k, this.segments));
  }

  /** Take a motion that has changed, or that comes after those before. */
  renew(k) {
    this.ways[k] = this.motions[k].smoothWay();
    this.figures[k] ??= new Exposure(k, this.segments);
    this.spare[k] ??= this.sparesOf(k);
    if (k === 0) this.course = courseOf(this.ways[0]);
    this.arrangeAnew();
  }

  /** Forget motions that are there no more. */
  trim() {
    for (const list of [this.ways, this.figures, this.spare]) list.length = this.motions.length;
    this.ghosts = [];
    this.arrangeAnew();
  }

  arrangeAnew() {
    this.lanes = this.findLanes(this.course ?? this.across);
    this.arrange(this.arrangement);
  }

  /** Put motions "beside" each other in lanes along the way of the first, or "overlaid" where they really are. */
  arrange(arrangement) {
    this.arrangement = arrangement;
    this.shifts = this.motions.map((_, k) => (arrangement === "beside" ? this.lanes[k] : [0, 0, 0]));
  }

  /** Return how far each motion is moved over the floor, so that all start on one line and no way crosses another's. */
  findLanes([ahead, aside]) {
    const along = (axis, [x, z]) => axis[0] * x + axis[1] * z;
    let edge = null;
    return this.ways.map((way) => {
      const [low, high] = extent(way.map((place) => along(aside, place)));
      const over = edge === null ? 0 : edge - low + BESIDE, back = along(ahead, this.ways[0][0]) - along(ahead, way[0]);
      edge = high + over + BESIDE;
      return [over * aside[0] + back * ahead[0], 0, over * aside[1] + back * ahead[1]];
    });
  }

  /** Take everyone to a time; ghosts: how many exposures, and how many seconds apart, or null. */
  setTime(time, ghosts) {
    for (const figure of this.figures) this.expose(figure, time, 1);
    this.ghosts = ghosts ? this.exposeGhosts(time, ghosts) : [];
  }

  expose(exposure, time, opacity) {
    const motion = this.motions[exposure.motion];
    exposure.frame = motion.frameAt(time);
    motion.place(exposure.frame, exposure.placement);
    this.paint(exposure, clamped(time, motion.start, motion.stop));
    exposure.shift = this.shifts[exposure.motion];
    exposure.opacity = opacity;
    return exposure;
  }

  /** Return exposures at fixed moments about a time: they stand still while the figure passes through them. */
  exposeGhosts(time, { count, spacing }) {
    const shown = [];
    this.motions.forEach((motion, m) => {
      const middle = (time - motion.start) / spacing, last = Math.floor((motion.stop - motion.start) / spacing + 1e-6);
      const reach = (count + 1) / 2;
      const begin = Math.max(Math.ceil(middle - reach), 0), end = Math.min(Math.floor(middle + reach), last);
      for (let k = begin; k <= end && k - begin < MOST_GHOSTS; k++) {
        // who comes in or goes out does so little by little, and nobody hides the figure itself
        const away = Math.abs(k - middle), edge = clamped(2 * (reach - away), 0, 1), near = clamped(2 * away, 0, 1);
        if (edge * near > 0.01) {
          const ghost = this.spare[m][k - begin];
          shown.push(this.expose(ghost, motion.start + k * spacing, GHOST_OPACITY * edge * near));
        }
      }
    });
    return shown;
  }

  /** Colour segments: a filled body from blue to red through its gap, filled limbs green, all else in its own. */
  paint({ motion, tints, filled }, time) {
    const { whole, limbs, bodies } = this.colours;
    const own = bodies[motion % bodies.length];
    filled.clear();
    const shown = this.effort?.(motion, time);
    if (shown) {
      tints.set(shown);
      return;
    }
    for (let s = 0; s < this.segments; s++) tints.set(own, 3 * s);
    for (const fill of this.motions[motion].fillsAt(time)) {
      const share = clamped((time - fill.start) / Math.max(fill.stop - fill.start, 1e-9), 0, 1);
      const tint = fill.whole ? whole[Math.round(share * (whole.length - 1))] : limbs[0];
      for (const s of fill.segments) {
        tints.set(tint, 3 * s);
        filled.add(s);
      }
    }
  }

  /** Return the point amid all figures at a time, without their sway, and how far up, down and around they reach. */
  middle(time) {
    const places = this.motions.map((motion, k) => {
      const [x, z] = this.ways[k][Math.round(motion.frameAt(time))], shift = this.shifts[k];
      return [x + shift[0], z + shift[2]];
    });
    return this.around(places);
  }

  /** Return the same for all the ways together, from start to stop. */
  whole() {
    const places = this.ways.flatMap((way, k) => way.map(([x, z]) => [x + this.shifts[k][0], z + this.shifts[k][2]]));
    return this.around(places);
  }

  around(places) {
    if (!places.length) return { target: [0, 0.85, 0], halfHeight: 1.05, reach: 0 };
    const [x, z] = [0, 1].map((axis) => {
      const [low, high] = extent(places.map((place) => place[axis]));
      return (low + high) / 2;
    });
    const stature = Math.max(...this.motions.map((motion) => motion.stature));
    const [, reach] = extent(places.map((place) => Math.hypot(place[0] - x, place[1] - z)));
    return { target: [x, 0.49 * stature, z], halfHeight: 0.6 * stature, reach };
  }

  /** Return the point above a figure's head at which its label stands. */
  labelPlace(figure) {
    const { segment, place } = this.motions[figure.motion].points.head_top;
    const out = [0, 0, 0], { places, turns } = figure.placement;
    carried(out, 0, places, 3 * segment, turns, 4 * segment, ...place);
    return add(add(out, figure.shift), [0, 0.09, 0]);
  }
}
