// The vocabulary editor: a dancer's character, habits and bodies, the patterns it knows, and what it would choose.

/** @import { Chosen, DancerOutline, KnownDance, KnownPattern } from "./messages.js" */
/** @import { Store } from "./store.js" */

import { make } from "./elements.js";
import { Radar } from "./radar.js";
import { SettingRows, words } from "./setting_rows.js";
import { TextPanel, tomlText } from "./text_panel.js";

const WAIT = 600; // ms after the last change before evenings are danced
const LEVELS = ["skill", "liking"];

/**
 * Make the panel.
 *
 * @param {HTMLElement} element
 * @param {Store} store
 */
export function mount(element, store) {
  const made = new DancerPanel(element, store);
  return { shown: () => { made.text.refresh(); made.ask(); } };
}

class DancerPanel {
  constructor(element, store) {
    this.element = element;
    this.store = store;
    this.chosenDance = "";
    this.shape = "";
    this.asked = "";
    this.waiting = 0;
    /** @type {Chosen | null} */
    this.chosen = null;
    /** @type {SettingRows[]} */
    this.forms = [];
    /** @type {any[]} */
    this.patterns = [];
    this.radar = new Radar(this);
    this.head = make("div", {});
    this.dances = make("div", { class: "symbols-row", role: "group", "aria-label": "Dance" });
    this.table = make("div", { class: "vocabulary", role: "group", "aria-label": "Patterns" });
    this.said = make("p", { class: "faint", role: "status" });
    this.more = make("details", {}, make("summary", {}, "Bodies and habits"));
    this.text = new TextPanel(element, store, { what: "dancer", word: "dancer", proposed: "Ada and Ben",
      changed: () => this.show() });
    this.text.body.append(this.head, make("h2", {}, "Character"), this.radar.element, this.dances, this.table,
      this.said, this.more);
    store.on("chosen", (said) => {
      if (said.file !== this.text.file?.file) return;
      this.chosen = said;
      this.compare();
    });
    this.show();
  }

  /** @returns {DancerOutline | null} */
  get outline() {
    return this.text?.outline ?? null;
  }

  /** @returns {KnownDance | undefined} */
  get dance() {
    return this.outline?.dances.find(({ name }) => name === this.chosenDance);
  }

  show() {
    const { outline } = this;
    if (!outline || !this.text.file) return;
    if (!this.dance) this.chosenDance = outline.dances[0]?.name ?? "";
    this.makeForms(outline);
    this.forms.forEach((form, k) => form.show(outline.tables[k]));
    this.radar.show(outline.tables.find(({ name }) => name === "character"));
    this.dances.replaceChildren(...outline.dances.map(({ name, patterns }) => {
      const known = patterns.filter((each) => each.known).length;
      return make("button", { type: "button", "aria-pressed": String(name === this.chosenDance),
        class: known ? null : "unknown", onclick: () => this.pick(name) }, name,
      make("small", {}, known ? ` ${known}` : ""));
    }));
    this.list();
    this.compare();
    this.later();
  }

  pick(dance) {
    this.text.end();
    this.chosenDance = dance;
    this.show();
  }

  makeForms(outline) {
    const { file } = this.text.file;
    if (this.shape === file) return;
    this.shape = file;
    this.forms = outline.tables.map((table) => new SettingRows(this.text, table, table.name));
    const of = (name) => this.forms[outline.tables.findIndex((each) => each.name === name)].element;
    this.head.replaceChildren(of(""));
    this.radar.rows.replaceChildren(of("character"));
    of("character").querySelector("h2").remove();
    this.more.replaceChildren(this.more.firstElementChild, of("habits"), of("leader"), of("follower"));
  }

  /** Show the patterns of the chosen dance, known ones with their sliders. */
  list() {
    const patterns = this.dance?.patterns ?? [], shape = patterns.map(({ name }) => name).join("/");
    if (this.table.dataset.shape !== shape) {
      this.table.dataset.shape = shape;
      this.patterns = patterns.map((each) => this.row(each));
      this.table.replaceChildren(...this.patterns.map(({ element }) => element));
    }
    patterns.forEach((each, k) => this.fill(this.patterns[k], each));
  }

