// The findings of `check`, worst first. A click goes to the time.

/** @import { FindingMark } from "./messages.js" */
/** @import { Store } from "./store.js" */

import { make } from "./elements.js";

const SIGNS = { fault: "✕", suspicious: "!", fine: "✓" };

/**
 * Return how many findings there are of each severity, in words.
 *
 * @param {FindingMark[]} findings
 */
export function summary(findings) {
  const count = (severity) => findings.filter((each) => each.severity === severity).length;
  const faults = count("fault"), doubts = count("suspicious");
  if (!faults && !doubts) return "No fault found";
  const words = (number, word) => (number ? [`${number} ${word}${number === 1 ? "" : "s"}`] : []);
  return [...words(faults, "fault"), ...words(doubts, "suspicion")].join(", ");
}

/** Return the sentence of a finding without the measure's name in front, which is shown already. */
function withoutName({ sentence, measure }) {
  return sentence.startsWith(`${measure}: `) ? sentence.slice(measure.length + 2) : sentence;
}

/**
 * Make the list.
 *
 * @param {HTMLElement} element
 * @param {Store} store
 */
export function mount(element, store) {
  const said = make("output", { class: "check-said" }, "Not checked yet");
  const list = make("ul", { class: "findings" });
  const run = make("button", { type: "button", onclick: () => check() }, "Check again");
  element.classList.add("checks");
  element.append(make("div", { class: "tools" }, run, said), list);
  let waiting = 0;
  const check = () => {
    if (!store.online || store.stale) return;
    said.textContent = "Checking…";
    store.send({ kind: "check" });
  };
  const later = () => {
    clearTimeout(waiting);
    if (!element.hidden) waiting = window.setTimeout(check, 800);
  };
  const show = () => {
    const { findings } = store;
    if (!findings) return;
    said.textContent = findings.rev === store.doc?.rev ? summary(findings.findings) : "The motion has changed since";
    list.replaceChildren(...findings.findings.map((each) => make("li", { class: each.severity }, make("button", {
      type: "button", disabled: each.time === null, onclick: () => store.seek(each.time),
    }, make("i", { "aria-label": each.severity, role: "img" }, SIGNS[each.severity]),
    make("span", {}, make("b", {}, each.measure), ` ${withoutName(each)}`),
    make("small", {}, each.time === null ? "all" : `${each.time.toFixed(2)} s`)))));
  };
  store.on("findings", show);
  store.on("values", later);
  store.commands.add({ id: "check", title: "Check the motion", group: "Motion", run: check });
  show();
  if (!store.findings || store.findings.rev !== store.doc?.rev) later();
  return { shown: later };
}
