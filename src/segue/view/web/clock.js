// Time: where it is, whether it runs, how fast, and what happens at its end.

import { clamped } from "./vectors.js";

export class Clock {
  /** start, stop: of all motions together, in s. rate: frames a second, for steps. */
  constructor(start, stop, rate) {
    this.start = start;
    this.stop = stop;
    this.rate = rate;
    this.time = start;
    this.playing = false;
    this.speed = 1;
    this.loop = true;
    /** @type {[number, number] | null} */
    this.range = null; // the part that is played
  }

  /** Where playing begins. */
  get low() {
    return this.range ? clamped(this.range[0], this.start, this.stop) : this.start;
  }

  /** Where playing ends. */
  get high() {
    return this.range ? clamped(this.range[1], this.low, this.stop) : this.stop;
  }

  /** Play only from low to high; null for all. */
  setRange(low, high = 0) {
    this.range = low === null ? null : [low, high];
  }

  get frame() {
    return Math.round((this.time - this.start) * this.rate);
  }

  play() {
    if (this.high <= this.low) return;
    if (this.time >= this.high || this.time < this.low) this.time = this.low;
    this.playing = true;
  }

  pause() {
    this.playing = false;
  }

  seek(time) {
    this.time = clamped(time, this.start, this.stop);
  }

  /** Go to the frame that is so many after the one that is shown. */
  step(frames) {
    this.pause();
    this.seek(this.start + (this.frame + frames) / this.rate);
  }

  /** Let so many seconds of the world go by. */
  advance(seconds) {
    if (!this.playing) return;
    const time = this.time + this.speed * seconds, { low, high } = this;
    if (time < high) this.time = time;
    else if (this.loop && high > low) this.time = low + (time - low) % (high - low);
    else {
      this.time = high;
      this.pause();
    }
  }
}
