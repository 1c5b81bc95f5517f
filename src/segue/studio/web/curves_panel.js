// Curves: value, speed and torque of joints over the time of the shown motion, with limits as bands and keys to drag.

/** @import { Store } from "./store.js" */

import { marks, pathOf, rangeOf, sampleAt, toPixel } from "./curve_scale.js";
import { draw, make } from "./elements.js";
import { keysOf, moved } from "./key_handles.js";
import { Ruler } from "./ruler.js";

const CHANNELS = { angle: ["Value", "rad"], speed: ["Speed", "rad/s"], torque: ["Torque", "N m"] };
const COLOURS = 6, LEFT = 56, FOOT = 18, KEPT = "segue.curves";

/** The plots of all chosen channels, one under another, over one ruler. */
class Plots {
  /**
   * @param {HTMLElement} element
   * @param {Store} store
   */
  constructor(element, store) {
    this.store = store;
    this.ruler = new Ruler(0, 1, 100);
    this.zoomed = false;
    /** @type {string[]} */
    this.joints = [];
    /** @type {string[]} */
    this.channels = [];
    this.picture = draw("svg", { class: "plots", role: "img", "aria-label": "Curves of the chosen joints" });
    this.cursor = draw("line", { class: "cursor", y1: 0 });
    this.readout = make("output", { class: "curve-said" });
    this.keys = make("div", { class: "key-handles" });
    this.element = make("div", { class: "plot-area" }, this.picture, this.keys);
    element.append(this.element);
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.picture.addEventListener("pointerdown", (event) => this.grab(event));
    this.picture.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.picture.addEventListener("dblclick", () => { this.zoomed = false; this.draw(); });
  }

  get span() {
    const { timeline, clock } = this.store;
    return timeline ? [timeline.start, timeline.stop] : [clock.start, clock.stop];
  }

  /** Return the rows of a channel, which has those of the chosen joints: name, values, limits. */
  rows(name) {
    const channel = this.store.channels[name];
    if (!channel?.values) return { channel, rows: [] };
    const count = channel.rows.length ? channel.values.length / channel.rows.length : 0;
    const rows = this.joints.length ? channel.rows.map((label, k) => (
      { label, values: channel.values.subarray(k * count, (k + 1) * count),
        limit: channel.limits[k] ?? [null, null] })) : [];
    return { channel, rows };
  }

  draw() {
    const { width, height } = this.element.getBoundingClientRect();
    if (width < 80 || height < 40) return;
    const [low, high] = this.span;
    if (!this.zoomed) Object.assign(this.ruler, { start: low, stop: high });
    this.ruler.width = width - LEFT;
    this.height = height;
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const each = (height - FOOT) / Math.max(this.channels.length, 1);
    const plots = this.channels.map((name, k) => this.plot(name, k * each, each - 6, width));
    this.cursor.setAttribute("y2", String(height - FOOT));
    const times = this.ruler.marks().map((time) => draw("text", {
      class: "tick", x: LEFT + this.ruler.toPixel(time), y: height - 4, "text-anchor": "middle",
    }, `${Number(time.toFixed(6))}`));
    this.picture.replaceChildren(...plots, ...times, this.cursor);
    this.drawKeys();
    this.follow();
  }

