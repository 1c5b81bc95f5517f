// Buttons, sliders and keys: each changes the view's settings or the clock, and asks for a new picture.

import { clamped } from "./vectors.js";

const TYPING = "select, input:not([type=range]), textarea";
const KEYS = {
  f: "follow", t: "trails", p: "forces", m: "mesh",
  g: "ghosts", o: "overlay", l: "loop", r: "reset", "?": "help",
};
const TURNS = { a: [12, 0], d: [-12, 0], w: [0, 6], s: [0, -6] }; // degrees

export class Controls {
  /** viewer: what is steered, see viewer.js. */
  constructor(root, viewer) {
    this.root = root;
    this.viewer = viewer;
    for (const name of ["follow", "trails", "forces", "mesh", "overlay", "loop"]) this.toggle(name, () => {});
    this.toggle("ghosts", (on) => { this.find("ghost-settings").hidden = !on; });
    this.find("overlay").hidden = viewer.motions.length < 2;
    this.find("forces").hidden = !viewer.settings.forces;
    this.find("mesh").hidden = !viewer.settings.mesh;
    this.press("reset", () => viewer.reset());
    this.press("play", () => this.playOrPause());
    this.press("back", () => this.step(-1));
    this.press("on", () => this.step(1));
    this.unfold("help", "keys");
    this.unfold("menu", "panel");
    this.slide("ghost-count", (value) => { viewer.settings.ghostCount = value; return String(value); });
    this.slide("ghost-spacing", (value) => { viewer.settings.ghostSpacing = value; return `${value.toFixed(2)} s`; });
    this.find("speed").addEventListener("change", (event) => { viewer.clock.speed = Number(event.target.value); });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  find(name) {
    return this.root.querySelector(`#${name}`);
  }

  press(name, action) {
    this.find(name).addEventListener("click", action);
  }

  /** Let a button switch a setting of its own name on and off. */
  toggle(name, also) {
    const button = this.find(name);
    const show = (on) => {
      button.setAttribute("aria-pressed", String(on));
      also(on);
    };
    this.press(name, () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      show(on);
      this.viewer.set(name, on);
    });
    show(this.viewer.settings[name]);
  }

  /** Let a button show and hide something. */
  unfold(name, what) {
    const button = this.find(name), folded = this.find(what);
    this.press(name, () => {
      const open = button.getAttribute("aria-expanded") !== "true";
      button.setAttribute("aria-expanded", String(open));
      if (what === "keys") folded.hidden = !open;
    });
  }

  /** Let a slider set a number; act returns how it is written beside the slider. */
  slide(name, act) {
    const slider = this.find(name), output = slider.parentElement.querySelector("output");
    const update = () => {
      output.textContent = act(Number(slider.value));
      this.viewer.moved();
    };
    slider.addEventListener("input", update);
    update();
  }

  playOrPause() {
    const { clock } = this.viewer;
    if (clock.playing) clock.pause();
    else clock.play();
    this.viewer.moved();
  }

  step(frames) {
    this.viewer.clock.step(frames);
    this.viewer.moved();
  }

  /** Show whether time runs. */
  update() {
    const { playing } = this.viewer.clock, button = this.find("play");
    button.classList.toggle("playing", playing);
    button.setAttribute("aria-label", playing ? "Pause" : "Play");
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(TYPING)) return;
    // a focused button is pressed by the space bar, as everywhere
    if (event.key === " " && event.target.closest?.("button")) return;
    // a slider that is not the time's moves itself
    if (event.target.type === "range" && event.target.id !== "time" && event.key.startsWith("Arrow")) return;
    if (this.act(event)) event.preventDefault();
  }

  /** Do what a key stands for, and return whether it stands for anything. */
  act({ key, shiftKey }) {
    const { clock, camera } = this.viewer, name = key.toLowerCase();
    const jump = (time) => { clock.pause(); clock.seek(time); };
    const actions = {
      " ": () => this.playOrPause(),
      arrowleft: () => clock.step(shiftKey ? -10 : -1),
      arrowright: () => clock.step(shiftKey ? 10 : 1),
      arrowup: () => this.changeSpeed(1),
      arrowdown: () => this.changeSpeed(-1),
      home: () => jump(clock.start),
      end: () => jump(clock.stop),
      "+": () => camera.zoom(0.87),
      "=": () => camera.zoom(0.87),
      "-": () => camera.zoom(1.15),
      escape: () => { if (!this.find("keys").hidden) this.find("help").click(); },
    };
    if (KEYS[name]) this.find(KEYS[name]).click();
    else if (TURNS[name]) camera.turn(...TURNS[name]);
    else if (actions[name]) actions[name]();
    else return false;
    this.viewer.moved();
    return true;
  }

  /** Choose the next faster or slower speed of the list. */
  changeSpeed(by) {
    const list = this.find("speed");
    list.selectedIndex = clamped(list.selectedIndex + by, 0, list.options.length - 1);
    list.dispatchEvent(new Event("change"));
  }
}
