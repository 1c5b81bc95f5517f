// Mouse and fingers on the picture: one turns the camera, two (or the other buttons, or Shift) move it and zoom.

import { clamped } from "./vectors.js";

const DEGREES_PER_PIXEL = 0.35;

export class Pointer {
  /**
   * changed: called after every movement of the camera. grab: called with a press; it returns whether the press is for
   * something else than the camera.
   */
  constructor(canvas, camera, changed, grab = (_) => false) {
    this.canvas = canvas;
    this.camera = camera;
    this.changed = changed;
    this.grab = grab;
    this.down = new Map();
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, (event) => this.release(event));
    canvas.addEventListener("wheel", (event) => this.roll(event), { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  press(event) {
    if (this.down.size === 0 && this.grab(event)) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.down.set(event.pointerId, [event.clientX, event.clientY]);
    this.moves = event.button !== 0 || event.shiftKey;
  }

  release(event) {
    this.down.delete(event.pointerId);
  }

  move(event) {
    const before = this.down.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY], [right, down] = [now[0] - before[0], now[1] - before[1]];
    const [other] = [...this.down].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    if (other) {
      const apart = (place) => Math.hypot(place[0] - other[0], place[1] - other[1]);
      this.camera.zoom(Math.max(apart(before), 1) / Math.max(apart(now), 1));
      this.camera.pan(right / 2, down / 2);
    } else if (this.moves) this.camera.pan(right, down);
    else this.camera.turn(right * DEGREES_PER_PIXEL, down * DEGREES_PER_PIXEL);
    this.down.set(event.pointerId, now);
    this.changed();
  }

  roll(event) {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
    this.camera.zoom(Math.exp(0.0012 * clamped(lines * event.deltaY, -400, 400)));
    this.changed();
  }
}
