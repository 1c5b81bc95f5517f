// The library: files below the folder, search, files dropped in, clips dragged into the motion.

/** @import { FileEntry, Files } from "./messages.js" */
/** @import { Store } from "./store.js" */

import { DRAGGED, joined } from "./clips.js";
import { make } from "./elements.js";
import { openMapping } from "./mapping_dialog.js";

const PART = 384 * 1024; // bytes of a file sent at once, below the engine's limit
const SIGNS = { folder: "▸", script: "¶", clip: "●", library: "≡", other: "·" };

/** Return a number of bytes in words. */
export function sized(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(bytes < 1e4 ? 1 : 0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/**
 * Make the library.
 *
 * @param {HTMLElement} element
 * @param {Store} store
 */
export function mount(element, store) {
  element.classList.add("library");
  let folder = "", waiting = 0;
  const search = make("input", { type: "search", placeholder: "Search files", "aria-label": "Search files",
    spellcheck: "false" });
  const picker = make("input", { type: "file", multiple: true, hidden: true, "aria-label": "Files to add" });
  const add = make("button", { type: "button", onclick: () => picker.click() }, "Add files");
  const way = make("nav", { class: "way", "aria-label": "Folder" });
  const list = make("ul", { class: "files" });
  const drop = make("p", { class: "drop" }, "Drop clips here");
  element.append(make("div", { class: "tools" }, search, add, picker), way, list, drop);

  const refresh = async () => {
    if (!store.online) return;
    try {
      show(await store.ask({ kind: "list", folder, search: search.value.trim() }));
    } catch (error) {
      list.replaceChildren(make("li", { class: "faint" }, error.message));
    }
  };
  /** @param {Files} answer */
  const show = ({ entries, readable }) => {
    picker.accept = readable.join(",");
    const parts = folder ? folder.split("/") : [];
    way.replaceChildren(...["", ...parts].map((part, k) => make("button", {
      type: "button", class: "link", onclick: () => go(parts.slice(0, k).join("/")),
    }, part || "Folder")));
    list.replaceChildren(...entries.map(entry));
    const none = search.value ? "No file has this name." : "No files here.";
    if (!entries.length) list.append(make("li", { class: "faint" }, none));
  };
  const go = (to) => {
    folder = to;
    refresh();
  };

  /** @param {FileEntry} each */
  const entry = ({ path, type, size }) => {
    const name = search.value ? path : path.split("/").at(-1),
      act = { folder: () => go(path), script: () => open(path), clip: () => join(path) }[type];
    const main = make("button", {
      type: "button", class: "file", draggable: type === "clip" ? "true" : null, disabled: !act, "data-path": path,
      title: { clip: "Add behind the motion with a transition", script: "Open",
        folder: "Open the folder" }[type] ?? null,
      onclick: act, ondragstart: (event) => {
        event.dataTransfer.setData(DRAGGED, path);
        event.dataTransfer.effectAllowed = "copy";
      },
    }, make("i", { class: type, "aria-hidden": "true" }, SIGNS[type]), make("span", {}, name),
      make("small", {}, type === "folder" ? "" : sized(size)));
    const roles = type === "clip" ? [make("button", {
      type: "button", class: "joints", "aria-label": `Joints of ${name}`, title: "Joints and their roles",
      onclick: () => openMapping(store, path),
    }, "⋔")] : [];
    return make("li", {}, main, ...roles);
  };

  const open = (path) => store.ask({ kind: "open", path }).catch((error) => store.notify(error.message, "error"));
  const join = async (path) => {
    try {
      await addClip(store, path);
    } catch (error) {
      store.notify(error.message, "error");
    }
  };
  /** @param {Iterable<File>} files */
  const send = async (files) => {
    for (const file of files) {
      try {
        const name = await upload(store, file, folder,
          (share) => { drop.textContent = `${file.name}: ${Math.round(100 * share)} %`; });
        store.notify(`${name} is in the folder.`);
      } catch (error) {
        store.notify(error.message, "error");
      }
    }
    drop.textContent = "Drop clips here";
    refresh();
  };

  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(refresh, 150);
  });
  picker.addEventListener("change", () => { send([...picker.files]); picker.value = ""; });
  element.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    element.classList.add("over");
  });
  element.addEventListener("dragleave", () => element.classList.remove("over"));
  element.addEventListener("drop", (event) => {
    element.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    send([...event.dataTransfer.files]);
  });
  takeClips(store, document.getElementById("stage"), join);
  takeClips(store, document.getElementById("bottom"), join);
  store.on("online saved", refresh);
  refresh();
  return { shown: refresh };
}

/** Let a region take clips that are dropped on it. */
function takeClips(store, region, join) {
  region?.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes(DRAGGED)) return;
    event.preventDefault();
    region.classList.add("takes");
  });
  region?.addEventListener("dragleave", () => region.classList.remove("takes"));
  region?.addEventListener("drop", (event) => {
    region.classList.remove("takes");
    const path = event.dataTransfer.getData(DRAGGED);
    if (!path || event.defaultPrevented) return;
    event.preventDefault();
    join(path);
  });
}

/**
 * Add a clip behind the shown motion, with its map file if it has one and its names alone are unsure.
 *
 * @param {Store} store
 * @param {string} path
 */
async function addClip(store, path) {
  const skeleton = await store.ask({ kind: "mapping", path });
  if (skeleton.problem) {
    await openMapping(store, path);
    const again = await store.ask({ kind: "mapping", path });
    if (again.problem) throw new Error(again.problem);
    skeleton.map = again.map;
  }
  const { text, tree } = store.doc, taken = [...store.welcome.functions.map(({ name }) => name),
    ...Object.keys(store.welcome.aliases), ...store.welcome.keywords, "clips"];
  await store.edit(joined(text, tree, store.values?.shown ?? "", path, skeleton.map, taken));
}

/** Return bytes in base64, in pieces that `fromCharCode` takes. */
function base64(bytes) {
  let text = "";
  for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return btoa(text);
}

/**
 * Send a file to a folder of the workspace; return the name that it got.
 *
 * @param {Store} store
 * @param {File} file
 * @param {string} folder
 * @param {(share: number) => void} [progress]
 */
async function upload(store, file, folder = "", progress = () => {}) {
  const path = folder ? `${folder}/${file.name}` : file.name;
  let name = path;
  for (let offset = 0; offset < Math.max(file.size, 1); offset += PART) {
    const bytes = new Uint8Array(await file.slice(offset, offset + PART).arrayBuffer());
    const answer = await store.ask({ kind: "upload", path, size: file.size, offset, data: base64(bytes) });
    name = answer.path;
    progress(answer.received / answer.size);
  }
  return name;
}
