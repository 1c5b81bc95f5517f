// The command palette and the help: every command by its name, every key, every function of the language.

/** @import { Store } from "./store.js" */

import { make } from "./elements.js";
import { search } from "./matching.js";

const MOST = 60;

/**
 * Add the palette (Ctrl+K) and the help (?).
 *
 * @param {Store} store
 */
export function addPalette(store) {
  const { commands } = store;
  commands.add({ id: "palette", title: "Command palette", group: "Help", keys: ["Ctrl+K", "F2"], typing: true,
    run: () => openPalette(store) });
  commands.add({ id: "help", title: "Help: keys and functions", group: "Help", keys: ["?", "Shift+?"],
    run: () => openHelp(store) });
}

function openDialog(label, ...content) {
  document.querySelectorAll("dialog.sheet").forEach((each) => /** @type {HTMLDialogElement} */ (each).close());
  const dialog = make("dialog", { class: "sheet", "aria-label": label }, ...content);
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.showModal();
  return dialog;
}

/** Return a title with the letters that were searched for in bold. */
function marked(title, at) {
  const letters = new Set(at);
  return [...title].map((letter, k) => (letters.has(k) ? make("b", {}, letter) : letter));
}

/** Return a key as keyboards show it. */
function shortened(key) {
  return key.replace(/Arrow(Left|Right|Up|Down)/, (_, way) => ({ Left: "←", Right: "→", Up: "↑", Down: "↓" })[way]);
}

/** @param {Store} store */
function openPalette(store) {
  const all = [...store.commands.all.values()].filter(({ id }) => id !== "palette");
  const list = make("ul", { id: "palette-list", role: "listbox", "aria-label": "Commands" });
  const input = make("input", {
    type: "text", role: "combobox", placeholder: "Type the name of a command", "aria-label": "Command",
    spellcheck: "false",
    "aria-expanded": "true", "aria-controls": "palette-list", "aria-autocomplete": "list", autocomplete: "off",
  });
  const dialog = openDialog("Command palette", input, list);
  let found = [], chosen = 0;
  const mark = () => {
    [...list.children].forEach((each, k) => each.setAttribute("aria-selected", String(k === chosen)));
    const now = list.children[chosen];
    now?.scrollIntoView({ block: "nearest" });
    if (now) input.setAttribute("aria-activedescendant", now.id);
    else input.removeAttribute("aria-activedescendant");
  };
  const update = () => {
    found = search(input.value, all, ({ title, group }) => `${title} ${group}`).slice(0, MOST);
    chosen = 0;
    list.replaceChildren(...found.map(({ item, at }, k) => make("li",
      { role: "option", id: `palette-${k}`, onclick: () => take(k) },
      make("span", {}, ...marked(item.title, at)), make("small", {}, item.group),
        make("kbd", {}, (item.keys ?? []).map(shortened).join(" or ")))));
    if (!found.length) list.replaceChildren(make("li", { role: "option", "aria-disabled": "true", class: "none" },
      "No command has this name."));
    mark();
  };
  const take = (k) => {
    dialog.close();
    found[k]?.item.run();
  };
  input.addEventListener("input", update);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step) {
      chosen = Math.min(Math.max(chosen + step, 0), found.length - 1);
      mark();
    } else if (event.key === "Enter") take(chosen);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  update();
  input.focus();
}

/** @param {Store} store */
function openHelp(store) {
  const groups = Map.groupBy([...store.commands.all.values()].filter(({ keys }) => keys?.length), ({ group }) => group);
  const keys = make("div", { class: "key-groups" }, ...[...groups].map(([group, list]) => make("section", {},
    make("h3", {}, group), make("dl", {}, ...list.map(({ title, keys: pressed }) => make("div", {},
      make("dt", {}, ...pressed.flatMap((key, k) => [k ? " " : "", make("kbd", {}, key)])), make("dd", {}, title)))))));
  const functions = store.welcome?.functions ?? [];
  const input = make("input", { type: "search", placeholder: "Search the functions",
    "aria-label": "Search the functions", spellcheck: "false" });
  const list = make("div", { class: "functions" });
  const update = () => {
    const found = search(input.value, functions, ({ name, help }) => `${name} ${input.value.length > 3 ? help : ""}`);
    list.replaceChildren(...found.map(({ item }) => make("section", {}, make("code", {}, item.signature),
      item.extension ? make("em", {}, " extension: not bounded by limits") : "",
      make("p", {}, item.help), make("pre", { tabindex: 0, "aria-label": `Example of ${item.name}` }, item.example))));
  };
  input.addEventListener("input", update);
  update();
  const close = make("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const dialog = openDialog("Help", make("div", { class: "sheet-head" }, make("h2", {}, "Keys"), close), keys,
    make("h2", {}, "Functions of the language"), input, list);
  close.focus();
}
