// Compare: an earlier version of the document beside the present one, on the same clock.

/** @import { Store } from "./store.js" */

import { make } from "./elements.js";

const MOST = 12;

/**
 * Return the lines that differ between two texts: [sign, line], "-" only before, "+" only now, " " in both.
 *
 * @param {string} before
 * @param {string} now
 * @returns {[string, string][]}
 */
export function difference(before, now) {
  const a = before.split("\n"), b = now.split("\n");
  // the longest common subsequence, from the end on
  const longest = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) longest[i][j] = a[i] === b[j] ? longest[i + 1][j + 1] + 1
      : Math.max(longest[i + 1][j], longest[i][j + 1]);
  }
  /** @type {[string, string][]} */
  const lines = [];
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) lines.push([" ", a[i]]), i++, j++;
    else if (j >= b.length || (i < a.length && longest[i + 1][j] >= longest[i][j + 1])) lines.push(["-", a[i++]]);
    else lines.push(["+", b[j++]]);
  }
  return lines;
}

/**
 * Make the panel.
 *
 * @param {HTMLElement} element
 * @param {Store} store
 */
export function mount(element, store) {
  element.classList.add("compare");
  /** @type {{ rev: number, text: string, name: string }[]} */
  const versions = [];
  let chosen = 0, count = 0;
  const list = make("ul", { class: "versions-list", "aria-label": "Versions" });
  const keep = make("button", { type: "button", onclick: () => mark() }, "Keep this version");
  const stop = make("button", { type: "button", onclick: () => compare(0) }, "Stop comparing");
  const lay = make("select", { "aria-label": "Arrangement", onchange: () => store.emit("arrange", lay.value) },
    make("option", { value: "overlaid" }, "overlaid"), make("option", { value: "beside" }, "side by side"));
  const lines = make("pre", { class: "difference", tabindex: 0, "aria-label": "Differences of the texts" });
  const hint = make("p", { class: "hint" },
    "Keep a version and change the script. Then choose the version to see both motions on one clock.");
  element.append(make("div", { class: "tools" }, keep, lay, stop), hint, list, lines);

  const mark = () => {
    const { doc } = store;
    if (!doc || versions.some(({ rev }) => rev === doc.rev)) return;
    count += 1;
    versions.unshift({ rev: doc.rev, text: doc.text, name: `Version ${count}` });
    versions.splice(MOST);
    show();
  };
  const compare = (rev) => {
    chosen = rev;
    store.emit("leave", "compare");
    store.send({ kind: "compare", rev });
    store.emit("arrange", rev ? lay.value : "overlaid");
    show();
  };
  const show = () => {
    const { doc } = store, version = versions.find(({ rev }) => rev === chosen);
    list.replaceChildren(...versions.map(({ rev, name, text }) => make("li", {}, make("button", {
      type: "button", "aria-pressed": String(rev === chosen), onclick: () => compare(rev),
    }, name), make("small", {}, rev === doc?.rev ? "now" : text === doc?.text ? "same text" : `revision ${rev}`),
    make("button", { type: "button", class: "link", "aria-label": `restore ${name}`,
      onclick: () => restore(text) }, "restore"))));
    hint.hidden = versions.length > 0;
    stop.hidden = lay.hidden = !chosen;
    lines.hidden = !version;
    if (version && doc) {
      lines.replaceChildren(...difference(version.text, doc.text).filter(([sign]) => sign !== " ").map(([sign, line]) =>
        make("span", { class: sign === "+" ? "added" : "gone" }, `${sign} ${line}\n`)));
      if (!lines.firstChild) lines.textContent = "The texts are the same.";
    }
  };
  const restore = (text) => {
    const { doc } = store;
    store.edit([{ start: 0, stop: doc.text.length, text }]).catch((error) => store.notify(error.message, "error"));
  };
  store.on("doc", () => { if (!element.hidden) show(); });
  store.commands.add({ id: "compare.keep", title: "Keep this version to compare", group: "Edit", keys: ["M"],
    run: mark });
  show();
  return { shown: show };
}
