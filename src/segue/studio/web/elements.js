// Elements of the page in few words. Text is always set as text, never as HTML.

/**
 * Return a new element. attributes: as in HTML; a value of false or null leaves one out; `on...` adds a listener.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  dress(element, attributes);
  element.append(...children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return a new element of a drawing.
 *
 * @returns {any}
 */
export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  dress(element, attributes);
  element.append(...children);
  return element;
}

function dress(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
}

/** Return a time in ms in words: "0.4 ms", "25 ms", "1.2 s". */
export function inWords(ms) {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** Return an icon: a path in a square of 24. */
export function icon(path, solid = false) {
  return draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" },
    draw("path", { d: path, class: solid ? "solid" : null }));
}

/** Return a button with an icon or a word. label: its name, also shown as a tip with the key. */
export function button(label, content, act, { key = "", id = null, pressed = null } = {}) {
  return make("button", {
    type: "button", id, "aria-label": label, title: key ? `${label} (${key})` : label,
    "aria-pressed": pressed === null ? null : String(pressed), onclick: act,
  }, content);
}
