// A text file beside the script, as a panel edits it: its newest text, edits by spans, gestures, undo and saving.

/** @import { Change, Text } from "./messages.js" */
/** @import { Store } from "./store.js" */

import { Gesture } from "./gesture.js";
import { ask } from "./dialogs.js";

/**
 * Return the text file whose editor has the focus, or null. Such an editor lies in an element with `data-text`.
 *
 * @param {Store} store
 * @returns {TextFile | null}
 */
export function focusedText(store) {
  const name = /** @type {HTMLElement | null} */ (document.activeElement?.closest("[data-text]"))?.dataset.text;
  return store.texts.get(name ?? "") ?? null;
}

export class TextFile {
  /**
   * @param {Store} store
   * @param {Text} said
   */
  constructor(store, said) {
    this.store = store;
    /** @type {Text} */
    this.said = said;
    /** @type {Gesture | null} */
    this.running = null;
    this.request = 0;
    // a refused change of a gesture must not hold back the next one
    store.on("error", ({ request }) => { if (request && request === this.request) this.running?.answered(); });
  }

  /**
   * Open a file of a kind, or return it if it is open. path: as `texts` lists it.
   *
   * @param {Store} store
   * @param {string} what
   * @param {string} path
   * @returns {Promise<TextFile>}
   */
  static async open(store, what, path) {
    return store.textFile(await store.ask({ kind: "open_text", what, path }));
  }

  /** The path of the file, with which messages name it. */
  get file() {
    return this.said.file;
  }

  /** Take a newer state from the engine. */
  take(said) {
    this.said = said;
    if (said.request && said.request === this.request) {
      if (said.refused) this.running = null;
      else this.running?.answered();
    }
  }

  /**
   * Change the text in one step of undo.
   *
   * @param {Change[]} changes
   */
  edit(changes) {
    this.drop();
    return this.store.ask({ kind: "edit", file: this.file, rev: this.said.rev, changes, gesture: "", done: true });
  }

  /** Begin a gesture: edits that undo takes back in one step. */
  gesture() {
    this.drop();
    this.running = new Gesture(this.said.rev, (message) => {
      this.request = this.store.send({ ...message, file: this.file });
    });
    return this.running;
  }

  /** Close the open gesture, if there is one, and keep its text. */
  drop() {
    this.running?.commit();
    this.running = null;
  }

  undo() {
    this.drop();
    this.store.send({ kind: "undo", file: this.file });
  }

  redo() {
    this.drop();
    this.store.send({ kind: "redo", file: this.file });
  }

  /** Write the text to its file; return whether that was done. */
  async save() {
    if (this.said.original) return (await this.copy()) !== null;
    return (await this.written("")) !== "";
  }

  /** Ask for a path below the folder, write a copy there and return it, opened; null if none was written. */
  async copy() {
    const path = await ask("Save a copy as", this.file.replace(/^segue:/, ""), "Save a copy");
    const written = path && await this.written(path);
    return written ? TextFile.open(this.store, this.said.what, written) : null;
  }

  async written(path) {
    try {
      this.drop();
      const saved = await this.store.ask({ kind: "save", file: this.file, path });
      this.store.notify(saved.sentence);
      return saved.path;
    } catch (error) {
      this.store.notify(error.message, "error");
      return "";
    }
  }
}
