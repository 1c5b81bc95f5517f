// A form for the options of a call, made from the language's description of its function. Every change edits the text.

/** @import { FunctionShape, ParameterShape, TreeNode } from "./messages.js" */
/** @import { Store } from "./store.js" */

import { argumentsOf, bound, quoted, setArgument } from "./arguments.js";
import { make } from "./elements.js";
import { numeral } from "./handles.js";

const NUMBER = /^-?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?$/, TEXT = /^("[^"\n]*"|'[^'\n]*')$/;

/**
 * Return what a written argument is, for a control: a number, a text, a truth, or an expression. Without one it is the
 * default.
 *
 * @param {string | null} written
 */
export function literal(written) {
  if (written === null) return { type: "default", value: "" };
  if (NUMBER.test(written)) return { type: "number", value: written };
  if (TEXT.test(written)) return { type: "text", value: written.slice(1, -1) };
  if (written === "true" || written === "false") return { type: "truth", value: written };
  return { type: "expression", value: written };
}

/**
 * Return the range of a parameter's slider: the usual one, else that of its handle on the time line; null for none.
 *
 * @param {ParameterShape} parameter
 * @param {{ least: number, most: number } | undefined} handle
 * @returns {[number, number] | null}
 */
export function sliderRange(parameter, handle) {
  if (parameter.usual) return parameter.usual;
  const size = handle ? handle.most - handle.least : 0;
  return size > 0 && Number.isFinite(size) ? [handle.least, handle.most] : null;
}

