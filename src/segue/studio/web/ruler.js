// The time axis of time line and curves: seconds to pixels and back, zoom, and where its marks stand.

const STEPS = [1, 2, 5];
const APART = 70; // pixels between two numbers, at least

export class Ruler {
  constructor(start, stop, width) {
    this.start = start;
    this.stop = stop;
    this.width = width;
  }

  get scale() {
    return this.width / Math.max(this.stop - this.start, 1e-9);
  }

  toPixel(time) {
    return (time - this.start) * this.scale;
  }

  toTime(pixel) {
    return this.start + pixel / this.scale;
  }

  /** Show more or less of the time about a pixel, which keeps its time; nothing outside low to high is shown. */
  zoom(times, pixel, low, high) {
    const about = this.toTime(pixel), least = Math.min(0.1, high - low);
    const length = Math.min(Math.max((this.stop - this.start) * times, least), high - low);
    this.start = about - length * pixel / this.width;
    this.stop = this.start + length;
    this.pan(0, low, high);
  }

  /** Move by seconds, within low to high. */
  pan(seconds, low, high) {
    const length = this.stop - this.start;
    this.start = Math.max(Math.min(this.start + seconds, high - length), low);
    this.stop = this.start + length;
  }

  /** Return the times that get a number: multiples of 1, 2 or 5 times a power of ten. */
  marks() {
    const least = APART / this.scale, power = 10 ** Math.floor(Math.log10(least));
    const step = power * (STEPS.find((each) => each * power >= least * (1 - 1e-9)) ?? 10);
    const first = Math.ceil(this.start / step - 1e-9), last = Math.floor(this.stop / step + 1e-9);
    return Array.from({ length: Math.max(last - first + 1, 0) }, (_, k) => (first + k) * step);
  }
}
