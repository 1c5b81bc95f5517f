// The script editor: the document's text with colours, completions, errors under the word, and help.

/** @import { Store } from "./store.js" */

import { Completer } from "./completion.js";
import { make } from "./elements.js";
import { differenceOf, movedCaret, wordAt } from "./text_edits.js";
import { paint } from "./script_colours.js";
import { innermost } from "./store.js";

const REST = 900; // milliseconds without a key that end a run of typing
const ROW = 20; // CSS pixels of a row of text

/**
 * Make the editor.
 *
 * @param {HTMLElement} element
 * @param {Store} store
 */
export function mount(element, store) {
  const editor = new ScriptEditor(element, store);
  return { shown: () => editor.show() };
}

export class ScriptEditor {
  /**
   * @param {HTMLElement} element
   * @param {Store} store
   */
  constructor(element, store) {
    this.store = store;
    this.field = make("textarea", {
      class: "script-field", spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-label": "Script",
      "aria-describedby": "script-hint", rows: 1,
    });
    this.shown = make("pre", { class: "script-shown", "aria-hidden": "true" }, "");
    this.numbers = make("pre", { class: "script-numbers", "aria-hidden": "true" });
    this.errors = make("div", { class: "script-errors", role: "status", "aria-label": "Errors" });
    this.hint = make("p", { class: "script-hint", id: "script-hint" });
    this.help = make("pre", { class: "script-help", tabindex: 0, "aria-label": "Help", hidden: true });
    this.page = make("div", { class: "script-page" }, this.numbers, this.shown, this.field, this.errors);
    this.scroll = make("div", { class: "script-scroll" }, this.page);
    element.classList.add("script");
    element.append(this.scroll, this.help, this.hint);
    /** @type {import("./gesture.js").Gesture | null} */
    this.gesture = null;
    this.before = ""; // the text before the run of typing
    this.sent = null; // the text that the engine was last given and has not said back yet
    // the line alone is completed: the engine may not have the newest text yet
    const lineStart = () => this.field.value.lastIndexOf("\n", this.field.selectionStart - 1) + 1;
    const line = () => this.field.value.slice(lineStart(), this.field.selectionStart);
    this.completer = new Completer(this.field, store, {
      text: line,
      request: () => ({ kind: "complete", position: line().length, line: line() }),
      replace: (start, stop, text) => {
        const from = lineStart();
        this.field.setRangeText(text, from + start, from + stop, "end");
        this.typed();
      },
      place: () => this.placeOf(this.field.selectionStart),
    });
    this.listen();
    this.show();
  }

  listen() {
    const { field, store } = this;
    field.addEventListener("input", () => this.typed());
    field.addEventListener("blur", () => this.rest());
    field.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("selectionchange", () => { if (document.activeElement === field) this.caret(); });
    store.on("doc", (doc) => this.take(doc));
    store.on("online", (online) => { if (!online) [this.gesture, this.sent] = [null, null]; });
    store.on("selection theme", () => { this.colour(); this.reveal(); });
    store.on("welcome", () => this.colour());
    new ResizeObserver(() => { this.number(); this.drawErrors(); }).observe(this.scroll);
    store.commands.add({
      id: "help.function", title: "Help on the function under the cursor", group: "Help", keys: ["F1"], typing: true,
      run: () => this.explain(),
    });
    store.commands.add({ id: "script", title: "Go to the script", group: "Edit", keys: ["E"],
      run: () => field.focus() });
  }

  show() {
    if (this.store.doc) this.take(this.store.doc);
  }

  /** Take the document's text, unless newer text of this page is on its way. */
  take({ text, refused }) {
    const { field } = this;
    if (refused) [this.gesture, this.sent] = [null, null];
    if (this.sent === text) this.sent = null;
    if (this.sent === null && text !== field.value && !this.gesture?.open) {
      const caret = [field.selectionStart, field.selectionEnd].map((at) => movedCaret(field.value, text, at));
      field.value = text;
      if (document.activeElement === field) field.setSelectionRange(caret[0], caret[1]);
    }
    this.colour();
    this.drawErrors();
  }

