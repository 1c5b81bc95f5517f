// The start of the studio: the connection, the store, the bar, the regions and their panels.

import { mountBar } from "./bar.js";
import { Connection, enter } from "./connection.js";
import { showNotices, watchConflicts } from "./dialogs.js";
import { addExport } from "./export_dialog.js";
import { addCommands } from "./keys.js";
import { Layout } from "./layout.js";
import { addPalette } from "./palette.js";
import { patternEditor } from "./pattern_editor.js";
import { mount as mountPrompt } from "./prompt.js";
import { mount as mountStage } from "./stage_panel.js";
import { Store } from "./store.js";

const root = document.getElementById("studio");
/** @type {Connection | null} */
let connection = null;
const store = new Store((message) => connection?.send(message) ?? false);
addCommands(store);
showNotices(store);
watchConflicts(store);
const layout = new Layout(root, store);
mountBar(root.querySelector("#bar"), store, layout);
addExport(store);
addPalette(store);
mountStage(root.querySelector("#stage"), store);
mountPrompt(root.querySelector("#prompt"), store);
store.on("welcome", () => store.wantAgain());

enter().finally(() => {
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`;
  connection = new Connection(address, (message, arrays) => store.receive(message, arrays),
    (on) => store.setOnline(on));
});

// for tests, and for scripts of whoever wants to look on
Object.assign(window, { segueStudio: { store, layout, patterns: patternEditor(store) } });
