// Edits of a pattern's text by spans: cells, steps, rows and header lines. All other text stays as it is.

/** @import { Change, GridRow, PatternOutline, SymbolShape } from "./messages.js" */

export const EMPTY = "----";
const HEADERS = ["dance", "pattern", "part", "commence", "finish", "time", "tempo", "difficulty", "note"];
const HEADER_WIDTH = 12, TIMES = { 1: "Q", 2: "S" };

/** Return the symbols in a cell, none for hyphens; an amount of turn and its side may stand together. */
export function symbolsIn(words) {
  return words.replace(/(\d\/\d)([LR])\b/g, "$1 $2").split(/\s+/).filter((word) => word && !/^[-–—―]+$/.test(word));
}

/**
 * Return a cell's words with a symbol put in, in the place of others of its kind, or taken out if it is there.
 *
 * @param {string} words
 * @param {SymbolShape} symbol
 * @param {SymbolShape[]} symbols  all of the notation, whose order is that in a cell
 */
export function withSymbol(words, symbol, symbols) {
  const inRow = symbols.filter(({ row }) => row === symbol.row), present = symbolsIn(words);
  const known = (word) => inRow.find(({ text }) => text === word);
  if (present.includes(symbol.text)) return present.filter((word) => word !== symbol.text).join(" ") || EMPTY;
  const kept = present.filter((word) => symbol.many || known(word)?.kind !== symbol.kind);
  // no turn has no side, and neither foot has no position
  const alone = symbol.text === "NT" ? ["side"] : symbol.text === "HOLD" ? ["position", "modifier"] : [];
  const place = (word) => inRow.findIndex(({ text }) => text === word);
  return [...kept.filter((word) => !alone.includes(known(word)?.kind)), symbol.text]
    .sort((a, b) => place(a) - place(b)).join(" ");
}

/** Return what stands between two bars for words, in a column so many characters wide. */
const region = (words, width) => ` ${words.padEnd(width - 2)} `;

/** Return the width of a column whose cells line up, 0 for one whose cells do not. */
function widthOf(rows, step) {
  const lengths = new Set(rows.map(({ cells }) => (cells[step] ? cells[step].stop - cells[step].start : -1)));
  return lengths.size === 1 && !lengths.has(-1) ? [...lengths][0] : 0;
}

/**
 * Return the edit that writes words into a cell. A column whose cells line up grows and shrinks as a whole.
 *
 * @param {PatternOutline} outline
 * @param {string} text
 * @param {string} row
 * @param {number} step  from 0
 * @param {string} words
 * @returns {Change[]}
 */
export function cellChanges({ rows }, text, row, step, words) {
  const width = widthOf(rows, step), wanted = (each) => (each.name === row ? words : each.cells[step].words);
  if (!width) {
    const cell = rows.find(({ name }) => name === row)?.cells[step];
    if (!cell || cell.words === words) return [];
    const inner = text.slice(cell.start, cell.stop), lead = /^\s*/.exec(inner)[0] || " ";
    return [{ start: cell.start, stop: cell.stop, text: `${lead.slice(0, inner.trim() ? undefined : 1)}${words} ` }];
  }
  const fits = (all) => Math.max(...all.map((each) => each.length)) + 2;
  const before = fits(rows.map((each) => each.cells[step].words)), now = fits(rows.map(wanted));
  // a column that was wider than its words stays so
  const next = width > before ? Math.max(width, now) : now;
  return rows.flatMap((each) => {
    const { start, stop } = each.cells[step], made = region(wanted(each), next);
    return each.name !== row && next === width || made === text.slice(start, stop) ? [] : [{ start, stop, text: made }];
  });
}

/** Return the foot that is free after a number of steps: the other one than moved last. */
function freeFoot(rows, at) {
  const cells = rows.find(({ name }) => name === "Foot Position")?.cells.slice(0, at) ?? [];
  const last = cells.map(({ words }) => /\b[LR]F\b/.exec(words)?.[0]).filter(Boolean).at(-1);
  return last === "LF" ? "RF" : "LF";
}

