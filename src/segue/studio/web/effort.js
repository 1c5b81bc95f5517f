// Effort as colours: torque as part of strength, from the body's own grey to red.

/** @import { Store } from "./store.js" */

/** @type {[number, number[]][]} */
const STOPS = [
  [0, [0.62, 0.64, 0.67]], [0.35, [0.95, 0.8, 0.35]], [0.7, [0.9, 0.45, 0.1]],
  [1, [0.76, 0.1, 0.12]], [1.6, [0.45, 0.02, 0.25]],
];

/** Return the colour (red, green and blue from 0 to 1) of an effort; 1 is all the strength that there is. */
export function effortColour(effort) {
  const above = STOPS.findIndex(([stop]) => effort < stop);
  if (above === 0) return STOPS[0][1];
  if (above < 0) return STOPS.at(-1)[1];
  const [low, from] = STOPS[above - 1], [high, to] = STOPS[above];
  const share = (effort - low) / (high - low);
  return [0, 1, 2].map((k) => from[k] + share * (to[k] - from[k]));
}

/**
 * Return a function that gives the tint of each segment of the shown motion at a time, null where effort is unknown.
 *
 * @param {Store} store
 * @param {any} view
 */
export function effortTints(store, view) {
  return (motion, time) => {
    const channel = store.channels.effort, { segments } = view.stage;
    if (motion !== 0 || !channel?.values?.length) return null;
    const frames = channel.values.length / channel.rows.length, tints = new Float32Array(3 * segments);
    const frame = Math.min(Math.max(Math.round((time - channel.start) * channel.fps), 0), frames - 1);
    for (let s = 0; s < segments; s++) {
      const row = channel.rows.indexOf(store.welcome.joints[s]);
      tints.set(effortColour(row < 0 ? 0 : channel.values[row * frames + frame]), 3 * s);
    }
    return tints;
  };
}

/** Return the greatest effort of all joints in each frame, and which joint has it. */
export function worstEffort({ values, rows }) {
  const frames = values.length / rows.length, worst = new Float32Array(frames), who = new Uint8Array(frames);
  for (let row = 0; row < rows.length; row++) {
    for (let frame = 0; frame < frames; frame++) {
      const effort = values[row * frames + frame];
      if (effort > worst[frame]) {
        worst[frame] = effort;
        who[frame] = row;
      }
    }
  }
  return { worst, who };
}
