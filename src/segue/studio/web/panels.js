// Which panels there are, where they stand, and which module makes each of them.

/**
 * A panel. region: where its tab stands. module: exports `mount(element, store)`, called when the tab is first shown;
 * what it returns may have `shown()`, called each time the tab is shown again.
 *
 * @typedef {object} Panel
 * @property {string} id
 * @property {string} title
 * @property {"left" | "right" | "bottom"} region
 * @property {string} module
 */

/** @type {Panel[]} */
export const PANELS = [
  { id: "script", title: "Script", region: "left", module: "./script_panel.js" },
  { id: "library", title: "Library", region: "left", module: "./library_panel.js" },
  { id: "dances", title: "Dances", region: "left", module: "./dances_panel.js" },
  { id: "inspector", title: "Inspector", region: "right", module: "./inspector_panel.js" },
  { id: "checks", title: "Checks", region: "right", module: "./checks_panel.js" },
  { id: "gestures", title: "Gestures", region: "right", module: "./gestures_panel.js" },
  { id: "dancer", title: "Dancer", region: "right", module: "./dancer_panel.js" },
  { id: "compare", title: "Compare", region: "right", module: "./compare_panel.js" },
  { id: "tracks", title: "Tracks", region: "bottom", module: "./timeline_panel.js" },
  { id: "tree", title: "Tree", region: "bottom", module: "./tree_panel.js" },
  { id: "patterns", title: "Pattern", region: "bottom", module: "./patterns_panel.js" },
  { id: "curves", title: "Curves", region: "bottom", module: "./curves_panel.js" },
  { id: "simulation", title: "Simulation", region: "bottom", module: "./simulation_panel.js" },
  { id: "floor", title: "Floor", region: "bottom", module: "./floor_panel.js" },
];

/**
 * Sizes of the regions in CSS pixels (a share of the window below 1) and the panels in front, by preset.
 *
 * @type {Record<string, { title: string, left: number, right: number, bottom: number, front: string[] }>}
 */
export const PRESETS = {
  edit: { title: "Edit", left: 380, right: 290, bottom: 270, front: ["script", "inspector", "tracks"] },
  curves: { title: "Curves", left: 0, right: 290, bottom: 0.55, front: ["inspector", "curves"] },
  dance: { title: "Dance", left: 250, right: 0, bottom: 0.54, front: ["dances", "patterns"] },
  dancers: { title: "Dancers", left: 0, right: 360, bottom: 0.42, front: ["gestures", "floor"] },
};
