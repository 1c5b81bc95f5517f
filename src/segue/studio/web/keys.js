// Commands of the whole window: undo, saving, playing, time and range.

/** @import { Store } from "./store.js" */

import { ask } from "./dialogs.js";
import { focusedText } from "./text_file.js";

const THEMES = ["", "light", "dark"], KEPT = "segue.theme";

/** Set the colours: "light", "dark", or "" for those of the system. */
export function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  document.documentElement.style.colorScheme = theme || "";
}

/** Return whether the page is dark now. */
export function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/**
 * Add the commands.
 *
 * @param {Store} store
 */
export function addCommands(store) {
  const { clock, commands } = store;
  const time = (act) => () => { act(); store.emit("time", clock.time); };
  const jump = (to) => time(() => { clock.pause(); clock.seek(to()); });
  const step = (frames) => time(() => clock.step(frames));
  const shuttle = (by) => time(() => {
    // J and L go slower and faster by steps; K stops
    clock.speed = Math.min(Math.max(clock.playing ? clock.speed * 2 ** by : 1, 0.125), 4);
    clock.play();
  });
  const range = (side) => time(() => {
    const [low, high] = clock.range ?? [clock.start, clock.stop];
    clock.setRange(...(side === "in" ? [clock.time, Math.max(high, clock.time)]
      : [Math.min(low, clock.time), clock.time]));
    store.emit("layout");
  });
  const list = [
    ["edit.undo", "Undo", "Edit", ["Ctrl+Z"], () => back(store, "undo"), true],
    ["edit.redo", "Redo", "Edit", ["Ctrl+Shift+Z", "Ctrl+Y"], () => back(store, "redo"), true],
    ["file.save", "Save", "File", ["Ctrl+S"], () => save(store), true],
    ["file.save-as", "Save as…", "File", ["Ctrl+Shift+S"], () => saveAs(store), true],
    ["play", "Play or pause", "Time", ["Space", "K"], () => store.playOrPause()],
    ["play.slower", "Play, then slower", "Time", ["J"], shuttle(-1)],
    ["play.faster", "Play, then faster", "Time", ["L"], shuttle(1)],
    ["time.back", "One frame back", "Time", ["ArrowLeft"], step(-1)],
    ["time.on", "One frame on", "Time", ["ArrowRight"], step(1)],
    ["time.back10", "Ten frames back", "Time", ["Shift+ArrowLeft"], step(-10)],
    ["time.on10", "Ten frames on", "Time", ["Shift+ArrowRight"], step(10)],
    ["time.first", "To the start", "Time", ["Home"], jump(() => clock.low)],
    ["time.last", "To the end", "Time", ["End"], jump(() => clock.high)],
    ["range.in", "Loop range from here", "Time", ["I"], range("in")],
    ["range.out", "Loop range to here", "Time", ["O"], range("out")],
    ["range.none", "No loop range", "Time", ["Shift+I", "Shift+O"],
      time(() => { clock.setRange(null); store.emit("layout"); })],
    ["loop", "Loop on or off", "Time", ["Q"], () => { clock.loop = !clock.loop; store.emit("layout"); }],
    ["view.theme", "Colours: light, dark or system", "View", [], nextTheme(store)],
  ];
  for (const [id, title, group, keys, run, typing] of /** @type {any[]} */ (list)) {
    commands.add({ id, title, group, keys, run, typing });
  }
  setTheme(localStorage.getItem(KEPT) ?? "");
  commands.listen(document);
}

function nextTheme(store) {
  return () => {
    const now = document.documentElement.dataset.theme ?? "", next = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length];
    setTheme(next);
    localStorage.setItem(KEPT, next);
    store.notify(next ? `Colours: ${next}` : "Colours: as the system");
    store.emit("theme");
  };
}

/** Undo or redo in the text file whose editor has the focus, else in the script. */
function back(store, which) {
  const text = focusedText(store);
  if (text) text[which]();
  else {
    store.drop();
    store.send({ kind: which });
  }
}

async function save(store) {
  const text = focusedText(store);
  if (text) await text.save();
  else if (store.doc && !store.doc.file) await saveAs(store);
  else await written(store, "");
}

async function saveAs(store) {
  const path = await ask("Save the script as", store.doc?.file || "untitled.segue", "Save");
  if (path) await written(store, path);
}

async function written(store, path) {
  try {
    store.drop();
    const { sentence } = await store.ask({ kind: "save", path });
    if (sentence) store.notify(sentence);
  } catch (error) {
    store.notify(error.message, "error");
  }
}
