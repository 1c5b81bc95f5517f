// The grid of a pattern: a column a step, a row for each row of the notation, entered by mouse and by keys.

/** @import { PatternEditor } from "./pattern_editor.js" */

import { make } from "./elements.js";
import { EMPTY, symbolsIn } from "./pattern_edits.js";
import { stepFloor } from "./soles.js";
import { kindClass } from "./symbol_palette.js";

const NUMBERS = "Step Number";
const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export class PatternGrid {
  /** @param {PatternEditor} editor */
  constructor(editor) {
    this.editor = editor;
    this.table = make("table", { role: "grid", class: "pattern-grid", "aria-label": "Steps" });
    this.element = make("div", { class: "grid-frame" }, this.table);
    /** @type {HTMLInputElement | null} */
    this.input = null;
    this.table.addEventListener("click", (event) => this.click(event));
    this.table.addEventListener("dblclick", () => this.type(null));
    this.table.addEventListener("keydown", (event) => this.key(event));
  }

  /** The rows that can be entered. */
  get rows() {
    return (this.editor.outline?.rows ?? []).filter(({ name }) => name && name !== NUMBERS).map(({ name }) => name);
  }

  update() {
    if (this.input) return; // what is being typed stays
    const { editor } = this, { outline, count } = editor, focused = this.table.contains(document.activeElement);
    if (!outline) {
      this.table.replaceChildren();
      return;
    }
    const kinds = new Map(editor.store.welcome.symbols.map((each) => [`${each.row} ${each.text}`, each.kind]));
    const head = make("tr", {}, make("th", { scope: "col" }, "Step"), ...Array.from({ length: count }, (_, k) =>
      make("th", { scope: "col", "data-step": k, class: k === editor.step ? "now" : null }, String(k + 1))));
    const floor = outline.floor, floors = make("tr", { class: "floors" }, make("th", { scope: "row" }, "Floor"),
      ...Array.from({ length: count }, (_, k) => make("td", { "data-step": k, class: k === editor.step ? "now" : null,
        role: "gridcell" }, ...(floor?.steps[k] ? [stepFloor(floor, k)] : []))));
    const body = outline.rows.filter(({ name }) => name !== NUMBERS).map((row) => make("tr", {},
      make("th", { scope: "row", title: row.name ? null : "This row is not danced" }, row.label),
      ...row.cells.map((cell, k) => this.cell(row.name, k, cell.words, kinds))));
    this.table.replaceChildren(make("thead", {}, head), make("tbody", {}, ...body, floors));
    if (focused) this.focus();
  }

  cell(row, step, words, kinds) {
    const { editor } = this, now = row === editor.row && step === editor.step, wrong = editor.wrong(row, step);
    const known = row === "Timing" ? "Beats" : row, said = symbolsIn(words);
    const symbols = said.flatMap((word, k) => {
      const kind = kinds.get(`${known} ${word.toUpperCase()}`);
      return [k ? " " : "", make("span", { class: `sign ${kind ? kindClass(kind) : "unknown"}` }, word)];
    });
    const reason = wrong.map(({ sentence }) => sentence).join(" ");
    return make("td", {
      role: "gridcell", tabindex: now ? 0 : -1, "data-row": row, "data-step": step, "aria-selected": String(now),
      "aria-label": `${row}, step ${step + 1}: ${said.join(" ") || "empty"}${reason ? `. ${reason}` : ""}`,
      "aria-invalid": wrong.some(({ severity }) => severity === "error") ? "true" : null, title: reason || null,
      class: [now && "selected", step === editor.step && "now", wrong[0]?.severity].filter(Boolean).join(" ") || null,
    }, ...(symbols.length ? symbols : [make("span", { class: "nothing", "aria-hidden": "true" }, words === '"' ? words : EMPTY.slice(0, 2))]));
  }

  /** Give the focus to the selected cell. */
  focus() {
    /** @type {HTMLElement | null} */ (this.table.querySelector("td.selected"))?.focus({ preventScroll: false });
  }

  click(event) {
    const at = event.target.closest("[data-step]");
    if (!at || event.target === this.input) return;
    this.commit();
    this.editor.select(at.dataset.row || this.editor.row, Number(at.dataset.step));
    this.focus();
  }

  /** Go to another cell. */
  move(down, right) {
    const { editor, rows } = this, at = Math.max(rows.indexOf(editor.row), 0);
    editor.select(rows[Math.min(Math.max(at + down, 0), rows.length - 1)], editor.step + right);
    this.focus();
  }

  key(event) {
    const { key, ctrlKey, metaKey, altKey } = event, held = ctrlKey || metaKey || altKey, { editor } = this;
    if (this.input) {
      this.typed(event);
      return;
    }
    const clear = () => editor.write(editor.row, editor.step, EMPTY);
    const act = held ? { Delete: () => editor.removeStep() }[key] : {
      Enter: () => this.type(null), F2: () => this.type(null), Delete: clear, Backspace: clear,
      Insert: () => editor.addStep(),
      Home: () => this.move(0, -editor.count), End: () => this.move(0, editor.count),
    }[key] ?? (MOVES[key] && (() => this.move(...MOVES[key])))
      ?? (/^[\w"]$/.test(key) ? () => this.type(key.toUpperCase()) : null);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** Let the selected cell be typed into; begin: the first character, null to change what is there. */
  type(begin) {
    const { editor } = this, cell = this.table.querySelector("td.selected");
    if (!cell || !editor.writable) {
      if (!editor.writable) editor.edit(() => []);
      return;
    }
    const words = symbolsIn(editor.cell(editor.row, editor.step)?.words ?? "").join(" ");
    this.input = make("input", { type: "text", class: "cell-input", spellcheck: "false", autocomplete: "off",
      "aria-label": `${editor.row}, step ${editor.step + 1}` });
    this.input.value = begin ?? words;
    this.input.addEventListener("blur", () => this.commit());
    cell.replaceChildren(this.input);
    this.input.focus();
    if (begin === null) this.input.select();
  }

  typed(event) {
    const then = { Enter: [1, 0], Tab: [0, event.shiftKey ? -1 : 1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    event.stopPropagation();
    if (event.key === "Escape") {
      this.input = null;
      this.update();
      this.focus();
    } else if (then) {
      event.preventDefault();
      this.commit();
      this.move(...then);
    }
  }

  /** Write what was typed. */
  commit() {
    const { input, editor } = this;
    if (!input) return;
    const { row = "", step = "0" } = /** @type {HTMLElement} */ (input.parentElement)?.dataset ?? {};
    this.input = null;
    if (row) editor.write(row, Number(step), input.value);
    this.update();
  }
}
