// Commands by name, for keys, buttons and the palette.

const TYPING = "input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [contenteditable=true]";
const MODIFIERS = ["Ctrl", "Alt", "Shift"];
const NAMES = { " ": "Space" };

/**
 * title: in words, for the palette. keys: as "Ctrl+Shift+Z", "Space", "ArrowLeft", "I"; a letter needs no Shift.
 * group: the heading under which it is listed. typing: whether its keys also act while text is typed.
 *
 * @typedef {object} Command
 * @property {string} id
 * @property {string} title
 * @property {string} group
 * @property {string[]} [keys]
 * @property {boolean} [typing]
 * @property {() => void} run
 */

/**
 * Return a pressed key as commands name it.
 *
 * @param {KeyboardEvent} event
 */
export function keyOf(event) {
  const key = NAMES[event.key] ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key);
  const sign = event.key.length === 1 && event.key.toLowerCase() === event.key.toUpperCase() && event.key !== " ";
  const held = [event.ctrlKey || event.metaKey, event.altKey, event.shiftKey && !sign];
  return [...MODIFIERS.filter((_, k) => held[k]), key].join("+");
}

export class Commands {
  constructor() {
    /** @type {Map<string, Command>} */
    this.all = new Map();
    /** @type {Map<string, Command>} */
    this.byKey = new Map();
  }

  /**
   * Add a command, or replace the one of the same id.
   *
   * @param {Command} command
   */
  add(command) {
    this.all.set(command.id, command);
    for (const key of command.keys ?? []) this.byKey.set(key, command);
  }

  /** Run a command by its id. */
  run(id) {
    this.all.get(id)?.run();
  }

  /** Let the keys of an element act. */
  listen(element) {
    element.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.isComposing) return;
      const key = keyOf(event), command = this.byKey.get(key), { target } = event;
      if (!command) return;
      const typing = target.closest?.(TYPING), pressing = target.closest?.("button, summary, a, [role=tab]");
      if (typing && !command.typing) return;
      // a focused slider is moved by these keys, as everywhere
      if (target.closest?.("input[type=range]") && /^(Arrow|Home|End|Page)/.test(event.key)) return;
      // a focused button is pressed by these keys, as everywhere
      if (pressing && (key === "Space" || key === "Enter")) return;
      event.preventDefault();
      command.run();
    });
  }
}
