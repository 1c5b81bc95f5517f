// Dialogs: a question for a text, and the choice between two versions of a file.

/** @import { Store } from "./store.js" */

import { make } from "./elements.js";

/**
 * Show a dialog until one of its buttons is pressed; return that button's value, "" after Esc.
 *
 * @param {string} title
 * @param {Node[]} content
 * @param {[string, string][]} choices  value and label of each button; the last is the proposed one
 * @returns {Promise<string>}
 */
export function choose(title, content, choices) {
  const form = make("form", { method: "dialog" }, make("h2", {}, title), ...content,
    make("div", { class: "choices" }, ...choices.map(([value, label], k) =>
      make("button", { value, class: k === choices.length - 1 ? "proposed" : null }, label)),
    make("button", { type: "button", onclick: () => dialog.close("") }, "Cancel")));
  const dialog = make("dialog", { "aria-label": title }, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => {
    dialog.remove();
    resolve(dialog.returnValue);
  }));
}

/** Ask for a text; return "" if none was given. */
export async function ask(title, proposed, label) {
  const input = make("input", { type: "text", value: proposed, "aria-label": title, spellcheck: "false" });
  setTimeout(() => input.select());
  // the first button of a form is what Enter presses
  const chosen = await choose(title, [input], [["yes", label]]);
  return chosen === "yes" ? input.value.trim() : "";
}

/**
 * Ask which text to keep when another program changed the file, or when an autosave is newer than it.
 *
 * @param {Store} store
 */
export function watchConflicts(store) {
  let open = false;
  store.on("conflict", async ({ file, mine, theirs, recovered }) => {
    if (open) return;
    open = true;
    const side = (label, text) => make("figure", {}, make("figcaption", {}, label), make("pre", { tabindex: 0 }, text));
    const why = recovered
      ? `Segue ended before ${file} was saved. The autosave has a newer text.`
      : `Another program changed ${file}. The other text stays one undo away.`;
    const labels = recovered ? ["the file", "the autosave"] : ["your text", "the file's text"];
    const keep = await choose("Which text do you keep?", [
      make("p", {}, why),
      make("div", { class: "versions" }, side(`Now: ${labels[0]}`, mine), side(`Other: ${labels[1]}`, theirs)),
    ], [["theirs", `Keep ${labels[1]}`], ["mine", `Keep ${labels[0]}`]]);
    open = false;
    store.send({ kind: "resolve", keep: keep === "theirs" ? "theirs" : "mine", file });
  });
}

/**
 * Show sentences for a while at the edge of the window.
 *
 * @param {Store} store
 */
export function showNotices(store) {
  const list = document.getElementById("notices");
  store.on("notice", ({ sentence, severity }) => {
    const notice = make("p", { class: `notice ${severity}` }, sentence);
    list.append(notice);
    while (list.children.length > 3) list.firstElementChild.remove();
    setTimeout(() => notice.remove(), severity === "error" ? 8000 : 3500);
  });
}
