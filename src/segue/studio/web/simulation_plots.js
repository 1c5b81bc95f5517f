// Live plots of a simulation: floor forces, energy, and the hold of a couple or the balance of one dancer.

/** @import { Store } from "./store.js" */
/** @import { Simulation } from "./simulation.js" */

import { marks, pathOf, rangeOf, sampleAt, toPixel } from "./curve_scale.js";
import { make } from "./elements.js";
import { Ruler } from "./ruler.js";

const LEFT = 52, FOOT = 18, HEAD = 18;
const COLOURS = ["--left-foot", "--right-foot", "--good", "--warning", "--faint"];
const DASHES = [[], [7, 2], [2, 2], [9, 2, 2, 2], [4, 3]];

export class Plots {
  /**
   * @param {Store} store
   * @param {Simulation} simulation
   */
  constructor(store, simulation) {
    this.store = store;
    this.simulation = simulation;
    this.ruler = new Ruler(0, 1, 100);
    this.canvas = make("canvas", { class: "live-plots", tabindex: 0, role: "slider", "aria-label": "Simulated time",
      "aria-valuemin": 0 });
    this.element = make("div", { class: "live-plot-area" }, this.canvas);
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.canvas.addEventListener("pointerdown", (event) => this.grab(event));
    store.on("theme", () => this.draw());
  }

  /** Return the plots: title, unit, and the rows of each. */
  plots() {
    const rows = [...this.simulation.channels.rows], held = this.simulation.state?.contacts ?? [];
    const chosen = (word) => rows.filter(([name]) => name.endsWith(word) && !held.includes(name));
    const plots = [
      { title: "Floor force, N", rows: chosen("foot"), least: 0 },
      { title: "Energy, J", rows: chosen("energy"), least: null },
    ];
    const hold = rows.filter(([name]) => held.includes(name));
    plots.push(hold.length ? { title: "Hold, N", rows: hold, least: 0 }
      : { title: "Pressure from centre of mass, cm", rows: chosen("pressure"), least: 0 });
    return plots;
  }

  /** Draw once in the next picture. */
  later() {
    this.asked ??= requestAnimationFrame(() => {
      this.asked = null;
      this.draw();
    });
  }

  draw() {
    const { width, height } = this.element.getBoundingClientRect(), { canvas, simulation, ruler } = this;
    if (width < 120 || height < 60) return;
    const sharp = devicePixelRatio || 1, style = getComputedStyle(canvas), ink = (name) => style.getPropertyValue(name);
    canvas.width = Math.round(width * sharp);
    canvas.height = Math.round(height * sharp);
    const pen = canvas.getContext("2d"), stop = simulation.state?.stop || 1, plots = this.plots();
    pen.scale(sharp, sharp);
    pen.font = "10.5px system-ui, sans-serif";
    Object.assign(ruler, { start: 0, stop, width: width - LEFT - 6 });
    const each = (height - FOOT) / plots.length;
    plots.forEach((plot, k) => this.plot(pen, ink, plot, k * each + HEAD, each - HEAD - 2));
    pen.fillStyle = ink("--faint");
    pen.textAlign = "center";
    for (const time of ruler.marks()) pen.fillText(String(Number(time.toFixed(3))), LEFT + ruler.toPixel(time), height - 5);
    pen.setLineDash([3, 3]);
    pen.strokeStyle = ink("--error");
    for (const push of simulation.state?.pushes ?? []) upright(pen, LEFT + ruler.toPixel(push.time), height - FOOT);
    pen.setLineDash([]);
    pen.strokeStyle = ink("--ink");
    upright(pen, LEFT + ruler.toPixel(this.store.clock.time), height - FOOT);
    canvas.setAttribute("aria-valuemax", stop.toFixed(2));
    canvas.setAttribute("aria-valuenow", this.store.clock.time.toFixed(2));
    canvas.setAttribute("aria-valuetext", this.spoken());
  }

  plot(pen, ink, { title, rows, least }, top, height) {
    const { ruler, simulation } = this, { frames } = simulation;
    const known = rows.map(([, values]) => steady(values.subarray(0, frames))), range = rangeOf(known);
    if (least !== null) range[0] = least;
    pen.save();
    pen.translate(LEFT, top);
    this.head(pen, ink, title, rows.map(([name]) => name));
    pen.fillStyle = ink("--raised");
    pen.fillRect(0, 0, ruler.width, height);
    pen.textAlign = "right";
    pen.lineWidth = 1;
    for (const mark of marks(...range, Math.max(Math.floor(height / 24), 2))) {
      const y = Math.round(toPixel(mark, range, height)) + 0.5;
      pen.strokeStyle = ink("--edge");
      pen.beginPath();
      pen.moveTo(0, y);
      pen.lineTo(ruler.width, y);
      pen.stroke();
      pen.fillStyle = ink("--faint");
      pen.fillText(String(mark), -5, y + 3.5);
    }
    pen.beginPath();
    pen.rect(0, 0, ruler.width, height);
    pen.clip();
    pen.lineWidth = 1.7;
    known.forEach((values, k) => {
      pen.strokeStyle = ink(COLOURS[k % COLOURS.length]);
      pen.setLineDash(DASHES[k % DASHES.length]);
      if (values.length > 1) pen.stroke(new Path2D(pathOf(values, 0, 100, ruler, range, height)));
    });
    pen.restore();
  }

  /** Write the title of a plot and the names of its rows above it. */
  head(pen, ink, title, names) {
    pen.textAlign = "left";
    pen.fillStyle = ink("--ink");
    pen.font = "650 11.5px system-ui, sans-serif";
    pen.fillText(title, 0, -5);
    let x = 14 + pen.measureText(title).width;
    pen.font = "11px system-ui, sans-serif";
    if (names.length > 1) names.forEach((name, k) => {
      pen.fillStyle = ink(COLOURS[k % COLOURS.length]);
      pen.fillText(name, x, -5);
      x += pen.measureText(name).width + 12;
    });
    pen.font = "10.5px system-ui, sans-serif";
  }

  /** Return the time and the values there, for screen readers. */
  spoken() {
    const { time } = this.store.clock, { frames } = this.simulation;
    const said = this.plots().flatMap(({ rows }) => rows.map(([name, values]) =>
      `${name} ${frames ? sampleAt(values.subarray(0, frames), 0, 100, time).toFixed(0) : "none"}`));
    return `${time.toFixed(2)} seconds; ${said.join(", ")}`;
  }

  grab(event) {
    if (event.button !== 0) return;
    const { canvas, store } = this, { left } = canvas.getBoundingClientRect();
    canvas.setPointerCapture(event.pointerId);
    store.clock.pause();
    this.simulation.live = false;
    const seek = (now) => store.seek(this.ruler.toTime(now.clientX - left - LEFT));
    seek(event);
    canvas.addEventListener("pointermove", seek);
    canvas.addEventListener("lostpointercapture", () => canvas.removeEventListener("pointermove", seek), { once: true });
  }
}

/** Return values in which an unknown one is as the one before it. */
function steady(values) {
  let last = 0;
  return values.map((value) => { last = Number.isFinite(value) ? value : last; return last; });
}

function upright(pen, x, height) {
  pen.lineWidth = 1.2;
  pen.beginPath();
  pen.moveTo(x, 0);
  pen.lineTo(x, height);
  pen.stroke();
}
