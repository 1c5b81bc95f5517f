// The stage: the shown motion with ghosts and versions beside it, cameras, and what can be seen on it.

/** @import { Store } from "./store.js" */

import { View } from "/view/view.js";
import { assembled, REMEMBERED } from "./assembled.js";
import { button, make } from "./elements.js";
import { isDark } from "./keys.js";
import { Overlay } from "./stage_overlay.js";
import { effortTints } from "./effort.js";

const CAMERAS = { persp: "Persp", front: "Front", side: "Side", top: "Top", plan: "Floor plan" };
const ROLES = ["shown", "compare", "ghost", "variant"];

/** A view of the engine's motions: the shown one first, then those beside it. */
export class StudioView extends View {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {any} contents
   * @param {Store} store
   * @param {(event: PointerEvent) => boolean} grab
   */
  constructor(canvas, contents, store, grab) {
    super(canvas, { camera: { azimuth: -60, elevation: 12 }, together: true, ...contents, motions: [] },
      { grab, clock: store.clock });
    this.store = store;
    /** @type {string[]} */
    this.keys = []; // role and index of each motion
    /** @type {Record<string, any>} */
    this.given = {}; // what was said of each motion's body, by role and index
    /** @type {Record<string, any[]>} */
    this.past = {}; // the latest motions, the newest first, by role and index
    this.posed = NaN; // the time of the last picture
    this.onPicture = () => {}; // called after every picture
    this.settings.overlay = true;
    this.stage.arrange("overlaid");
    store.on("gesture", () => this.moved());
  }

  dark() {
    return isDark();
  }

  busy() {
    return this.store.running !== null;
  }

  covered() {
    const tools = /** @type {HTMLElement | null} */ (this.canvas.parentElement.querySelector(".stage-tools"));
    return { top: 0, bottom: Math.min(tools?.offsetHeight ?? 0, 0.3 * this.canvas.clientHeight) };
  }

  after() {
    this.onPicture();
    this.posed = this.clock.time;
    this.store.emit("time", this.clock.time);
  }

  /**
   * Take a message with poses: a whole motion, or what changed of one that is shown already. Of the body it has only
   * the fields that changed.
   */
  take({ role, index, node, start, fps, body, arrays }) {
    const key = `${role} ${index}`, known = this.keys.indexOf(key), k = known < 0 ? this.keys.length : known;
    const before = this.motions[k], fresh = !this.motions.length;
    const given = this.given[key] = { ...(this.given[key]?.node === node || !body?.shapes ? this.given[key] : {}),
      ...body, node, start, fps };
    const past = (before && this.past[key]) ?? [];
    // frames of a motion that this page has not got
    if (!given.shapes || (!past.length && arrays.kept?.length)) return undefined;
    if (!arrays.kept) {
      if (before) Object.assign(before, body); // no frame changed
      return this.moved();
    }
    const made = assembled(given, this.tree, arrays, past);
    this.past[key] = [made, ...past].slice(0, REMEMBERED);
    if (role === "shown" && k !== 0) this.insert(key, made);
    else this.setMotion(k, made);
    this.keys[k] ??= key;
    if (!fresh) return undefined;
    this.clock.seek(this.clock.start);
    this.fits = false;
    return this.resize();
  }

  /** Put the shown motion before those that came earlier. */
  insert(key, given) {
    const others = this.keys.map((each, k) => /** @type {[string, any]} */ ([each, this.motions[k]]));
    this.setMotion(0, given);
    this.keys = [key];
    for (const [name, motion] of others) {
      this.motions[this.keys.length] = motion;
      this.renew(this.keys.length, true);
      this.keys.push(name);
    }
  }

  /** Take away motions of a role. */
  leave(role) {
    const stay = this.keys.flatMap((key, k) => (key.startsWith(`${role} `) ? [] : [k]));
    if (stay.length === this.keys.length) return;
    for (const key of this.keys) if (key.startsWith(`${role} `)) delete this.past[key];
    const motions = stay.map((k) => this.motions[k]);
    this.keys = stay.map((k) => this.keys[k]);
    this.motions.splice(0, Infinity, ...motions);
    this.motions.forEach((_, k) => this.scene.makeMotion(k, true));
    this.stage.trim();
    this.motions.forEach((_, k) => this.stage.renew(k));
    this.span();
    this.shown = "";
    this.moved();
  }

