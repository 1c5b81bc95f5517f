// The bar at the top: document, undo, playing, presets, and what the engine does.

/** @import { Store } from "./store.js" */

import { button, icon, inWords, make } from "./elements.js";
import { PRESETS } from "./panels.js";

const SPEEDS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2];
const ICONS = {
  undo: "M9 6 4 11l5 5M4 11h10a5.5 5.5 0 0 1 5.5 5.5V19",
  redo: "m15 6 5 5-5 5m5-5H10a5.5 5.5 0 0 0-5.5 5.5V19",
  first: "M17 6v12l-9-6zM6 6h2v12H6z",
  play: "M8 5v14l11-7z",
  pause: "M7 5h4v14H7zm6 0h4v14h-4z",
  last: "M7 6v12l9-6zm9 0h2v12h-2z",
  loop: "M5 11a5 5 0 0 1 5-5h8m-3-3 3 3-3 3M19 13a5 5 0 0 1-5 5H6m3 3-3-3 3-3",
  theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z",
};

/**
 * Fill the bar.
 *
 * @param {HTMLElement} element
 * @param {Store} store
 * @param {import("./layout.js").Layout} layout
 */
export function mountBar(element, store, layout) {
  const { clock, commands } = store, run = (id) => () => commands.run(id);
  const name = make("span", { class: "name" }, "Segue");
  const undo = button("Undo", icon(ICONS.undo), run("edit.undo"), { key: "Ctrl+Z" });
  const redo = button("Redo", icon(ICONS.redo), run("edit.redo"), { key: "Ctrl+Shift+Z" });
  const playIcon = make("span", { class: "holder" }, icon(ICONS.play, true));
  const play = button("Play", playIcon, run("play"), { key: "Space", id: "play" });
  const loop = button("Loop", icon(ICONS.loop), run("loop"), { key: "Q", pressed: clock.loop });
  const speed = make("select",
    { "aria-label": "Speed", title: "Speed", onchange: () => { clock.speed = Number(speed.value); } },
    ...SPEEDS.map((each) => make("option", { value: each, selected: each === 1 }, `${each}×`)));
  const readout = make("output", { class: "readout", "aria-label": "Time" });
  const status = make("span", { class: "status", role: "status" });
  const presets = make("div", { class: "presets", role: "group", "aria-label": "Layout" },
    ...Object.entries(PRESETS).map(([id, { title }], k) =>
      button(title, title, run(`preset.${id}`), { key: String(k + 1), id: `preset-${id}`, pressed: id === "edit" })));
  element.append(
    make("h1", { class: "title" }, make("b", {}, "Segue"), name),
    make("div", { class: "group", role: "group", "aria-label": "History" }, undo, redo),
    make("div", { class: "group transport", role: "group", "aria-label": "Playback" },
      button("To the start", icon(ICONS.first, true), run("time.first"), { key: "Home" }), play,
      button("To the end", icon(ICONS.last, true), run("time.last"), { key: "End" }), loop, readout, speed),
    presets,
    make("div", { id: "bar-actions", class: "group" }),
    status,
    button("Colours: light, dark or those of the system", icon(ICONS.theme), run("view.theme")),
  );

  const document_ = () => {
    const { doc } = store;
    if (!doc) return;
    name.textContent = `${doc.file || "untitled"}${doc.changed ? " •" : ""}`;
    name.title = doc.changed ? "The file has another text: Ctrl+S saves" : "";
    document.title = `${doc.file || "untitled"}${doc.changed ? "*" : ""} – Segue studio`;
    undo.disabled = !doc.undo;
    redo.disabled = !doc.redo;
  };
  let playing = null, timed = "";
  const time = () => {
    const said = `${clock.time.toFixed(2)} s · ${clock.frame}`;
    if (said !== timed) readout.textContent = timed = said;
    if (playing === clock.playing) return;
    playing = clock.playing;
    playIcon.replaceChildren(icon(playing ? ICONS.pause : ICONS.play, true));
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
  };
  const state = () => {
    const { warm, state: now, online, stale } = store, warming = warm && warm.share < 1;
    let word = "ready", kind = "ready";
    if (!online) [word, kind] = ["no connection", "offline"];
    else if (warming) [word, kind] = [`warming up ${Math.round(100 * warm.share)} %`, "busy"];
    else if (stale) [word, kind] = ["text has an error", "error"];
    else if (now?.busy) [word, kind] = ["solving", "busy"];
    else if (now?.ms) word = `solved in ${inWords(now.ms)}`;
    if (status.textContent !== word) status.textContent = word;
    status.dataset.kind = kind;
    status.style.setProperty("--share", String(warming ? warm.share : 1));
  };
  store.on("doc", () => { document_(); state(); });
  store.on("time", time);
  store.on("warm state online", state);
  store.on("layout", () => {
    for (const each of Object.keys(PRESETS)) {
      element.querySelector(`#preset-${each}`).setAttribute("aria-pressed", String(layout.name === each));
    }
    loop.setAttribute("aria-pressed", String(clock.loop));
  });
  time();
  state();
}
