// The figure of a gesture on the stage: limbs of its category are dragged, others say to which category they belong.

/** @import { Store } from "./store.js" */

import { Clock } from "/view/clock.js";
import { pick, planeHit, rayThrough } from "/view/picking.js";
import { add, carried, scaled } from "/view/vectors.js";
import { button, draw, make } from "./elements.js";
import { dragged } from "./pointing.js";
import { words } from "./setting_rows.js";
import { StudioView } from "./stage_panel.js";

const VIEWS = { Front: [0, 4], Left: [90, 4], Right: [-90, 4], Rear: [180, 4], Top: [180, 89] };
const STEP = 0.01, FAR_STEP = 0.05; // metres by an arrow key, and with Shift
// points with a handle: the segment, and the end of it that is held
const HANDLES = {
  "left hand": ["left_hand", "left_palm"], "right hand": ["right_hand", "right_palm"],
  "left elbow": ["left_upper_arm", "left_elbow"], "right elbow": ["right_upper_arm", "right_elbow"],
  "left foot": ["left_foot", "left_ball"], "right foot": ["right_foot", "right_ball"],
  "left knee": ["left_thigh", "left_knee"], "right knee": ["right_thigh", "right_knee"],
  head: ["head", "head_top"], "upper body": ["torso", "head_top"],
};

export class GestureStage {
  /**
   * @param {HTMLElement} stage
   * @param {any} editor
   * @param {HTMLElement} panel
   */
  constructor(stage, editor, panel) {
    this.editor = editor;
    this.panel = panel;
    /** @type {Store} */
    this.store = editor.store;
    this.clock = new Clock(0, 0, 1);
    /** @type {StudioView | null} */
    this.view = null;
    this.canvas = make("canvas", { tabindex: 0, role: "img", "aria-label": "The posed figure in three dimensions" });
    this.svg = draw("svg", { class: "overlay", role: "group", "aria-label": "Limbs of the gesture" });
    this.reason = make("p", { class: "limb-reason", role: "status" });
    this.views = make("div", { class: "chips", role: "group", "aria-label": "View point" },
      ...Object.keys(VIEWS).map((name) => button(`View from the ${name.toLowerCase()}`, name, () => this.look(name))));
    this.element = make("div", { class: "text-stage gesture-stage", hidden: true }, this.canvas, this.svg, this.reason,
      make("div", { class: "stage-tools" }, this.views));
    stage.append(this.element);
    /** @type {Map<string, any>} */
    this.handles = new Map();
    this.store.on("motion", (message) => { if (message.role === "text") this.take(message); });
    this.store.on("layout", () => this.update());
    this.store.on("theme", () => this.view?.colour());
    this.canvas.addEventListener("pointermove", (event) => this.hover(event));
    new MutationObserver(() => this.update()).observe(panel, { attributes: true, attributeFilter: ["hidden"] });
  }

  /** Show the figure while the panel is in front. */
  update() {
    const region = this.panel.closest(".region");
    const seen = !this.panel.hidden && !region?.classList.contains("folded") && Boolean(this.editor.symbol);
    const changed = this.element.hidden === seen;
    this.element.hidden = !seen;
    this.element.dataset.text = this.editor.text?.file?.file ?? "";
    this.element.parentElement.classList.toggle("posing", seen);
    this.element.classList.toggle("stale", (this.editor.text?.diagnostics.length ?? 0) > 0);
    if (seen && changed) this.view?.resize();
    if (seen) this.list();
  }

  take(message) {
    if (message.node !== this.editor.text?.file?.file) return;
    if (!this.view) this.make();
    this.view?.take(message);
  }

  make() {
    // the studio's own, but for its clock and for who hears of this one's time
    const store = Object.assign(Object.create(this.store), { clock: this.clock, emit: () => {} });
    try {
      this.view = new StudioView(this.canvas, this.store.welcome.scene, store, (event) => this.grab(event));
    } catch (error) {
      this.store.notify(`This browser cannot draw the figure (${error.message}).`, "error");
      return;
    }
    this.view.onPicture = () => this.place();
    this.view.watch();
    this.view.camera.home = { azimuth: 20, elevation: 5 };
    Object.assign(window, { segueGesture: this.view });
  }

  look(name) {
    const [azimuth, elevation] = VIEWS[name];
    const view = /** @type {any} */ (this.view);
    if (!view) return;
    const { home } = view.camera;
    view.camera.home = { azimuth, elevation };
    view.reset();
    view.camera.home = home;
  }

  /** Return the segments that joints of the category move directly. */
  get segments() {
    const outline = this.editor.outline;
    return new Set(Object.keys(outline?.movements ?? {}).map((joint) => outline.segments[joint]));
  }

  /** Make the handles of the limbs that the category moves. */
  list() {
    const own = this.segments, names = Object.keys(HANDLES).filter((name) => own.has(HANDLES[name][0]));
    if (names.join() === [...this.handles.keys()].join()) return;
    for (const handle of this.handles.values()) handle.remove();
    this.handles.clear();
    for (const name of names) {
      const handle = draw("circle", { r: 7, class: "limb-handle", tabindex: 0, role: "slider", "data-limb": name,
        "aria-label": `${name}: drag, or move by arrow keys`, "aria-valuenow": 0 });
      handle.addEventListener("pointerdown", (event) => this.press(event, HANDLES[name][0], this.local(name)));
      handle.addEventListener("keydown", (event) => this.nudge(event, name));
      this.handles.set(name, handle);
      this.svg.append(handle);
    }
    this.view?.moved();
  }

