// The gesture editor: what a symbol of the notation means for the limbs of its category, posed on the stage.

/** @import { GestureOutline, GestureSymbol } from "./messages.js" */
/** @import { Store } from "./store.js" */

import { button, make } from "./elements.js";
import { GestureStage } from "./gesture_stage.js";
import { NumberRow, words } from "./setting_rows.js";
import { TextPanel, tomlText } from "./text_panel.js";

const CATEGORIES = ["Arms", "Head Position", "Body Modifier", "Foot Position", "Footwork"];
const MOST_SWAY = 20;

/**
 * Make the panel.
 *
 * @param {HTMLElement} element
 * @param {Store} store
 */
export function mount(element, store) {
  const made = new GesturesPanel(element, store);
  return { shown: () => made.text.refresh() };
}

class GesturesPanel {
  constructor(element, store) {
    this.store = store;
    /** @type {{ symbol: string, dance: string, goal: number, mirrored: boolean }} */
    this.goal = { symbol: "", dance: "", goal: 0, mirrored: false };
    /** @type {import("./messages.js").Posed | null} */
    this.posed = null;
    this.asked = "";
    this.shape = "";
    /** @type {Map<string, NumberRow>} */
    this.rows = new Map();
    this.dance = make("select", { "aria-label": "Dance", onchange: () => this.pick({ dance: this.dance.value }) });
    this.symbols = make("div", { class: "symbols-row", role: "group", "aria-label": "Symbols" });
    this.goals = make("div", { class: "goals-row", role: "group", "aria-label": "Goals in order" });
    this.mirror = button("As danced with the right foot", "Right foot", () =>
      this.pick({ mirrored: !this.goal.mirrored }), { pressed: false });
    this.copy = make("button", { type: "button", title: "Write the mirror image of the left arm for the right one",
      onclick: () => this.mirrorArms() }, "Left → right");
    this.own = make("button", { type: "button", onclick: () => this.adopt() }, "Change it here");
    this.note = make("p", { class: "faint" });
    this.joints = make("div", { class: "joint-rows" });
    this.text = new TextPanel(element, store, { what: "gestures", word: "gesture file", names: CATEGORIES,
      changed: () => this.show() });
    this.text.body.append(make("div", { class: "tools" }, this.dance, this.mirror, this.copy, this.own), this.symbols,
      this.goals, this.note, this.joints);
    this.stage = new GestureStage(document.getElementById("stage"), this, element);
    store.on("posed", (said) => {
      if (said.file !== this.text.file?.file) return;
      this.posed = said;
      this.fill();
    });
    this.show();
  }

  /** @returns {GestureOutline | null} */
  get outline() {
    return this.text?.outline ?? null;
  }

  /** @returns {GestureSymbol | undefined} */
  get symbol() {
    return this.outline?.symbols.find(({ symbol, dance }) => symbol === this.goal.symbol && dance === this.goal.dance);
  }

  /** The degrees of the chosen goal, by joint and movement. */
  get degrees() {
    return this.symbol?.goals[this.goal.goal] ?? {};
  }

  pick(part) {
    this.text.end();
    this.goal = { ...this.goal, ...part };
    this.show();
  }

  show() {
    const { outline } = this;
    if (!outline || !this.text.file) {
      this.stage?.update();
      return;
    }
    const dances = [...new Set(outline.symbols.map(({ dance }) => dance))];
    if (!dances.includes(this.goal.dance)) this.goal.dance = "";
    const offered = outline.symbols.filter(({ dance }) => dance === this.goal.dance);
    if (!this.symbol) this.goal = { ...this.goal, symbol: offered[0]?.symbol ?? "", goal: 0 };
    const { symbol, goal } = this, count = symbol?.goals.length ?? 0;
    goal.goal = Math.max(Math.min(goal.goal, count - 1), 0);
    if (!outline.by_foot) goal.mirrored = false;
    this.dance.replaceChildren(...dances.map((each) => make("option", { value: each }, each || "all dances")));
    this.dance.value = goal.dance;
    this.dance.hidden = dances.length < 2;
    this.mirror.hidden = !outline.by_foot;
    this.mirror.setAttribute("aria-pressed", String(goal.mirrored));
    this.copy.hidden = !("left_shoulder" in outline.movements);
    this.own.hidden = !symbol || symbol.given || !this.text.writable;
    this.copy.disabled = !this.editable;
    this.symbols.replaceChildren(...offered.map((each) => button(each.symbol, each.symbol,
      () => this.pick({ symbol: each.symbol, goal: 0 }), { pressed: each.symbol === goal.symbol })));
    this.goals.replaceChildren(...(symbol?.goals ?? []).map((_, k) => button(
      k === count - 1 ? `Goal ${k + 1}, the last` : `Goal ${k + 1}, passed on the way`, `${k + 1}`,
      () => this.pick({ goal: k }), { pressed: k === goal.goal })),
    this.tool("Add a goal", "+", () => this.addGoal(), count < 8),
    this.tool("Remove this goal", "−", () => this.removeGoal(), count > 1));
    this.note.textContent = symbol && !symbol.given ? "This gesture comes with Segue." : outline.by_foot
      ? "Written for the left foot, and mirrored for the right." : "";
    this.note.hidden = !this.note.textContent;
    this.make();
    this.fill();
    this.view();
  }

