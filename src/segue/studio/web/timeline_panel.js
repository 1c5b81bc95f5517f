// The time line: ruler, effort, rows of clips and gaps with their handles, contacts and findings, on one time axis.

/** @import { Store } from "./store.js" */

import { button, make } from "./elements.js";
import { Ruler } from "./ruler.js";
import { Contacts } from "./timeline_contacts.js";
import { drawEffort, drawRuler, effortWords } from "./timeline_drawing.js";
import { Rows } from "./timeline_rows.js";

const LABELS = 104; // CSS pixels of the column of labels
const CALM = 900; // milliseconds without a change after which the motion is checked

/**
 * Make the time line.
 *
 * @param {HTMLElement} element
 * @param {Store} store
 */
export function mount(element, store) {
  const panel = new TimelinePanel(element, store);
  return { shown: () => panel.resize() };
}

export class TimelinePanel {
  /**
   * @param {HTMLElement} element
   * @param {Store} store
   */
  constructor(element, store) {
    this.store = store;
    this.ruler = new Ruler(0, 1, 600);
    this.whole = true; // whether all of the motion is in view
    this.snap = "frame";
    this.tempo = 120;
    this.painted = ""; // what the canvases show
    /** @type {import("./store.js").Channel | undefined} */
    this.effort = undefined;
    this.body = make("div", { class: "tl-body" });
    this.marks = make("canvas", { class: "tl-canvas" });
    this.heat = make("canvas", { class: "tl-canvas" });
    this.heatLane = this.lane("effort", this.heat);
    this.checks = this.lane("check");
    this.head = make("div", {
      class: "tl-head", tabindex: 0, role: "slider", "aria-label": "Time", "aria-valuemin": 0, "aria-valuenow": 0,
    });
    this.range = make("div", { class: "tl-range" });
    this.over = make("div", { class: "tl-over" }, this.range, this.head);
    this.rows = new Rows(this);
    this.contacts = new Contacts(this);
    this.body.append(this.lane("", this.marks), this.heatLane, this.rows.element, this.contacts.element, this.checks,
      this.over);
    element.append(this.tools(), this.body);
    element.classList.add("timeline");
    this.listen(element);
    this.resize();
  }

  /** Return a row with a label and a lane. */
  lane(label, ...content) {
    return make("div", { class: `tl-row${label ? "" : " tl-ruler"}`, "data-row": label || "ruler" },
      make("div", { class: "tl-label" }, label), make("div", { class: "tl-lane" }, ...content));
  }

  tools() {
    const snap = make("select", { "aria-label": "Snap to", onchange: () => { this.snap = snap.value; this.draw(); } },
      ...[["frame", "snap: frames"], ["beat", "snap: beats"],
        ["none", "no snap"]].map(([value, text]) => make("option", { value }, text)));
    const tempo = make("input", {
      type: "number", min: 20, max: 400, value: this.tempo, "aria-label": "Beats a minute", title: "Beats a minute",
      onchange: () => { this.tempo = Math.min(Math.max(Number(tempo.value) || 120, 20), 400); this.draw(); },
    });
    const { commands } = this.store, run = (id) => () => commands.run(id);
    const add = (id, title, keys, act) => commands.add({ id, title, group: "Time line", keys, run: act });
    add("zoom.in", "Zoom in on time", ["+", "="], () => this.zoom(0.7));
    add("zoom.out", "Zoom out of time", ["-"], () => this.zoom(1 / 0.7));
    add("zoom.all", "Show all of the time", ["0"], () => this.fit());
    add("time.beat-back", "One beat back", ["Alt+ArrowLeft"], () => this.beat(-1));
    add("time.beat-on", "One beat on", ["Alt+ArrowRight"], () => this.beat(1));
    return make("div", { class: "tl-tools" },
      button("Zoom out", "−", run("zoom.out"), { key: "-" }), button("Zoom in", "+", run("zoom.in"), { key: "+" }),
      button("Show all of the time", "All", run("zoom.all"), { key: "0" }), snap, make("label", {}, tempo, " bpm"),
      button("Split here", "Split", run("split"), { key: "S" }),
        button("Smooth here", "Smooth", run("smooth"), { key: "T" }));
  }

