// The open pattern, as grid, palette, header and stage share it: its text, the selected cell, edits in order.

/** @import { Change, Diagnostic, PatternOutline, Rehearsal, SymbolShape } from "./messages.js" */
/** @import { Store } from "./store.js" */

import {
  addStep, cellChanges, EMPTY, headerChanges, removeStep, symbolsIn, toggleRow, withSymbol,
} from "./pattern_edits.js";
import { TextFile } from "./text_file.js";

const CALM = 300; // milliseconds after the last edit, then the pattern is planned and previewed
const FOOT = "Foot Position", BEATS = "Beats", TIMING = "Timing";
export const MOST_STEPS = 12;

export class PatternEditor {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    /** @type {TextFile | null} */
    this.file = null;
    this.row = FOOT;
    this.step = 0;
    this.couple = false;
    this.beside = ""; // a clip that is played beside the preview
    /** @type {Rehearsal | null} */
    this.rehearsal = null;
    this.told = "";
    this.queue = Promise.resolve();
    this.calm = 0;
    store.on("text", (said) => { if (said.file === this.file?.file) this.changed(); });
    store.on("rehearsal", (said) => {
      if (said.file !== this.file?.file) return;
      this.rehearsal = said;
      store.emit("pattern");
    });
  }

  /** Open a pattern by its path in the list. */
  async open(path) {
    try {
      const file = await TextFile.open(this.store, "pattern", path);
      if (file !== this.file) await this.take(file);
    } catch (error) {
      this.store.notify(error.message, "error");
    }
  }

  /** Edit an opened file. */
  async take(file) {
    this.file = file;
    [this.row, this.step, this.beside, this.rehearsal, this.told] = [FOOT, 0, "", null, ""];
    this.changed();
  }

  /** @returns {PatternOutline | null} */
  get outline() {
    const outline = this.file?.said.outline;
    return outline?.what === "pattern" ? outline : null;
  }

  get text() {
    return this.file?.said.text ?? "";
  }

  /** How many steps the grid has. */
  get count() {
    return Math.max(0, ...(this.outline?.rows.map(({ cells }) => cells.length) ?? []));
  }

  /** Whether the file can be changed here. */
  get writable() {
    return this.file !== null && !this.file.said.original;
  }

  changed() {
    if (!this.cell(this.row, 0)) this.row = FOOT; // the row is gone
    this.step = Math.min(this.step, Math.max(this.count - 1, 0));
    this.store.emit("pattern");
    clearTimeout(this.calm);
    this.calm = window.setTimeout(() => this.rehearse(), CALM);
  }

  /** Ask for the plan and the preview of the present text, where it can be danced. */
  rehearse() {
    const { file, couple, beside, store } = this, asked = file && [file.file, file.said.rev, couple, beside].join();
    if (!file || !this.outline?.floor || asked === this.told) return;
    this.told = asked;
    store.ask({ kind: "rehearse", file: file.file, couple, beside })
      .catch((error) => store.notify(error.message, "error"));
  }

  /** Select a cell; step: from 0. */
  select(row, step) {
    const last = Math.max(this.count - 1, 0);
    [this.row, this.step] = [row, Math.min(Math.max(step, 0), last)];
    this.store.emit("pattern");
    this.store.emit("step", this.step);
  }

  cell(row, step) {
    return this.outline?.rows.find(({ name }) => name === row)?.cells[step] ?? null;
  }

  /** Return what is wrong with a cell. */
  wrong(row, step) {
    const cell = this.cell(row, step);
    return !cell ? []
      : this.diagnostics.filter(({ start, stop }) => stop > 0 && start >= cell.start && stop <= cell.stop);
  }

  /** @returns {Diagnostic[]} */
  get diagnostics() {
    return this.file?.said.diagnostics ?? [];
  }

  /**
   * Change the text after all edits before; make: returns changes of the newest text.
   *
   * @param {(outline: PatternOutline, text: string) => Change[]} make
   */
  edit(make) {
    this.queue = this.queue.then(async () => {
      const { file, outline, text } = this;
      if (!file || !outline) return;
      if (!this.writable) throw new Error("This pattern comes with Segue. Press “Edit a copy” to change it.");
      const changes = make(outline, text);
      if (changes.length) await file.edit(changes);
    }).catch((error) => this.store.notify(error.message, "error"));
    return this.queue;
  }

  /** Write words into a cell; a row that is missing is added. */
  write(row, step, words) {
    const said = words.trim().replace(/\s+/g, " ").toUpperCase() || EMPTY;
    if (!this.cell(row, step)) this.edit((outline, text) => (outline.rows.some(({ name }) => name === row) ? []
      : toggleRow(outline, text, row, this.store.welcome.rows)));
    return this.edit((outline, text) => cellChanges(outline, text, row, step, said));
  }

  /**
   * Put a symbol into the selected step, or take it out.
   *
   * @param {SymbolShape} symbol
   */
  press(symbol) {
    const row = symbol.row === BEATS && this.row === TIMING ? TIMING : symbol.row, { step } = this;
    this.select(row, step);
    if (!this.cell(row, step)) this.write(row, step, EMPTY);
    this.edit((outline, text) => {
      const words = outline.rows.find(({ name }) => name === row)?.cells[step]?.words ?? "";
      return cellChanges(outline, text, row, step, withSymbol(words, symbol, this.store.welcome.symbols));
    });
  }

  /** Return whether a symbol stands in the selected step. */
  has(symbol) {
    const row = symbol.row === BEATS && this.row === TIMING ? TIMING : symbol.row;
    return symbolsIn(this.cell(row, this.step)?.words ?? "").includes(symbol.text);
  }

  /** Add a step behind the selected one, or before it. */
  addStep(before = false) {
    if (this.count >= MOST_STEPS) return;
    const at = this.step + (before ? 0 : 1);
    this.edit((outline, text) => addStep(outline, text, at));
    this.queue.then(() => this.select(this.row, at));
  }

  removeStep() {
    const { step } = this;
    this.edit((outline, text) => removeStep(outline, text, step));
  }

  /** Add a row, or take it away. */
  toggleRow(name) {
    this.edit((outline, text) => toggleRow(outline, text, name, this.store.welcome.rows));
  }

  header(name, value) {
    this.edit((outline, text) => headerChanges(outline, text, name, value.trim()));
  }

  /** Write a copy of a pattern that comes with Segue, and edit that. */
  async copy() {
    await this.queue;
    const made = await this.file?.copy();
    if (!made) return;
    await this.take(made);
    this.store.emit("entered");
  }
}

/** @type {WeakMap<Store, PatternEditor>} */
const editors = new WeakMap();

/** Return the one editor of patterns of a page. */
export function patternEditor(store) {
  if (!editors.has(store)) editors.set(store, new PatternEditor(store));
  return editors.get(store);
}
