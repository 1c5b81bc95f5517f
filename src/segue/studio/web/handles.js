// Numbers of the script that are dragged along the time line: what a place of the pointer means for the text.

/** @import { Change, Handle } from "./messages.js" */

const DECIMALS = 3;

/** Return a number as the script writes it: at most 3 decimals, no trailing zeros, no negative zero. */
export function numeral(value) {
  return String(Number(value.toFixed(DECIMALS)) + 0);
}

/**
 * Return the value of a handle when it is dragged to a time of the shown motion. step: seconds between the times that
 * it snaps to, 0 for none; origin: one of those times. The bounds of the handle hold also where no snap lies within.
 *
 * @param {Handle} handle
 */
export function valueAt(handle, time, step = 0, origin = 0) {
  const snapped = step > 0 ? origin + Math.round((time - origin) / step) * step : time;
  const value = handle.value + handle.scale * (snapped - handle.time);
  return Math.min(Math.max(value, handle.least), handle.most);
}

/**
 * Return the change of the text that gives a handle a value.
 *
 * @param {Handle} handle
 * @returns {Change}
 */
export function changeOf(handle, value) {
  return { start: handle.start, stop: handle.stop, text: handle.prefix + numeral(value) + handle.suffix };
}

/**
 * Return a text after changes whose spans all refer to the text before.
 *
 * @param {string} text
 * @param {Change[]} changes
 */
export function changed(text, changes) {
  const later = [...changes].sort((a, b) => b.start - a.start);
  return later.reduce((whole, { start, stop, text: put }) => whole.slice(0, start) + put + whole.slice(stop), text);
}

/**
 * Return a handle and its value in words, for screen readers.
 *
 * @param {Handle} handle
 */
export function spoken(handle, value = handle.value) {
  return `${handle.parameter || handle.what} ${value.toFixed(2)} seconds`;
}
