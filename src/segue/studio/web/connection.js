// The way to the engine: one websocket that comes back after a break, and the token that opens it.

/** @import { AnyReply, AnyRequest } from "./messages.js" */

import { unframed } from "./framing.js";

const FIRST_WAIT = 250, LONGEST_WAIT = 3000; // milliseconds before another try

/** Trade the token in the address for a cookie, and take it out of the address, so that no history keeps it. */
export async function enter() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!token) return;
  history.replaceState(null, "", location.pathname + location.search);
  await fetch("/session", { method: "POST", body: token, credentials: "same-origin" });
}

export class Connection {
  /**
   * received: called with each message and its arrays. changed: called with whether the engine can be reached.
   *
   * @param {string} address
   * @param {(message: AnyReply, arrays: Record<string, any>) => void} received
   * @param {(online: boolean) => void} changed
   */
  constructor(address, received, changed) {
    this.address = address;
    this.received = received;
    this.changed = changed;
    this.wait = FIRST_WAIT;
    this.open();
  }

  open() {
    const socket = this.socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      this.changed(true);
    });
    socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string") this.received(JSON.parse(data), {});
      else {
        const { message, arrays } = unframed(data);
        this.received(message, arrays);
      }
    });
    socket.addEventListener("close", () => {
      this.changed(false);
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    });
  }

  /**
   * Send a message; return whether it could be sent. What is sent while there is no connection is lost: the engine
   * sends the whole state when the connection is back.
   *
   * @param {Partial<AnyRequest>} message
   */
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
