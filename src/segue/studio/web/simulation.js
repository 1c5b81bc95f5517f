// A simulated dance as it streams in: its state, the motions of its dancers on the stage, and what is plotted of them.

/** @import { SimulatedFrames, SimulationState } from "./messages.js" */
/** @import { Store } from "./store.js" */

import { Motion } from "/view/motion.js";

const SPARE = 2; // frames beyond those that the length of the dance promises

/** A motion with room for the frames that will come. */
export class GrowingMotion extends Motion {
  /** room: frames of the whole dance. */
  constructor(body, fps, room, forces, tree) {
    const poses = {
      root: new Float32Array(3 * room),
      balls: new Uint16Array(3 * (1 + Math.max(...tree.balls)) * room),
      hinges: new Uint16Array(0),
    };
    super({ ...body, start: 0, fps, frames: room, poses, hinges: { lows: [], steps: [] }, forces: null }, tree);
    this.room = room;
    this.forces = { count: forces };
    this.forceEnds = new Float32Array(6 * forces * room);
    this.cut(0);
  }

  /** Take frames; those after them are void. */
  append(first, arrays, scale) {
    this.patch(first, arrays, scale);
    this.forceEnds.set(arrays.ends, 6 * this.forces.count * first);
    this.cut(first + arrays.loads.length / 2);
  }

  cut(frames) {
    this.frames = frames;
    this.stop = Math.max(frames - 1, 0) / this.fps;
  }
}

/** One number of every frame, by name. */
class Channels {
  constructor(room) {
    this.room = room;
    /** @type {Map<string, Float32Array>} */
    this.rows = new Map();
  }

  put(name, first, count, value) {
    if (!this.rows.has(name)) this.rows.set(name, new Float32Array(this.room).fill(NaN));
    const row = this.rows.get(name);
    for (let k = 0; k < count; k++) row[first + k] = value(k);
  }

  take(first, { loads, energy, balance, hold }, part, contacts) {
    const count = energy.length, named = (name) => (part ? `${part}: ${name}` : name);
    this.put(named("left foot"), first, count, (k) => loads[2 * k]);
    this.put(named("right foot"), first, count, (k) => loads[2 * k + 1]);
    this.put(named("energy"), first, count, (k) => energy[k]);
    this.put(named("pressure"), first, count, (k) => 100 * Math.hypot(
      balance[5 * k + 3] - balance[5 * k], balance[5 * k + 4] - balance[5 * k + 2]));
    if (hold) contacts.forEach((name, c) => this.put(name, first, count, (k) => hold[contacts.length * k + c]));
  }
}

