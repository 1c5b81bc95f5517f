// Motions on a canvas: a picture is drawn whenever something has changed. Several views can live in a page.

import { Camera } from "./camera.js";
import { Clock } from "./clock.js";
import { Motion } from "./motion.js";
import { Pointer } from "./pointer.js";
import { Quality } from "./quality.js";
import { Scene } from "./scene.js";
import { Stage } from "./stage.js";

const LOOKS = {
  light: {
    low: [1, 1, 1], high: [0.87, 0.9, 0.94], // the sky, from the bottom of the picture to its top
    ground: [0.925, 0.93, 0.935], line: [0.78, 0.79, 0.81], ink: [0.1, 0.11, 0.14], shade: 0.62,
  },
  dark: {
    low: [0.15, 0.165, 0.19], high: [0.075, 0.085, 0.105],
    ground: [0.175, 0.19, 0.215], line: [0.28, 0.3, 0.335], ink: [0.03, 0.035, 0.045], shade: 0.8,
  },
};
const CALM = 250; // milliseconds after the last change from which a picture is drawn as finely as can be

export class View {
  /**
   * contents: as `contents` in contents.py returns it. grab: see pointer.js. clock: one that others share.
   *
   * @param {HTMLCanvasElement} canvas
   * @param {any} contents
   * @param {{ grab?: (event: PointerEvent) => boolean, clock?: Clock }} [given]
   */
  constructor(canvas, contents, { grab, clock = new Clock(0, 0, 1) } = {}) {
    this.canvas = canvas;
    this.quality = new Quality();
    this.last = null;
    this.drawn = 0;
    this.shown = "";
    this.fits = false;
    this.tree = contents.tree;
    this.motions = contents.motions.map((given) => new Motion(given, contents.tree));
    this.settings = {
      follow: true, trails: false, ghosts: false, overlay: contents.together, loop: true, ghostCount: 6,
      ghostSpacing: 0.25, forces: this.motions.some((motion) => motion.forces),
      mesh: this.motions.some((motion) => motion.skin),
    };
    const { azimuth, elevation } = contents.camera, several = this.motions.length > 1;
    this.stage = new Stage(this.motions, contents.colours, azimuth, contents.tree.parents.length);
    if (contents.together) this.stage.arrange("overlaid");
    // several who go side by side are looked at from before them, or one would hide the other
    const ahead = several && this.stage.course?.[0];
    this.camera = new Camera(ahead ? Math.atan2(ahead[0], ahead[1]) * 180 / Math.PI - 25 : azimuth, elevation);
    this.clock = clock;
    this.span();
    this.clock.time = this.clock.start;
    this.scene = new Scene(canvas, this.motions, contents.colours, () => this.moved());
    new Pointer(canvas, this.camera, () => this.moved(), grab);
  }

  /** Let the clock run from the first start to the last stop of all motions. */
  span() {
    const { clock, motions } = this;
    if (!motions.length) return;
    clock.start = Math.min(...motions.map((motion) => motion.start));
    clock.stop = Math.max(...motions.map((motion) => motion.stop));
    clock.rate = Math.max(...motions.map((motion) => motion.fps));
    clock.seek(clock.time);
  }

  /** Show another motion in the place of the k-th, or behind the last; given: an entry of the contents, or a motion. */
  setMotion(k, given) {
    const made = given instanceof Motion ? given : new Motion(given, this.tree), before = this.motions[k];
    this.motions[k] = made;
    const same = before && !before.skin && !made.skin
      && (before.shapes === made.shapes || JSON.stringify(before.shapes) === JSON.stringify(made.shapes));
    this.renew(k, !same);
  }

  /** Show only the first so many motions. */
  keepMotions(count) {
    this.motions.length = Math.min(count, this.motions.length);
    this.stage.trim();
    this.span();
    this.shown = "";
    this.moved();
  }

  renew(k, fresh) {
    this.scene.makeMotion(k, fresh);
    this.stage.renew(k);
    this.span();
    this.shown = "";
    this.moved();
  }

  /** Return how many CSS pixels of the canvas are covered above and below. */
  covered() {
    return { top: 0, bottom: 0 };
  }

  /** Called after every picture. */
  after() {}

