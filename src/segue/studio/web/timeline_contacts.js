// Contact rows: when each foot stands. The ends can be dragged; a double click goes through auto, enforce and never.

/** @import { ContactMark } from "./messages.js" */
/** @import { TimelinePanel } from "./timeline_panel.js" */

import { make } from "./elements.js";
import { dragged } from "./pointing.js";
import { choiceOf, entriesOf, fillsGaps, withChoice, withEntries, withFootstep } from "./supports.js";

const FEET = ["left_foot", "right_foot"], NEXT = { auto: "enforce", enforce: "never", never: "auto" };
const SHORTEST = 0.05;

export class Contacts {
  /** @param {TimelinePanel} panel */
  constructor(panel) {
    this.panel = panel;
    this.store = panel.store;
    this.lanes = FEET.map((foot) => panel.lane(foot.replace("_", " ")));
    this.element = make("div", { class: "tl-contacts" }, ...this.lanes);
    /** @type {HTMLElement | null} */
    this.held = null; // the bar under the hand
  }

  draw() {
    if (this.held) return;
    const marks = this.store.contacts?.contacts ?? [];
    FEET.forEach((foot, row) => {
      const lane = this.lanes[row].children[1], mine = marks.filter((mark) => mark.foot.startsWith(foot.slice(0, 4)));
      const bars = /** @type {HTMLElement[]} */ ([...lane.children]);
      mine.forEach((mark, k) => this.drawBar(bars[k] ?? this.bar(lane), mark));
      for (const rest of bars.slice(mine.length)) rest.remove();
    });
  }

  bar(lane) {
    const bar = make("div", { class: "tl-contact", tabindex: 0, role: "button" },
      make("i", { class: "from" }), make("i", { class: "to" }), make("span"));
    for (const end of /** @type {HTMLElement[]} */ ([bar.children[0], bar.children[1]])) {
      end.addEventListener("pointerdown", (event) => this.press(event, bar, end.className === "from"));
    }
    bar.addEventListener("dblclick", () => this.choose(bar));
    bar.addEventListener("keydown", (event) => this.key(event, bar));
    lane.append(bar);
    return bar;
  }

  /** @param {ContactMark} mark */
  drawBar(bar, mark) {
    const { ruler } = this.panel, low = Math.max(ruler.toPixel(mark.start), 0),
      high = Math.min(ruler.toPixel(mark.stop), ruler.width);
    const choice = this.choice(mark);
    bar.mark = mark;
    bar.hidden = high <= low;
    const side = mark.foot.startsWith("left") ? "left" : "right";
    bar.className = `tl-contact ${side} ${choice}${mark.fixed ? " fixed" : ""}`;
    bar.style.left = `${low.toFixed(1)}px`;
    bar.style.width = `${Math.max(high - low, 3).toFixed(1)}px`;
    bar.children[2].textContent = choice === "auto" ? (mark.fixed ? "placed" : "") : choice;
    const when = `from ${mark.start.toFixed(2)} to ${mark.stop.toFixed(2)} seconds`;
    const words = `${mark.foot.replaceAll("_", " ")} stands ${when}, ${mark.fixed ? "placed" : choice}`;
    bar.setAttribute("aria-label", words);
    bar.title = `${words}. Drag an end. Double click: auto, enforce, never.`;
  }

  /** Return the call that fills the gap in which a contact lies, or null. */
  call(mark) {
    const { store } = this, named = store.node(mark.node);
    if (fillsGaps(named)) return named;
    const pieces = (store.timeline?.rows ?? []).flatMap(({ pieces: each }) => each);
    const over = pieces.find(({ what, start, stop }) => what === "fill" && start < mark.stop && stop > mark.start);
    const node = over && store.node(over.node);
    return fillsGaps(node) ? node : null;
  }

  shapeOf(call) {
    const { functions, aliases } = this.store.welcome, name = aliases[call.label] ?? call.label;
    return functions.find((each) => each.name === name) ?? null;
  }

  choice(mark) {
    const call = this.call(mark), shape = call && this.shapeOf(call);
    return shape ? choiceOf(entriesOf(this.store.doc.text, call, shape), footOf(mark)) : "auto";
  }

  /** Go to the next of auto, enforce and never. */
  choose(bar) {
    const { mark } = bar, { store } = this, call = this.call(mark), shape = call && this.shapeOf(call);
    if (!shape) return store.notify("This contact lies in no filled gap: it is as it was captured.");
    const entries = entriesOf(store.doc.text, call, shape), foot = footOf(mark);
    const changes = withEntries(store.doc.text, call, shape, withChoice(entries, foot, NEXT[choiceOf(entries, foot)]));
    return store.edit(changes).catch((error) => store.notify(error.message, "error"));
  }

  /** Return the changes that let a contact stand from start to stop. */
  placed(mark, start, stop) {
    const { text } = this.store.doc, call = this.call(mark), shape = call && this.shapeOf(call);
    if (!shape) return null;
    const { x, z, heading } = mark;
    return withEntries(text, call, shape,
      withFootstep(entriesOf(text, call, shape), { foot: footOf(mark), start, stop, x, z, heading }));
  }

  press(event, bar, first) {
    const { mark } = bar, { store, panel } = this, text = store.doc.text;
    event.stopPropagation();
    if (!this.placed(mark, mark.start,
      mark.stop)) return store.notify("This contact lies in no filled gap: it is as it was captured.");
    const [step, origin] = panel.steps();
    let gesture = null;
    return dragged(event, {
      move: (moved) => {
        gesture ??= store.gesture();
        this.held = bar;
        const raw = panel.timeAt(moved),
          time = step && !moved.altKey ? origin + Math.round((raw - origin) / step) * step : raw;
        const start = first ? Math.min(time, mark.stop - SHORTEST) : mark.start;
        const stop = first ? mark.stop : Math.max(time, mark.start + SHORTEST);
        bar.style.left = `${panel.ruler.toPixel(start)}px`;
        bar.style.width = `${panel.ruler.toPixel(stop) - panel.ruler.toPixel(start)}px`;
        gesture.edit(this.changesOf(text, mark, start, stop));
      },
      end: (keep) => {
        this.held = null;
        if (keep) gesture?.commit();
        else gesture?.revert();
        this.draw();
      },
    });
  }

  /** Return the changes of the text before a gesture, whose call stands where it stood then. */
  changesOf(text, mark, start, stop) {
    this.before ??= { text: "", call: null, shape: null };
    if (this.before.text !== text) {
      const call = this.call(mark);
      this.before = { text, call, shape: this.shapeOf(call) };
    }
    const { call, shape } = this.before, { x, z, heading } = mark;
    return withEntries(text, call, shape,
      withFootstep(entriesOf(text, call, shape), { foot: footOf(mark), start, stop, x, z, heading }));
  }

  key(event, bar) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key], { mark } = bar, { store } = this;
    if (event.key === "Enter" || event.key === " ") this.choose(bar);
    else if (by) {
      const move = by / store.clock.rate, changes = event.shiftKey
        ? this.placed(mark, Math.min(mark.start + move, mark.stop - SHORTEST), mark.stop)
        : this.placed(mark, mark.start, Math.max(mark.stop + move, mark.start + SHORTEST));
      if (changes) store.edit(changes).catch((error) => store.notify(error.message, "error"));
      else store.notify("This contact lies in no filled gap: it is as it was captured.");
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function footOf({ foot }) {
  return foot.startsWith("left") ? "left_foot" : "right_foot";
}
