// The environment editor: the floor with friction and gravity, the couples that are dropped on it, and their evening.

/** @import { EnvironmentOutline, Evening, FloorDancer } from "./messages.js" */
/** @import { Store } from "./store.js" */

import { coupleAt, decisionAt } from "/view/floor.js";
import { button, icon, make } from "./elements.js";
import { DROPPED, FloorPlan } from "./floor_plan.js";
import { SettingRows } from "./setting_rows.js";
import { TextPanel, tomlText } from "./text_panel.js";

const WAIT = 500; // ms after the last change before an evening is danced
const ICONS = { play: "M8 5v14l11-7z", pause: "M7 5h4v14H7zm6 0h4v14h-4z" };

/**
 * Make the panel.
 *
 * @param {HTMLElement} element
 * @param {Store} store
 */
export function mount(element, store) {
  const made = new FloorPanel(element, store);
  return { shown: () => { made.text.refresh(); made.plan.resize(); made.later(); } };
}

export class FloorPanel {
  constructor(element, store) {
    this.element = element;
    this.store = store;
    /** @type {Evening | null} */
    this.evening = null;
    this.time = this.last = this.waiting = 0;
    this.playing = false;
    this.request = -1;
    this.asked = this.shape = "";
    this.chosen = -1;
    /** @type {SettingRows[]} */
    this.forms = [];
    this.settings = make("div", { class: "floor-side" });
    this.plan = new FloorPlan(this);
    this.play = button("Play the evening", icon(ICONS.play, true), () => this.toggle());
    this.slider = make("input", { type: "range", min: 0, max: 1000, value: 0, "aria-label": "Time of the evening",
      oninput: () => this.seek(Number(this.slider.value) / 1000 * this.seconds) });
    this.clock = make("output", {}, "0.0 s");
    this.said = make("p", { class: "faint", role: "status" });
    this.frame = make("div", { class: "floor-frame" }, this.plan.element,
      make("div", { class: "transport" }, this.play, this.slider, this.clock), this.said);
    this.side = make("div", { class: "floor-side" });
    this.text = new TextPanel(element, store, { what: "environment", word: "environment", proposed: "hall",
      changed: () => this.show() });
    this.text.body.append(this.settings, this.frame, this.side);
    store.on("evening", (said) => this.take(said));
    store.on("error", ({ request, sentence }) => { if (request === this.request) this.said.textContent = sentence; });
    store.on("theme", () => this.plan.draw());
    this.show();
  }

  /** @returns {EnvironmentOutline | null} */
  get outline() {
    return this.text?.outline ?? null;
  }

  value(table, name) {
    return this.outline?.tables.find((each) => each.name === table)?.settings.find((each) => each.name === name)?.value;
  }

  get ground() {
    return { width: Number(this.value("floor", "width") ?? 8), length: Number(this.value("floor", "length") ?? 12) };
  }

  get seconds() {
    return this.contents?.seconds ?? 0;
  }

  /** The danced evening, null until one has been danced. */
  get contents() {
    return this.evening?.contents ?? null;
  }

  show() {
    const { outline } = this;
    if (!outline || !this.text.file) return;
    if (this.shape !== this.text.file.file) {
      this.shape = this.text.file.file;
      this.forms = outline.tables.map((table) => new SettingRows(this.text, table, table.name || "evening"));
      this.settings.replaceChildren(...this.forms.map(({ element }) => element));
      this.evening = null;
    }
    this.forms.forEach((form, k) => form.show(outline.tables[k]));
    this.list();
    this.plan.draw();
    this.later();
  }

  /** List who dances, and the dancers' files that could. */
  list() {
    const { dancers, others } = this.outline, fared = this.evening?.fared ?? [];
    const count = Number(this.value("", "couples"));
    const rows = Array.from({ length: Math.max(count, dancers.length) }, (_, k) => this.row(dancers[k], k, fared[k]));
    const more = others.map((each) => make("li", { class: each.problem ? "problem" : null,
      draggable: this.text.writable && !each.problem ? "true" : null, "data-file": each.file,
      ondragstart: (event) => event.dataTransfer.setData(DROPPED, each.file) },
    make("span", {}, each.name, make("small", {}, each.problem || each.file)),
    make("button", { type: "button", "aria-label": `Put ${each.name} on the floor`, title: "Onto the floor",
      disabled: !this.text.writable || Boolean(each.problem), onclick: () => this.add(each.file, null) }, "+")));
    this.side.replaceChildren(make("h2", {}, "Couples"), make("ul", {}, ...rows), ...(more.length
      ? [make("h2", {}, "Dancers to drop on the floor"), make("ul", {}, ...more)] : []));
  }

