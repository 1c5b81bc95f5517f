// The expression tree with live values [Rose1996, figure 6]. Nodes are selected, folded, and moved by pointer or keys.

/** @import { Placed } from "./tree_layout.js" */
/** @import { Store } from "./store.js" */

import { setArgument } from "./arguments.js";
import { make } from "./elements.js";
import { shortened } from "./form.js";
import { shapeOf } from "./selected.js";
import { about, layout, step, swapped } from "./tree_layout.js";

const STATEMENTS = new Set(["assignment", "evaluation", "definition", "use"]);

/**
 * Make the tree.
 *
 * @param {HTMLElement} element
 * @param {Store} store
 */
export function mount(element, store) {
  const root = make("div", { class: "tree", role: "tree", "aria-label": "Expression tree" });
  /** @type {Set<string>} */
  const folded = new Set();
  /** @type {Placed[]} */
  let placed = [];
  /** @type {Map<string, HTMLElement>} */
  const items = new Map();
  let drawn = "", focus = "";
  element.append(root);

  const update = () => {
    const { doc } = store;
    if (!doc) return;
    const shape = JSON.stringify([doc.tree.map(({ node, what, label, parameter }) => [node, what, label, parameter]),
      [...folded]]);
    placed = layout(doc.tree, folded);
    if (shape !== drawn) rebuild();
    drawn = shape;
    show();
  };

  const rebuild = () => {
    const held = root.contains(document.activeElement);
    items.clear();
    root.replaceChildren(...placed.filter(({ parent }) => !parent).map(branch));
    if (!items.has(focus)) focus = placed[0]?.node.node ?? "";
    if (items.has(focus)) items.get(focus).tabIndex = 0;
    if (held) items.get(focus)?.focus();
  };

  /** @param {Placed} here */
  const branch = (here) => {
    const { node, children, depth } = here, below = store.doc.tree.some((each) => each.parent === node.node);
    const chips = here.chips.map((chip) => make("span", {
      class: "chip", "data-node": chip.node, title: chip.parameter,
      onclick: (event) => {
        event.stopPropagation();
        store.select(chip.node);
      },
    }, make("small", {}, chip.parameter), ` ${shortened(chip.label, 18)}`));
    const face = make("span", { class: "face" }, make("b", { class: `word ${node.what}` }, titleOf(node)), ...chips,
      make("small", { class: "about" }));
    const item = make("div", {
      role: "treeitem", class: `item ${node.what}`, tabindex: -1, "data-node": node.node,
        draggable: STATEMENTS.has(node.what) ? null : "true",
      "aria-level": depth + 1, "aria-selected": "false",
      "aria-expanded": below && (children.length || folded.has(node.node)) ? String(!folded.has(node.node)) : null,
    }, face);
    items.set(node.node, item);
    const group = make("div", { role: "group", class: "children" }, ...children.map(branch));
    return make("div", { class: "branch", role: "none" }, item, ...(children.length ? [group] : []));
  };

  /** Show values and the selection in the nodes that are drawn. */
  const show = () => {
    const values = store.values?.nodes ?? {};
    for (const { node, chips } of placed) {
      const item = items.get(node.node);
      if (!item) continue;
      const value = values[node.node], said = about(value), words = item.querySelector(".about");
      words.textContent = STATEMENTS.has(node.what) ? "" : said;
      item.classList.toggle("gaps", Boolean(value?.gaps?.length));
      item.classList.toggle("shown", node.node === store.values?.shown);
      const chosen = store.selection === node.node || chips.some((chip) => chip.node === store.selection);
      item.setAttribute("aria-selected", String(chosen));
      item.setAttribute("aria-label", [titleOf(node), ...chips.map((chip) => `${chip.parameter} ${chip.label}`),
        said].filter(Boolean).join(", "));
      for (const chip of item.querySelectorAll(".chip")) {
        const { node: path } = /** @type {HTMLElement} */ (chip).dataset,
          found = chips.find((each) => each.node === path);
        if (found) chip.lastChild.textContent = ` ${shortened(found.label, 18)}`;
        chip.classList.toggle("chosen", path === store.selection);
      }
    }
  };

  const nodeOf = (event) => event.target.closest?.("[role=treeitem]")?.dataset.node ?? "";
  const choose = (path) => {
    if (items.has(focus)) items.get(focus).tabIndex = -1;
    focus = path;
    const item = items.get(path);
    if (!item) return;
    item.tabIndex = 0;
    item.focus();
    store.select(path);
  };
  const swap = (first, second) => {
    if (!first || !second || store.doc.tree_rev !== store.doc.rev) return;
    const changes = swapped(store.doc.text, first, second);
    if (!changes.length) store.notify("A node cannot change places with a part of itself.");
    else store.edit(changes).catch((error) => store.notify(error.message, "error"));
  };

  root.addEventListener("click", (event) => { if (nodeOf(event)) choose(nodeOf(event)); });
  root.addEventListener("dblclick", (event) => fold(nodeOf(event)));
  const fold = (path) => {
    if (!folded.delete(path)) folded.add(path);
    update();
  };
  root.addEventListener("keydown", (event) => {
    const here = placed.find(({ node }) => node.node === nodeOf(event));
    if (!here || event.ctrlKey || event.metaKey) return;
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      const beside = (here.parent?.children ?? []).filter(({ node }) => !STATEMENTS.has(node.what));
      swap(here.node, beside[beside.indexOf(here) + (event.key === "ArrowUp" ? -1 : 1)]?.node);
    } else if (event.key === " " || event.key === "Enter") fold(here.node.node);
    else if (event.key === "ArrowLeft" && here.children.length) fold(here.node.node);
    else if (event.key === "ArrowRight" && folded.has(here.node.node)) fold(here.node.node);
    else if (event.key === "Delete") remove(here);
    else {
      const next = step(placed, here, event.key);
      if (!next) return;
      choose(next.node.node);
    }
    event.preventDefault();
    event.stopPropagation();
  });

  /** Take an argument with a default out of its call. */
  const remove = ({ node, parent }) => {
    const shape = parent && shapeOf(store.welcome, parent.node.label);
    const changes = shape ? setArgument(store.doc.text, parent.node, shape, node.parameter, null) : [];
    const needed = shape?.parameters.find(({ name }) => name === node.parameter)?.default === null;
    if (needed || !changes.length) store.notify("This part is needed. Replace it instead.");
    else store.edit(changes).catch((error) => store.notify(error.message, "error"));
  };

  let dragged = "";
  root.addEventListener("dragstart", (event) => {
    dragged = nodeOf(event);
    const node = store.node(dragged);
    if (!node) return;
    event.dataTransfer.setData("text/plain", store.doc.text.slice(node.start, node.stop));
    event.dataTransfer.effectAllowed = "move";
  });
  root.addEventListener("dragover", (event) => {
    const target = nodeOf(event);
    for (const [path, item] of items) item.classList.toggle("target", path === target && path !== dragged);
    if (dragged && target) event.preventDefault();
  });
  root.addEventListener("dragend", () => { dragged = ""; items.forEach((item) => item.classList.remove("target")); });
  root.addEventListener("drop", (event) => {
    event.preventDefault();
    swap(store.node(dragged), store.node(nodeOf(event)));
    dragged = "";
  });

  store.on("doc", update);
  store.on("values", show);
  store.on("selection", (path) => {
    show();
    const item = items.get(path);
    if (item && !root.contains(document.activeElement)) item.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  update();
  return { shown: update };
}

function titleOf({ what, label, name }) {
  if (what === "assignment") return `${name} =`;
  if (what === "evaluation") return "→";
  if (what === "definition") return `def ${name}`;
  if (what === "listof") return "[ ]";
  if (what === "comprehension") return "for";
  if (what === "conditional") return "if";
  return label;
}
