// Footprints on the floor: outlines at the contacts of the shown motion, dragged, turned, added and taken away.

/** @import { ContactMark } from "./messages.js" */
/** @import { Overlay } from "./stage_overlay.js" */

import { planeHit, rayThrough } from "/view/picking.js";
import { draw } from "./elements.js";
import { dragged } from "./pointing.js";

// a sole about its middle, in m; x to the outer side of a left foot
export const SOLE = [
  [0, -0.132], [0.028, -0.117], [0.033, -0.072], [0.032, -0.012], [0.044, 0.048], [0.042, 0.093], [0.022, 0.123],
  [-0.004, 0.133], [-0.03, 0.118], [-0.037, 0.078], [-0.034, 0.028], [-0.024, -0.022], [-0.03, -0.072], [-0.025,
  -0.117],
];
const GRIP = 0.24; // metres before the middle of the foot at which the grip that turns it stands
const STEP = 0.01, TURN = Math.PI / 36;

export class Footprints {
  /** @param {Overlay} overlay */
  constructor(overlay) {
    this.overlay = overlay;
    this.group = draw("g", { role: "group", "aria-label": "Footprints" });
    overlay.svg.append(this.group);
    /** @type {{ mark: ContactMark, group: any, sole: any, grip: any, line: any }[]} */
    this.prints = [];
    overlay.store.on("contacts", () => this.take());
    overlay.view.canvas.addEventListener("dblclick", (event) => this.add(event));
    this.take();
  }

  take() {
    const marks = this.overlay.store.contacts?.contacts ?? [];
    while (this.prints.length > marks.length) this.prints.pop().group.remove();
    marks.forEach((mark, k) => {
      this.prints[k] ??= this.made();
      const print = this.prints[k];
      print.mark = mark;
      print.group.classList.toggle("left", mark.foot.startsWith("left"));
      print.group.classList.toggle("fixed", mark.fixed);
      const when = `${mark.start.toFixed(2)} to ${mark.stop.toFixed(2)} seconds`;
      const words = `${mark.foot.replaceAll("_", " ")}, ${when}${mark.fixed ? ", held at a place" : ""}`;
      print.sole.setAttribute("aria-label", words);
      print.sole.setAttribute("aria-valuetext", `${mark.x.toFixed(2)}, ${mark.z.toFixed(2)} metres`);
      print.sole.firstElementChild.textContent = `${words}. Drag: move. Grip: turn. Delete: let go.`;
    });
  }

  made() {
    const sole = draw("polygon", { class: "sole", tabindex: 0, role: "slider", "aria-valuenow": 0 }, draw("title"));
    const line = draw("line", { class: "grip-line" }), grip = draw("circle", { r: 5, class: "grip" });
    const group = draw("g", { class: "footprint" }, line, sole, grip), print = { mark: null, group, sole, grip, line };
    sole.addEventListener("pointerdown", (event) => this.press(event, print, false));
    grip.addEventListener("pointerdown", (event) => this.press(event, print, true));
    sole.addEventListener("keydown", (event) => this.key(event, print));
    sole.addEventListener("focus", () => this.overlay.store.seek(print.mark.start));
    this.group.append(group);
    return print;
  }

  /** Put the outlines where the picture shows their places on the floor. */
  update(camera, matrix, shown) {
    this.group.style.display = shown ? "" : "none";
    if (!shown) return;
    const now = this.overlay.store.clock.time;
    for (const { mark, group, sole, grip, line } of this.prints) {
      const { x, z, heading, foot } = mark, side = foot.startsWith("left") ? 1 : -1;
      const sine = Math.sin(heading), cosine = Math.cos(heading);
      const at = (right, ahead) => camera.project(matrix,
        [x + right * cosine + ahead * sine, 0, z - right * sine + ahead * cosine]);
      const corners = SOLE.map(([right, ahead]) => at(side * right, ahead)), tip = at(0, GRIP), toe = at(0, 0.13);
      const seen = corners.every(Boolean) && tip;
      group.style.display = seen ? "" : "none";
      if (!seen) continue;
      group.classList.toggle("now", now >= mark.start - 1e-6 && now <= mark.stop + 1e-6);
      sole.setAttribute("points", corners.map(([right, down]) => `${right.toFixed(1)},${down.toFixed(1)}`).join(" "));
      grip.setAttribute("cx", tip[0].toFixed(1));
      grip.setAttribute("cy", tip[1].toFixed(1));
      for (const [k, [right, down]] of [toe, tip].entries()) {
        line.setAttribute(`x${k + 1}`, right.toFixed(1));
        line.setAttribute(`y${k + 1}`, down.toFixed(1));
      }
    }
  }