  plot(name, top, height, width) {
    const [title, unit] = CHANNELS[name], { channel, rows } = this.rows(name);
    const limits = rows.map(({ limit }) => limit), range = rangeOf(rows.map(({ values }) => values), limits);
    const group = draw("g", { transform: `translate(${LEFT} ${top})`, class: "plot" });
    const inner = width - LEFT;
    group.append(draw("rect", { class: "ground", width: inner, height }));
    if (rows.length === 1) {
      const [least, most] = rows[0].limit;
      const band = (from, to) => {
        if (to - from > 0.5) group.append(draw("rect", { class: "band", y: from, width: inner, height: to - from }));
      };
      if (most !== null) band(0, Math.min(toPixel(most, range, height), height));
      if (least !== null) band(Math.max(toPixel(least, range, height), 0), height);
    }
    for (const mark of marks(...range, Math.max(Math.floor(height / 26), 2))) {
      const y = toPixel(mark, range, height);
      group.append(draw("line", { class: mark === 0 ? "zero" : "grid", x2: inner, y1: y, y2: y }),
        draw("text", { class: "tick", x: -5, y: y + 3.5, "text-anchor": "end" }, String(mark)));
    }
    rows.forEach(({ values }, k) => group.append(draw("path", {
      class: `curve colour-${k % COLOURS}`, d: pathOf(values, channel.start, channel.fps, this.ruler, range, height),
    })));
    group.append(draw("text", { class: "plot-title", x: 6, y: 14 }, `${title}, ${unit}`));
    const names = draw("text", { class: "plot-names", x: inner - 6, y: 14, "text-anchor": "end" });
    rows.slice(0, 9).forEach(({ label }, k) => {
      names.append(draw("tspan", { class: `name-${k % COLOURS}`, dx: k ? 8 : 0 }, label.replaceAll("_", " ")));
    });
    group.append(names);
    if (!rows.length) group.append(draw("text", { class: "plot-empty", x: inner / 2, y: height / 2,
      "text-anchor": "middle" }, "no values yet"));
    return group;
  }

  /** Draw the keys of the text as grips on the time axis. */
  drawKeys() {
    const { store } = this, keys = store.doc ? keysOf(store.doc.tree, store.values?.nodes) : [];
    const held = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.key ?? "";
    if (this.dragging) return;
    this.keys.replaceChildren(...keys.map((key) => {
      const grip = make("button", {
        type: "button", role: "slider", class: "key-grip", "data-key": key.call.node, disabled: key.fixed,
        "aria-label": `Key ${key.call.label}`, "aria-valuenow": key.time, "aria-valuemin": 0,
        "aria-valuetext": `${key.time.toFixed(2)} seconds`,
        title: key.fixed ? "The time of this key is an expression" : `Key at ${key.time.toFixed(3)} s: drag it`,
      });
      grip.style.left = `${LEFT + this.ruler.toPixel(key.time)}px`;
      grip.hidden = key.time < this.ruler.start - 1e-9 || key.time > this.ruler.stop + 1e-9;
      grip.addEventListener("pointerdown", (event) => this.dragKey(event, grip, key));
      grip.addEventListener("keydown", (event) => this.pressKey(event, key));
      return grip;
    }));
    if (held) /** @type {HTMLElement | null} */ (this.keys.querySelector(`[data-key="${held}"]`))?.focus();
  }

  snapped(time) {
    const { fps } = this.store.values?.nodes[this.store.values.shown] ?? {};
    return fps ? Math.round(time * fps) / fps : time;
  }

  dragKey(event, grip, key) {
    if (event.button !== 0) return;
    event.preventDefault();
    grip.setPointerCapture(event.pointerId);
    grip.focus();
    const { store } = this, { text } = store.doc, gesture = store.gesture(), from = event.clientX;
    this.dragging = true;
    store.select(key.call.node);
    const move = (now) => {
      const time = this.snapped(key.time + (now.clientX - from) / this.ruler.scale);
      grip.style.left = `${LEFT + this.ruler.toPixel(Math.max(time, 0))}px`;
      gesture.edit(moved(store, text, key, time));
    };
    const esc = (pressed) => { if (pressed.key === "Escape") { pressed.stopPropagation(); end(false); } };
    const end = (keep) => {
      grip.removeEventListener("pointermove", move);
      grip.removeEventListener("keydown", esc);
      this.dragging = false;
      if (keep) gesture.commit();
      else gesture.revert();
      this.draw();
    };
    grip.addEventListener("pointermove", move);
    grip.addEventListener("keydown", esc);
    grip.addEventListener("lostpointercapture", () => { if (this.dragging) end(true); }, { once: true });
  }

