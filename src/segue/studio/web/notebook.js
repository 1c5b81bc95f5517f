// The studio in a cell of a notebook: stage and time line, over the messages of the widget.

import { make } from "./elements.js";
import { unframed } from "./framing.js";
import { mount as mountStage } from "./stage_panel.js";
import { Store } from "./store.js";
import { mount as mountTimeline } from "./timeline_panel.js";

/**
 * Show a widget's motion in an element; return a function that ends it. The widget sends messages as they are, and
 * those with arrays as bytes.
 *
 * @param {{ model: any, el: HTMLElement }} given
 */
export function render({ model, el }) {
  const store = new Store((message) => {
    model.send(message);
    return true;
  });
  const receive = (message, buffers) => {
    if (!message.framed) return store.receive(message);
    const { buffer, byteOffset, byteLength } = buffers[0];
    const { message: header, arrays } = unframed(buffer.slice(byteOffset, byteOffset + byteLength));
    return store.receive(header, arrays);
  };
  model.on("msg:custom", receive);
  const stage = make("div", { id: "stage" }), line = make("div", { class: "notebook-line" });
  el.append(make("div", { class: "segue-notebook" }, stage, line));
  mountStage(stage, store);
  mountTimeline(line, store);
  store.on("welcome", () => store.wantAgain());
  store.setOnline(true);
  return () => model.off("msg:custom", receive);
}
