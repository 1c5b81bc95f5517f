// Texts and carets: what changed between two texts, and where a caret stands afterwards.

/** @import { Change } from "./messages.js" */

/**
 * Return the one change that makes a text another, empty if they are equal. It cuts no character in two.
 *
 * @returns {Change[]}
 */
export function differenceOf(before, after) {
  if (before === after) return [];
  const most = Math.min(before.length, after.length), low = (text, at) => /[\uDC00-\uDFFF]/.test(text[at] ?? "");
  let start = 0, same = 0;
  while (start < most && before[start] === after[start]) start += 1;
  while (start > 0 && (low(before, start) || low(after, start))) start -= 1;
  while (same < most - start && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  while (same > 0 && (low(before, before.length - same) || low(after, after.length - same))) same -= 1;
  return [{ start, stop: before.length - same, text: after.slice(start, after.length - same) }];
}

/** Return where a caret stands when a text becomes another: beside the characters that it stood beside. */
export function movedCaret(before, after, caret) {
  const [change] = differenceOf(before, after);
  if (!change || caret <= change.start) return caret;
  const end = change.start + change.text.length;
  return caret >= change.stop ? caret + end - change.stop : Math.min(caret, end);
}

/** Return the name at an offset of a text, "" for none. */
export function wordAt(text, offset) {
  const before = /[A-Za-z_]\w*$/.exec(text.slice(0, offset))?.[0] ?? "", after = /^\w*/.exec(text.slice(offset))[0];
  if (before) return before + after;
  return /^[A-Za-z_]/.test(after) ? after : "";
}
