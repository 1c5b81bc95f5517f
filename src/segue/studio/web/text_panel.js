// A panel for text files of one kind: a list to open and begin them, what is wrong with the text, and edits by place.

/** @import { Diagnostic, TextEntry, TomlValue } from "./messages.js" */
/** @import { Store } from "./store.js" */

import { ask, choose } from "./dialogs.js";
import { make } from "./elements.js";
import { TextFile } from "./text_file.js";

/** Return a value as TOML writes it: a number with at most `decimals` decimals, or a text in quotes. */
export function tomlText(value, decimals = 3) {
  if (typeof value === "number") return String(Number(value.toFixed(decimals)) + 0);
  return JSON.stringify(value);
}

export class TextPanel {
  /**
   * what: the kind of file, in messages. word: for people. names: those among which a new file's name is chosen, empty
   * where it is typed; proposed: for its name. changed: called with each new state of the text, and with null for none.
   *
   * @param {HTMLElement} element
   * @param {Store} store
   * @param {{ what: string, word: string, names?: string[], proposed?: string,
   *   changed: (panel: TextPanel) => void }} given
   */
  constructor(element, store, { what, word, names = [], proposed = "", changed }) {
    this.element = element;
    this.store = store;
    this.what = what;
    this.word = word;
    this.names = names;
    this.proposed = proposed;
    this.changed = changed;
    /** @type {TextFile | null} */
    this.file = null;
    /** @type {TextEntry[]} */
    this.entries = [];
    /** @type {{ gesture: any } | null} */
    this.open = null;
    this.select = make("select", { "aria-label": `${word}: file`, onchange: () => this.load(this.select.value) });
    this.keep = make("button", { type: "button", onclick: () => this.save() }, "Save");
    this.state = make("span", { class: "text-state", role: "status" });
    this.remarks = make("ul", { class: "remarks", "aria-label": `What is wrong with the ${word}` });
    this.body = make("div", { class: "text-body" });
    this.head = make("div", { class: "tools" }, this.select,
      make("button", { type: "button", onclick: () => this.begin() }, "New…"), this.keep, this.state);
    element.classList.add("text-panel", what);
    element.append(this.head, this.remarks, this.body);
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.open) return;
      event.stopPropagation();
      this.open.gesture.revert();
      this.open = null;
    });
    store.on("text", (said) => { if (said.file === this.file?.file) this.show(); });
    store.on("online saved", () => this.refresh());
    store.commands.add({ id: `${what}.new`, title: `New ${word}…`, group: "Dance", run: () => this.begin() });
    this.refresh().then(() => { if (!this.file && this.entries.length) this.load(this.entries[0].path); });
    this.show();
  }

  /** @returns {any} what the text says, null where it cannot be read */
  get outline() {
    return this.file?.said.outline ?? null;
  }

  /** Whether the file can be changed here. */
  get writable() {
    return this.file !== null && !this.file.said.original;
  }

  /** @returns {Diagnostic[]} */
  get diagnostics() {
    return this.file?.said.diagnostics ?? [];
  }

  /** Whether the text has an error, not warnings alone. */
  get faulty() {
    return this.diagnostics.some(({ severity }) => severity === "error");
  }

  async refresh() {
    if (!this.store.online) return;
    try {
      ({ entries: this.entries } = await this.store.ask({ kind: "list_texts", what: this.what }));
    } catch (error) {
      this.store.notify(error.message, "error");
    }
    this.entries.sort((one, other) => Number(one.original) - Number(other.original));
    this.list();
  }

  list() {
    const open = this.file?.file ?? "";
    const options = this.entries.map(({ path, title, original }) =>
      make("option", { value: path, title: path }, original ? `${title} (Segue’s)` : title));
    this.select.replaceChildren(...(open ? [] : [make("option", { value: "" }, `Choose ${/^[aeiou]/.test(this.word) ? "an" : "a"} ${this.word}`)]), ...options);
    this.select.value = open;
  }

  async load(path) {
    if (!path) return;
    this.end();
    try {
      this.file = await TextFile.open(this.store, this.what, path);
      this.list();
      this.show();
    } catch (error) {
      this.store.notify(error.message, "error");
    }
  }

  async begin() {
    const name = await this.named();
    if (!name) return;
    try {
      this.file = this.store.textFile(await this.store.ask({ kind: "new_text", what: this.what, name }));
      await this.refresh();
      this.show();
    } catch (error) {
      this.store.notify(error.message, "error");
    }
  }

  async named() {
    if (!this.names.length) return ask(`New ${this.word}: name`, this.proposed, "Create");
    const select = make("select", { "aria-label": "Category" },
      ...this.names.map((name) => make("option", { value: name }, name)));
    const chosen = await choose(`New ${this.word}`, [select], [["yes", "Create"]]);
    return chosen === "yes" ? select.value : "";
  }

  async save() {
    const { file } = this;
    if (!file) return;
    this.end();
    if (!file.said.original) {
      await file.save();
      return;
    }
    const copy = await file.copy();
    if (!copy) return;
    this.file = copy;
    await this.refresh();
    this.show();
  }

  show() {
    const said = this.file?.said;
    this.element.dataset.text = said?.file ?? "";
    this.keep.textContent = said?.original ? "Edit a copy…" : "Save";
    this.keep.disabled = !said || (!said.original && !said.changed);
    this.state.textContent = !said ? "" : said.original ? "comes with Segue" : said.changed ? "not saved" : "";
    this.remarks.replaceChildren(...this.diagnostics.map(({ sentence, severity }) =>
      make("li", { class: severity }, sentence)));
    this.body.hidden = !said?.outline;
    this.changed(this);
  }

  /**
   * Set values in one step of undo; "" takes one away.
   *
   * @param {TomlValue[]} values
   */
  set(values) {
    this.end();
    return this.send({ kind: "set_values", values, gesture: "", done: true });
  }

  /**
   * Set values while they are dragged; all of it is one step of undo.
   *
   * @param {TomlValue[]} values
   */
  drag(values) {
    this.stream({ kind: "set_values", values });
  }

  /** Let the engine change the text before the gesture again and again. */
  stream(message) {
    if (!this.writable) return;
    this.open ??= { gesture: this.file.gesture() };
    this.open.gesture.request(message);
  }

  /** End a drag; keep: its text, else that before it. */
  end(keep = true) {
    if (keep) this.open?.gesture.commit();
    else this.open?.gesture.revert();
    this.open = null;
  }

  /** Ask the engine for a change of the present text; errors are shown. */
  async send(message) {
    if (!this.file) return;
    try {
      await this.store.ask({ ...message, file: this.file.file, rev: this.file.said.rev });
    } catch (error) {
      this.store.notify(error.message, "error");
    }
  }
}
