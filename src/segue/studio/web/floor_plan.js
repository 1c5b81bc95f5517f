// The floor from above: walls and the places where couples begin are dragged, dancers are dropped on it.

/** @import { FloorPanel } from "./floor_panel.js" */

import { drawEvening, drawGround, FLOOR_LOOKS, FloorScale } from "/view/floor.js";
import { draw, make } from "./elements.js";
import { isDark } from "./keys.js";
import { dragged } from "./pointing.js";
import { tomlText } from "./text_panel.js";

export const DROPPED = "application/x-segue-dancer";
const MARGIN = 26, SLIPPERY = 0.35; // CSS pixels around the floor; friction below which a floor is slippery

export class FloorPlan {
  /** @param {FloorPanel} panel */
  constructor(panel) {
    this.panel = panel;
    this.canvas = make("canvas", { role: "img", "aria-label": "The floor from above" });
    this.svg = draw("svg", { role: "group", "aria-label": "Walls and couples" });
    this.element = make("div", { class: "floor-plan" }, this.canvas, this.svg);
    this.edges = [this.edge("width", "wide"), this.edge("length", "long")];
    this.couples = draw("g", {});
    this.size = draw("text", { class: "floor-size" });
    this.svg.append(...this.edges, this.couples, this.size);
    new ResizeObserver(() => this.resize()).observe(this.element);
    this.takeDrops();
  }

  get scale() {
    return new FloorScale(this.element.clientWidth, this.element.clientHeight, this.panel.ground, MARGIN);
  }

  /** Return a wall that is dragged, or moved by arrow keys, to change the size of the floor. */
  edge(name, kind) {
    const line = draw("line", { class: `floor-edge ${kind}`, tabindex: 0, role: "slider", "data-wall": name,
      "aria-label": `${name} of the floor` });
    const set = (value) => {
      const { least, most } = this.panel.outline.tables.find((each) => each.name === "floor").settings
        .find((each) => each.name === name);
      const rounded = Math.round(10 * Math.min(Math.max(value, least), most)) / 10;
      this.panel.text.drag([{ place: ["floor", name], value: tomlText(rounded, 1) }]);
    };
    line.addEventListener("pointerdown", (event) => {
      if (!this.panel.text.writable) return;
      event.preventDefault();
      const from = name === "width" ? event.clientY : event.clientX, size = this.panel.ground[name];
      const { scale } = this.scale;
      dragged(event, {
        threshold: 1,
        // the wall follows the pointer, and the opposite wall as much: the middle of the floor stays
        move: (moved) => set(size + 2 * (name === "width" ? from - moved.clientY : moved.clientX - from) / scale),
        end: (keep) => this.panel.text.end(keep),
      });
    });
    line.addEventListener("keydown", (event) => {
      const by = { ArrowUp: 0.1, ArrowRight: 0.1, ArrowDown: -0.1, ArrowLeft: -0.1 }[event.key];
      if (!by || !this.panel.text.writable) return;
      event.preventDefault();
      event.stopPropagation();
      set(this.panel.ground[name] + by * (event.shiftKey ? 10 : 1));
      this.panel.text.end();
    });
    return line;
  }

  takeDrops() {
    this.element.addEventListener("dragover", (event) => {
      if (event.dataTransfer.types.includes(DROPPED)) event.preventDefault();
    });
    this.element.addEventListener("drop", (event) => {
      const file = event.dataTransfer.getData(DROPPED), box = this.element.getBoundingClientRect();
      if (!file) return;
      event.preventDefault();
      this.panel.add(file, this.scale.place(event.clientX - box.left, event.clientY - box.top));
    });
  }

  /** Return the handle of the place where a couple begins, which is dragged, or moved by arrow keys. */
  handle(k) {
    const handle = draw("circle", { class: "floor-couple", tabindex: 0, role: "slider", "data-couple": k,
      "aria-label": `Couple ${k + 1}: where it begins`, "aria-valuenow": 0 });
    handle.addEventListener("pointerdown", (event) => {
      if (!this.panel.text.writable) return;
      event.preventDefault();
      this.panel.seek(0);
      const start = this.panel.begun(k), [x, y] = [event.clientX, event.clientY], { scale } = this.scale;
      dragged(event, {
        move: (moved) => this.panel.text.drag([this.panel.placed(k, [start[0] - (moved.clientY - y) / scale,
          start[1] + (moved.clientX - x) / scale])]),
        end: (keep) => this.panel.text.end(keep),
      });
    });
    handle.addEventListener("keydown", (event) => {
      const by = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key];
      if (!by || !this.panel.text.writable) return;
      event.preventDefault();
      event.stopPropagation();
      this.panel.seek(0);
      const length = event.shiftKey ? 0.5 : 0.1, start = this.panel.begun(k);
      this.panel.text.drag([this.panel.placed(k, start.map((each, j) => each + length * by[j]))]);
      this.panel.text.end();
    });
    return handle;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.element, sharp = devicePixelRatio;
    if (!width || !height) return;
    [this.canvas.width, this.canvas.height] = [Math.round(width * sharp), Math.round(height * sharp)];
    this.draw();
  }

  draw() {
    const pen = this.canvas.getContext("2d"), { scale } = this, { outline, contents, ground } = this.panel;
    if (!outline || !this.element.clientWidth) return;
    pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    pen.clearRect(0, 0, this.element.clientWidth, this.element.clientHeight);
    const look = FLOOR_LOOKS[isDark() ? "dark" : "light"];
    if (contents) drawEvening(pen, { ...contents, ...ground }, this.panel.time, scale, look, this.panel.chosen);
    else drawGround(pen, ground, scale, look);
    const friction = Number(this.panel.value("floor", "friction")), right = ground.length / 2, top = ground.width / 2;
    const [x, y] = [scale.right(right), scale.down(top)], [left, low] = [scale.right(-right), scale.down(-top)];
    this.place(this.edges[0], left, y, x, y, ground.width);
    this.place(this.edges[1], x, y, x, low, ground.length);
    this.size.setAttribute("x", left.toFixed(1));
    this.size.setAttribute("y", (y - 8).toFixed(1));
    this.size.textContent = `${ground.length} × ${ground.width} m${friction < SLIPPERY ? " · slippery" : ""}`;
    const count = contents && this.panel.time < 0.05 ? contents.couples.length : 0;
    while (this.couples.children.length > count) this.couples.lastElementChild.remove();
    while (this.couples.children.length < count) this.couples.append(this.handle(this.couples.children.length));
    [...this.couples.children].forEach((handle, k) => {
      const [across, along] = this.panel.begun(k);
      handle.setAttribute("cx", scale.right(along).toFixed(1));
      handle.setAttribute("cy", scale.down(across).toFixed(1));
      handle.setAttribute("r", (0.55 * scale.scale).toFixed(1));
      handle.setAttribute("aria-valuetext", `${across.toFixed(1)} m across, ${along.toFixed(1)} m along`);
    });
  }

  place(line, x1, y1, x2, y2, value) {
    const ends = { x1, y1, x2, y2 };
    for (const [name, each] of Object.entries(ends)) line.setAttribute(name, each.toFixed(1));
    line.setAttribute("aria-valuenow", String(value));
  }
}
