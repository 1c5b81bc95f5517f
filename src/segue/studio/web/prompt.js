// The prompt of the interactive interpreter: a line is tried after the script, and kept in the script if wanted.

/** @import { Store } from "./store.js" */

import { Completer } from "./completion.js";
import { button, make } from "./elements.js";

const MOST_LINES = 200;

/**
 * Make the prompt.
 *
 * @param {HTMLElement} element
 * @param {Store} store
 */
export function mount(element, store) {
  const answers = make("div",
    { class: "answers", role: "log", "aria-label": "Answers of the prompt", tabindex: 0, hidden: true });
  const input = make("input", {
    type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off",
      "aria-label": "Prompt: try an expression",
    placeholder: "Try an expression. Enter tries it, Ctrl+Enter keeps it in the script.",
  });
  const keep = button("Keep the line in the script", "Keep", () => append(), { key: "Ctrl+Enter" });
  element.append(answers,
    make("div", { class: "prompt-line" }, make("span", { class: "sign", "aria-hidden": "true" }, "›"), input, keep));
  const completer = new Completer(input, store, {
    text: () => input.value,
    request: () => ({ kind: "complete", position: input.selectionStart, line: input.value }),
    replace: (start, stop, text) => {
      input.setRangeText(text, start, stop, "end");
    },
    place: () => {
      const box = input.getBoundingClientRect();
      return { left: box.left + Math.min(7.3 * input.selectionStart, box.width - 200), top: box.top, above: true };
    },
  });
  /** @type {string[]} */
  const history = [];
  let at = 0;

  const say = (line, text, failed) => {
    answers.hidden = false;
    answers.append(make("p", { class: "tried" }, `› ${line}`), make("p", { class: failed ? "failed" : null }, text));
    while (answers.children.length > MOST_LINES) answers.firstElementChild.remove();
    answers.scrollTop = answers.scrollHeight;
  };
  const attempt = async () => {
    const line = input.value.trim();
    if (!line) return;
    history.push(line);
    at = history.length;
    input.value = "";
    try {
      const { text, failed } = await store.ask({ kind: "try", line });
      say(line, text, failed);
    } catch (error) {
      say(line, error.message, true);
    }
  };
  const append = () => {
    const line = input.value.trim() || history.at(-1), { doc } = store;
    if (!line || !doc) return;
    const { length } = doc.text, fresh = doc.text === "" || doc.text.endsWith("\n");
    store.edit([{ start: length, stop: length, text: `${fresh ? "" : "\n"}${line}\n` }]).catch((error) => say(line,
      error.message, true));
    input.value = "";
  };
  const recall = (by) => {
    at = Math.min(Math.max(at + by, 0), history.length);
    input.value = history[at] ?? "";
  };
  input.addEventListener("keydown", (event) => {
    if (completer.key(event)) return;
    if (event.key === "Enter") (event.ctrlKey || event.metaKey ? append : attempt)();
    else if (event.key === "ArrowUp") recall(-1);
    else if (event.key === "ArrowDown") recall(1);
    else if (event.key === "Escape") answers.hidden = true;
    else return;
    event.preventDefault();
  });
  store.on("values", ({ said }) => { for (const line of said) say("script", line, false); });
  store.commands.add({ id: "prompt", title: "Go to the prompt", group: "Edit", keys: [">"], run: () => input.focus() });
}
