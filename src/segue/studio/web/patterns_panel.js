// The pattern editor: the grid of the open pattern, its symbols, header and text, and what is wrong with it.

/** @import { PatternEditor } from "./pattern_editor.js" */
/** @import { Store } from "./store.js" */

import { button, icon, make } from "./elements.js";
import { MOST_STEPS, patternEditor } from "./pattern_editor.js";
import { symbolsIn } from "./pattern_edits.js";
import { PatternGrid } from "./pattern_grid.js";
import { PatternStage } from "./pattern_stage.js";
import { palette } from "./symbol_palette.js";
import { differenceOf, movedCaret } from "./text_edits.js";

const UNDO = "M9 6 4 11l5 5M4 11h10a5.5 5.5 0 0 1 5.5 5.5V19", REDO = "m15 6 5 5-5 5m5-5H10a5.5 5.5 0 0 0-5.5 5.5V19";
const OTHER = { leader: "follower", follower: "leader" };
const OPTIONAL = ["Head Position", "Footwork", "Amount of Turn", "Timing", "CBM and Sway"];
const FIELDS = { part: 8, commence: 22, finish: 22, time: 4, tempo: 17, difficulty: 2, note: 34 };

/**
 * Make the panel.
 *
 * @param {HTMLElement} element
 * @param {Store} store
 */
