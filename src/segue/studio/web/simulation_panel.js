// Simulation: a dance by physics that is watched while it runs, pushed, taken back, and kept.

/** @import { ParameterShape } from "./messages.js" */
/** @import { Store } from "./store.js" */

import { quoted } from "./arguments.js";
import { joined } from "./clips.js";
import { ask } from "./dialogs.js";
import { button, make } from "./elements.js";
import { literal } from "./form.js";
import { DIRECTIONS, PushTool } from "./push_tool.js";
import { Simulation } from "./simulation.js";
import { Plots } from "./simulation_plots.js";

const STATES = { none: "No simulation", preparing: "Planning the course…", running: "Simulating", paused: "Paused",
  done: "Finished", failed: "Ended" };
const FIRST = "foxtrot/forward basic";

/**
 * Return the control of a setting, with its label.
 *
 * @param {ParameterShape} shape
 */
function setting({ name, takes, unit, choices, default: otherwise, accepts, usual }) {
  const id = `simulate-${name}`, plain = otherwise === null ? "" : literal(otherwise).value;
  const label = make("label", { for: id, title: takes }, name, unit ? make("small", {}, ` ${unit}`) : "");
  const number = accepts.includes("number") && !accepts.includes("text");
  let control;
  if (choices.length > 8) {
    control = make("input", { id, type: "text", list: `${id}-list`, value: FIRST, spellcheck: "false" });
    label.append(make("datalist", { id: `${id}-list` }, ...choices.map((value) => make("option", { value }))));
  } else if (choices.length) {
    control = make("select", { id }, ...choices.map((value) => make("option", { value }, value)));
  } else if (number) {
    control = make("input", { id, type: "number", step: "any", value: plain, min: Math.min(usual?.[0] ?? 0, Number(plain)) });
  } else control = make("input", { id, type: "text", value: plain === "none" ? "" : plain, placeholder: takes });
  const value = () => (number ? Number(control.value || plain) : control.value);
  return { name, value, element: make("div", { class: "option" }, label, make("div", { class: "cell" }, control)) };
}

/**
 * Make the panel.
 *
 * @param {HTMLElement} element
 * @param {Store} store
 */