  /** @param {KnownPattern} pattern */
  row({ name }) {
    const id = `knows-${name.replace(/\W+/g, "_")}`;
    const knows = make("input", { type: "checkbox", id, onchange: () => this.teach(row, knows.checked) });
    const share = make("i", { class: "share" }), count = make("small", { class: "count" });
    const levels = LEVELS.map((level) => {
      const slider = make("input", { type: "range", min: 0, max: 1, step: 0.01, "aria-label": `${level}: ${name}`,
        "data-level": level, oninput: () => this.level(row, level, Number(slider.value)),
        onchange: () => this.text.end() });
      const said = make("output", {});
      return { level, slider, said, element: make("label", { class: level }, make("span", {}, level), slider, said) };
    });
    const title = make("label", { for: id, class: "name" }, knows, make("span", {}, name),
      make("small", { class: "difficulty" }));
    const element = make("div", { class: "known", "data-pattern": name }, title,
      ...levels.map((each) => each.element), count, share);
    const row = { element, knows, levels, share, count, pattern: null };
    return row;
  }

  /** @param {KnownPattern} pattern */
  fill(row, pattern) {
    row.pattern = pattern;
    const { known, difficulty } = pattern;
    row.element.classList.toggle("forgotten", !known);
    row.knows.checked = known;
    row.knows.disabled = !this.text.writable;
    row.element.querySelector(".difficulty").textContent = difficulty === null ? "not in the library"
      : `difficulty ${Number(difficulty.toFixed(1))}`;
    for (const { level, slider, said } of row.levels) {
      slider.disabled = !known || !this.text.writable;
      if (document.activeElement !== slider || !this.text.open) slider.value = String(pattern[level]);
      said.textContent = known ? pattern[level].toFixed(2) : "";
    }
  }

  teach({ pattern }, on) {
    const value = on ? `{ skill = ${tomlText(pattern.skill)}, liking = ${tomlText(pattern.liking)} }` : "";
    this.text.set([{ place: pattern.place, value }]);
  }

  /** Set how well or how gladly a pattern is danced; a bare skill in the file becomes both where liking is set. */
  level({ pattern }, level, value) {
    const written = tomlText(value, 2), { place, skill } = pattern;
    if (!pattern.bare) this.text.drag([{ place: [...place, level], value: written }]);
    else if (level === "skill") this.text.drag([{ place, value: written }]);
    else this.text.drag([{ place, value: `{ skill = ${tomlText(skill)}, liking = ${written} }` }]);
  }

  /** Ask what the dancer would choose, once the text has been still for a while. */
  later() {
    clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => this.ask(), WAIT);
  }

  ask() {
    const { file, faulty } = this.text, known = this.dance?.patterns.some((each) => each.known);
    if (!file || this.element.hidden || this.text.open || faulty) return;
    const asked = [file.file, file.said.rev, this.chosenDance].join();
    if (!known) this.said.textContent = `This dancer knows no ${words(this.chosenDance)} yet: choose patterns.`;
    if (!known || asked === this.asked) return;
    this.asked = asked;
    this.said.textContent = "Dancing some evenings…";
    this.store.ask({ kind: "view_text", file: file.file, dance: this.chosenDance })
      .catch((error) => { this.said.textContent = error.message; });
  }

  /** Show how often each pattern is chosen. */
  compare() {
    const now = this.chosen?.dance === this.chosenDance ? this.chosen : null;
    const most = Math.max(1, ...(now?.patterns.map(({ count }) => count) ?? []));
    for (const { share, count, pattern } of this.patterns) {
      const found = now?.patterns.find((each) => same(each.pattern, pattern?.name));
      share.style.setProperty("--share", String((found?.count ?? 0) / most));
      const chosen = found ? `${found.count} × · ${found.decided}` : "never chosen";
      count.textContent = now && pattern?.known ? chosen : "";
    }
    if (!now) return;
    const rest = now.patterns.filter(({ pattern }) => !this.dance?.patterns.some(({ name }) => same(name, pattern)));
    const waits = rest.map(({ pattern, count }) => `${pattern} ${count} ×`).join(", ");
    const where = `Chosen in ${Math.round(now.seconds)} s alone on an empty floor`;
    this.said.textContent = `${where}${waits ? `; also ${waits}` : ""}.`;
  }
}

/** Return whether two names are those of one pattern. */
function same(one, other) {
  return one.toLowerCase() === other?.toLowerCase();
}
