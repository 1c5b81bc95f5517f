// The symbols of the dance notation by category, each in its colour: a press puts one into the selected step.

/** @import { PatternEditor } from "./pattern_editor.js" */

import { make } from "./elements.js";

/** Return the class of a kind of symbols, which gives its colour. */
export function kindClass(kind) {
  return `k-${kind.replaceAll(" ", "-")}`;
}

/**
 * Make the palette.
 *
 * @param {PatternEditor} editor
 */
export function palette(editor) {
  const element = make("div", { class: "symbols", role: "group", "aria-label": "Symbols", tabindex: 0 });
  /** @type {[any, HTMLButtonElement][]} */
  const keys = [];
  for (const row of editor.store.welcome.rows) {
    const inRow = editor.store.welcome.symbols.filter((each) => each.row === row);
    if (!inRow.length) continue;
    const group = make("fieldset", { "data-row": row }, make("legend", {}, row));
    for (const kind of new Set(inRow.map((each) => each.kind))) {
      const line = make("div", { class: `symbol-line ${kindClass(kind)}`, role: "group", "aria-label": kind });
      for (const symbol of inRow.filter((each) => each.kind === kind)) {
        const key = make("button", {
          type: "button", class: "symbol", "data-symbol": symbol.text, "aria-pressed": "false",
          "aria-label": `${symbol.text}, ${symbol.name}`, title: `${symbol.name}: ${symbol.meaning}`,
          onclick: () => editor.press(symbol),
        }, symbol.text);
        line.append(key);
        keys.push([symbol, key]);
      }
      group.append(line);
    }
    element.append(group);
  }
  const update = () => {
    for (const [symbol, key] of keys) {
      key.setAttribute("aria-pressed", String(editor.has(symbol)));
      key.disabled = !editor.writable;
    }
    for (const group of element.children) {
      const { row } = /** @type {HTMLElement} */ (group).dataset;
      group.classList.toggle("now", row === editor.row || (row === "Beats" && editor.row === "Timing"));
    }
  };
  return { element, update };
}