  pressKey(event, key) {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way || this.dragging) return;
    event.preventDefault();
    event.stopPropagation();
    const { store } = this, { fps } = store.values?.nodes[store.values.shown] ?? {},
      step = (event.shiftKey ? 10 : 1) / (fps ?? 30);
    store.edit(moved(store, store.doc.text, key, this.snapped(key.time + way * step)))
      .catch((error) => store.notify(error.message, "error"));
  }

  grab(event) {
    if (event.button !== 0) return;
    this.picture.setPointerCapture(event.pointerId);
    const { left } = this.picture.getBoundingClientRect();
    const seek = (now) => this.store.seek(this.ruler.toTime(now.clientX - left - LEFT));
    this.store.clock.pause();
    seek(event);
    this.picture.addEventListener("pointermove", seek);
    this.picture.addEventListener("lostpointercapture", () => this.picture.removeEventListener("pointermove", seek),
      { once: true });
  }

  wheel(event) {
    event.preventDefault();
    const pixel = event.clientX - this.picture.getBoundingClientRect().left - LEFT, [low, high] = this.span;
    const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (sideways) this.ruler.pan((event.deltaX || event.deltaY) / this.ruler.scale, low, high);
    else this.ruler.zoom(1.0015 ** event.deltaY, pixel, low, high);
    this.zoomed = this.ruler.stop - this.ruler.start < high - low - 1e-6;
    this.draw();
  }

  /** Put the cursor at the time of the clock, and say the values there. */
  follow() {
    const { time } = this.store.clock, x = LEFT + this.ruler.toPixel(time);
    this.cursor.setAttribute("x1", String(x));
    this.cursor.setAttribute("x2", String(x));
    this.cursor.style.display = time < this.ruler.start - 1e-9 || time > this.ruler.stop + 1e-9 ? "none" : "";
    const said = this.channels.flatMap((name) => {
      const { channel, rows } = this.rows(name);
      if (!rows.length) return [];
      const value = sampleAt(rows[0].values, channel.start, channel.fps, time), [title, unit] = CHANNELS[name];
      return [`${title.toLowerCase()} ${value.toFixed(2)} ${unit}`];
    });
    this.readout.textContent = [`${time.toFixed(2)} s`, ...said].join("\n");
  }
}

/**
 * Make the curves.
 *
 * @param {HTMLElement} element
 * @param {Store} store
 */
export function mount(element, store) {
  element.classList.add("curves");
  const joints = make("select", { multiple: true, size: 8, "aria-label": "Joints" });
  const boxes = Object.entries(CHANNELS).map(([name, [title]]) => make("label", {}, make("input", {
    type: "checkbox", value: name, checked: true, onchange: () => choose(),
  }), ` ${title}`));
  element.append(make("div", { class: "curve-side" },
    make("div", { class: "curve-channels", role: "group", "aria-label": "Curves" }, ...boxes), joints));
  const plots = new Plots(element, store);
  element.firstElementChild.append(plots.readout);
  const choose = () => {
    plots.joints = [...joints.selectedOptions].map(({ value }) => value);
    plots.channels = boxes.map((box) => /** @type {HTMLInputElement} */ (box.firstElementChild))
      .filter(({ checked }) => checked).map(({ value }) => value);
    localStorage.setItem(KEPT, JSON.stringify(plots.joints));
    store.want("curves", { channels: plots.channels, joints: plots.joints });
    plots.draw();
  };
  const fill = () => {
    if (!store.welcome || joints.options.length) return;
    const kept = new Set(/** @type {string[]} */ (JSON.parse(localStorage.getItem(KEPT) ?? '["right_knee"]')));
    joints.replaceChildren(...store.welcome.joints.map((each) => make("option",
      { value: each, selected: kept.has(each) }, each.replaceAll("_", " "))));
    choose();
  };
  joints.addEventListener("change", choose);
  store.on("welcome", fill);
  store.on("channel timeline values layout", () => { if (!element.hidden) plots.draw(); });
  store.on("time", () => { if (!element.hidden) plots.follow(); });
  fill();
  return { shown: () => plots.draw() };
}
