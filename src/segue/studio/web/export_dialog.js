// Export: the shown or the selected motion in every format, and as a page by itself.

/** @import { Store } from "./store.js" */

import { choose } from "./dialogs.js";
import { button, make } from "./elements.js";

const ABOUT = {
  ".bvh": "BVH, on the clip's skeleton", ".glb": "glTF binary", ".html": "page by itself, for any browser",
  ".npz": "NumPy arrays",
  ".usd": "USD", ".usda": "USD text", ".usdc": "USD binary", ".xml": "MJCF for MuJoCo", ".mot": "OpenSim coordinates",
  ".sto": "OpenSim coordinates and moments", ".csv": "rows of coordinates",
};

/** Return a path with another suffix. */
export function withSuffix(path, suffix) {
  return path.replace(/\.[^./]*$/, "") + suffix;
}

/**
 * Add the command and its button in the bar.
 *
 * @param {Store} store
 */
export function addExport(store) {
  const run = () => openExport(store);
  store.commands.add({ id: "file.export", title: "Export the motion…", group: "File", keys: ["Ctrl+E"], typing: true,
    run });
  document.getElementById("bar-actions")?.append(button("Export the motion", "Export", run,
    { key: "Ctrl+E", id: "export" }));
}

/** @param {Store} store */
async function openExport(store) {
  try {
    const { writable } = await store.ask({ kind: "list", folder: "", search: "" });
    const suffixes = [...new Set([...writable, ".html"])].sort((a, b) => (a in ABOUT ? 0 : 1) - (b in ABOUT ? 0 : 1)
      || a.localeCompare(b));
    const chosen = store.selection && store.values?.nodes[store.selection]?.type === "motion" ? store.selection : "";
    const path = make("input", { id: "export-path", type: "text", spellcheck: "false",
      value: withSuffix(store.doc.file || "motion", ".glb") });
    const format = make("select",
      { id: "export-format", onchange: () => { path.value = withSuffix(path.value, format.value); } },
      ...suffixes.map((each) => make("option", { value: each, selected: each === ".glb" },
        ABOUT[each] ? `${each}  ${ABOUT[each]}` : each)));
    const fps = make("input", { id: "export-fps", type: "number", min: 1, max: 1000, step: "any",
      placeholder: "the motion's own" });
    const which = make("select", { id: "export-what" }, make("option", { value: "" }, "the shown motion"),
      ...(chosen ? [make("option", { value: chosen }, "the selected motion")] : []));
    const row = (label, control) => make("p", { class: "field" }, make("label", { for: control.id }, label), control);
    const answer = await choose("Export", [row("Format", format), row("File", path), row("Frames a second", fps),
      row("Motion", which)], [["export", "Export"]]);
    if (answer !== "export") return;
    store.drop();
    const { sentence, path: written } = await store.ask({ kind: "export", path: path.value.trim(),
      fps: Number(fps.value) || 0, node: which.value });
    store.notify(sentence || `Exported ${written}.`);
  } catch (error) {
    store.notify(error.message, "error");
  }
}