/** Return the rows anew with other columns; columns: of each row, the words or the number of a column to keep. */
function rebuilt({ rows }, text, columnsOf) {
  const columns = rows.map((row) => columnsOf(row)), count = columns[0].length;
  const widths = Array.from({ length: count }, (_, k) => Math.max(...columns.map((each) =>
    (typeof each[k] === "string" ? each[k].length + 2 : 0))));
  return rows.flatMap((row, r) => {
    const { cells } = row;
    if (!cells.length) return [];
    const parts = columns[r].map((each, k) => {
      if (typeof each === "string") return region(each, widths[k]);
      const kept = text.slice(cells[each].start, cells[each].stop);
      return widths[k] > kept.length ? kept.trimEnd().padEnd(widths[k] - 1) + " " : kept;
    });
    return [{ start: cells[0].start, stop: cells.at(-1).stop, text: parts.join("|") }];
  });
}

/**
 * Return the edit that adds a step before the one at a place, or behind the last.
 *
 * @param {PatternOutline} outline
 * @param {string} text
 * @param {number} at  from 0
 * @returns {Change[]}
 */
export function addStep(outline, text, at) {
  const fresh = { "Foot Position": `${freeFoot(outline.rows, at)} FWD`, Beats: "1", Timing: "Q" };
  return rebuilt(outline, text, ({ name, cells }) => {
    const kept = cells.map((_, k) => k);
    if (name === "Step Number") return [...kept, 0].map((_, k) => (k < at ? k : String(k + 1)));
    return [...kept.slice(0, at), fresh[name] ?? EMPTY, ...kept.slice(at)];
  });
}

/** Return the edit that takes a step away. */
export function removeStep(outline, text, at) {
  if ((outline.rows[0]?.cells.length ?? 0) < 2) return [];
  return rebuilt(outline, text, ({ name, cells }) => {
    const kept = cells.map((_, k) => k).filter((k) => k !== at);
    return name === "Step Number" ? kept.map((k) => (k < at ? k : String(k))) : kept;
  });
}

/**
 * Return the edit that adds a row in its place, or takes it away.
 *
 * @param {PatternOutline} outline
 * @param {string} text
 * @param {string} name
 * @param {string[]} order  all rows of the notation
 * @returns {Change[]}
 */
export function toggleRow({ rows }, text, name, order) {
  const present = rows.find((each) => each.name === name);
  if (present) {
    const end = text.indexOf("\n", present.stop);
    return [{ start: present.start, stop: end < 0 ? text.length : end + 1, text: "" }];
  }
  const rank = (/** @type {GridRow} */ each) => {
    // figure 5.2 has the timing below the beats
    const at = order.indexOf(each.name);
    return at < 0 ? order.length : at;
  };
  const before = rows.filter((each) => rank(each) < order.indexOf(name)).at(-1) ?? rows[0];
  const beats = rows.find((each) => each.name === "Beats")?.cells ?? [];
  const label = Math.max(before.cells[0].start - 1 - before.start - 1, 0);
  const cells = before.cells.map(({ start, stop }, k) => {
    const words = name === "Timing" ? TIMES[beats[k]?.words] ?? beats[k]?.words ?? "Q" : EMPTY;
    return region(words, Math.max(stop - start, words.length + 2));
  });
  const line = `${name.padEnd(label)} |${cells.join("|")}|`, end = text.indexOf("\n", before.stop);
  const at = end < 0 ? text.length : end;
  const newline = text[at - 1] === "\r" ? "\r\n" : "\n";
  return [{ start: at - newline.length + 1, stop: at - newline.length + 1, text: newline + line }];
}

/**
 * Return the edit that sets a line of the header; an empty value takes the line away.
 *
 * @param {PatternOutline} outline
 * @param {string} text
 * @returns {Change[]}
 */
export function headerChanges({ headers }, text, name, value) {
  const line = headers.find((each) => each.name === name);
  if (line && value) return line.value === value ? [] : [{ start: line.start, stop: line.stop, text: value }];
  if (line) {
    const end = text.indexOf("\n", line.stop);
    return [{ start: text.lastIndexOf("\n", line.start - 1) + 1, stop: end < 0 ? text.length : end + 1, text: "" }];
  }
  if (!value) return [];
  const before = headers.filter((each) => HEADERS.indexOf(each.name) < HEADERS.indexOf(name)).at(-1);
  const end = before ? text.indexOf("\n", before.stop) + 1 : 0;
  return [{ start: end, stop: end, text: `${`${name}:`.padEnd(HEADER_WIDTH)}${value}\n` }];
}
