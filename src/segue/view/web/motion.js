// A motion as the page was given it: poses are decoded when asked for, segments placed by forward kinematics.

import { bytesOf, PackedTurns } from "./packed.js";
import { Skin } from "./skin.js";
import { carried, clamped, mixed, turnAfter } from "./vectors.js";

/** Where every segment of a figure is: places (3 numbers each, metres) and turns (4 each). */
export class Placement {
  constructor(segments) {
    this.places = new Float32Array(3 * segments);
    this.turns = new Float32Array(4 * segments);
  }
}

export class Motion {
  constructor(given, tree) {
    const { label, start, fps, frames, stature, offsets, shapes, points, fills, ground, forces } = given;
    this.label = label;
    this.start = start;
    this.fps = fps;
    this.frames = frames;
    this.stature = stature;
    this.offsets = offsets;
    this.shapes = shapes;
    this.points = points;
    this.fills = fills;
    this.ground = ground;
    this.forces = forces;
    this.tree = tree;
    this.stop = this.start + (this.frames - 1) / this.fps;
    this.ballCount = 1 + Math.max(...tree.balls);
    this.hingeCount = tree.axes.length;
    const { root, balls, hinges } = typeof given.poses === "string" ? this.unpacked(given.poses) : given.poses;
    this.roots = root;
    this.balls = new PackedTurns(balls, this.ballCount);
    this.angles = new Float32Array(this.hingeCount * this.frames);
    this.setAngles(0, hinges, given.hinges);
    this.pose = {
      root: new Float64Array(3),
      balls: new Float64Array(4 * this.ballCount),
      hinges: new Float64Array(this.hingeCount),
    };
    this.skin = given.skin && new Skin(given.skin, this.frames);
    // both ends of every force in every frame, 6 numbers each
    this.forceEnds = given.forces ? new Float32Array(bytesOf(given.forces.ends).buffer) : null;
  }

  /** Return the arrays of poses in base64: see `EncodedPoses` in contents.py. */
  unpacked(text) {
    const { buffer } = bytesOf(text), { frames, ballCount, hingeCount } = this;
    return {
      root: new Float32Array(buffer, 0, 3 * frames),
      balls: new Uint16Array(buffer, 12 * frames, 3 * ballCount * frames),
      hinges: new Uint16Array(buffer, (12 + 6 * ballCount) * frames, hingeCount * frames),
    };
  }

  /** Take angles of hinges from a frame on; each is a count of steps above the least. */
  setAngles(first, counts, { lows, steps }) {
    const width = this.hingeCount, begin = first * width;
    for (let k = 0; k < counts.length; k++) this.angles[begin + k] = lows[k % width] + steps[k % width] * counts[k];
  }

  /** Take poses from a frame on: arrays as in `unpacked`, and the scale of the angles. */
  patch(first, { root, balls, hinges }, scale) {
    this.roots.set(root, 3 * first);
    this.balls.packed.set(balls, 3 * this.ballCount * first);
    this.setAngles(first, hinges, scale);
  }

  /** Return the frame at a time, with its fraction; before the start it is the first, after the stop the last. */
  frameAt(time) {
    return clamped((time - this.start) * this.fps, 0, this.frames - 1);
  }

  /** Decode the pose at a frame with a fraction: between two frames it is the nearest mean of both. */
  decode(frame) {
    const first = Math.floor(frame), share = frame - first, last = Math.min(first + 1, this.frames - 1);
    const { root, balls, hinges } = this.pose;
    for (let k = 0; k < 3; k++) root[k] = mixed(this.roots[3 * first + k], this.roots[3 * last + k], share);
    for (let ball = 0; ball < this.ballCount; ball++) this.balls.between(first, last, share, ball, balls, 4 * ball);
    const [before, after] = [first, last].map((each) => each * this.hingeCount);
    for (let h = 0; h < this.hingeCount; h++) {
      hinges[h] = mixed(this.angles[before + h], this.angles[after + h], share);
    }
  }

  /** Write where the segments are at a frame with a fraction: each joint's offset, then its ball or its hinges. */
  place(frame, out) {
    this.decode(frame);
    const { root, balls, hinges } = this.pose;
    const { parents, axes } = this.tree;
    const { places, turns } = out;
    for (let s = 0; s < parents.length; s++) {
      const parent = parents[s], ball = this.tree.balls[s];
      if (parent < 0) {
        places.set(root, 3 * s);
        turns.set(balls.subarray(4 * ball, 4 * ball + 4), 4 * s);
        continue;
      }
      carried(places, 3 * s, places, 3 * parent, turns, 4 * parent, ...this.offsets[s]);
      if (ball >= 0) turnAfter(turns, 4 * s, turns, 4 * parent, ...balls.subarray(4 * ball, 4 * ball + 4));
      else turns.copyWithin(4 * s, 4 * parent, 4 * parent + 4);
      const [begin, end] = this.tree.hinges[s];
      for (let h = begin; h < end; h++) {
        const sine = Math.sin(hinges[h] / 2), [x, y, z] = axes[h];
        turnAfter(turns, 4 * s, turns, 4 * s, Math.cos(hinges[h] / 2), sine * x, sine * y, sine * z);
      }
    }
    return out;
  }

  /** Return the way of a named point of the body, or of the root, over all frames: 3 numbers each. */
  trail(name) {
    if (name === "root") return Float32Array.from(this.roots);
    const { segment, place } = this.points[name];
    const placement = new Placement(this.tree.parents.length), way = new Float32Array(3 * this.frames);
    for (let frame = 0; frame < this.frames; frame++) {
      this.place(frame, placement);
      carried(way, 3 * frame, placement.places, 3 * segment, placement.turns, 4 * segment, ...place);
    }
    return way;
  }

  /** Return the root's way over the floor without its sway: the mean over a second about every frame, taken twice. */
  smoothWay() {
    const half = Math.round(0.5 * this.fps);
    let way = [];
    for (let frame = 0; frame < this.frames; frame++) way.push([this.roots[3 * frame], this.roots[3 * frame + 2]]);
    for (let pass = 0; pass < 2; pass++) way = meansAround(way, half);
    return way;
  }

  /** Return the fills that are under way at a time. */
  fillsAt(time) {
    return this.fills.filter((fill) => time > fill.start - 1e-9 && time < fill.stop + 1e-9);
  }
}

/** Return the mean of every row and its neighbours up to `half` away, near the ends as many as both sides have. */
function meansAround(rows, half) {
  const sums = [[0, 0]];
  for (const [x, z] of rows) sums.push([sums.at(-1)[0] + x, sums.at(-1)[1] + z]);
  return rows.map((_, k) => {
    const reach = Math.min(half, k, rows.length - 1 - k), count = 2 * reach + 1;
    return [0, 1].map((axis) => (sums[k + reach + 1][axis] - sums[k - reach][axis]) / count);
  });
}