  /** Return where a handle is in the frame of its segment. */
  local(name) {
    const [segment, point] = HANDLES[name], { points, tree, offsets } = this.view.motions[0], known = points[point];
    if (tree.segments[known.segment] === segment) return known.place;
    return offsets[known.segment].map((each, k) => each + known.place[k]); // the point is the next joint
  }

  /** Return where a point of a segment is in the world, in m. */
  world(segment, local) {
    const { places, turns } = this.view.stage.figures[0].placement, out = [0, 0, 0];
    const s = this.view.tree.segments.indexOf(segment);
    carried(out, 0, places, 3 * s, turns, 4 * s, ...local);
    return out;
  }

  /** Put the handles where the picture shows their points. */
  place() {
    if (!this.view.motions.length) return;
    const { camera } = this.view, matrix = camera.matrix();
    for (const [name, handle] of this.handles) {
      const world = this.world(HANDLES[name][0], this.local(name)), at = camera.project(matrix, world);
      handle.style.display = at ? "" : "none";
      if (!at) continue;
      handle.setAttribute("transform", `translate(${at[0].toFixed(1)} ${at[1].toFixed(1)})`);
      handle.setAttribute("aria-valuetext", world.map((each) => each.toFixed(2)).join(", "));
    }
  }

  /** Return the segment under a pointer, and the point of its surface in the world, or null. */
  under({ offsetX, offsetY }) {
    const { camera, stage, motions, tree } = this.view, [figure] = stage.figures;
    if (!figure || !motions.length) return null;
    const ray = rayThrough(camera, offsetX, offsetY), hit = pick(ray, [figure], motions);
    return hit && { segment: tree.segments[hit.segment], place: add(ray.origin, scaled(ray.direction, hit.distance)) };
  }

  /** Return why a segment cannot be turned here, "" if it can. */
  refusal(segment) {
    const { outline, editable, text } = this.editor;
    if (!this.segments.has(segment)) {
      const joint = Object.keys(outline.segments).find((each) => outline.segments[each] === segment);
      const owner = outline.others[joint];
      if (!owner) return "The planner moves the hips.";
      return `${words(joint)} belongs to ${owner}: a joint belongs to one category`;
    }
    if (!text.writable) return "This file comes with Segue. Press “Edit a copy” to change it.";
    return editable ? "" : "This gesture comes with Segue. Press “Change it here”.";
  }

  hover(event) {
    if (event.buttons || !this.view) return;
    const hit = this.under(event), reason = hit ? this.refusal(hit.segment) : "";
    this.canvas.style.cursor = !hit ? "" : reason ? "not-allowed" : "move";
    this.reason.textContent = hit ? `${words(hit.segment)}${reason ? ` — ${reason}` : ""}` : "";
  }

  /** Return whether a press on the picture is for a limb, not for the camera. */
  grab(event) {
    if (event.button !== 0 || event.shiftKey || event.ctrlKey || !this.view) return false;
    const hit = this.under(event);
    if (!hit) return false;
    const reason = this.refusal(hit.segment);
    if (reason) {
      this.store.notify(reason, "error");
      return false;
    }
    this.press(event, hit.segment, this.inFrame(hit.segment, hit.place));
    return true;
  }

  /** Return a place of the world in the frame of a segment. */
  inFrame(segment, place) {
    const { places, turns } = this.view.stage.figures[0].placement, s = this.view.tree.segments.indexOf(segment);
    const [w, x, y, z] = turns.subarray(4 * s, 4 * s + 4), out = [0, 0, 0];
    const away = place.map((each, k) => each - places[3 * s + k]);
    carried(out, 0, new Float32Array(3), 0, new Float32Array([w, -x, -y, -z]), 0, ...away);
    return out;
  }

  /** Follow a pointer with a point of a segment, in the plane that faces the camera. */
  press(event, segment, local) {
    const reason = this.refusal(segment);
    if (reason) {
      this.store.notify(reason, "error");
      return;
    }
    event.preventDefault();
    const { camera } = this.view, start = this.world(segment, local), box = this.canvas.getBoundingClientRect();
    const at = (moved) => planeHit(rayThrough(camera, moved.clientX - box.left, moved.clientY - box.top), start,
      camera.axes().forward);
    const from = at(event), { text } = this.editor;
    dragged(event, {
      threshold: 2,
      move: (moved) => {
        const to = at(moved);
        if (to && from) this.pose(segment, local, start.map((each, k) => each + to[k] - from[k]));
      },
      end: (keep) => text.end(keep),
    });
  }

  pose(segment, local, place) {
    const round = (row) => row.map((each) => Number(each.toFixed(4)));
    const { goal, text } = this.editor;
    text.stream({ kind: "pose", goal, segment, point: round(local), place: round(place) });
  }

  /** Move a handle by arrow keys as the camera sees it; Page keys away and nearer. */
  nudge(event, name) {
    const { right, up, forward } = this.view.camera.axes(), length = event.shiftKey ? FAR_STEP : STEP;
    const ways = { ArrowRight: [right, 1], ArrowLeft: [right, -1], ArrowUp: [up, 1], ArrowDown: [up, -1],
      PageUp: [forward, 1], PageDown: [forward, -1] };
    const way = ways[event.key], [segment] = HANDLES[name];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    const reason = this.refusal(segment);
    if (reason) {
      this.store.notify(reason, "error");
      return;
    }
    const local = this.local(name), place = this.world(segment, local);
    this.pose(segment, local, place.map((each, k) => each + way[0][k] * way[1] * length));
    this.editor.text.end();
  }
}
