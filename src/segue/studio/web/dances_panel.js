// The dance library: patterns by dance, Segue's own and those of the folder; opened, begun, put into the script.

/** @import { TextEntry } from "./messages.js" */
/** @import { Store } from "./store.js" */

import { DRAGGED_DANCE, danceCall, joinedCall } from "./clips.js";
import { ask } from "./dialogs.js";
import { make } from "./elements.js";
import { patternEditor } from "./pattern_editor.js";

/** Return how a script names a pattern: Segue's own by its name, others by their file. */
export function nameIn(entry) {
  return entry.original ? `${entry.group}/${entry.title}` : entry.path;
}

/**
 * Make the panel.
 *
 * @param {HTMLElement} element
 * @param {Store} store
 */
export function mount(element, store) {
  element.classList.add("dances");
  const editor = patternEditor(store);
  /** @type {TextEntry[]} */
  let entries = [];
  const search = make("input", { type: "search", placeholder: "Search patterns", "aria-label": "Search patterns",
    spellcheck: "false", oninput: () => show() });
  const list = make("div", { class: "dance-list" });
  element.append(make("div", { class: "tools" }, search,
    make("button", { type: "button", onclick: () => begin() }, "New pattern…")), list);

  const refresh = async () => {
    if (!store.online) return;
    try {
      ({ entries } = await store.ask({ kind: "list_texts", what: "pattern" }));
    } catch (error) {
      store.notify(error.message, "error");
    }
    show();
  };
  const show = () => {
    const part = search.value.trim().toLowerCase(), open = editor.file?.file;
    const found = entries.filter(({ title, group }) => `${group}/${title}`.toLowerCase().includes(part));
    list.replaceChildren(...[...new Set(found.map(({ group }) => group))].map((dance) => make("section", {},
      make("h2", {}, dance || "no dance"), make("ul", { class: "files", "aria-label": dance || "no dance" },
        ...found.filter(({ group }) => group === dance).map((each) => entry(each, each.path === open))))));
    if (!found.length) list.replaceChildren(make("p", { class: "empty" }, "No pattern has this name."));
  };
  /** @param {TextEntry} each */
  const entry = (each, open) => {
    const { path, title, group, about, original } = each, follows = about.startsWith("follow");
    return make("li", {}, make("button", {
      type: "button", class: "file", draggable: follows ? null : "true", "data-path": path,
      "aria-current": open ? "true" : null, title: original ? "Comes with Segue" : path,
      onclick: () => editor.open(path),
      ondragstart: (event) => {
        event.dataTransfer.setData(DRAGGED_DANCE, nameIn(each));
        event.dataTransfer.effectAllowed = "copy";
      },
    }, make("span", {}, title), make("small", {}, [follows ? "follower" : "", original ? "" : "yours"]
      .filter(Boolean).join(" · "))),
    make("button", { type: "button", class: "joints", "aria-label": `Put ${group} ${title} into the script`,
      title: "Into the script", disabled: follows, onclick: () => insert(nameIn(each)) }, "+"));
  };
  const begin = async () => {
    const name = await ask("New pattern: dance/name", `${entries[0]?.group ?? "foxtrot"}/my step`, "Create");
    if (!name) return;
    try {
      const said = await store.ask({ kind: "new_text", what: "pattern", name });
      await editor.take(store.textFile(said));
      store.emit("entered");
      refresh();
    } catch (error) {
      store.notify(error.message, "error");
    }
  };
  const insert = (name) => insertDance(store, name);
  for (const id of ["stage", "bottom"]) takeDances(document.getElementById(id), insert);
  store.on("online saved", refresh);
  store.on("pattern", show);
  store.commands.add({ id: "pattern.new", title: "New dance pattern…", group: "Dance", run: begin });
  refresh();
  return { shown: refresh };
}

/** Put a dance behind the shown motion, with a transition, or into an empty script. */
async function insertDance(store, name) {
  const { text, tree } = store.doc, taken = [...store.welcome.functions.map((each) => each.name),
    ...Object.keys(store.welcome.aliases), ...store.welcome.keywords, "clips"];
  try {
    await store.edit(joinedCall(text, tree, store.values?.shown ?? "", name.split("/").at(-1), danceCall(name), taken));
    store.notify(`${danceCall(name)} is in the script.`);
  } catch (error) {
    store.notify(error.message, "error");
  }
}

/** Let a region take patterns that are dropped on it. */
function takeDances(region, insert) {
  region?.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes(DRAGGED_DANCE)) return;
    event.preventDefault();
    region.classList.add("takes");
  });
  region?.addEventListener("dragleave", () => region.classList.remove("takes"));
  region?.addEventListener("drop", (event) => {
    region.classList.remove("takes");
    const name = event.dataTransfer.getData(DRAGGED_DANCE);
    if (!name) return;
    event.preventDefault();
    insert(name);
  });
}