export function mount(element, store) {
  const editor = patternEditor(store), grid = new PatternGrid(editor), symbols = palette(editor);
  const stage = new PatternStage(document.getElementById("stage"), editor);
  element.classList.add("patterns");
  const title = make("h2", {}), badge = make("span", { class: "badge" });
  const copy = make("button", { type: "button", class: "proposed", onclick: () => editor.copy() }, "Edit a copy");
  const undo = button("Undo in the pattern", icon(UNDO), () => editor.file?.undo(), { key: "Ctrl+Z" });
  const redo = button("Redo in the pattern", icon(REDO), () => editor.file?.redo(), { key: "Ctrl+Shift+Z" });
  const save = button("Save the pattern", "Save", () => editor.file?.save(), { key: "Ctrl+S" });
  const add = button("Add a step", "+ Step", () => editor.addStep(), { key: "Insert" });
  const remove = button("Remove the step", "− Step", () => editor.removeStep(), { key: "Ctrl+Delete" });
  const rows = make("details", { class: "rows-menu" }, make("summary", {}, "Rows"), make("div", {}));
  const asText = button("Text of the file", "Text", () => flip(), { pressed: false });
  const partner = partnerPart(editor), asCouple = button("Partner's part", "Partner", () => {
    partner.element.hidden = !partner.element.hidden;
    asCouple.setAttribute("aria-pressed", String(!partner.element.hidden));
    partner.update();
  }, { pressed: false });
  const remarks = make("ul", { class: "remarks", "aria-label": "Check", "aria-live": "polite" });
  const header = make("div", { class: "pattern-header", role: "group", "aria-label": "Header" });
  const area = make("textarea", { class: "pattern-text", "aria-label": "Text of the pattern", spellcheck: "false",
    hidden: true, oninput: () => typed(), onblur: () => finished() });
  const body = make("div", { class: "pattern-body" }, make("div", { class: "pattern-main" }, header, grid.element, area,
    remarks, partner.element), symbols.element);
  const tools = make("div", { class: "tools" }, title, badge, copy, undo, redo, save, add, remove, rows, asCouple, asText);
  const empty = make("p", { class: "empty" }, "Open a pattern of the dance library, or begin a new one.");
  element.append(empty, tools, body);

  /** @type {import("./gesture.js").Gesture | null} */
  let typing = null;
  let begun = "";
  const flip = () => {
    finished();
    area.hidden = !area.hidden;
    grid.element.hidden = header.hidden = !area.hidden;
    asText.setAttribute("aria-pressed", String(!area.hidden));
    update();
    if (area.hidden) grid.focus();
    else area.focus();
  };
  const typed = () => {
    const { file } = editor;
    if (!file) return;
    if (!typing?.open) [typing, begun] = [file.gesture(), file.said.text];
    typing.edit(differenceOf(begun, area.value));
  };
  const finished = () => {
    typing = null;
    editor.file?.drop();
  };
  const field = (name, width) => {
    const { outline, writable } = editor, line = outline?.headers.find((each) => each.name === name);
    const shared = { "aria-label": name, "data-header": name, onchange: () => editor.header(name, input.value),
      disabled: !writable };
    const value = line?.value ?? "", choices = { part: ["leader", "follower"], commence: store.welcome.alignments,
      finish: store.welcome.alignments }[name];
    /** @type {HTMLInputElement | HTMLSelectElement} */
    const input = choices ? make("select", shared, ...[...(choices.includes(value) ? [] : [value]), ...choices]
      .map((each) => make("option", { value: each, selected: each === value }, each || "–")))
      : make("input", { type: "text", ...shared, value, size: width, spellcheck: "false" });
    const { finish = "" } = outline ?? {}, leads = name === "finish" && finish && value && finish !== value && writable;
    const fix = leads ? [make("button", { type: "button", class: "link",
      onclick: () => editor.header("finish", finish) }, `set to ${finish}`)] : [];
    return make("label", { class: `head-${name}` }, make("span", {}, name), input, ...fix);
  };
  const showRemarks = () => {
    const { diagnostics, outline, rehearsal, file } = editor;
    const said = rehearsal?.rev === file?.said.rev ? rehearsal : null;
    const placed = diagnostics.map((each) => {
      const row = outline?.rows.find(({ start, stop }) => each.stop > 0 && start <= each.start && each.stop <= stop);
      return { ...each, row: row?.name ?? "",
        step: row ? row.cells.findIndex(({ start, stop }) => start <= each.start && each.stop <= stop) : -1 };
    });
    const planned = (said?.warnings ?? []).map(({ step, sentence }) => ({ sentence, severity: "warning", row: "",
      step: step - 1 }));
    const items = [...placed, ...planned].map(({ sentence, severity, row, step }) => {
      const where = `Step ${step + 1}${row ? `, ${row}` : ""}`;
      return make("li", { class: severity }, step >= 0 ? make("button", { type: "button", class: "link",
        onclick: () => { editor.select(row || editor.row, step); grid.focus(); } }, where) : "", step >= 0 ? `: ${sentence}` : sentence);
    });
    const fine = outline?.floor ? said ? "The pattern can be danced." : "Planning…" : "";
    remarks.replaceChildren(...items, ...(items.length || !fine ? [] : [make("li", { class: "fine" }, fine)]));
  };
  const update = () => {
    const { file, outline } = editor, open = file !== null;
    empty.hidden = open;
    tools.hidden = body.hidden = !open;
    stage.show(!element.hidden);
    if (!file) return;
    const { said } = file;
    element.dataset.text = file.file;
    title.textContent = (outline?.title || file.file).replace("/", " / ");
    badge.textContent = said.original ? "comes with Segue" : `${file.file}${said.changed ? " •" : ""}`;
    copy.hidden = !said.original;
    undo.disabled = !said.undo;
    redo.disabled = !said.redo;
    save.disabled = said.original || !said.changed;
    add.disabled = said.original || editor.count >= MOST_STEPS;
    remove.disabled = said.original || editor.count < 2;
    area.readOnly = said.original;
    if (!typing?.open && area.value !== said.text) {
      const caret = movedCaret(area.value, said.text, area.selectionStart);
      area.value = said.text;
      area.setSelectionRange(caret, caret);
    }
    rows.lastElementChild.replaceChildren(...OPTIONAL.map((name) => make("label", {}, make("input", {
      type: "checkbox", checked: outline?.rows.some((each) => each.name === name), disabled: said.original,
      onchange: () => editor.toggleRow(name) }), name)));
    if (!header.contains(document.activeElement) || document.activeElement.tagName === "BUTTON") {
      header.replaceChildren(...Object.entries(FIELDS).map(([name, width]) => field(name, width)));
    }
    grid.update();
    symbols.update();
    partner.update();
    showRemarks();
  };
  store.on("pattern", update);
  store.on("entered", () => grid.focus());
  for (const name of OPTIONAL) store.commands.add({ id: `pattern.row.${name}`, title: `Row ${name} on or off`,
    group: "Dance", run: () => { editor.toggleRow(name); grid.focus(); } });
  store.commands.add({ id: "pattern.text", title: "Pattern as text or as grid", group: "Dance", run: flip });
  store.on("layout", () => stage.show(!element.hidden));
  update();
  return { shown: update };
}

/**
 * Make the partner's part.
 *
 * @param {PatternEditor} editor
 */
function partnerPart(editor) {
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
