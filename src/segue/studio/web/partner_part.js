// The part of a pattern's partner below the grid: from its own file, or as it follows in closed hold.

/** @import { PatternEditor } from "./pattern_editor.js" */

import { make } from "./elements.js";
import { symbolsIn } from "./pattern_edits.js";

const OTHER = { leader: "follower", follower: "leader" };

/**
 * Make the partner's part.
 *
 * @param {PatternEditor} editor
 */
export function partnerPart(editor) {
  const element = make("section", { class: "partner-part", "aria-label": "Partner's part", hidden: true });
  const write = async () => {
    const { store, file } = editor;
    try {
      await editor.queue;
      const said = await store.ask({ kind: "new_text", what: "pattern", partner: file.file });
      await editor.take(store.textFile(said));
    } catch (error) {
      store.notify(error.message, "error");
    }
  };
  const update = () => {
    const { outline, file, writable } = editor;
    if (element.hidden || !outline || !file) return;
    const other = OTHER[outline.part], beside = file.file.replace(/[^/:]*$/, outline.partner_file);
    const line = outline.partner_file
      ? [`The ${other} has a part of its own: `, make("button", { type: "button", class: "link",
        onclick: () => editor.open(beside) }, outline.partner_file)]
      : [`The ${other}'s part, as it follows in closed hold.`, ...(writable && outline.partner.length
        ? [make("button", { type: "button", onclick: write }, `Write the ${other}'s part as a file`)] : [])];
    const rows = outline.partner_file ? [] : outline.partner.map(([name, ...cells]) => make("tr", {},
      make("th", { scope: "row" }, name), ...cells.map((words) =>
        make("td", {}, symbolsIn(words).join(" ") || "–"))));
    element.replaceChildren(make("p", {}, ...line), ...(rows.length
      ? [make("table", { class: "pattern-grid", "aria-label": `Steps of the ${other}` }, make("tbody", {}, ...rows))] : []));
  };
  return { element, update };
}