  /** Whether the chosen goal stands in a file that can be changed. */
  get editable() {
    return this.text.writable && this.symbol?.given === true;
  }

  tool(label, content, act, able) {
    const made = button(label, content, act);
    made.disabled = !able || !this.editable;
    return made;
  }

  /** Make the rows of the joints anew where they are others. */
  make() {
    const { outline, symbol, goal } = this;
    const place = [...(symbol?.place ?? []), "goals", String(goal.goal)];
    const shape = [this.text.file.file, ...place].join("/");
    if (shape === this.shape) return;
    this.shape = shape;
    this.rows.clear();
    const row = (joint, name) => {
      const made = new NumberRow(this.text, { name: `${words(joint)} ${name}`, label: name, decimals: 1,
        place: [...place, joint, name] });
      made.element.dataset.joint = joint;
      this.rows.set(`${joint}/${name}`, made);
      return made.element;
    };
    const parts = Object.entries(outline.movements).map(([joint, names]) => make("section", { class: "form" },
      make("h2", {}, words(joint)), ...names.map((name) => row(joint, name))));
    if (outline.category === "Body Modifier") {
      const sway = new NumberRow(this.text, { name: "sway", label: "sway", decimals: 1,
        place: [...symbol.place, "sway"] });
      this.rows.set("sway", sway);
      parts.push(make("section", { class: "form" }, make("h2", {}, "whole body"), sway.element));
    }
    this.joints.replaceChildren(...parts);
  }

  /** Show degrees and their ranges. */
  fill() {
    const { outline, degrees, posed } = this;
    if (!outline) return;
    for (const [joint, names] of Object.entries(outline.movements)) {
      for (const name of names) {
        const value = degrees[joint]?.[name], [least, most] = posed?.ranges[joint]?.[name] ?? [-180, 180];
        const row = this.rows.get(`${joint}/${name}`);
        row?.show(value ?? 0, value !== undefined, least, most);
        const edge = Math.min((value ?? 0) - least, most - (value ?? 0)) < 0.6;
        row?.element.classList.toggle("at-limit", edge);
        if (row && !this.editable) row.slider.disabled = row.number.disabled = row.reset.disabled = true;
      }
    }
    this.rows.get("sway")?.show(this.symbol?.sway ?? 0, (this.symbol?.sway ?? 0) !== 0, -MOST_SWAY, MOST_SWAY);
  }

  /** Ask for the posed figure of the present text. */
  view() {
    const { file } = this.text, asked = JSON.stringify([file.file, file.said.rev, this.goal]);
    this.stage?.update();
    if (asked === this.asked || this.text.diagnostics.length || !this.symbol?.goals.length) return;
    this.asked = asked;
    this.store.ask({ kind: "view_text", file: file.file, goal: this.goal })
      .catch((error) => this.store.notify(error.message, "error"));
  }

  adopt() {
    this.text.send({ kind: "adopt_gesture", goal: this.goal });
  }

  async addGoal() {
    const entries = Object.entries(this.degrees).map(([joint, said]) =>
      `${joint} = { ${Object.entries(said).map(([name, value]) => `${name} = ${tomlText(value, 1)}`).join(", ")} }`);
    await this.text.send({ kind: "list_table", place: [...this.symbol.place, "goals"],
      entries: `{ ${entries.join(", ")} }` });
    this.pick({ goal: (this.symbol?.goals.length ?? 1) - 1 });
  }

  removeGoal() {
    this.text.send({ kind: "list_table", place: [...this.symbol.place, "goals", String(this.goal.goal)] });
  }

  /** Give the right arm the mirror image of the left one: anatomical degrees are the same on both sides. */
  mirrorArms() {
    const place = [...this.symbol.place, "goals", String(this.goal.goal)];
    const left = Object.entries(this.degrees).filter(([joint]) => joint.startsWith("left_"));
    const values = left.flatMap(([joint, said]) => Object.entries(said).map(([name, value]) => ({
      place: [...place, joint.replace("left", "right"), name], value: tomlText(value, 1),
    })));
    this.text.set(values);
  }
}