  /** @param {FloorDancer | undefined} dancer */
  row(dancer, k, fared) {
    const colour = this.contents?.couples[k]?.colour, now = this.contents && decisionAt(this.contents.couples[k] ??
      { decisions: [] }, this.time);
    const about = dancer?.problem || (fared ? `${fared.laps.toFixed(2)} laps · ${fared.patterns} patterns${
      fared.room === null ? "" : ` · ${Math.round(100 * fared.room)} cm to others`}` : "");
    const dot = make("i", { class: "dot" });
    dot.style.setProperty("--couple", colour ?? "");
    return make("li", { class: dancer?.problem ? "problem" : null, onclick: () => this.choose(k),
      title: now ? `${now[1]}: ${now[2]}` : null }, dot,
    make("span", {}, dancer?.name ?? this.contents?.couples[k]?.name ?? `couple ${k + 1}`, make("small", {}, about)),
    dancer ? make("button", { type: "button", class: "reset", "aria-label": `Take ${dancer.name} off the floor`,
      disabled: !this.text.writable, onclick: () => this.remove(k) }, "×") : "");
  }

  choose(k) {
    this.chosen = this.chosen === k ? -1 : k;
    this.plan.draw();
  }

  // ---- edits

  /** Put a dancer's file on the floor, at a place or wherever there is room. */
  add(file, place) {
    const { dancers } = this.outline, names = [...dancers.map((each) => each.file), file];
    const values = [{ place: ["dancers"], value: `[${names.map((each) => JSON.stringify(each)).join(", ")}]` }];
    const count = Number(this.value("", "couples"));
    if (names.length > count) values.push({ place: ["couples"], value: String(names.length) });
    if (place) values.push(this.placed(dancers.length, place));
    this.text.set(values);
  }

  remove(k) {
    const names = this.outline.dancers.filter((_, j) => j !== k).map((each) => JSON.stringify(each.file));
    const values = [{ place: ["dancers"], value: `[${names.join(", ")}]` }];
    const places = this.outline.places.filter((_, j) => j !== k);
    if (this.outline.places.length) values.push({ place: ["places"], value: places.length ? listed(places) : "" });
    this.text.set(values);
  }

  /** Return the value that lets a couple begin at a place; couples before it keep theirs. */
  placed(k, place) {
    const places = Array.from({ length: Math.max(k + 1, this.outline.places.length) }, (_, j) =>
      (j === k ? place : this.outline.places[j] ?? this.begun(j)));
    return { place: ["places"], value: listed(places) };
  }

  /** Return where a couple begins: where the file says, or the evening. */
  begun(k) {
    const known = this.outline.places[k], couple = this.contents?.couples[k];
    if (known) return known;
    if (!couple) return [0, 0];
    const [x, z, , ox, oz] = coupleAt(couple, this.contents.rate, 0);
    return [(x + ox) / 2, (z + oz) / 2];
  }

  // ---- the evening

  /** Dance the evening once the text has been still for a while. */
  later() {
    clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => {
      const { file } = this.text, asked = file && `${file.file} ${file.said.rev}`;
      if (!file || this.element.hidden || this.text.open || asked === this.asked) return;
      if (this.text.faulty) return;
      this.asked = asked;
      this.said.textContent = "Dancing the evening…";
      // the last answer has the evening; those before it say how far it is
      this.request = this.store.send({ kind: "view_text", file: file.file });
    }, WAIT);
  }

  /** @param {Evening} said */
  take(said) {
    if (said.file !== this.text.file?.file) return;
    if (!said.contents) {
      this.said.textContent = `Dancing the evening… ${Math.round(100 * said.share)} %`;
      return;
    }
    this.evening = said;
    const minutes = Number(this.value("", "minutes"));
    const part = this.seconds < 55 * minutes ? `The first ${Math.round(this.seconds)} s of ${minutes} min. ` : "";
    this.said.textContent = `${part}Drag walls and couples, drop dancers.`;
    this.seek(Math.min(this.time, this.seconds));
    this.list();
  }

  toggle() {
    this.playing = !this.playing && this.seconds > 0;
    this.play.replaceChildren(icon(this.playing ? ICONS.pause : ICONS.play, true));
    this.play.setAttribute("aria-label", this.playing ? "Pause the evening" : "Play the evening");
    this.last = performance.now();
    if (this.playing) requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    if (!this.playing) return;
    const spent = Math.min((now - this.last) / 1000, 0.25);
    this.last = now;
    this.seek((this.time + Math.max(spent, 0)) % Math.max(this.seconds, 0.1));
    requestAnimationFrame((next) => this.tick(next));
  }

  seek(time) {
    this.time = time;
    this.slider.value = String(this.seconds ? 1000 * time / this.seconds : 0);
    this.clock.textContent = `${time.toFixed(1)} s`;
    this.plan.draw();
  }
}

/** Return places as TOML writes them, to a centimetre. */
function listed(places) {
  return `[${places.map((each) => `[${each.map((part) => tomlText(part, 2)).join(", ")}]`).join(", ")}]`;
}
