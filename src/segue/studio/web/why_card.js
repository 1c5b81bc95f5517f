// The "why" card of a filled gap: cost by term against interpolation, supports and how far they stray, what it drew on.

/** @import { FillCard, SupportMark } from "./messages.js" */

import { make } from "./elements.js";

const CHOICES = ["auto", "enforce", "never"];

/**
 * Return the card. choose: called with a point and a choice of it.
 *
 * @param {FillCard} fill
 * @param {(time: number) => void} seek
 * @param {(point: string, choice: string) => void} choose
 */
export function whyCard(fill, seek, choose) {
  const share = fill.before > 0 ? fill.energy / fill.before : null;
  const head = make("div", { class: "why-head" },
    make("button", { type: "button", class: "link", onclick: () => seek(fill.start) },
      `${fill.start.toFixed(2)} to ${fill.stop.toFixed(2)} s`),
    make("span", { class: "faint" }, `${fill.joints.join(", ")} · ${fill.objective} · ${fill.status}`));
  const sentence = share === null ? "" : share <= 1
    ? `${Math.round(100 * (1 - share))} % less cost than interpolation`
    : `${share.toFixed(1)} times the cost of interpolation`;
  return make("section", { class: "why", "aria-label": `Fill from ${fill.start.toFixed(2)} s` }, head,
    sentence ? make("p", { class: "verdict" }, sentence) : "",
    costs(fill),
    fill.supports.length ? supports(fill.supports, seek, choose) : "",
    fill.match ? make("p", { class: "drew" }, fill.match) : "",
    fill.clips.length ? make("p", { class: "drew" }, `Drew on ${fill.clips.join(", ")}`) : "",
    ...fill.notes.map((note) => make("p", { class: "note" }, note)));
}

/** Return a table: each term in this fill above the same of interpolation. */
function costs({ costs: terms, before_costs: others, before, energy }) {
  const rows = Object.keys(terms).sort((a, b) => terms[b] - terms[a]).map((name) => [name, terms[name], others[name] ?? 0]);
  const most = Math.max(...rows.flatMap(([, ...pair]) => pair), 1e-12);
  const bar = (value, kind) => {
    const made = make("i", { class: kind });
    made.style.width = `${(100 * Math.max(value, 0) / most).toFixed(1)}%`;
    return made;
  };
  return make("table", { class: "costs" }, make("caption", {}, "Cost by term: this fill, and interpolation (striped)"),
    ...rows.map(([name, mine, other]) => make("tr", {}, make("th", { scope: "row" }, name.replaceAll("_", " ")),
      make("td", { class: "bar" }, bar(mine, "term"), bar(other, "other")),
      make("td", { class: "number" }, rounded(mine), make("br"), rounded(other)))),
    make("tr", { class: "all" }, make("th", { scope: "row" }, "all"), make("td", {}),
      make("td", { class: "number" }, rounded(energy), make("br"), rounded(before))));
}

/** Return a cost with three digits: only its size beside others says something. */
function rounded(value) {
  if (value < 1e4) return Number(value.toPrecision(3)).toString();
  return value < 1e6 ? `${(value / 1e3).toPrecision(3)} k` : `${(value / 1e6).toPrecision(3)} M`;
}

/** @param {SupportMark[]} marks */
function supports(marks, seek, choose) {
  return make("table", { class: "supports" }, make("caption", {}, "Supports"), ...marks.map((mark) => {
    const name = mark.point.replaceAll("_", " ");
    const select = make("select", {
      "aria-label": `${name} from ${mark.start.toFixed(2)} s`, onchange: () => choose(mark.point, select.value),
    }, ...CHOICES.map((each) => make("option", { value: each, selected: each === mark.choice }, each)));
    const moved = mark.moved === null ? "free" : `${(1000 * mark.moved).toFixed(1)} mm`;
    return make("tr", {}, make("th", { scope: "row" }, name),
      make("td", {}, make("button", { type: "button", class: "link", onclick: () => seek(mark.start) },
        `${mark.start.toFixed(2)}–${mark.stop.toFixed(2)} s`)),
      make("td", { class: "number", title: "How far the point strays" }, mark.target ? `${moved} to target` : moved),
      make("td", {}, select));
  }));
}
