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
  }

  get frame() {
    return Math.round((this.time - this.start) * this.rate);
  }

  play() {
    if (this.stop <= this.start) return;
    if (this.time >= this.stop) this.time = this.start;
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
    const time = this.time + this.speed * seconds, length = this.stop - this.start;
    if (time < this.stop) this.time = time;
    else if (this.loop) this.time = this.start + (time - this.start) % length;
    else {
      this.time = this.stop;
      this.pause();
    }
  }
}
