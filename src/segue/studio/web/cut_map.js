// The cut map: the distance of all pairs of frames of two motions as a picture. A click writes leave and enter.

import { draw, make } from "./elements.js";

const LOW = [255, 244, 214], HIGH = [30, 42, 86]; // near pairs are light, far pairs are dark

/**
 * Return the colour of a cost between the least and the greatest; equal steps of rank look like equal steps.
 *
 * @param {number} share
 */
export function shade(share) {
  return LOW.map((low, k) => Math.round(low + (HIGH[k] - low) * share));
}

/** Return the index of the time that is nearest to a share (0 to 1) of the axis. */
export function indexAt(share, count) {
  return Math.min(Math.max(Math.floor(share * count), 0), count - 1);
}

/**
 * Return the picture. message: `cutmap` with `arrays.cost` (leaves, enters). write: called with leave and enter in s.
 *
 * @param {any} message
 * @param {(leave: number, enter: number) => void} write
 */
export function cutMap(message, write) {
  const { leaves, enters, present, best, arrays: { cost } } = message;
  const rows = leaves.length, columns = enters.length;
  const canvas = make("canvas", {
    width: rows, height: columns, tabindex: 0, role: "application", class: "cut-picture",
    "aria-label": "Cut map. Arrow keys move the cut point, Enter writes it.", "aria-describedby": "cut-said",
  });
  paint(canvas, cost, rows, columns);
  const said = make("output", { id: "cut-said", class: "cut-said" });
  const mark = draw("g", { class: "cut-mark" }, draw("path", { d: "M-8 0h16M0-8v16" }), draw("circle", { r: 5 }));
  const bests = best.slice(0, 5)
    .map(([leave, enter]) => draw("circle", { class: "cut-best", r: 2.5, ...place(leave, enter) }));
  const frame = draw("svg", { class: "cut-marks", "aria-hidden": "true" }, ...bests, mark);
  let at = nearest(present ?? best[0] ?? [leaves[0], enters[0]]);

  function nearest([leave, enter]) {
    const index = (times, time) => times.reduce(
      (found, each, k) => (Math.abs(each - time) < Math.abs(times[found] - time) ? k : found), 0);
    return [index(leaves, leave), index(enters, enter)];
  }
  function place(leave, enter) {
    const [row, column] = nearest([leave, enter]);
    return { cx: `${100 * (row + 0.5) / rows}%`, cy: `${100 - 100 * (column + 0.5) / columns}%` };
  }
  const show = () => {
    const [row, column] = at, value = cost[row * columns + column];
    const [leave, enter] = [leaves[row], enters[column]].map((time) => time.toFixed(2));
    said.textContent = `leave ${leave} s, enter ${enter} s, distance ${value.toFixed(3)}`;
    const { width, height } = canvas.getBoundingClientRect();
    mark.setAttribute("transform",
      `translate(${width * (row + 0.5) / rows} ${height - height * (column + 0.5) / columns})`);
  };
  const pointed = (event) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    at = [indexAt((event.clientX - left) / width, rows), indexAt(1 - (event.clientY - top) / height, columns)];
    show();
  };
  const done = () => write(leaves[at[0]], enters[at[1]]);
  canvas.addEventListener("pointermove", pointed);
  canvas.addEventListener("click", (event) => { pointed(event); done(); });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (step) {
      const far = event.shiftKey ? 10 : 1;
      at = [rows, columns].map((count, k) => Math.min(Math.max(at[k] + far * step[k], 0), count - 1));
      show();
    } else if (event.key === "Enter") done();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const figure = make("figure", { class: "cut-map" },
    make("div", { class: "cut-frame" }, canvas, frame),
    make("figcaption", {}, make("span", { class: "faint" }, "→ leave, ↑ enter; light is near"), said));
  requestAnimationFrame(show);
  return figure;
}

function paint(canvas, cost, rows, columns) {
  const sorted = Float32Array.from(cost).sort(), image = new ImageData(rows, columns);
  // the 2nd and 98th hundredth, so that a few far pairs do not make all others look alike
  const low = sorted[Math.floor(0.02 * (sorted.length - 1))], high = sorted[Math.floor(0.98 * (sorted.length - 1))];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const share = Math.min(Math.max((cost[row * columns + column] - low) / Math.max(high - low, 1e-9), 0), 1);
      image.data.set([...shade(Math.sqrt(share)), 255], 4 * ((columns - 1 - column) * rows + row));
    }
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
}