export class Simulation {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    /** @type {SimulationState | null} */
    this.state = null;
    this.clear();
    store.on("simulation", (state) => this.follow(state));
    store.on("frames", (message) => this.take(message));
    store.on("online", () => this.clear());
  }

  /** Whether the stage shows the simulation and not the script. */
  get shown() {
    return this.state !== null && this.state.state !== "none" && this.motions.length > 0;
  }

  /** Number of simulated frames of all dancers. */
  get frames() {
    return this.motions.length ? Math.min(...this.motions.map((motion) => motion.frames)) : 0;
  }

  /** Simulated frames per frame of real time. */
  get pace() {
    const { since, frames } = this;
    return since && frames > since.frames ? (frames - since.frames) / 100 / ((performance.now() - since.at) / 1000) : 0;
  }

  clear() {
    /** @type {GrowingMotion[]} */
    this.motions = [];
    this.channels = new Channels(0);
    this.branch = 0;
    this.since = null;
    this.live = false;
  }

  follow(state) {
    const before = this.state;
    this.state = state;
    if (state.state === "preparing" || state.state === "none") {
      this.clear();
      if (state.state === "none") this.leave();
    } else if (state.stop && !this.motions.length && before?.state !== "preparing" && before?.stop !== state.stop) {
      this.store.send({ kind: "guide_simulation", action: "again" }); // a page that was opened later
    }
    if (state.branch > this.branch && this.motions.length) {
      this.branch = state.branch;
      this.goBack(Math.round(state.time * this.motions[0].fps));
    }
    if (state.state === "running" && (before?.state !== "running" || before.branch !== state.branch)) {
      this.since = { at: performance.now(), frames: this.frames };
    }
    this.store.emit("simulated");
  }

  /** Forget frames from one on. */
  goBack(frames) {
    for (const motion of this.motions) if (motion.frames > frames) motion.cut(Math.max(frames, 1));
    this.draw();
    this.play();
  }

  /** Let the picture follow what is simulated. */
  play() {
    this.live = true;
    this.store.clock.loop = false;
    if (!this.store.clock.playing && this.store.clock.time < this.store.clock.stop) this.store.playOrPause();
  }

  /** @param {SimulatedFrames & { arrays: Record<string, any> }} message */
  take({ branch, index, first, count, fps, hinges, body, arrays }) {
    const { stage } = this.store, { state } = this;
    if (!stage || !state?.stop || branch < this.branch) return;
    this.branch = branch;
    if (body) {
      const room = Math.round(state.stop * fps) + 1 + SPARE;
      if (!this.motions.length) this.enter();
      if (this.channels.room !== room) this.channels = new Channels(room);
      this.motions[index] = new GrowingMotion(body, fps, room, arrays.ends.length / 6 / count, stage.view.tree);
    }
    const motion = this.motions[index];
    if (!motion || first > motion.frames) return;
    const { clock } = this.store;
    // whoever pauses before the newest frame wants to look
    if (first > 0 && this.live && !clock.playing && clock.time < clock.stop - 1e-6) this.live = false;
    motion.append(first, arrays, hinges);
    this.channels.take(first, arrays, state.parts[index] ?? "", state.contacts);
    if (index < state.parts.length - 1) return;
    this.store.send({ kind: "guide_simulation", action: "seen", time: (first + count) / fps });
    this.draw();
    if (this.live || body) this.play();
    this.store.emit("simulated");
  }

  /** Take the script's motions off the stage. */
  enter() {
    const { stage, clock } = this.store;
    for (const role of ["shown", "compare", "ghost", "variant", "simulated"]) stage.view.leave(role);
    this.looped = this.store.simulating ? this.looped : clock.loop;
    this.store.simulating = true;
    clock.pause();
    clock.setRange(null);
    stage.view.settings.forces = true;
    this.fresh = true;
    this.store.emit("stage");
  }

  /** Bring the script's motion back. */
  leave() {
    const { stage, clock } = this.store;
    if (!this.store.simulating) return;
    this.store.simulating = false;
    this.clear();
    clock.loop = this.looped;
    clock.pause();
    stage.view.leave("simulated");
    this.store.emit("stage");
    this.store.emit("simulated");
    this.store.send({ kind: "hello", protocol: 2 });
  }

  /** Show the frames so far. */
  draw() {
    const view = this.store.stage?.view;
    if (!view || !this.motions.length || !this.store.simulating) return;
    this.motions.forEach((motion, k) => {
      if (!motion) return;
      if (view.motions[k] === motion) view.renew(k, false);
      else view.setMotion(k, motion);
      view.keys[k] = `simulated ${k}`;
    });
    if (this.fresh) {
      this.fresh = false;
      view.clock.seek(0);
      view.fits = false;
      view.resize();
    }
  }

  /** Send a command of `guide_simulation` at the time that is shown. */
  guide(action) {
    this.store.send({ kind: "guide_simulation", action, time: this.store.clock.time });
  }

  /** Push a segment of a dancer with a force, in N. */
  push(index, point, force, lasting) {
    this.live = true;
    const time = Math.round(this.store.clock.time * 100) / 100;
    this.store.send({ kind: "push", time, point, force, lasting, part: this.state.parts[index] ?? "leader" });
  }
}