  listen(element) {
    const { store } = this;
    new ResizeObserver(() => this.resize()).observe(element);
    store.on("timeline", () => this.take());
    store.on("contacts", () => this.contacts.draw());
    store.on("channel", () => this.paint());
    store.on("theme", () => { this.painted = ""; this.paint(); });
    store.on("findings", () => this.drawChecks());
    store.on("selection doc", () => this.rows.mark());
    store.on("time", () => this.follow());
    store.on("layout", () => this.follow());
    store.want("timeline", { channels: ["contacts", "effort"] });
    store.on("gesture", () => { if (store.timeline && !store.running) this.take(); });
    store.on("state", ({ busy }) => {
      clearTimeout(this.calm);
      if (!busy) this.calm = setTimeout(() => { if (store.online && !store.stale
        && !store.running) store.send({ kind: "check" }); }, CALM);
    });
    this.body.addEventListener("wheel", (event) => this.roll(event), { passive: false });
    for (const lane of [this.marks, this.heat, this.head]) lane.addEventListener("pointerdown",
      (event) => this.scrub(event));
    this.heat.addEventListener("pointermove", (event) => {
      this.heatLane.title = effortWords(store.channels.effort, this.ruler.toTime(event.offsetX));
    });
    this.body.addEventListener("pointerdown", (event) => {
      if (/** @type {Element} */ (event.target).classList.contains("tl-lane")) this.scrub(event);
    });
    this.touches();
    if (store.timeline) this.take();
  }

