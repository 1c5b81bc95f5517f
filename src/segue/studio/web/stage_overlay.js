// Handles over the stage: limbs that can be dragged, and footprints on the floor that can be dragged, turned and added.

/** @import { Store } from "./store.js" */

import { pick, planeHit, rayThrough } from "/view/picking.js";
import { carried } from "/view/vectors.js";
import { draw } from "./elements.js";
import { Footprints } from "./footprints.js";
import { dragged } from "./pointing.js";

// where the handle of each point that the engine takes is drawn: a named point of the body
const PLACES = {
  left_hand: "left_knuckles", right_hand: "right_knuckles", left_foot: "left_ball", right_foot: "right_ball",
  hip: "root", hips: "root", root: "root", pelvis: "root", head: "head_top",
};
const STEP = 0.01, FAR_STEP = 0.05; // metres by an arrow key, and with Shift

export class Overlay {
  /**
   * @param {HTMLElement} element
   * @param {any} view
   * @param {Store} store
   */
  constructor(element, view, store) {
    this.view = view;
    this.store = store;
    this.printsShown = true;
    this.svg = draw("svg", { class: "overlay", role: "group", "aria-label": "Handles of the figure" });
    element.insertBefore(this.svg, element.children[1]);
    this.footprints = new Footprints(this);
    /** @type {Map<string, SVGElement>} */
    this.handles = new Map();
    for (const point of store.welcome.points) this.addHandle(point);
    view.canvas.addEventListener("pointermove", (event) => this.hover(event));
  }

  addHandle(point) {
    const handle = draw("circle", {
      r: 7, class: "limb-handle", tabindex: 0, role: "slider",
        "aria-label": `${point.replaceAll("_", " ")}: drag, or move by arrow keys`,
      "aria-valuenow": 0,
    });
    handle.addEventListener("pointerdown", (event) => this.press(event, point));
    handle.addEventListener("keydown", (event) => this.nudge(event, point));
    this.handles.set(point, handle);
    this.svg.append(handle);
  }

  /** Return where a point of the shown figure is, in m; null if it is unknown. */
  placeOf(point) {
    const { stage, motions } = this.view, [figure] = stage.figures;
    if (!figure || !motions.length) return null;
    const name = PLACES[point] ?? point, { places, turns } = figure.placement;
    if (name === "root") return Array.from(places.subarray(0, 3));
    const known = motions[0].points[name];
    if (!known) return null;
    const out = [0, 0, 0];
    carried(out, 0, places, 3 * known.segment, turns, 4 * known.segment, ...known.place);
    return out;
  }

  /** Put all handles where the picture shows their points. */
  update() {
    const { camera } = this.view, matrix = camera.matrix();
    for (const [point, handle] of this.handles) {
      const place = this.placeOf(point), at = place && camera.project(matrix, place);
      handle.style.display = at ? "" : "none";
      if (!at) continue;
      handle.setAttribute("transform", `translate(${at[0].toFixed(1)} ${at[1].toFixed(1)})`);
      if (document.activeElement === handle) handle.setAttribute("aria-valuetext",
        place.map((each) => each.toFixed(2)).join(", "));
    }
    this.footprints.update(camera, matrix, this.printsShown);
  }

  /** Return whether a press on the picture is for a limb or a footprint, not for the camera. */
  grab(event) {
    if (event.button !== 0 || event.shiftKey || event.ctrlKey) return false;
    const point = this.limbUnder(event);
    if (!point) return false;
    this.press(event, point);
    return true;
  }

  /** Return the point that would be dragged by a press at a place of the picture: that of the hand or foot there. */
  limbUnder({ offsetX, offsetY }) {
    const { camera, stage, motions, tree } = this.view;
    const [figure] = stage.figures;
    if (!figure || !motions.length) return null;
    const hit = pick(rayThrough(camera, offsetX, offsetY), [figure], motions);
    if (!hit) return null;
    const name = tree.segments[hit.segment], points = [...this.handles.keys()];
    const end = name.replace("toes", "foot").replace("pelvis", "hip");
    return points.find((point) => point === end || point.replace("hips", "hip") === end) ?? null;
  }

  hover(event) {
    const point = event.buttons ? null : this.limbUnder(event);
    this.view.canvas.style.cursor = point ? "move" : "";
    for (const [name, handle] of this.handles) handle.classList.toggle("near", name === point);
  }

  /** Follow a pointer with a point of the body, in the plane that faces the camera; a foot that stands, on the floor. */
  press(event, point) {
    const start = this.placeOf(point), { view, store } = this;
    if (!start || !store.doc) return;
    const print = this.printsShown && this.footprints.under(point);
    if (print) {
      this.footprints.press(event, print, false);
      return;
    }
    event.preventDefault();
    store.clock.pause();
    const { camera, canvas } = view, time = store.clock.time, box = canvas.getBoundingClientRect();
    const at = (moved) => planeHit(rayThrough(camera, moved.clientX - box.left, moved.clientY - box.top), start,
      camera.axes().forward);
    const from = at(event), handle = this.handles.get(point);
    const gesture = store.gesture();
    handle.classList.add("dragged");
    dragged(event, {
      threshold: 0,
      move: (moved) => {
        const to = at(moved);
        if (!to || !from) return;
        const place = start.map((each, k) => round(each + to[k] - from[k]));
        gesture.request({ kind: "drag", time, point, place: /** @type {any} */ (place) });
      },
      end: (keep) => {
        handle.classList.remove("dragged");
        if (keep) gesture.commit();
        else gesture.revert();
      },
    });
  }

  /** Move a point by arrow keys: left and right, up and down as the camera sees it; Page keys away and nearer. */
  nudge(event, point) {
    const { right, up, forward } = this.view.camera.axes(), length = event.shiftKey ? FAR_STEP : STEP;
    const ways = { ArrowRight: [right, 1], ArrowLeft: [right, -1], ArrowUp: [up, 1], ArrowDown: [up, -1],
      PageUp: [forward, 1], PageDown: [forward, -1] };
    const way = ways[event.key], start = this.placeOf(point);
    if (!way || !start) return;
    event.preventDefault();
    event.stopPropagation();
    const { store } = this, place = start.map((each, k) => round(each + way[0][k] * way[1] * length));
    store.clock.pause();
    const gesture = store.gesture();
    gesture.request({ kind: "drag", time: store.clock.time, point, place: /** @type {any} */ (place) });
    gesture.commit();
  }
}

/** Return metres with a tenth of a millimetre. */
function round(value) {
  return Number(value.toFixed(4));
}
