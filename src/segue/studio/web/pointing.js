// A pressed pointer: its movements until it is let go, or until Esc takes them back.

const THRESHOLD = 3; // CSS pixels that a press may move and still be a click

/**
 * Follow a pressed pointer. move: called with each movement beyond a click's. end: called with whether the pointer was
 * let go, not cancelled by Esc or by the system.
 *
 * @param {PointerEvent} event
 * @param {{ move: (event: PointerEvent) => void, end: (keep: boolean) => void, threshold?: number }} given
 */
export function dragged(event, { move, end, threshold = THRESHOLD }) {
  const target = /** @type {Element} */ (event.currentTarget ?? event.target), { pointerId, clientX, clientY } = event;
  const done = new AbortController(), { signal } = done;
  let moved = false;
  const finish = (keep) => {
    if (signal.aborted) return;
    done.abort();
    if (target.hasPointerCapture(pointerId)) target.releasePointerCapture(pointerId);
    end(keep);
  };
  target.setPointerCapture(pointerId);
  target.addEventListener("pointermove", (/** @type {any} */ now) => {
    if (now.pointerId !== pointerId) return;
    moved ||= Math.hypot(now.clientX - clientX, now.clientY - clientY) >= threshold;
    if (moved) move(now);
  }, { signal });
  target.addEventListener("pointerup", (/** @type {any} */ now) => { if (now.pointerId === pointerId) finish(true); },
    { signal });
  target.addEventListener("pointercancel", () => finish(false), { signal });
  target.addEventListener("lostpointercapture", () => finish(true), { signal });
  document.addEventListener("keydown", (pressed) => {
    if (pressed.key !== "Escape") return;
    pressed.preventDefault();
    pressed.stopPropagation();
    finish(false);
  }, { signal, capture: true });
}
