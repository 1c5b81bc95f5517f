// The viewer of a page: a view with its labels, time line, buttons and keys.

import { Controls } from "./controls.js";
import { css, Timeline } from "./timeline.js";
import { View } from "./view.js";

export class Viewer extends View {
  constructor(root, contents) {
    const find = (name) => root.querySelector(`#${name}`);
    super(find("picture"), contents);
    this.root = root;
    this.showNames(find("title"), find("legend"), find("labels"), contents.colours);
    const seeks = (time) => { this.clock.seek(time); this.moved(); };
    this.timeline = new Timeline(root, this.clock, this.motions, contents.colours, seeks);
    this.controls = new Controls(root, this);
    this.watch();
  }

  covered() {
    const height = (name) => this.root.querySelector(name).offsetHeight;
    return { top: Math.min(height("header"), 0.15 * this.canvas.clientHeight), bottom: height("footer") };
  }

  after() {
    this.placeLabels();
    this.timeline.update();
    this.controls.update();
  }

  /** Write the motions' labels: the title of a single one, or a list, and one above every figure. */
  showNames(title, legend, labels, colours) {
    title.textContent = document.title;
    if (this.motions.length < 2) return;
    const tints = this.motions.map((_, k) => css(colours.bodies[k % colours.bodies.length]));
    title.hidden = true;
    legend.replaceChildren(...this.motions.map((motion, k) => {
      const item = document.createElement("li"), dot = document.createElement("i");
      dot.style.background = tints[k];
      item.append(dot, motion.label);
      return item;
    }));
    this.labels = this.motions.map((motion, k) => {
      const label = document.createElement("span");
      label.textContent = motion.label;
      label.style.borderColor = tints[k];
      return label;
    });
    labels.replaceChildren(...this.labels);
  }

  placeLabels() {
    if (!this.labels) return;
    const matrix = this.camera.matrix();
    this.labels.forEach((label, k) => {
      const place = this.camera.project(matrix, this.stage.labelPlace(this.stage.figures[k]));
      label.hidden = !place;
      if (!place) return;
      const [right, down] = place.map((pixels) => `${pixels.toFixed(1)}px`);
      label.style.transform = `translate(${right}, ${down}) translate(-50%, -100%)`;
    });
  }
}
