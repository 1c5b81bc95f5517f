// Regions of the window: their sizes, the lines between them that can be dragged, their tabs, and the presets.

/** @import { Panel } from "./panels.js" */

import { PANELS, PRESETS } from "./panels.js";
import { make } from "./elements.js";

const LEAST = 160, KEPT = "segue.layout", STAGE_LEAST = 220, EDGE = 24;
const SIDES = { left: ["right", 1], right: ["left", -1], bottom: ["top", -1] }; // where the line is, which way it grows

export class Layout {
  constructor(root, store) {
    this.root = root;
    this.store = store;
    /** @type {Map<string, { panel: Panel, tab: HTMLElement, body: HTMLElement, mounted: any }>} */
    this.panels = new Map();
    this.sizes = this.kept();
    for (const region of Object.keys(SIDES)) this.fill(region);
    Object.entries(PRESETS).forEach(([name, { title }], k) => store.commands.add({
      id: `preset.${name}`, title: `Layout: ${title}`, group: "View", keys: [String(k + 1)],
        run: () => this.preset(name),
    }));
    addEventListener("resize", () => this.apply());
    this.preset("edit");
  }

  /** Return the sizes that the user gave the regions, by preset. */
  kept() {
    try {
      return JSON.parse(localStorage.getItem(KEPT)) ?? {};
    } catch {
      return {};
    }
  }

  fill(region) {
    const element = this.root.querySelector(`#${region}`), panels = PANELS.filter((each) => each.region === region);
    const tabs = make("div", { role: "tablist", class: "tabs", "aria-label": element.getAttribute("aria-label") });
    element.append(this.line(region), tabs);
    for (const panel of panels) {
      const tab = make("button", {
        type: "button", role: "tab", id: `tab-${panel.id}`, "aria-controls": `panel-${panel.id}`,
        onclick: () => this.show(panel.id),
      }, panel.title);
      const body = make("div", {
        role: "tabpanel", id: `panel-${panel.id}`, class: "panel", "aria-labelledby": tab.id, hidden: true,
      });
      tabs.append(tab);
      element.append(body);
      this.panels.set(panel.id, { panel, tab, body, mounted: null });
      this.store.commands.add({
        id: `panel.${panel.id}`, title: `Show ${panel.title}`, group: "View", run: () => this.show(panel.id, true),
      });
    }
    tabs.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key],
        at = panels.findIndex(({ id }) => `tab-${id}` === document.activeElement?.id);
      if (!step || at < 0) return;
      event.preventDefault();
      event.stopPropagation();
      this.show(panels[(at + step + panels.length) % panels.length].id, true);
    });
    if (panels.length) this.show(panels[0].id);
  }

  /** Bring a panel to the front of its region, and make it when it is shown for the first time. */
  show(id, focus = false) {
    const shown = this.panels.get(id);
    if (!shown) return;
    for (const { panel, tab, body } of this.panels.values()) {
      if (panel.region !== shown.panel.region) continue;
      const front = panel.id === id;
      tab.setAttribute("aria-selected", String(front));
      tab.tabIndex = front ? 0 : -1;
      body.hidden = !front;
    }
    const strip = shown.tab.parentElement, [inside, tab] = [strip, shown.tab].map((each) => each.getBoundingClientRect());
    strip.scrollLeft += Math.min(tab.left - inside.left - EDGE, 0) + Math.max(tab.right - inside.right + EDGE, 0);
    if (focus) {
      if (this.size(shown.panel.region) === 0) this.resize(shown.panel.region, LEAST * 1.5);
      shown.tab.focus();
    }
    if (shown.mounted) shown.mounted.then((made) => made?.shown?.());
    else shown.mounted = import(shown.panel.module).then(({ mount }) => mount(shown.body, this.store));
    this.store.emit("layout");
  }

  preset(name) {
    this.name = name;
    this.root.dataset.preset = name;
    for (const id of PRESETS[name].front) this.show(id);
    this.apply();
  }

  /** Return the size of a region in CSS pixels. */
  size(region) {
    const given = this.sizes[this.name]?.[region];
    if (given !== undefined) return given;
    const size = PRESETS[this.name][region];
    if (size > 0 && size < 1) return Math.round(size * innerHeight);
    // the stage keeps room in small windows, and panels grow with large ones
    const large = Math.min(Math.max(innerWidth / 1800, 1), 1.6);
    return Math.round(region === "bottom" ? size * large : Math.min(size * large, 0.29 * innerWidth));
  }

  resize(region, size) {
    const most = region === "bottom" ? innerHeight - STAGE_LEAST : innerWidth / 2;
    const kept = size < LEAST / 2 ? 0 : Math.round(Math.min(Math.max(size, LEAST), Math.max(most, LEAST)));
    this.sizes[this.name] = { ...this.sizes[this.name], [region]: kept };
    try {
      localStorage.setItem(KEPT, JSON.stringify(this.sizes));
    } catch {
      // a browser that keeps nothing still shows everything
    }
    this.apply();
  }

  apply() {
    for (const region of Object.keys(SIDES)) {
      const size = this.size(region), element = this.root.querySelector(`#${region}`);
      this.root.style.setProperty(`--${region}`, `${size}px`);
      element.classList.toggle("folded", size === 0);
      const line = element.querySelector(".line");
      line.setAttribute("aria-valuenow", String(size));
    }
    this.store.emit("layout");
  }

  /** Return the line at the edge of a region, which is dragged, or moved by arrow keys, to change its size. */
  line(region) {
    const [side, sign] = SIDES[region], upright = region !== "bottom";
    const line = make("div", {
      role: "separator", tabindex: 0, class: `line ${side}`, "aria-label": `Size of the ${region} region`,
      "aria-orientation": upright ? "vertical" : "horizontal", "aria-valuemin": 0, "aria-valuemax": 2000,
    });
    line.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      line.setPointerCapture(event.pointerId);
      const from = upright ? event.clientX : event.clientY, size = this.size(region);
      const move = (moved) => this.resize(region, size + sign * ((upright ? moved.clientX : moved.clientY) - from));
      line.addEventListener("pointermove", move);
      line.addEventListener("lostpointercapture", () => line.removeEventListener("pointermove", move), { once: true });
    });
    line.addEventListener("dblclick", () => this.resize(region, this.size(region) ? 0 : 300));
    line.addEventListener("keydown", (event) => {
      const step = { ArrowRight: upright ? 20 : 0, ArrowLeft: upright ? -20 : 0, ArrowDown: upright ? 0 : 20,
        ArrowUp: upright ? 0 : -20 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      this.resize(region, Math.max(this.size(region), LEAST) + sign * step);
    });
    return line;
  }
}
