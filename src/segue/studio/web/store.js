// The state that all panels share: the newest message of each kind, selection and clock; and requests that change it.

/** @import { Change, Contacts, Doc, Findings, Fills, State, Timeline, TreeNode, Values, Warm, Welcome } from "./messages.js" */

import { Clock } from "/view/clock.js";
import { Commands } from "./commands.js";
import { Gesture } from "./gesture.js";
import { TextFile } from "./text_file.js";

const PATIENCE = 1500; // milliseconds after which an edit without an answer holds back no later one

/**
 * A curve channel: its message, and its numbers, one row after another.
 *
 * @typedef {import("./messages.js").Curves & { values: Float32Array | Uint8Array }} Channel
 */

/**
 * Return the innermost of nodes whose text holds an offset, or null.
 *
 * @param {TreeNode[]} nodes
 * @returns {TreeNode | null}
 */
export function innermost(nodes, offset) {
  const length = ({ start, stop }) => stop - start;
  return nodes.filter(({ start, stop }) => start <= offset && offset <= stop)
    .reduce((best, each) => (!best || length(each) <= length(best) ? each : best), null);
}

export class Store {
  /**
   * send: called with each message to the engine; returns whether it could be sent.
   *
   * @param {(message: any) => boolean} send
   */
  constructor(send) {
    this.transport = send;
    /** @type {Map<string, Set<(value: any) => void>>} */
    this.listeners = new Map();
    /** @type {Map<number, { resolve: (reply: any) => void, reject: (error: Error) => void }>} */
    this.asked = new Map();
    this.requests = 0;
    this.online = false;
    /** @type {Welcome | null} */
    this.welcome = null;
    /** @type {Doc | null} */
    this.doc = null;
    /** @type {Values | null} */
    this.values = null;
    /** @type {Timeline | null} */
    this.timeline = null;
    /** @type {Contacts | null} */
    this.contacts = null;
    /** @type {Findings | null} */
    this.findings = null;
    /** @type {Fills | null} */
    this.fills = null;
    /** @type {Warm | null} */
    this.warm = null;
    /** @type {State | null} */
    this.state = null;
    /** @type {Record<string, Channel>} */
    this.channels = {};
    /** @type {import("./messages.js").SimulationState | null} */
    this.simulation = null;
    /** Whether the stage shows a simulation and not the script. */
    this.simulating = false;
    /**
     * The stage, once it is there. grab: takes presses on the picture before its own handles do. follow: called after
     * every picture.
     *
     * @type {{ view: any, overlay: any, element: HTMLElement, grab: ((event: PointerEvent) => boolean) | null,
     *   follow: () => void } | null}
     */
    this.stage = null;
    /** The path of the selected node of the tree, "" for none. */
    this.selection = "";
    /** @type {Map<string, TextFile>} text files that are open beside the script, by their paths */
    this.texts = new Map();
    this.clock = new Clock(0, 0, 1);
    this.commands = new Commands();
    /** @type {Record<string, { nodes?: string[], channels?: string[], joints?: string[] }>} */
    this.wishes = {};
    /** @type {{ gesture: Gesture, request: number, rev: number, timer: any } | null} */
    this.running = null;
  }

  /**
   * Call a listener whenever something of a name changes: the kind of a message from the engine, or "online",
   * "selection", "time", "layout", "notice", "gesture" (one has ended), "stage", "simulated". Returns a function that ends this.
   */
  on(names, listener) {
    for (const name of names.split(" ")) {
      if (!this.listeners.has(name)) this.listeners.set(name, new Set());
      this.listeners.get(name).add(listener);
    }
    return () => names.split(" ").forEach((name) => this.listeners.get(name).delete(listener));
  }

  emit(name, value) {
    for (const listener of [...(this.listeners.get(name) ?? [])]) listener(value);
  }

  /** Take a message from the engine. */
  receive(message, arrays = {}) {
    const { kind, request } = message;
    if (kind === "channel") this.channels[message.channel] = { ...message, values: arrays.values };
    else if (["welcome", "doc", "values", "timeline", "contacts", "findings", "fills", "warm",
      "state", "simulation"].includes(kind)) {
      this[kind] = message;
    }
    if (kind === "text") this.textFile(message);
    if (kind === "doc" && this.selection && !this.node(this.selection)) this.select("");
    const asked = this.asked.get(request);
    if (asked) {
      this.asked.delete(request);
      if (kind === "error") asked.reject(new Error(message.sentence));
      else asked.resolve(message);
    } else if (kind === "error") this.notify(message.sentence, "error");
    this.emit(kind, { ...message, arrays });
    this.settle(message);
  }

  /** Return the text file of a message of kind `text`, with its newest state. */
  textFile(said) {
    const known = this.texts.get(said.file);
    if (!known) this.texts.set(said.file, new TextFile(this, said));
    else if (known.said !== said) known.take(said);
    return this.texts.get(said.file);
  }

