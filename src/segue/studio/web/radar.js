// A character as a polygon with a corner for each trait.

/** @import { TextPanel } from "./text_panel.js" */

import { draw, make } from "./elements.js";
import { dragged } from "./pointing.js";
import { tomlText } from "./text_panel.js";

const RADIUS = 62, WIDTH = 310, MIDDLE = [WIDTH / 2, 88]; // CSS pixels

/** The character as a polygon: a corner for each trait, which is dragged in and out or moved by arrow keys. */
export class Radar {
  /** @param {{ text: TextPanel }} panel */
  constructor(panel) {
    this.panel = panel;
    this.shape = draw("polygon", { class: "radar-shape" });
    this.svg = draw("svg", { class: "radar", viewBox: `0 0 ${WIDTH} 176`, role: "group", "aria-label": "Character" });
    this.rows = make("div", {});
    this.element = make("div", { class: "character" }, this.svg, this.rows);
    /** @type {any[]} */
    this.corners = [];
  }

  make(settings) {
    const rings = [0.25, 0.5, 0.75, 1].map((part) => draw("polygon", { class: "radar-ring",
      points: settings.map((_, k) => this.at(k, settings.length, part).join()).join(" ") }));
    const spokes = settings.map((_, k) => {
      const [x, y] = this.at(k, settings.length, 1);
      return draw("line", { class: "radar-ring", x1: MIDDLE[0], y1: MIDDLE[1], x2: x, y2: y });
    });
    const names = settings.map(({ name }, k) => {
      const [x, y] = this.at(k, settings.length, 1.24), anchor = Math.abs(x - MIDDLE[0]) < 8 ? "middle"
        : x < MIDDLE[0] ? "end" : "start";
      return draw("text", { x, y: y + 4, "text-anchor": anchor }, name);
    });
    this.corners = settings.map((setting, k) => {
      const corner = draw("circle", { r: 6, class: "radar-corner", tabindex: 0, role: "slider", "aria-valuemin": 0,
        "aria-valuemax": 1, "aria-label": setting.name, "data-trait": setting.name });
      corner.append(draw("title", {}, setting.about));
      corner.addEventListener("pointerdown", (event) => this.press(event, k));
      corner.addEventListener("keydown", (event) => this.key(event, k));
      return corner;
    });
    this.svg.replaceChildren(...rings, ...spokes, this.shape, ...names, ...this.corners);
  }

  at(k, count, share) {
    const angle = 2 * Math.PI * k / count - Math.PI / 2;
    return [MIDDLE[0] + RADIUS * share * Math.cos(angle), MIDDLE[1] + RADIUS * share * Math.sin(angle)];
  }

  show({ settings }) {
    this.settings = settings;
    if (this.corners.length !== settings.length) this.make(settings);
    const points = settings.map(({ value }, k) => this.at(k, settings.length, value));
    this.shape.setAttribute("points", points.map((each) => each.join()).join(" "));
    this.corners.forEach((corner, k) => {
      corner.setAttribute("cx", points[k][0].toFixed(1));
      corner.setAttribute("cy", points[k][1].toFixed(1));
      corner.setAttribute("aria-valuenow", settings[k].value);
    });
  }

  drag(k, value) {
    const rounded = Math.round(100 * Math.min(Math.max(value, 0), 1)) / 100;
    this.panel.text.drag([{ place: this.settings[k].place, value: tomlText(rounded, 2) }]);
  }

  press(event, k) {
    if (!this.panel.text.writable) return;
    event.preventDefault();
    const angle = 2 * Math.PI * k / this.settings.length - Math.PI / 2;
    dragged(event, {
      threshold: 0,
      move: (moved) => {
        const box = this.svg.getBoundingClientRect(), scale = box.width / WIDTH;
        const x = (moved.clientX - box.left) / scale - MIDDLE[0], y = (moved.clientY - box.top) / scale - MIDDLE[1];
        this.drag(k, (x * Math.cos(angle) + y * Math.sin(angle)) / RADIUS);
      },
      end: (keep) => this.panel.text.end(keep),
    });
  }

  key(event, k) {
    const by = { ArrowUp: 0.01, ArrowRight: 0.01, ArrowDown: -0.01, ArrowLeft: -0.01 }[event.key];
    if (!by || !this.panel.text.writable) return;
    event.preventDefault();
    event.stopPropagation();
    this.drag(k, this.settings[k].value + by * (event.shiftKey ? 10 : 1));
    this.panel.text.end();
  }
}
