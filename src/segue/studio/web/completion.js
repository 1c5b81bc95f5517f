// Completions of the word that is typed, in a list that arrow keys walk through.

/** @import { Completion } from "./messages.js" */
/** @import { Store } from "./store.js" */

import { make } from "./elements.js";

const WAIT = 60, MOST = 12; // milliseconds after a key, and words in the list
let lists = 0;

export class Completer {
  /**
   * given: text() returns the text, request() the message that asks for completions, replace(start, stop, text) takes
   * one, place() says where the list stands in the window.
   *
   * @param {HTMLElement} field
   * @param {Store} store
   * @param {{ text: () => string, request: () => any, replace: (start: number, stop: number, text: string) => void,
   *   place: () => { left: number, top: number, above?: boolean } }} given
   */
  constructor(field, store, given) {
    this.field = field;
    this.store = store;
    this.given = given;
    lists += 1;
    this.list = make("ul",
      { class: "completions", role: "listbox", id: `completions-${lists}`, "aria-label": "Completions", hidden: true });
    document.body.append(this.list);
    // a text of several lines cannot be a combobox, and has no state of expansion
    this.combobox = field instanceof HTMLInputElement;
    if (this.combobox) field.setAttribute("role", "combobox");
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", this.list.id);
    this.expand(false);
    /** @type {Completion[]} */
    this.found = [];
    this.chosen = -1;
    field.addEventListener("input", (event) => {
      const typed = /** @type {InputEvent} */ (event).data ?? "";
      if (/[\w.]$/.test(typed)) this.soon();
      else this.close();
    });
    field.addEventListener("blur", () => this.close());
  }

  expand(open) {
    if (this.combobox) this.field.setAttribute("aria-expanded", String(open));
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), WAIT);
  }

  async ask() {
    const text = this.given.text();
    try {
      const { completions } = await this.store.ask(this.given.request());
      if (text === this.given.text()) this.open(completions ?? []);
    } catch {
      this.close();
    }
  }

  /** @param {Completion[]} completions */
  open(completions) {
    const typed = completions.length ? this.given.text().slice(completions[0].start, completions[0].stop) : "";
    this.found = completions.filter(({ text }) => text !== typed).slice(0, MOST);
    if (!this.found.length) return this.close();
    this.list.replaceChildren(...this.found.map(({ text, about }, k) => make("li", {
      role: "option", id: `${this.list.id}-${k}`,
      onpointerdown: (event) => { event.preventDefault(); this.take(k); },
    }, make("b", {}, text), make("span", {}, about))));
    const { left, top, above } = this.given.place();
    this.list.hidden = false;
    this.list.style.left = `${Math.max(Math.min(left, innerWidth - this.list.offsetWidth - 8), 4)}px`;
    const lowest = innerHeight - this.list.offsetHeight - 4;
    this.list.style.top = `${above ? top - this.list.offsetHeight - 4 : Math.min(top, lowest)}px`;
    this.expand(true);
    this.choose(0);
  }

  choose(k) {
    this.chosen = (k + this.found.length) % this.found.length;
    [...this.list.children].forEach((item, n) => item.setAttribute("aria-selected", String(n === this.chosen)));
    this.list.children[this.chosen].scrollIntoView({ block: "nearest" });
    this.field.setAttribute("aria-activedescendant", `${this.list.id}-${this.chosen}`);
  }

  take(k) {
    const { start, stop, text } = this.found[k];
    this.close();
    this.given.replace(start, stop, text);
  }

  close() {
    clearTimeout(this.timer);
    if (this.list.hidden) return;
    this.list.hidden = true;
    this.expand(false);
    this.field.removeAttribute("aria-activedescendant");
  }

  /** Take a key if it is for the list; return whether it was. */
  key(event) {
    if (event.key === " " && event.ctrlKey) this.ask();
    else if (this.list.hidden) return false;
    else if (event.key === "ArrowDown") this.choose(this.chosen + 1);
    else if (event.key === "ArrowUp") this.choose(this.chosen - 1);
    else if (event.key === "Escape") this.close();
    else if (event.key === "Tab" || (event.key === "Enter" && !event.ctrlKey)) this.take(this.chosen);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }
}
