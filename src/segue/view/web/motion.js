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

/** Moves of parts of a motion on the floor, each from a frame on: a turn about the vertical, then a shift. */
class Moves {
  /** rows: first frame, turn in rad, x, y and z in m, one after another. */
  constructor(rows, frames) {
    this.rows = rows;
    this.of = new Uint16Array(frames); // the move of each frame
    for (let k = 1; 5 * k < rows.length; k++) this.of.fill(k, rows[5 * k]);
  }

  /** Move a place in m. */
  carry(frame, place) {
    const at = 5 * this.of[frame], turn = this.rows[at + 1], [x, y, z] = place;
    const cosine = Math.cos(turn), sine = Math.sin(turn);
    place[0] = cosine * x + sine * z + this.rows[at + 2];
    place[1] = y + this.rows[at + 3];
    place[2] = cosine * z - sine * x + this.rows[at + 4];
    return place;
  }

  /** Turn a quaternion. */
  turn(frame, turns, at) {
    const half = 0.5 * this.rows[5 * this.of[frame] + 1];
    turnAfter(turns, at, [Math.cos(half), 0, Math.sin(half), 0], 0, ...turns.subarray(at, at + 4));
  }
}

export class Motion {
  /** given: an entry of the contents, with poses in base64 or as arrays; hinges: null if these have angles in rad. */
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
    this.moves = given.moves ? new Moves(given.moves, this.frames) : null;
    this.balls = new PackedTurns(balls, this.ballCount, this.moves);
    this.angles = given.hinges ? new Float32Array(this.hingeCount * this.frames) : hinges;
    if (given.hinges) this.setAngles(0, hinges, given.hinges);
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

  /** Return where the root is in a frame, in m. */
  rootAt(frame) {
    const place = [this.roots[3 * frame], this.roots[3 * frame + 1], this.roots[3 * frame + 2]];
    return this.moves ? this.moves.carry(frame, place) : place;
  }

  /** Decode the pose at a frame with a fraction: between two frames it is the nearest mean of both. */
  decode(frame) {
    const first = Math.floor(frame), share = frame - first, last = Math.min(first + 1, this.frames - 1);
    const { root, balls, hinges } = this.pose;
    const here = this.rootAt(first), there = this.rootAt(last);
    for (let k = 0; k < 3; k++) root[k] = mixed(here[k], there[k], share);
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
    const way = new Float32Array(3 * this.frames);
    if (name === "root") {
      for (let frame = 0; frame < this.frames; frame++) way.set(this.rootAt(frame), 3 * frame);
      return way;
    }
    const { segment, place } = this.points[name], placement = new Placement(this.tree.parents.length);
    for (let frame = 0; frame < this.frames; frame++) {
      this.place(frame, placement);
      carried(way, 3 * frame, placement.places, 3 * segment, placement.turns, 4 * segment, ...place);
    }
    return way;
  }

  /** Return the root's way over the floor without its sway: the mean over a second about every frame, taken twice. */
  smoothWay() {
    const half = Math.round(0.5 * this.fps);
    const axes = [new Float64Array(this.frames), new Float64Array(this.frames)];
    for (let frame = 0; frame < this.frames; frame++) {
      const [x, , z] = this.rootAt(frame);
      axes[0][frame] = x;
      axes[1][frame] = z;
    }
    const [x, z] = axes.map((axis) => meansAround(meansAround(axis, half), half));
    return Array.from(x, (each, frame) => [each, z[frame]]);
  }

  /** Return the fills that are under way at a time. */
  fillsAt(time) {
    return this.fills.filter((fill) => time > fill.start - 1e-9 && time < fill.stop + 1e-9);
  }
}

/** Return the mean of every number and its neighbours up to `half` away, near the ends as many as both sides have. */
function meansAround(numbers, half) {
  const count = numbers.length, sums = new Float64Array(count + 1);
  for (let k = 0; k < count; k++) sums[k + 1] = sums[k] + numbers[k];
  return numbers.map((_, k) => {
    const reach = Math.min(half, k, count - 1 - k);
    return (sums[k + reach + 1] - sums[k - reach]) / (2 * reach + 1);
  });
}
