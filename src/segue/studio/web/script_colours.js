// Colours of the script by the CSS Custom Highlight API: words by their kind, the selected node, and errors.

/** @import { Diagnostic, TreeNode, Welcome } from "./messages.js" */

const PARTS = {
  comment: /#[^\n]*/, text: /"[^"\n]*"?|'[^'\n]*'?/, number: /(?<![\w.])(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/,
  name: /[A-Za-z_]\w*/,
};
const WORDS = new RegExp(
  `${Object.entries(PARTS).map(([kind, part]) => `(?<${kind}>${part.source})`).join("|")}`
  + "(?=(?<call>\\s*\\()?)(?=(?<given>\\s*=(?!=))?)", "g");
const KEYWORDS = ["def", "use", "if", "then", "else", "for", "in"];

/**
 * Return the words of a script that have a colour: kind, start and stop of each.
 *
 * @param {string} text
 * @param {Iterable<string>} keywords
 * @returns {{ kind: string, start: number, stop: number }[]}
 */
export function wordsOf(text, keywords = KEYWORDS) {
  const known = new Set(keywords), found = [];
  for (const match of text.matchAll(WORDS)) {
    const { comment, text: quoted, number, name, call, given } = match.groups;
    let kind = "";
    if (comment !== undefined) kind = "comment";
    else if (quoted !== undefined) kind = "text";
    else if (number !== undefined) kind = "number";
    else if (known.has(name)) kind = "keyword";
    else if (call !== undefined) kind = "call";
    else if (given !== undefined) kind = "given";
    if (kind) found.push({ kind, start: match.index, stop: match.index + match[0].length });
  }
  return found;
}

/**
 * Colour a text node.
 *
 * @param {Node | null} node
 * @param {string} text
 * @param {Welcome | null} welcome
 * @param {TreeNode | false | undefined} selected
 * @param {Diagnostic[]} diagnostics
 */
export function paint(node, text, welcome, selected, diagnostics) {
  if (!node || !("highlights" in CSS)) return;
  /** @type {Record<string, Range[]>} */
  const ranges = {};
  const { length } = node.textContent;
  const add = (kind, start, stop) => {
    if (start >= stop || stop > length) return;
    const range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, stop);
    (ranges[kind] ??= []).push(range);
  };
  for (const { kind, start, stop } of wordsOf(text, welcome?.keywords?.length ? welcome.keywords : KEYWORDS)) add(kind,
    start, stop);
  if (selected) add("selected", selected.start, selected.stop);
  // an error at the end of the text is shown under the sign before it
  for (const { start, stop, severity } of diagnostics) add(severity, Math.min(start, length - 1),
    Math.max(Math.min(stop, length), Math.min(start, length - 1) + 1));
  for (const kind of ["comment", "text", "number", "keyword", "call", "given", "selected", "error", "warning"]) {
    CSS.highlights.set(`script-${kind}`, new Highlight(...(ranges[kind] ?? [])));
  }
}