  /** Send what was typed: the difference to the text before this run of typing. */
  typed() {
    const { store, field } = this;
    if (!store.doc) return;
    if (!this.gesture?.open) {
      this.gesture = store.gesture();
      this.before = store.doc.text;
    }
    this.sent = field.value;
    this.gesture.edit(differenceOf(this.before, field.value));
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(), REST);
    this.colour();
    this.drawErrors();
  }

  /** End a run of typing and keep its text. */
  rest() {
    clearTimeout(this.resting);
    if (this.gesture?.open) this.gesture.commit();
    this.gesture = null;
  }

  key(event) {
    if (this.completer.key(event)) return;
    if (event.key === "Escape") {
      if (!this.help.hidden) this.help.hidden = true;
      else this.field.blur();
    } else if ((event.ctrlKey || event.metaKey) && event.key === "/") {
      event.preventDefault();
      this.comment();
    }
  }

  /** Make the lines of the selection comments, or text again. */
  comment() {
    const { field } = this, { value } = field;
    const start = value.lastIndexOf("\n", field.selectionStart - 1) + 1;
    const end = value.indexOf("\n", field.selectionEnd), stop = end < 0 ? value.length : end;
    const lines = value.slice(start, stop).split("\n"), off = lines.every((line) => /^\s*#/.test(line) || !line.trim());
    const made = lines.map((line) => (off ? line.replace(/^(\s*)# ?/, "$1") : line && `# ${line}`)).join("\n");
    field.setRangeText(made, start, stop, "select");
    this.typed();
  }

  /** Select the node under the caret in all views, and name the function around it. */
  caret() {
    const { field, store } = this, at = field.selectionStart;
    if (!store.doc || field.value !== store.doc.text) return;
    const node = store.nodeAt(at);
    if (node) store.select(node.node);
    this.hint.textContent = this.signature(at);
  }

  /** Return the signature of the innermost call around an offset. */
  signature(at) {
    const { functions, aliases } = this.store.welcome ?? { functions: [], aliases: {} };
    const call = innermost(this.store.doc.tree.filter(({ what }) => what === "call"), at);
    const name = call && (aliases[call.label] ?? call.label);
    return functions.find((each) => each.name === name)?.signature ?? "";
  }

  async explain() {
    const { field, store, help } = this, name = wordAt(field.value, field.selectionStart);
    try {
      const { text } = await store.ask({ kind: "help", name });
      help.textContent = text;
      help.hidden = false;
    } catch (error) {
      store.notify(error.message, "error");
    }
  }

  colour() {
    const { field, shown, store } = this;
    if (shown.textContent !== `${field.value}\n`) {
      shown.textContent = `${field.value}\n`;
      this.number();
    }
    const current = store.doc?.text === field.value, node = current && store.node(store.selection);
    paint(shown.firstChild, field.value, store.welcome, node, current ? store.doc.diagnostics : []);
  }

  /** Number the lines: a long one takes several rows. */
  number() {
    let start = 0;
    this.numbers.replaceChildren(...this.field.value.split("\n").map((line, k) => {
      const number = make("span", {}, String(k + 1));
      number.style.top = `${this.cellOf(start).middle - 8 - ROW / 2}px`;
      start += line.length + 1;
      return number;
    }));
  }

  /** Show each error under its word. */
  drawErrors() {
    const { doc } = this.store, current = doc && doc.text === this.field.value;
    this.errors.replaceChildren(...(current ? doc.diagnostics : []).map(({ sentence, start, severity }) => {
      const { left, top } = this.cellOf(start);
      const note = make("p", { class: severity }, sentence);
      note.style.left = `${Math.min(left, Math.max(this.page.clientWidth - 240, 40))}px`;
      note.style.top = `${top}px`;
      return note;
    }));
  }

  /** Return the place below a character, in CSS pixels of the page of text. */
  cellOf(offset) {
    const text = this.shown.firstChild, range = document.createRange();
    const at = Math.min(offset, (text?.textContent.length ?? 1) - 1);
    if (!text || at < 0) return { left: 0, top: 0, middle: 0 };
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    const box = range.getClientRects()[0] ?? this.shown.getBoundingClientRect(),
      page = this.page.getBoundingClientRect();
    const middle = (box.top + box.bottom) / 2 - page.top;
    return { left: box.left - page.left, top: middle + ROW / 2, middle };
  }

  /** Return the place below a character in the window. */
  placeOf(offset) {
    const { left, top } = this.cellOf(offset), page = this.page.getBoundingClientRect();
    return { left: left + page.left, top: top + page.top + 4 };
  }

  /** Scroll to the selected node, unless the caret is in the text. */
  reveal() {
    const node = this.store.node(this.store.selection);
    if (!node || document.activeElement === this.field) return;
    const { top } = this.cellOf(node.start), { scrollTop, clientHeight } = this.scroll;
    if (top < scrollTop + 20
      || top > scrollTop + clientHeight) this.scroll.scrollTop = Math.max(top - clientHeight / 2, 0);
  }
}
