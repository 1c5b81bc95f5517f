// One movement of the pointer, or one run of keys: a stream of edits that undo takes back in one step.

/** @import { AnyRequest, Change } from "./messages.js" */

let count = 0;

/**
 * All edits of a gesture refer to the text before it, so that the newest says all. While the engine has not answered an
 * edit, later ones wait, and only the newest of them is sent.
 */
export class Gesture {
  /**
   * rev: of the text that all spans refer to. send: called with each message. ended: called at the end, also of a
   * gesture that sent nothing.
   *
   * @param {number} rev
   * @param {(message: Partial<AnyRequest>) => void} send
   * @param {() => void} [ended]
   */
  constructor(rev, send, ended = () => {}) {
    count += 1;
    this.name = `g${count}`;
    this.rev = rev;
    this.send = send;
    this.ended = ended;
    this.busy = false;
    this.open = true;
    /** @type {Partial<AnyRequest> | null} */
    this.waiting = null;
    this.sent = "";
  }

  /**
   * Set the text to that before the gesture with these changes.
   *
   * @param {Change[]} changes
   */
  edit(changes) {
    this.request({ kind: "edit", changes });
  }

  /**
   * Let the engine change the text before the gesture, as `drag` and `footprint` do.
   *
   * @param {Partial<AnyRequest>} message
   */
  request(message) {
    if (!this.open) return;
    if (this.busy) this.waiting = message;
    else this.pass(message);
  }

  pass(message) {
    const written = JSON.stringify(message);
    this.waiting = null;
    if (written === this.sent) return;
    this.sent = written;
    this.busy = true;
    this.send({ ...message, rev: this.rev, gesture: this.name, done: false });
  }

  /** Take the engine's answer to an edit of this gesture. */
  answered() {
    this.busy = false;
    if (this.open && this.waiting) this.pass(this.waiting);
  }

  /** End the gesture and keep its text, with what still waits. A gesture without an edit leaves no step of undo. */
  commit() {
    if (!this.open) return;
    if (this.waiting) this.pass(this.waiting);
    this.open = false;
    if (this.sent) this.send({ kind: "commit", gesture: this.name });
    this.ended();
  }

  /** End the gesture and restore the text before it. */
  revert() {
    if (!this.open) return;
    this.open = false;
    this.waiting = null;
    if (this.sent) this.send({ kind: "revert", gesture: this.name });
    this.ended();
  }
}
