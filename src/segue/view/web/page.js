// The start of a page by itself.

import { Placement } from "./motion.js";
import { Exposure } from "./exposure.js";
import { Viewer } from "./viewer.js";

/** Show the viewer, or say in a sentence why it cannot be shown. */
export function start() {
  const root = document.getElementById("viewer");
  const contents = JSON.parse(document.getElementById("contents").textContent);
  let viewer;
  try {
    viewer = new Viewer(root, contents);
  } catch (error) {
    const message = document.getElementById("message");
    message.textContent = `This browser cannot draw the motion (${error.message}). `
      + "A browser with WebGL 2 is needed, with hardware acceleration allowed in its settings.";
    message.hidden = false;
    root.classList.add("failed");
    return;
  }
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) viewer.clock.play();
  viewer.moved();
  // for scripts of whoever puts the page into another one
  Object.assign(window, { segueViewer: {
    get time() { return viewer.clock.time; },
    get playing() { return viewer.clock.playing; },
    get drawn() { return viewer.drawn; },
    get quality() { return viewer.quality.chosen(false); },
    play() { viewer.clock.play(); viewer.moved(); },
    pause() { viewer.clock.pause(); viewer.moved(); },
    seek(time) { viewer.clock.seek(time); viewer.moved(); },
    /** Return where the segments of a motion are in a frame, 3 numbers each, in m. */
    positions(motion, frame) {
      const chosen = viewer.motions[motion];
      return Array.from(chosen.place(frame, new Placement(chosen.tree.parents.length)).places);
    },
    /** Return where the graphics card puts the vertices of a motion's mesh in a frame, 3 numbers each, in m. */
    vertices(motion, frame) {
      const { scene, stage } = viewer, exposure = new Exposure(motion, stage.segments);
      exposure.frame = frame;
      return Array.from(scene.skins[motion].captured(exposure, scene.programs.skin));
    },
    /** Draw the picture now and wait until it is there; returns milliseconds. */
    redraw() {
      const begin = performance.now();
      viewer.shown = "";
      viewer.draw(true);
      viewer.scene.gl.readPixels(0, 0, 1, 1, viewer.scene.gl.RGBA, viewer.scene.gl.UNSIGNED_BYTE, new Uint8Array(4));
      return performance.now() - begin;
    },
  } });
}

start();
