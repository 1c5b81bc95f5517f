// Rows of the time line: pieces of clips and gaps, and the handles that change numbers of the script.

/** @import { Handle, RowPiece } from "./messages.js" */
/** @import { TimelinePanel } from "./timeline_panel.js" */

import { make } from "./elements.js";
import { changeOf, spoken, valueAt } from "./handles.js";
import { dragged } from "./pointing.js";

const REST = 700; // milliseconds after the last key that end a run of keys
const WORDS = { leave: "leave", enter: "enter", duration: "length", start: "start", stop: "stop", at: "begin",
  gap: "gap" };

export class Rows {
  /** @param {TimelinePanel} panel */
  constructor(panel) {
    this.panel = panel;
    this.store = panel.store;
    this.element = make("div", { class: "tl-rows" });
    /** @type {Map<string, { element: HTMLElement, handle: Handle }>} */
    this.handles = new Map();
    /** @type {HTMLElement[]} */
    this.lanes = [];
    this.tip = make("output", { class: "tl-tip", hidden: true });
    panel.over.append(this.tip);
    this.addCommands();
  }

  draw() {
    const rows = this.store.timeline?.rows ?? [];
    while (this.lanes.length > rows.length) this.lanes.pop().remove();
    rows.forEach(({ label, pieces }, k) => {
      if (!this.lanes[k]) {
        this.lanes[k] = this.panel.lane(label);
        this.element.append(this.lanes[k]);
      }
      const [name, lane] = this.lanes[k].children;
      name.textContent = label.replaceAll("_", " ");
      const old = [...lane.querySelectorAll(".tl-piece")];
      pieces.forEach((piece, n) => this.drawPiece(/** @type {HTMLElement} */ (old[n]) ?? this.piece(lane), piece));
      for (const rest of old.slice(pieces.length)) rest.remove();
    });
    this.drawHandles(rows);
    this.mark();
  }

  piece(lane) {
    const element = make("button", { type: "button", class: "tl-piece" }, make("span"));
    element.addEventListener("pointerdown", (event) => this.pressPiece(event, element));
    element.addEventListener("click", () => this.store.select(element.dataset.node));
    lane.append(element);
    return element;
  }

  /**
   * @param {HTMLElement} element
   * @param {RowPiece} piece
   */
  drawPiece(element, { start, stop, what, label, node }) {
    const { ruler } = this.panel,
      [low, high] = [start, stop].map((time) => Math.min(Math.max(ruler.toPixel(time), -4), ruler.width + 4));
    element.className = `tl-piece ${what}`;
    element.dataset.node = node;
    element.style.left = `${low.toFixed(1)}px`;
    element.style.width = `${Math.max(high - low - 1, 0).toFixed(1)}px`;
    element.hidden = high <= low;
    element.firstElementChild.textContent = label;
    const words = `${label}, ${what}, ${start.toFixed(2)} to ${stop.toFixed(2)} seconds`;
    if (element.title !== words) {
      element.title = words;
      element.setAttribute("aria-label", words);
    }
  }

  /** Show which pieces belong to the selected node. */
  mark() {
    const { selection } = this.store;
    for (const piece of /** @type {NodeListOf<HTMLElement>} */ (this.element.querySelectorAll(".tl-piece"))) {
      const { node } = piece.dataset, on = selection !== "" && (node === selection || node.startsWith(`${selection}/`));
      piece.setAttribute("aria-pressed", String(on));
    }
    for (const { element, handle } of this.handles.values()) element.classList.toggle("selected",
      handle.node === selection);
  }

  /** Put each handle on the first row with a piece that begins or ends there. */
  drawHandles(rows) {
    const { ruler } = this.panel, seen = new Set();
    for (const handle of this.store.timeline?.handles ?? []) {
      const key = `${handle.node} ${handle.parameter}`, { time } = handle;
      const near = ({ start, stop }) => Math.min(Math.abs(start - time), Math.abs(stop - time)) < 0.02;
      const row = Math.max(rows.findIndex(({ pieces }) => pieces.some((piece) => near(piece)
        && piece.node === handle.node)),
        0) || Math.max(rows.findIndex(({ pieces }) => pieces.some(near)), 0);
      const lane = this.lanes[row]?.children[1];
      if (!lane) continue;
      seen.add(key);
      if (!this.handles.has(key)) this.handles.set(key, { element: this.handle(key), handle });
      const { element } = this.handles.get(key), x = ruler.toPixel(time);
      this.handles.get(key).handle = handle;
      if (element.parentElement !== lane && !element.classList.contains("dragged")) lane.append(element);
      element.className = `tl-handle ${handle.what}${element.classList.contains("dragged") ? " dragged" : ""}`;
      element.style.transform = `translateX(${x.toFixed(1)}px)`;
      element.style.visibility = x < -2 || x > ruler.width + 2 ? "hidden" : "";
      this.speak(element, handle, handle.value);
    }
    for (const [key, { element }] of this.handles) {
      if (seen.has(key) || element.classList.contains("dragged")) continue;
      element.remove();
      this.handles.delete(key);
    }
  }

  speak(element, handle, value) {
    element.setAttribute("aria-valuemin", String(handle.least));
    element.setAttribute("aria-valuemax", String(handle.most));
    element.setAttribute("aria-valuenow", value.toFixed(3));
    element.setAttribute("aria-valuetext", spoken(handle, value));
    element.setAttribute("aria-label", `${WORDS[handle.what]} of ${this.store.node(handle.node)?.label ?? "the call"}`);
    element.title = `${spoken(handle, value)}: drag, or press the arrow keys`;
  }