  /** Two fingers zoom and move the time. */
  touches() {
    const down = new Map(), at = ([x]) => x - this.left();
    this.body.addEventListener("pointerdown",
      (event) => { if (event.pointerType === "touch") down.set(event.pointerId, [event.clientX]); });
    for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind,
      (event) => down.delete(/** @type {PointerEvent} */ (event).pointerId));
    document.addEventListener("pointermove", (event) => {
      if (!down.has(event.pointerId)) return;
      const before = [...down.values()].map(at), now = [event.clientX];
      down.set(event.pointerId, now);
      if (down.size !== 2) return;
      const after = [...down.values()].map(at), apart = (pair) => Math.max(Math.abs(pair[0] - pair[1]), 10);
      const middle = (before[0] + before[1]) / 2, { clock } = this.store;
      this.ruler.zoom(apart(before) / apart(after), middle, clock.start, clock.stop);
      this.ruler.pan((before[0] + before[1] - after[0] - after[1]) / 2 / this.ruler.scale, clock.start, clock.stop);
      this.whole = false;
      this.draw();
    });
  }

  /** Return where time begins in the window, in CSS pixels. */
  left() {
    return this.marks.getBoundingClientRect().left;
  }

  /** Return the time under a pointer. */
  timeAt(event) {
    return this.ruler.toTime(event.clientX - this.left());
  }

  /** Return the seconds between times that are snapped to, and one of them; [0, 0] for none. */
  steps() {
    const { clock } = this.store;
    if (this.snap === "none") return [0, 0];
    return this.snap === "beat" ? [60 / this.tempo, clock.start] : [1 / clock.rate, clock.start];
  }

  /** Take a time line. While something is dragged, the scale stays, so that the hand keeps what it holds. */
  take() {
    const { start, stop } = this.store.timeline, { ruler } = this;
    if (!this.store.running) {
      if (this.whole) [ruler.start, ruler.stop] = [start, Math.max(stop, start + 0.1)];
      else ruler.pan(0, start, stop);
    }
    this.draw();
  }

  resize() {
    const width = this.body.clientWidth - LABELS - 12;
    if (width < 20) return;
    this.ruler.width = width;
    this.draw();
  }

  fit() {
    this.whole = true;
    if (this.store.timeline) this.take();
  }

  zoom(times, pixel = this.ruler.toPixel(this.store.clock.time)) {
    const { timeline } = this.store;
    if (!timeline) return;
    const about = Math.min(Math.max(pixel, 0), this.ruler.width);
    this.ruler.zoom(times, about, timeline.start, timeline.stop);
    this.whole = this.ruler.stop - this.ruler.start >= timeline.stop - timeline.start - 1e-6;
    this.draw();
  }

  roll(event) {
    const { timeline } = this.store,
      sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY;
    if (!timeline) return;
    if (event.ctrlKey || event.metaKey) this.zoom(Math.exp(0.002 * event.deltaY), event.clientX - this.left());
    else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      this.ruler.pan(sideways / this.ruler.scale, timeline.start, timeline.stop);
      this.draw();
    } else return;
    event.preventDefault();
  }

  /** Let the time follow a pressed pointer. */
  scrub(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    const { store } = this, target = /** @type {HTMLElement} */ (event.currentTarget);
    store.clock.pause();
    const go = (moved) => store.seek(this.timeAt(moved));
    target.setPointerCapture(event.pointerId);
    target.addEventListener("pointermove", go);
    target.addEventListener("lostpointercapture", () => target.removeEventListener("pointermove", go), { once: true });
    go(event);
  }

  beat(by) {
    const { clock } = this.store, step = 60 / this.tempo, beat = (clock.time - clock.start) / step;
    clock.pause();
    this.store.seek(clock.start + step * (by > 0 ? Math.floor(beat + 1e-6) + 1 : Math.ceil(beat - 1e-6) - 1));
  }

  draw() {
    this.paint();
    this.rows.draw();
    this.contacts.draw();
    this.drawChecks();
    this.follow();
  }

  /** Paint the canvases, if anything on them has changed. */
  paint() {
    const beat = this.snap === "beat" ? 60 / this.tempo : 0, { ruler, marks, heat, store } = this;
    const { clock, channels: { effort } } = store, sizes = [marks, heat].map((each) => each.parentElement.clientHeight);
    const key = [ruler.start, ruler.stop, ruler.width, beat, clock.start, devicePixelRatio, ...sizes].join();
    if (key === this.painted && effort === this.effort) return;
    this.painted = key;
    this.effort = effort;
    drawRuler(marks, ruler, beat, clock.start);
    drawEffort(heat, ruler, effort);
  }

  /** Put the play head and the loop range where the clock has them. */
  follow() {
    const { clock } = this.store, { ruler } = this, x = ruler.toPixel(clock.time);
    this.head.style.transform = `translateX(${x.toFixed(1)}px)`;
    this.head.style.visibility = x < -1 || x > ruler.width + 1 ? "hidden" : "";
    this.head.setAttribute("aria-valuenow", clock.time.toFixed(2));
    this.head.setAttribute("aria-valuemax", clock.stop.toFixed(2));
    this.head.setAttribute("aria-valuetext", `${clock.time.toFixed(2)} seconds`);
    this.range.hidden = !clock.range;
    if (!clock.range) return;
    const [low, high] = [clock.low, clock.high].map((time) => Math.min(Math.max(ruler.toPixel(time), 0), ruler.width));
    this.range.style.left = `${low}px`;
    this.range.style.width = `${high - low}px`;
  }

  /** Mark what `check` found. */
  drawChecks() {
    const { findings } = this.store, lane = this.checks.lastElementChild, { ruler } = this;
    const marks = (findings?.findings ?? []).filter(({ time, severity }) => time !== null && severity !== "fine");
    lane.replaceChildren(...marks.flatMap(({ time, sentence, severity }) => {
      const x = ruler.toPixel(time);
      if (x < 0 || x > ruler.width) return [];
      const mark = button(sentence, severity === "fault" ? "!" : "?", () => this.store.seek(time));
      mark.className = `tl-check ${severity}`;
      mark.style.left = `${x}px`;
      return [mark];
    }));
  }
}