  /** Return the print on which a foot stands at the present time, if it does. */
  under(foot) {
    const { time } = this.overlay.store.clock;
    return this.prints.find(({ mark }) => mark.foot === foot && mark.start <= time && time <= mark.stop);
  }

  /** Return the place of the floor under a pointer. */
  floor({ clientX, clientY }) {
    const { camera, canvas } = this.overlay.view, box = canvas.getBoundingClientRect();
    return planeHit(rayThrough(camera, clientX - box.left, clientY - box.top), [0, 0, 0], [0, 1, 0]);
  }

  press(event, print, turning) {
    const { overlay } = this, { store } = overlay, mark = { ...print.mark }, from = this.floor(event);
    if (!from || event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    store.clock.pause();
    const gesture = store.gesture();
    print.group.classList.add("dragged");
    dragged(event, {
      move: (moved) => {
        const to = this.floor(moved);
        if (!to) return;
        const heading = turning ? Math.atan2(to[0] - mark.x, to[2] - mark.z) : null,
          by = turning ? [0, 0, 0] : to.map((each, k) => each - from[k]);
        gesture.request(this.message(mark, mark.x + by[0], mark.z + by[2], heading));
      },
      end: (keep) => {
        print.group.classList.remove("dragged");
        if (keep) gesture.commit();
        else gesture.revert();
      },
    });
  }

  /** Return the request that puts the contact of a mark at a place. */
  message(mark, x, z, heading) {
    const { foot, start, stop, node } = mark;
    return /** @type {any} */ ({
      kind: "footprint", time: (start + stop) / 2, foot: footOf(foot), x: Number(x.toFixed(4)), z: Number(z.toFixed(4)),
      heading: heading === null ? null : Number(heading.toFixed(4)), node,
    });
  }

  key(event, { mark }) {
    const move = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const turn = { "[": TURN, "]": -TURN }[event.key], away = event.key === "Delete" || event.key === "Backspace";
    if (!move && !turn && !away) return;
    event.preventDefault();
    event.stopPropagation();
    const { store, view } = this.overlay, { right, forward } = view.camera.axes(),
      length = (event.shiftKey ? 5 : 1) * STEP;
    // along the floor, as the camera sees it
    const ahead = Math.hypot(forward[0], forward[2]), [over, down] = move ?? [0, 0];
    const x = mark.x + length * (over * right[0] - down * forward[0] / ahead);
    const z = mark.z + length * (over * right[2] - down * forward[2] / ahead);
    const gesture = store.gesture();
    gesture.request({ ...this.message(mark, x, z, turn ? mark.heading + turn : null),
      ...(away ? { remove: true } : {}) });
    gesture.commit();
  }

  /** Add a footprint where the floor is double-clicked, of the foot that is nearer, at the present time. */
  add(event) {
    const place = this.floor(event), { store } = this.overlay;
    if (!place || !store.doc || this.overlay.limbUnder(event)) return;
    const away = (foot) => {
      const at = this.overlay.placeOf(foot);
      return at ? Math.hypot(at[0] - place[0], at[2] - place[2]) : Infinity;
    };
    const foot = away("left_foot") <= away("right_foot") ? "left_foot" : "right_foot", { time } = store.clock;
    const gesture = store.gesture();
    gesture.request(this.message({ foot, start: time, stop: time, node: "" }, place[0], place[2], null));
    gesture.commit();
  }
}

/** Return the foot of a point as `footprint` names it. */
function footOf(name) {
  return name.startsWith("left") ? "left_foot" : "right_foot";
}