  /** Draw anew when the page's size, its sharpness or the system's colours change, or the graphics card comes back. */
  watch() {
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.colour());
    const sharpness = () => {
      const screen = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
      screen.addEventListener("change", () => { sharpness(); this.resize(); }, { once: true });
    };
    sharpness();
    document.addEventListener("visibilitychange", () => { this.last = null; });
    this.canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    this.canvas.addEventListener("webglcontextrestored", () => { this.scene.make(); this.shown = ""; this.moved(); });
    this.colour();
    this.resize();
  }

  /** Return whether the surroundings are dark. */
  dark() {
    return matchMedia("(prefers-color-scheme: dark)").matches;
  }

  /** Take the colours of the surroundings. */
  colour() {
    this.look = this.dark() ? LOOKS.dark : LOOKS.light;
    this.moved();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    this.camera.resize({ width, height, ...this.covered() });
    if (!this.fits) this.reset();
    this.fits = true;
    this.moved();
  }

  /** Look again from where one looked at first, at what is followed or at all that will happen. */
  reset() {
    this.camera.reset(this.settings.follow ? this.stage.middle(this.clock.time) : this.stage.whole());
    this.moved();
  }

  /** Switch a setting. */
  set(name, on) {
    this.settings[name] = on;
    if (name === "loop") this.clock.loop = on;
    if (name === "mesh") this.scene.meshes = on;
    if (name === "overlay") {
      this.stage.arrange(on ? "overlaid" : "beside");
      this.reset();
    }
    if (name === "follow" && on) this.camera.aside = [0, 0, 0];
    this.moved();
  }

  /** Ask for a new picture, and for a finer one once all is calm. */
  moved() {
    this.asked ??= requestAnimationFrame((now) => this.tick(now));
    clearTimeout(this.calm);
    if (this.clock.playing || this.quality.level === 0) return;
    this.calm = setTimeout(() => { if (!this.busy()) this.draw(true); }, CALM);
  }

  /** Return whether something is being done that a picture as fine as can be would hold up. */
  busy() {
    return false;
  }

  tick(now) {
    this.asked = null;
    const spent = this.last === null ? 0 : now - this.last;
    this.clock.advance(Math.min(spent / 1000, 0.25)); // a page that was out of sight does not leap
    if (spent > 0) this.quality.note(spent);
    this.last = now;
    this.draw(false);
    if (this.clock.playing) this.moved();
    else requestAnimationFrame((next) => this.rest(now, next));
  }

  /** Note how long a picture took after which nothing was to be played: while something is dragged, it counts too. */
  rest(drawn, now) {
    if (this.last !== drawn) return;
    this.quality.note(now - drawn);
    this.last = null;
  }

  draw(still) {
    const { settings, stage, clock, camera } = this;
    const quality = this.sharpen(still), moved = this.pose();
    const frames = this.motions.map((motion) => motion.frameAt(clock.time));
    if (settings.follow) camera.lookAt(stage.middle(clock.time));
    this.scene.draw({
      camera,
      figures: stage.figures,
      ghosts: stage.ghosts,
      trails: settings.trails ? frames : null,
      forces: settings.forces ? frames : null,
      look: this.look,
      moved,
      quality,
    });
    this.drawn += 1;
    this.after();
  }

  /** Give the canvas as many pixels as the machine can draw in time. */
  sharpen(still) {
    const quality = this.quality.chosen(still), { width, height } = this.camera.size, canvas = this.canvas;
    const [columns, rows] = [width, height].map((length) => Math.max(Math.round(length * quality.sharp), 1));
    if (canvas.width !== columns) canvas.width = columns;
    if (canvas.height !== rows) canvas.height = rows;
    return quality;
  }

  /** Take the figures to the clock's time, and return whether anything about them has changed. */
  pose() {
    const { ghosts, ghostCount, ghostSpacing, overlay } = this.settings;
    const asked = [this.clock.time, overlay, ghosts && [ghostCount, ghostSpacing]].join();
    if (asked === this.shown) return false;
    this.shown = asked;
    this.stage.setTime(this.clock.time, ghosts ? { count: ghostCount, spacing: ghostSpacing } : null);
    return true;
  }
}
