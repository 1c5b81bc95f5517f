// Forms for the settings of a TOML file, made from their names, ranges and meanings. Every change edits the text.

/** @import { Setting, SettingTable } from "./messages.js" */
/** @import { TextPanel } from "./text_panel.js" */

import { make } from "./elements.js";
import { tomlText } from "./text_panel.js";

/** Return a name of a file in words. */
export function words(name) {
  return name.replaceAll("_", " ");
}

/** A slider with its number for one value. */
export class NumberRow {
  /**
   * place: keys that lead to the value. reset: whether it can be taken away.
   *
   * @param {TextPanel} panel
   * @param {{ name: string, label: string, about?: string, unit?: string, place: string[], whole?: boolean,
   *   reset?: boolean, decimals?: number }} given
   */
  constructor(panel, { name, label, about = "", place, whole = false, reset = true, decimals = 3 }) {
    this.panel = panel;
    this.name = name;
    this.place = place;
    this.whole = whole;
    this.decimals = decimals;
    /** @type {number | null} */
    this.least = null;
    /** @type {number | null} */
    this.most = null;
    const id = `${panel.what}-${place.join("-").replace(/\W+/g, "_")}`;
    this.slider = make("input", { type: "range", step: "any", "aria-label": `${label}, slider`,
      "data-place": place.join("/"), oninput: () => this.drag(Number(this.slider.value)),
      onchange: () => panel.end() });
    this.number = make("input", { id, type: "number", step: "any", "data-place": place.join("/"),
      onchange: () => this.type() });
    this.reset = make("button", { type: "button", class: "reset", "aria-label": `Reset ${label}`,
      title: "Back to the default", onclick: () => panel.set([{ place, value: "" }]) }, "×");
    this.element = make("div", { class: "option" }, make("label", { for: id, title: about || label }, label),
      make("div", { class: "cell" }, this.slider, this.number), reset ? this.reset : make("span"));
  }

  /** Show a value, whether the file has it, and its range. */
  show(value, given, least, most) {
    [this.least, this.most] = [least, most];
    const ranged = least !== null && most !== null, { slider, number, panel } = this;
    this.element.classList.toggle("given", given);
    this.reset.hidden = !given;
    slider.hidden = !ranged;
    if (ranged) Object.assign(slider, { min: String(least), max: String(most), step: String(this.step) });
    if (document.activeElement !== slider || !panel.open) slider.value = String(value ?? least ?? 0);
    if (document.activeElement !== number) number.value = value === null ? "" : tomlText(value, this.decimals);
    slider.setAttribute("aria-valuetext", `${this.name} ${number.value}`);
    slider.disabled = number.disabled = this.reset.disabled = !panel.writable;
  }

  get step() {
    const size = (this.most ?? 1) - (this.least ?? 0);
    return this.whole ? 1 : size <= 5 ? 0.01 : size <= 40 ? 0.1 : this.decimals > 1 ? 0.5 : 1;
  }

  drag(value) {
    this.number.value = tomlText(value, this.decimals);
    this.panel.drag([{ place: this.place, value: this.number.value }]);
  }

  /** Take a typed number, and refuse one beyond its range with the reason. */
  type() {
    const value = Number(this.number.value), { least, most, panel, place } = this;
    if (this.number.value === "" || !Number.isFinite(value)) return this.panel.show();
    if ((least !== null && value < least) || (most !== null && value > most)) {
      panel.store.notify(`${this.name} is ${value}: it must be from ${least} to ${most}`, "error");
      return panel.show();
    }
    return panel.set([{ place, value: tomlText(value, this.decimals) }]);
  }
}

/** The settings of one table. */
export class SettingRows {
  /**
   * @param {TextPanel} panel
   * @param {SettingTable} table
   * @param {string} title
   */
  constructor(panel, table, title) {
    this.panel = panel;
    this.rows = table.settings.map((setting) => this.row(setting));
    this.element = make("section", { class: "form", "data-table": table.name },
      ...(title ? [make("h2", {}, title)] : []), ...this.rows.map(({ element }) => element));
  }

  /** @param {Setting} setting */
  row(setting) {
    const { name, about, place, whole, choices, default: usual } = setting, numeric = setting.least !== null;
    if (numeric) return new NumberRow(this.panel, { name, label: words(name), about, place, whole });
    const id = `${this.panel.what}-${place.join("-")}`, { panel } = this;
    const change = () => panel.set([{ place, value: input.value ? tomlText(input.value) : "" }]);
    const input = choices.length
      ? make("select", { id, onchange: change }, ...choices.map((each) => make("option", { value: each }, each)))
      : make("input", { id, type: "text", spellcheck: "false", placeholder: String(usual ?? ""), onchange: change });
    const element = make("div", { class: "option" }, make("label", { for: id, title: about }, words(name)),
      make("div", { class: "cell" }, input), make("span"));
    return { element, input };
  }

  /** @param {SettingTable} table */
  show({ settings }) {
    settings.forEach(({ value, given, least, most }, k) => {
      const row = /** @type {any} */ (this.rows[k]);
      if (row instanceof NumberRow) row.show(/** @type {number | null} */ (value), given, least, most);
      else {
        row.element.classList.toggle("given", given);
        row.input.disabled = !this.panel.writable;
        if (document.activeElement !== row.input || row.input.localName === "select") row.input.value = value ?? "";
      }
    });
  }
}