export function mount(element, store) {
  element.classList.add("simulation");
  const simulation = new Simulation(store), tool = new PushTool(store, simulation), plots = new Plots(store, simulation);
  const settings = store.welcome.simulation.map(setting);
  /** @returns {any} */
  const chosen = () => Object.fromEntries(settings.map(({ name, value }) => [name, value()]));
  const failed = (error) => store.notify(error.message, "error");

  const start = () => {
    const given = chosen();
    asked = given;
    store.send({ kind: "simulate", ...given, repeat: Math.round(given.repeat) });
  };
  /** @type {any} */
  let asked = chosen();
  const pause = () => simulation.guide(simulation.state?.state === "paused" ? "resume" : "pause");
  const branch = () => { if (simulation.shown) simulation.guide("branch"); };
  const stop = () => { simulation.guide("stop"); simulation.leave(); };
  const keep = async () => {
    const path = await ask("Save the simulated motion as", `${asked.pattern.split("/").at(-1).replaceAll(" ", "_")}.bvh`, "Save");
    if (!path) return;
    try {
      const { path: written, sentence } = await store.ask({ kind: "keep_simulation", path });
      store.notify(sentence);
      const { doc, values } = store;
      await store.edit(joined(doc.text, doc.tree, values?.shown ?? "", written));
    } catch (error) {
      failed(error);
    }
  };
  const insert = () => {
    const { doc } = store, options = [asked.tempo && `tempo=${quoted(asked.tempo)}`, asked.repeat !== 1 && `repeat=${asked.repeat}`,
      asked.part === "follower" && 'part="follower"', asked.stature !== 1.75 && `stature=${asked.stature}`];
    const call = `dance(${[quoted(asked.pattern), ...options].filter(Boolean).join(", ")})`;
    const newline = doc.text && !doc.text.endsWith("\n") ? "\n" : "";
    store.edit([{ start: doc.text.length, stop: doc.text.length, text: `${newline}${call}\n` }]).catch(failed);
  };

  const begin = button("Simulate", "Simulate", start, { id: "simulate" });
  begin.classList.add("proposed");
  const pauser = button("Pause", "Pause", pause, { id: "simulation-pause" });
  const brancher = button("Branch here: go on from the shown time", "Branch here", branch, { id: "simulation-branch" });
  const ender = button("Back to script", "Back to script", stop, { id: "simulation-stop" });
  const keeper = button("Save the simulated motion and load it in the script", "Save…", keep, { id: "simulation-keep" });
  const inserter = button("Insert dance(…) into the script", "Insert dance(…)", insert, { id: "simulation-insert" });
  const bar = make("progress", { max: 1, value: 0, "aria-label": "Simulated part" });
  const said = make("output", { class: "simulation-said" });

  const segments = store.welcome.scene.tree.segments;
  const limb = make("select", { id: "push-limb" }, ...segments.map((value) =>
    make("option", { value, selected: value === "torso" }, value.replaceAll("_", " "))));
  const way = make("select", { id: "push-way" }, ...DIRECTIONS.map((value) => make("option", { value }, value)));
  const force = make("input", { id: "push-force", type: "number", min: 5, max: 400, value: 80 });
  const lasting = make("input", { id: "push-lasting", type: "number", min: 0.02, max: 2, step: 0.01, value: 0.1 });
  const who = make("select", { id: "push-who" }, make("option", { value: 0 }, "leader"), make("option", { value: 1 }, "follower"));
  const shove = () => {
    tool.lasting = Number(lasting.value);
    tool.pushTowards(Number(who.hidden ? 0 : who.value), limb.value, way.value, Number(force.value));
  };
  lasting.addEventListener("change", () => { tool.lasting = Number(lasting.value); });
  const pusher = button("Push at the shown time", "Push", shove, { id: "push-now", key: "P" });
  const labelled = (name, control) => make("label", { class: "push-option" }, name, control);
  const pushes = make("ol", { class: "pushes" });

  element.append(
    make("div", { class: "simulation-side" },
      make("div", { class: "tools" }, begin, pauser, brancher, ender, keeper, inserter),
      bar, said,
      make("div", { class: "simulation-settings" }, ...settings.map((each) => each.element)),
      make("fieldset", { class: "push-form" }, make("legend", {}, "Push: drag from a limb on the stage, or"),
        labelled("limb ", limb), labelled("towards ", way), labelled("N ", force), labelled("s ", lasting), who, pusher),
      pushes),
    plots.element);

  const show = () => {
    const { state } = simulation, name = state?.state ?? "none", on = simulation.shown;
    const running = name === "running" || name === "paused";
    pauser.disabled = !running;
    pauser.textContent = name === "paused" ? "Resume" : "Pause";
    pauser.setAttribute("aria-label", `${pauser.textContent} the simulation`);
    for (const each of [brancher, ender, keeper, pusher]) each.disabled = !on || name === "failed";
    ender.disabled = !on && name !== "preparing";
    who.hidden = !state?.parts.length;
    const time = simulation.frames / 100, { pace } = simulation;
    bar.value = state?.stop ? Math.min(time / state.stop, 1) : 0;
    const speed = name === "running" && pace > 0 ? `, ${pace.toFixed(1)} × real time` : "";
    said.textContent = `${STATES[name]}${on ? `: ${time.toFixed(1)} of ${(state.stop || time).toFixed(1)} s${speed}` : ""}`
      + `${state?.sentence ? `. ${state.sentence}` : ""}`;
    const list = state?.pushes ?? [];
    if (pushes.children.length !== list.length || pushes.dataset.branch !== String(state?.branch)) {
      pushes.dataset.branch = String(state?.branch);
      pushes.replaceChildren(...list.map(({ time: at, phrase, part }) => make("li", {},
        make("button", { type: "button", class: "link", onclick: () => store.seek(at) }, `${at.toFixed(2)} s`),
        ` ${state.parts.length ? `${part}: ` : ""}${phrase.split(", ").slice(1).join(", ")}`)));
    }
    plots.later();
  };
  const settle = () => {
    const { stage } = store;
    if (!stage) return;
    if (!tool.svg.parentElement) stage.element.append(tool.svg);
    stage.overlay.svg.style.display = store.simulating ? "none" : "";
    stage.grab = store.simulating ? (event) => tool.grab(event) : null;
    stage.follow = () => tool.update();
    tool.update();
  };
  store.on("simulated", show);
  store.on("stage", settle);
  store.on("time", () => { if (!element.hidden) plots.later(); });
  for (const [id, title, keys, run] of /** @type {any[]} */ ([
    ["simulation.start", "Simulate the chosen dance", [], start],
    ["simulation.pause", "Pause or resume the simulation", ["Shift+P"], pause],
    ["simulation.branch", "Branch the simulation at the shown time", ["B"], branch],
    ["simulation.push", "Push the simulated dancer", ["P"], shove],
    ["simulation.stop", "End the simulation and show the script", [], stop],
  ])) store.commands.add({ id, title, group: "Simulation", keys, run });
  settle();
  show();
  if (store.simulation) simulation.follow(store.simulation);
  Object.assign(window, { segueSimulation: { simulation, tool, plots } });
  return { shown: () => plots.draw() };
}