  /** Look from one of CAMERAS. */
  lookFrom(name) {
    const { camera, stage } = this, ahead = stage.course?.[0] ?? [0, 1];
    const heading = Math.atan2(ahead[0], ahead[1]) * 180 / Math.PI;
    const views = {
      persp: camera.home,
      front: { azimuth: heading, elevation: 2 },
      side: { azimuth: heading + 90, elevation: 2 },
      top: { azimuth: heading + 180, elevation: 89 },
      plan: { azimuth: heading + 180, elevation: 89 },
    };
    this.settings.follow = name !== "plan";
    this.lookAlong(views[name]);
  }

  /** Look along a direction in degrees, at what is followed. */
  lookAlong(direction) {
    const { camera } = this, { home } = camera;
    camera.home = direction;
    this.reset();
    camera.home = home;
  }
}

/**
 * Make the stage.
 *
 * @param {HTMLElement} element
 * @param {Store} store
 */
export function mount(element, store) {
  const canvas = make("canvas", { tabindex: 0, role: "img", "aria-label": "The figure in three dimensions" });
  const note = make("p", { class: "stage-note" }, "Waiting for the engine…");
  /** @type {StudioView | null} */
  let view = null;
  /** @type {Overlay | null} */
  let overlay = null;
  const shown = { ghosts: false, trails: false, heat: false, prints: true };
  const cameras = make("div", { class: "chips", role: "group", "aria-label": "Camera" },
    ...Object.entries(CAMERAS).map(([name, title]) =>
      button(title, title, () => look(name), { id: `camera-${name}`, pressed: name === "persp" })));
  const toggles = make("div", { class: "chips", role: "group", "aria-label": "Seen on the stage" });
  element.append(canvas, make("div", { class: "stage-tools" }, cameras, toggles), note);

  const look = (name) => {
    view?.lookFrom(name);
    for (const each of cameras.children) each.setAttribute("aria-pressed", String(each.id === `camera-${name}`));
  };
  const apply = () => {
    if (!view) return;
    view.set("ghosts", shown.ghosts);
    view.set("trails", shown.trails);
    overlay.printsShown = shown.prints;
    view.stage.effort = shown.heat ? effortTints(store, view) : null;
    view.shown = "";
    view.moved();
  };
  const toggle = (name, title, key) => {
    const flip = () => {
      shown[name] = !shown[name];
      chip.setAttribute("aria-pressed", String(shown[name]));
      if (name === "heat") store.want("stage", { channels: shown.heat ? ["effort"] : [] });
      apply();
    };
    const chip = button(title, title, flip, { key, id: `see-${name}`, pressed: shown[name] });
    toggles.append(chip);
    store.commands.add({ id: `view.${name}`, title: `${title} on or off`, group: "View", keys: [key], run: flip });
  };
  toggle("ghosts", "Ghosts", "G");
  toggle("trails", "Trails", "Y");
  toggle("heat", "Effort", "H");
  toggle("prints", "Footprints", "C");
  store.commands.add({ id: "view.frame", title: "Frame the figure", group: "View", keys: ["F"],
    run: () => view?.reset() });
  for (const [name, title] of Object.entries(CAMERAS)) {
    store.commands.add({ id: `camera.${name}`, title: `Camera: ${title}`, group: "View", run: () => look(name) });
  }

  store.on("welcome", ({ scene }) => {
    if (view) return;
    try {
      view = new StudioView(canvas, scene, store, (event) => (store.stage.grab ?? ((pressed) => overlay.grab(pressed)))(event));
    } catch (error) {
      note.textContent = `This browser cannot draw the motion (${error.message}). A browser with WebGL 2 is needed.`;
      return;
    }
    overlay = new Overlay(element, view, store);
    store.stage = { view, overlay, element, grab: null, follow: () => {} };
    view.onPicture = () => { overlay.update(); store.stage.follow(); };
    view.watch();
    apply();
    Object.assign(window, { segueStage: view });
    store.emit("stage");
    store.on("time", () => { if (store.clock.time !== view.posed || store.clock.playing) view.moved(); });
  });
  store.on("motion", (message) => {
    if (!view || !ROLES.includes(message.role) || store.simulating) return;
    if (message.role === "variant") return; // panels show variants
    view.take(message);
    note.hidden = true;
  });
  store.on("leave", (role) => view?.leave(role));
  store.on("arrange", (arrangement) => view?.set("overlay", arrangement === "overlaid"));
  store.on("contacts", () => view?.moved());
  store.on("channel", () => { if (view) { view.shown = ""; view.moved(); } });
  store.on("theme", () => view?.colour());
  store.on("doc online", () => {
    element.classList.toggle("stale", store.stale || !store.online);
    if (!view?.motions.length && store.doc) note.textContent = store.stale ? store.doc.diagnostics[0].sentence
      : "The script has no motion yet.";
  });
}
