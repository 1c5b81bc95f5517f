// The pattern analyser: the preview of a pattern on the stage, step by step, from six sides or any other, with its
// footprints, its step sheet, and a simulation beside it.

/** @import { FloorPlan } from "./messages.js" */
/** @import { PatternEditor } from "./pattern_editor.js" */

import { Clock } from "/view/clock.js";
import { button, draw, icon, make } from "./elements.js";
import { corners } from "./soles.js";
import { StudioView } from "./stage_panel.js";

// azimuth from the first heading, and elevation, in degrees: those of the thesis; they do not turn with the dancer
const VIEWS = { Front: [0, 4], Rear: [180, 4], Left: [90, 4], Right: [-90, 4], Top: [180, 89], Bottom: [0, -89] };
const ICONS = { back: "M15 6 9 12l6 6", on: "m9 6 6 6-6 6", play: "M8 5v14l11-7z", pause: "M7 5h4v14H7zm6 0h4v14h-4z" };

export class PatternStage {
  /**
   * @param {HTMLElement} stage
   * @param {PatternEditor} editor
   */
  constructor(stage, editor) {
    this.editor = editor;
    this.store = editor.store;
    this.clock = new Clock(0, 0, 1);
    this.view = null;
    this.canvas = make("canvas", { tabindex: 0, role: "img", "aria-label": "The pattern in three dimensions" });
    this.svg = draw("svg", { class: "overlay", "aria-hidden": "true" });
    this.sheet = make("section", { class: "step-sheet", "aria-label": "Step sheet", tabindex: 0 });
    this.play = button("Play the pattern", icon(ICONS.play, true), () => this.toggle(), { key: "Space" });
    this.views = make("div", { class: "chips", role: "group", "aria-label": "View point" },
      ...Object.keys(VIEWS).map((name) => button(`View from the ${name.toLowerCase()}`, name, () => this.look(name),
        { pressed: false })));
    this.couple = button("Couple", "Couple", () => this.pair(), { pressed: false });
    this.simulate = button("Simulate", "Simulate", () => this.run());
    this.lay = button("Side by side", "Side by side", () => this.arrange(), { pressed: false });
    this.element = make("div", { class: "pattern-stage", hidden: true }, this.canvas, this.svg, this.sheet,
      make("div", { class: "stage-tools" }, make("div", { class: "chips", role: "group", "aria-label": "Steps" },
        button("Previous step", icon(ICONS.back), () => this.turn(-1), { key: "←" }), this.play,
        button("Next step", icon(ICONS.on), () => this.turn(1), { key: "→" })), this.views,
      make("div", { class: "chips", role: "group", "aria-label": "Dancers" }, this.couple, this.simulate, this.lay)));
    stage.append(this.element);
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.store.on("motion", (message) => { if (message.role === "rehearsed") this.take(message); });
    this.store.on("pattern", () => this.update());
    this.store.on("step", (step) => this.goTo(step));
    this.store.on("theme", () => this.view?.colour());
    this.store.on("job", (job) => this.follow(job));
    for (const [id, title, key, by] of /** @type {[string, string, string, number][]} */ ([
      ["pattern.back", "Previous step of the pattern", "[", -1], ["pattern.on", "Next step of the pattern", "]", 1]])) {
      this.store.commands.add({ id, title, group: "Dance", keys: [key], run: () => this.turn(by) });
    }
  }

  /** Show or hide the analyser. */
  show(on) {
    const seen = on && this.editor.file !== null;
    this.element.hidden = !seen;
    this.element.parentElement.classList.toggle("analysing", seen);
    if (seen) this.view?.resize();
    if (!seen) this.clock.pause();
  }

  /** Take the motion of a dancer, or what is played beside it. */
  take(message) {
    if (message.node !== this.editor.file?.file) return;
    if (!this.view) this.make();
    const first = message.index === 0, { time } = this.clock;
    this.view?.take(message);
    if (first && this.view) {
      this.clock.seek(time);
      this.goTo(this.editor.step);
    }
  }

  make() {
    // the studio's own, but for its clock and for who hears of this one's time
    const store = Object.assign(Object.create(this.store), { clock: this.clock, emit: () => this.ticked() });
    try {
      this.view = new StudioView(this.canvas, this.store.welcome.scene, store, () => false);
    } catch (error) {
      this.store.notify(`This browser cannot draw the pattern (${error.message}).`, "error");
      return;
    }
    this.view.onPicture = () => this.drawSoles();
    this.view.watch();
    Object.assign(window, { seguePattern: this.view });
  }

  /** The plans whose footprints are drawn: of both partners where they dance together. */
  get floors() {
    const { rehearsal, outline } = this.editor, now = rehearsal?.rev === this.editor.file?.said.rev;
    return now && rehearsal ? rehearsal.floors : outline?.floor ? [outline.floor] : [];
  }

  update() {
    const { editor, view } = this, { rehearsal } = editor;
    if (view && rehearsal) {
      const count = rehearsal.floors.length + (editor.beside ? 1 : 0);
      if (view.motions.length > count) {
        view.keepMotions(count);
        view.keys.length = count;
      }
    }
    this.couple.setAttribute("aria-pressed", String(editor.couple));
    this.lay.hidden = !editor.beside;
    if (!editor.beside && this.lay.getAttribute("aria-pressed") === "true") this.arrange();
    this.simulate.disabled = !editor.outline?.floor;
    this.element.classList.toggle("stale", editor.file !== null && !editor.outline?.floor);
    this.listStep();
    if (view && !this.element.hidden) this.drawSoles();
  }