/** The form of one call. */
export class Form {
  /**
   * @param {Store} store
   * @param {FunctionShape} shape
   * @param {string} path  of the call in the tree
   */
  constructor(store, shape, path) {
    this.store = store;
    this.shape = shape;
    this.path = path;
    /** @type {{ gesture: any, text: string, call: TreeNode } | null} */
    this.open = null;
    this.rows = shape.parameters.map((parameter) => this.row(parameter));
    this.element = make("div", { class: "form" }, ...this.rows.map(({ element }) => element));
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.open) return;
      this.open.gesture.revert();
      this.open = null;
      event.stopPropagation();
      /** @type {HTMLElement} */ (event.target).blur();
    });
    this.update();
  }

  get call() {
    return this.store.node(this.path);
  }

  row(parameter) {
    const { name, takes, unit } = parameter, id = `option-${name}`;
    const label = make("label", { for: id, title: takes }, name, unit ? make("small", {}, ` ${unit}`) : "");
    const reset = make("button", {
      type: "button", class: "reset", "aria-label": `Reset ${name}`, title: `Back to the default of ${name}`,
      onclick: () => this.set(name, null),
    }, "×");
    const cell = make("div", { class: "cell" });
    const element = make("div", { class: "option" }, label, cell, reset);
    return { parameter, id, cell, reset, element, shape: "", controls: null };
  }

  /** Show the present text's values. */
  update() {
    const { call, store } = this;
    if (!call || store.doc.tree_rev !== store.doc.rev) return;
    const { text } = store.doc;
    const given = bound(argumentsOf(text, call.start, call.stop).arguments, this.shape.parameters);
    for (const row of this.rows) {
      const mine = given.get(row.parameter.name) ?? [];
      const written = mine.length ? text.slice(mine[0].from, mine.at(-1).stop) : null;
      row.element.classList.toggle("given", written !== null);
      row.reset.hidden = written === null || row.parameter.default === null;
      this.fill(row, written);
    }
  }

  fill(row, written) {
    const { parameter } = row, now = literal(written), handle = this.handle(parameter.name);
    const shape = this.controlFor(parameter, now);
    if (row.shape !== shape) {
      if (row.cell.contains(document.activeElement) && this.open) return;
      row.shape = shape;
      row.controls = this[shape](row, handle);
      row.cell.replaceChildren(...row.controls.elements);
    }
    row.controls.show(now, written, handle);
  }

  /** Return which kind of control fits a parameter and what is written. */
  controlFor({ accepts, choices, many }, now) {
    if (accepts.includes("motion")) return "link";
    if (many || now.type === "expression") return "raw";
    if (accepts.includes("truth")) return "check";
    if (accepts.includes("number")) return "number";
    if (choices.length && (now.type === "default" || choices.includes(now.value))) return "choice";
    return accepts.includes("text") ? "words" : "raw";
  }

  handle(name) {
    const { timeline, doc } = this.store;
    if (timeline?.rev !== doc.rev) return undefined;
    return timeline.handles.find((each) => each.node === this.path && each.parameter === name);
  }

  /** A number with a slider where its range is known, and words such as "auto" beside it. */
  number(row, handle) {
    const { parameter, id } = row, { name, choices } = parameter, range = sliderRange(parameter, handle);
    const number = make("input", {
      id, type: "number", step: "any", oninput: () => number.value && this.drag(name, numeral(Number(number.value))),
      onchange: () => this.end(),
    });
    const slider = make("input", {
      type: "range", "aria-label": `${name}, slider`, step: "any", min: range?.[0] ?? 0, max: range?.[1] ?? 1,
      hidden: !range,
      oninput: () => { number.value = numeral(Number(slider.value)); this.drag(name, number.value); },
      onchange: () => this.end(),
    });
    const words = choices.map((each) => make("button", {
      type: "button", class: "word", "aria-pressed": "false", onclick: () => this.set(name, quoted(each)),
    }, each));
    const show = (now, _, present) => {
      const limits = sliderRange(parameter, present), value = now.type === "number" ? Number(now.value) : null;
      const fallback = present?.value ?? literal(parameter.default).value;
      // the range stays under the hand
      if (limits && !this.open) {
        slider.hidden = false;
        const least = Math.min(limits[0], value ?? Infinity), most = Math.max(limits[1], value ?? -Infinity);
        Object.assign(slider, { min: String(least), max: String(most), step: String(most - least > 50 ? 1 : 0.001) });
      }
      if (document.activeElement !== number || !this.open) number.value = value === null ? "" : numeral(value);
      number.placeholder = present ? numeral(present.value) : parameter.default ?? "";
      if (document.activeElement !== slider || !this.open) slider.value = String(value ?? Number(fallback));
      slider.setAttribute("aria-valuetext", `${name} ${numeral(Number(slider.value))} ${parameter.unit}`.trim());
      words.forEach((word, k) => {
        const chosen = (now.type === "text" && now.value === choices[k])
          || (now.type === "default" && parameter.default === quoted(choices[k]));
        word.setAttribute("aria-pressed", String(chosen));
      });
    };
    return { elements: [slider, number, ...words], show };
  }

  choice(row) {
    const { parameter: { name, choices, default: otherwise }, id } = row, plain = literal(otherwise).value;
    const known = choices.includes(plain);
    const select = make("select", {
      id, onchange: () => this.set(name, select.value ? quoted(select.value) : null),
    }, ...(known ? [] : [make("option", { value: "" }, otherwise ?? "choose")]),
    ...choices.map((each) => make("option", { value: each }, each === plain ? `${each} (default)` : each)));
    const show = (now) => { select.value = now.type === "text" ? now.value : known ? plain : ""; };
    return { elements: [select], show };
  }

  check(row) {
    const { parameter: { name, default: otherwise }, id } = row;
    const box = make("input", { id, type: "checkbox", onchange: () => this.set(name, String(box.checked)) });
    const show = (now) => { box.checked = (now.type === "default" ? otherwise : now.value) === "true"; };
    return { elements: [box], show };
  }

  words(row) {
    const { parameter: { name, default: otherwise, takes }, id } = row;
    const input = make("input", {
      id, type: "text", spellcheck: "false", placeholder: otherwise ?? takes,
      onchange: () => this.set(name, input.value ? quoted(input.value) : otherwise === null ? '""' : null),
    });
    const show = (now) => { if (document.activeElement !== input) input.value = now.value; };
    return { elements: [input], show };
  }

  /** Any expression, as it is written. */
  raw(row) {
    const { parameter: { name, default: otherwise, takes }, id } = row;
    const input = make("input", {
      id, type: "text", class: "code", spellcheck: "false", placeholder: otherwise ?? takes,
      onchange: () => this.set(name, input.value.trim() || null),
    });
    const show = (_, written) => { if (document.activeElement !== input) input.value = written ?? ""; };
    return { elements: [input], show };
  }

  /** A motion: a button that selects it in all views. */
  link(row) {
    const { parameter: { name }, id } = row, { store } = this;
    const list = make("span", { class: "links" });
    const show = () => {
      const below = store.doc.tree.filter((each) => each.parent === this.path && each.parameter === name);
      list.replaceChildren(...below.map((node, k) => make("button", {
        type: "button", class: "link", id: k ? null : id, onclick: () => store.select(node.node),
      }, shortened(store.doc.text.slice(node.start, node.stop)))));
    };
    return { elements: [list], show };
  }

  /** Give an option a value in one step of undo; null for the default. */
  set(name, value) {
    this.end();
    const { call, store } = this, changes = call ? setArgument(store.doc.text, call, this.shape, name, value) : [];
    if (changes.length) store.edit(changes).catch((error) => store.notify(error.message, "error"));
  }

  /** Give an option a value while it is dragged or typed; all of it is one step of undo. */
  drag(name, value) {
    const { store } = this;
    this.open ??= this.call && { gesture: store.gesture(), text: store.doc.text, call: this.call };
    if (this.open) this.open.gesture.edit(setArgument(this.open.text, this.open.call, this.shape, name, value));
  }

  /** End a drag and keep its text. */
  end() {
    this.open?.gesture.commit();
    this.open = null;
  }
}

/** Return a text in one line of at most 28 characters. */
export function shortened(text, most = 28) {
  const line = text.replace(/\s+/g, " ");
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
