// A figure to be drawn.

import { Placement } from "./motion.js";

/** A figure to be drawn: `motion` says whose flesh, `placement` where, `tints` the colours of its segments. */
export class Exposure {
  constructor(motion, segments) {
    this.motion = motion;
    this.placement = new Placement(segments);
    this.tints = new Float32Array(3 * segments);
    this.shift = [0, 0, 0];
    this.opacity = 1;
    this.frame = 0;
    this.filled = new Set(); // segments that are in the tint of a filled gap
  }
}