  /** Note whether the engine can be reached; what was asked before a break gets no answer any more. */
  setOnline(online) {
    this.online = online;
    if (online) this.send({ kind: "hello", protocol: 2 });
    else {
      for (const { reject } of this.asked.values()) reject(new Error("The engine cannot be reached."));
      this.asked.clear();
      this.drop();
    }
    this.emit("online", online);
  }

  /**
   * Send a request; return its number.
   *
   * @param {any} message
   */
  send(message) {
    this.requests += 1;
    this.transport({ ...message, request: this.requests });
    return this.requests;
  }

  /**
   * Send a request and return its first answer; rejects with the sentence of an error.
   *
   * @param {any} message
   * @returns {Promise<any>}
   */
  ask(message) {
    return new Promise((resolve, reject) => {
      if (!this.online) reject(new Error("The engine cannot be reached."));
      else this.asked.set(this.send(message), { resolve, reject });
    });
  }

  /**
   * Change the text in one step of undo.
   *
   * @param {Change[]} changes
   */
  edit(changes) {
    this.drop();
    return this.ask({ kind: "edit", rev: this.doc.rev, changes, gesture: "", done: true });
  }

  /** Begin a gesture: edits that undo takes back in one step. Only one is open at a time. */
  gesture() {
    this.drop();
    const gesture = new Gesture(this.doc.rev, (message) => this.pass(gesture, message), () => this.ended(gesture));
    this.running = { gesture, request: 0, rev: Infinity, timer: 0 };
    return gesture;
  }

  pass(gesture, message) {
    const request = this.send(message), { running } = this;
    if (running?.gesture !== gesture || !gesture.open) return;
    clearTimeout(running.timer);
    const timer = setTimeout(() => this.answered(), PATIENCE);
    Object.assign(running, { request, rev: Infinity, timer });
  }

  /** Note that the open gesture is at its end. */
  ended(gesture) {
    if (this.running?.gesture !== gesture) return;
    clearTimeout(this.running.timer);
    this.running = null;
    this.emit("gesture");
  }

  /** Close the open gesture, if there is one, and keep its text. */
  drop() {
    this.running?.gesture.commit();
  }

  /** See whether a message says that the last edit of the open gesture is through. */
  settle({ kind, request, rev, busy, refused, diagnostics }) {
    const { running } = this;
    if (!running?.gesture.busy) return;
    if (kind === "doc" && request === running.request) {
      running.rev = rev;
      if (refused) {
        running.gesture.open = false;
        this.ended(running.gesture);
      } else if (diagnostics.length) this.answered();
    } else if (kind === "error" && request === running.request) this.answered();
    else if ((kind === "motion" || (kind === "state" && !busy)) && rev >= running.rev) this.answered();
  }

  answered() {
    clearTimeout(this.running?.timer);
    this.running?.gesture.answered();
  }

  /**
   * Say which nodes and channels a panel wants to be sent; {} for none. Wishes of all panels are sent together.
   *
   * @param {string} panel
   * @param {{ nodes?: string[], channels?: string[], joints?: string[] }} wish
   */
  want(panel, wish) {
    this.wishes[panel] = wish;
    const all = (what) => [...new Set(Object.values(this.wishes).flatMap((each) => each[what] ?? []))];
    const merged = { nodes: all("nodes"), channels: all("channels"), joints: all("joints") };
    if (JSON.stringify(merged) === this.wished) return;
    this.wished = JSON.stringify(merged);
    if (this.online) this.send({ kind: "show", ...merged });
  }

  /** Send the wishes again, to an engine that does not know them. */
  wantAgain() {
    if (this.wished) this.send({ kind: "show", ...JSON.parse(this.wished) });
  }

  /** Select a node of the tree by its path, in all views; "" for none. */
  select(node) {
    if (node === this.selection) return;
    this.selection = node;
    this.emit("selection", node);
  }

  /**
   * Return a node of the tree by its path.
   *
   * @returns {TreeNode | undefined}
   */
  node(path) {
    return this.doc?.tree.find((each) => each.node === path);
  }

  /** Return the innermost node whose text holds an offset. */
  nodeAt(offset) {
    return innermost(this.doc?.tree ?? [], offset);
  }

  /** Go to a time of the shown motion. */
  seek(time) {
    this.clock.seek(time);
    this.emit("time", this.clock.time);
  }

  /** Play, or pause where it plays. */
  playOrPause() {
    if (this.clock.playing) this.clock.pause();
    else this.clock.play();
    this.emit("time", this.clock.time);
  }

  /** Show a sentence for a while. */
  notify(sentence, severity = "info") {
    this.emit("notice", { sentence, severity });
  }

  /** Whether the shown motion is not that of the present text, because the text cannot be evaluated. */
  get stale() {
    return this.doc !== null && this.doc.good !== this.doc.rev && this.doc.diagnostics.length > 0;
  }
}