  handle(key) {
    const element = make("div", { class: "tl-handle", role: "slider", tabindex: 0 });
    element.addEventListener("pointerdown", (event) => this.press(event, this.handles.get(key).handle, element));
    element.addEventListener("keydown", (event) => this.key(event, this.handles.get(key).handle, element));
    element.addEventListener("focus", () => this.store.select(this.handles.get(key)?.handle.node ?? ""));
    return element;
  }

  /** Drag one handle: the number at its span follows the pointer. */
  press(event, handle, element) {
    this.drag(event, [handle], handle.time, element);
  }

  /** Drag the body of a piece: what says when it happens follows the pointer. */
  pressPiece(event, element) {
    const { node } = element.dataset, movers = this.moversOf(node);
    if (movers.length) this.drag(event, movers, this.panel.timeAt(event), element);
  }

  /** Return the handles that move a node's piece as a whole, or the piece of what holds it. */
  moversOf(node) {
    const all = this.store.timeline?.handles ?? [];
    for (let path = node; path; path = path.slice(0, Math.max(path.lastIndexOf("/"), 0))) {
      const mine = all.filter((handle) => handle.node === path),
        of = (...what) => mine.filter((each) => what.includes(each.what));
      const label = this.store.node(path)?.label;
      if (of("at").length) return of("at").slice(0, 1);
      if (of("leave").length) return path === node ? of("leave") : [];
      if (label === "fill" && of("start", "stop").length === 2) return path === node ? of("start", "stop") : [];
    }
    return [];
  }

  drag(event, handles, from, element) {
    const { store, panel } = this;
    if (event.button !== 0 || !store.doc) return;
    event.stopPropagation();
    const begin = panel.timeAt(event), [step, origin] = panel.steps();
    store.select(handles[0].node);
    let gesture = null;
    dragged(event, {
      move: (moved) => {
        if (!gesture) {
          store.clock.pause();
          gesture = store.gesture();
          element.classList.add("dragged");
        }
        const by = panel.timeAt(moved) - begin, snap = moved.altKey ? 0 : step;
        // the first handle snaps, the others keep their distance to it
        const first = valueAt(handles[0], handles[0].time + by, snap, origin);
        const shift = (first - handles[0].value) / handles[0].scale;
        gesture.edit(handles.map((each) => changeOf(each, valueAt(each, each.time + shift))));
        this.show(handles[0], first, handles[0].time + shift);
      },
      end: (keep) => {
        element.classList.remove("dragged");
        this.tip.hidden = true;
        if (keep) gesture?.commit();
        else gesture?.revert();
      },
    });
  }

  /** Show the number under the hand. */
  show(handle, value, time) {
    this.tip.hidden = false;
    this.tip.textContent = `${WORDS[handle.what]} ${value.toFixed(2)}${handle.parameter === "stretch" ? "×" : " s"}`;
    this.tip.style.transform = `translateX(${this.panel.ruler.toPixel(time).toFixed(1)}px)`;
  }

  /** Change a handle by keys. One run of keys is one step of undo; Esc restores the text before it. */
  key(event, handle, element) {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    const { store } = this;
    if (event.key === "Escape" && this.keyed) {
      this.keyed.gesture.revert();
      this.endKeys();
    } else if (event.key === "Enter" && this.keyed) this.rest();
    else if (by && !event.ctrlKey) {
      if (this.keyed?.element !== element || !this.keyed.gesture.open) {
        this.rest();
        store.clock.pause();
        this.keyed = { element, gesture: store.gesture(), handle, value: handle.value };
        element.addEventListener("blur", () => this.rest(), { once: true });
      }
      const { keyed } = this, frame = 1 / store.clock.rate, beat = 60 / this.panel.tempo;
      const step = event.altKey ? beat : (event.shiftKey ? 10 : 1) * frame;
      keyed.value = Math.min(Math.max(keyed.value + by * step * keyed.handle.scale, keyed.handle.least),
        keyed.handle.most);
      keyed.gesture.edit([changeOf(keyed.handle, keyed.value)]);
      this.speak(element, handle, keyed.value);
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.rest(), REST);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** End a run of keys and keep its text. */
  rest() {
    this.keyed?.gesture.commit();
    this.endKeys();
  }

  endKeys() {
    clearTimeout(this.resting);
    this.keyed = null;
  }

  /** Split or smooth the shown motion at the present time. */
  addCommands() {
    const { store } = this, number = (value) => String(Number(value.toFixed(3)));
    const wrap = (written) => () => {
      const { time, start, stop } = store.clock, node = store.node(store.timeline?.node ?? ""), { doc } = store;
      if (!node || time <= start || time >= stop) return store.notify("Go to a time within the motion first.");
      const text = doc.text.slice(node.start, node.stop);
      return store.edit([{ start: node.start, stop: node.stop, text: written(text, time, start, stop) }])
        .catch((error) => store.notify(error.message, "error"));
    };
    const split = wrap((text, time, start, stop) =>
      `concat(trim(${text}, ${number(start)}, ${number(time)}), trim(${text}, ${number(time)}, ${number(stop)}))`);
    const smooth = wrap((text, time, start, stop) =>
      `fill(${text}, ${number(Math.max(time - 0.2, start + 0.05))}, ${number(Math.min(time + 0.2, stop - 0.05))})`);
    store.commands.add({ id: "split", title: "Split the motion here", group: "Time line", keys: ["S"], run: split });
    store.commands.add({ id: "smooth", title: "Smooth the motion here with a filled gap", group: "Time line",
      keys: ["T"], run: smooth });
  }
}