  /** Write the symbols of the selected step on the step sheet, as the thesis's analyser does. */
  listStep() {
    const { editor } = this, { outline, step, count } = editor, [dance, name] = (outline?.title ?? "/").split("/");
    const said = (outline?.rows ?? []).filter((each) => each.name !== "Step Number").map(({ label, cells }) =>
      make("div", {}, make("dt", {}, label), make("dd", {}, cells[step]?.words.replace(/^-+$/, "–") ?? "–")));
    this.sheet.replaceChildren(make("h2", {}, name || "Pattern"), make("p", {}, `${dance}, ${outline?.part ?? ""}`),
      make("p", { class: "step-number", role: "status" }, `Step ${step + 1} of ${count}`), make("dl", {}, ...said));
  }

  /** Show the end of a step; step: from 0. */
  goTo(step) {
    const done = this.floors[0]?.steps[step]?.done;
    if (done === undefined || this.clock.playing) return;
    this.clock.seek(done);
    this.view?.moved();
  }

  turn(by) {
    const { editor } = this;
    this.clock.pause();
    editor.select(editor.row, editor.step + by);
    this.goTo(editor.step);
    this.ticked();
  }

  toggle() {
    if (this.clock.playing) this.clock.pause();
    else this.clock.play();
    this.view?.moved();
    this.ticked();
  }

  ticked() {
    const { playing, time } = this.clock;
    if (this.playing !== playing) {
      this.playing = playing;
      this.play.replaceChildren(icon(playing ? ICONS.pause : ICONS.play, true));
      this.play.setAttribute("aria-label", playing ? "Pause the pattern" : "Play the pattern");
    }
    if (!playing) return;
    const steps = this.floors[0]?.steps ?? [], at = steps.findIndex(({ stop }) => time < stop);
    if (at >= 0 && at !== this.editor.step) this.editor.select(this.editor.row, at);
  }

  look(name) {
    const [around, elevation] = VIEWS[name], heading = (this.floors[0]?.heading ?? 0) * 180 / Math.PI;
    this.view?.lookAlong({ azimuth: around + heading, elevation });
    for (const each of this.views.children) each.setAttribute("aria-pressed", String(each.textContent === name));
  }

  pair() {
    this.editor.couple = !this.editor.couple;
    this.editor.rehearse();
    this.update();
  }

  arrange() {
    const beside = this.lay.getAttribute("aria-pressed") !== "true";
    this.lay.setAttribute("aria-pressed", String(beside));
    this.view?.set("overlay", !beside);
  }

  /** Simulate the pattern in a process of its own; what comes out is played beside the preview. */
  async run() {
    const { editor, store } = this, { file } = editor;
    if (this.job) {
      store.send({ kind: "cancel_job", job: this.job });
      return;
    }
    if (!file || (file.said.changed && !await file.save())) return;
    const out = `${file.file.replace(/^segue:/, "").split("/").at(-1).replace(/\.dance$/, "")}_simulated.bvh`;
    this.asked = store.send({ kind: "start_job", job: "simulate", arguments: [file.file, out] });
    this.out = out;
  }

  /** @param {import("./messages.js").JobState} job */
  follow({ job, request, state, done, of, sentence }) {
    if (!this.asked || request !== this.asked) return;
    const runs = state === "running", { editor, store } = this;
    this.job = runs ? job : null;
    this.simulate.textContent = runs ? `Stop (${of ? Math.round(100 * done / of) : 0} %)` : "Simulate";
    if (runs) return;
    store.notify(sentence, state === "failed" ? "error" : "info");
    if (state !== "finished") return;
    editor.beside = this.out;
    editor.told = "";
    editor.rehearse();
    if (this.lay.getAttribute("aria-pressed") !== "true") this.arrange();
    this.update();
  }

  key(event) {
    const act = { ArrowLeft: () => this.turn(-1), ArrowRight: () => this.turn(1), " ": () => this.toggle() }[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** Draw the footprints of all steps where the picture shows them on the floor; the selected step's stand out. */
  drawSoles() {
    const { camera } = this.view, matrix = camera.matrix(), now = this.editor.step;
    this.svg.replaceChildren(...this.floors.flatMap((plan) =>
      plan.steps.flatMap((_, step) => this.soleOf(plan, step, camera, matrix, now))));
  }

  /** @param {FloorPlan} plan */
  soleOf(plan, step, camera, matrix, now) {
    const { moves, ...feet } = plan.steps[step];
    if (!moves) return [];
    const sole = feet[moves], at = corners(sole, moves, plan).map(([x, z]) => camera.project(matrix, [x, 0, z]));
    const middle = camera.project(matrix, [sole.x, 0, sole.z]);
    if (!at.every(Boolean) || !middle) return [];
    return [draw("g", { class: `plan-sole ${moves}${step === now ? " now" : ""}` },
      draw("polygon", { points: at.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ") }),
      draw("text", { x: middle[0].toFixed(1), y: middle[1].toFixed(1) }, String(step + 1)))];
  }
}
