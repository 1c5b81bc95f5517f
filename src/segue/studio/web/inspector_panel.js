// The inspector: options of the selected call, why its gaps were filled so, variants, and the cut map.

/** @import { Store } from "./store.js" */

import { setArgument } from "./arguments.js";
import { make } from "./elements.js";
import { cutMap } from "./cut_map.js";
import { filmstrip } from "./filmstrip.js";
import { Form } from "./form.js";
import { numeral } from "./handles.js";
import { selectedCall, shapeOf } from "./selected.js";
import { entriesOf, fillsGaps, withChoice, withEntries } from "./supports.js";
import { about } from "./tree_layout.js";
import { whyCard } from "./why_card.js";

const WAIT = 350; // ms after the last change before the engine is asked why

/**
 * Make the inspector.
 *
 * @param {HTMLElement} element
 * @param {Store} store
 */
export function mount(element, store) {
  const title = make("h2", { class: "call-name" }), value = make("p", { class: "faint call-value" });
  const gist = make("summary", {}), rest = make("p", {}), help = make("details", { class: "call-help" }, gist, rest),
    body = make("div", {});
  const why = make("div", { class: "whys" }), strip = make("div", { class: "variants" }), map = make("div", {});
  const more = make("button", { type: "button", onclick: () => askVariants() }, "Variants");
  const cuts = make("button", { type: "button", onclick: () => askCuts() }, "Cut map");
  const tools = make("div", { class: "tools", role: "group", "aria-label": "Other solutions" }, more, cuts);
  const empty = make("p", { class: "empty" },
    "Select a call in the script, the tree or on the time line. Its options appear here.");
  element.classList.add("inspector");
  element.append(empty, title, value, help, body, tools, map, strip, why);
  /** @type {Form | null} */
  let form = null;
  /** @type {import("./messages.js").FillCard[]} */
  let cards = [];
  let path = "", waiting = 0, asked = -1;

  const update = () => {
    const call = selectedCall(store), shape = call && shapeOf(store.welcome, call.label);
    for (const each of [title, value, help, body, why, strip, map]) each.hidden = !shape;
    empty.hidden = Boolean(shape);
    tools.hidden = !fillsGaps(call);
    if (!shape) return;
    if (form?.shape !== shape || path !== call.node) {
      form?.end();
      path = call.node;
      form = new Form(store, shape, path);
      body.replaceChildren(form.element);
      title.textContent = call.label;
      title.append(make("small", {}, call.label === shape.name ? "" : ` = ${shape.name}`));
      const [first, ...others] = shape.help.split(/(?<=\.) /);
      gist.textContent = first;
      rest.textContent = others.join(" ");
      help.classList.toggle("short", !others.length);
      for (const each of [why, strip, map]) each.replaceChildren();
      [asked, cards] = [-1, []];
    } else form.update();
    cuts.hidden = shape.name !== "transition";
    value.textContent = about(store.values?.nodes[path]);
    if (fillsGaps(call)) explain();
  };

  /** Ask why once the text has been still for a while. */
  const explain = () => {
    clearTimeout(waiting);
    if (store.values?.rev === asked || store.stale) return;
    waiting = window.setTimeout(async () => {
      if (!store.values || element.hidden || form?.open) return;
      asked = store.values.rev;
      const about_ = path;
      try {
        const answer = await store.ask({ kind: "explain", node: path });
        if (about_ !== path || answer.kind !== "fills") return;
        cards = answer.fills.filter(({ node }) => node === path);
        if (!cards.length) cards = answer.fills;
        why.replaceChildren(...cards.map((each) => whyCard(each, (time) => store.seek(time), choose)));
      } catch {
        why.replaceChildren(); // the text has changed meanwhile, or cannot be evaluated
      }
    }, WAIT);
  };

  /** Write whether a point is held in the gap. */
  const choose = (point, choice) => {
    const { call, shape } = form, { text } = store.doc;
    const changes = withEntries(text, call, shape, withChoice(entriesOf(text, call, shape), point, choice));
    if (changes.length) store.edit(changes).catch((error) => store.notify(error.message, "error"));
  };

  const askVariants = () => {
    strip.replaceChildren(make("p", { class: "faint" }, "Solving variants…"));
    store.send({ kind: "variants", node: path, count: 4 });
  };
  store.on("variant", ({ node, index, said, changes, rev }) => {
    if (node !== path) return;
    if (index === 0 || !strip.querySelector(".variant")) strip.replaceChildren();
    const take = () => {
      if (rev === store.doc.rev) store.edit(changes).catch((error) => store.notify(error.message, "error"));
      else store.notify("The text has changed since these variants were solved. Ask for them again.");
    };
    strip.append(make("button", { type: "button", class: "variant", "data-index": index, onclick: take },
      make("span", { class: "film" }), make("span", { class: "said" }, `${index + 1}  ${said}`)));
  });
  store.on("job", ({ what, state, done, of, sentence }) => {
    if (what !== "variants" || strip.querySelector(".variant")) return;
    const said = state === "running" ? `Solving variant ${done + 1} of ${of}…` : sentence;
    strip.replaceChildren(make("p", { class: "faint" }, said));
  });
  store.on("motion", (message) => {
    if (message.role !== "variant" || !message.body) return;
    const film = strip.querySelector(`[data-index="${message.index}"] .film`), fill = cards.at(-1);
    const [start, stop] = fill ? [fill.start - 0.2, fill.stop + 0.2] : [undefined, undefined];
    film?.replaceChildren(filmstrip(message, store.welcome.scene.tree, start, stop));
  });

  const askCuts = async () => {
    if (map.firstChild) return map.replaceChildren();
    map.replaceChildren(make("p", { class: "faint" }, "Comparing frames…"));
    const off = store.on("cutmap", (message) => {
      off();
      if (message.node === path) map.replaceChildren(cutMap(message, writeCut));
    });
    try {
      await store.ask({ kind: "cuts", node: path });
    } catch (error) {
      off();
      map.replaceChildren();
      store.notify(error.message, "error");
    }
  };
  const writeCut = (leave, enter) => {
    const { text } = store.doc, { call, shape } = form;
    const first = setArgument(text, call, shape, "leave", numeral(leave)),
      second = setArgument(text, call, shape, "enter", numeral(enter));
    // both new: they are inserted at one place, in one change
    const same = first[0].start === second[0].start && first[0].stop === second[0].stop
      && first[0].start === first[0].stop;
    const changes = same ? [{ ...first[0], text: first[0].text + second[0].text }] : [...first, ...second];
    store.edit(changes).catch((error) => store.notify(error.message, "error"));
  };

  store.on("selection doc values timeline welcome", update);
  update();
  return { shown: update };
}
