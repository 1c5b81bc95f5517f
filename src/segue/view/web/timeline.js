// The time line: the slider, what was filled above it, and the time in words.

/** Return a colour (red, green and blue from 0 to 1) as CSS writes it. */
export const css = (tint) => `rgb(${tint.map((part) => Math.round(255 * part)).join(" ")})`;

export class Timeline {
  /** seeks: called with a time that the user chose. */
  constructor(root, clock, motions, colours, seeks) {
    const find = (name) => root.querySelector(`#${name}`);
    this.clock = clock;
    this.motions = motions;
    this.seconds = find("seconds");
    this.frame = find("frame");
    this.note = find("note");
    const slider = this.slider = find("time");
    slider.max = String(clock.rate * (clock.stop - clock.start));
    slider.disabled = clock.stop <= clock.start;
    slider.addEventListener("input", () => seeks(clock.start + Number(slider.value) / clock.rate));
    const rows = motions.filter((motion) => motion.fills.length > 0);
    find("fills").replaceChildren(...rows.map((motion) => this.row(motion, colours)));
  }

  /** Return a row that shows what was filled in a motion, and when. */
  row(motion, colours) {
    const row = document.createElement("div"), length = Math.max(this.clock.stop - this.clock.start, 1e-9);
    row.className = "fills-row";
    for (const fill of motion.fills) {
      const piece = document.createElement("span");
      piece.className = "fill";
      piece.style.left = `${100 * (fill.start - this.clock.start) / length}%`;
      piece.style.width = `${100 * (fill.stop - fill.start) / length}%`;
      const stops = (fill.whole ? colours.whole.filter((_, k) => k % 4 === 0) : colours.limbs).map(css);
      piece.style.background = fill.whole ? `linear-gradient(to right, ${stops.join(", ")})` : stops[0];
      piece.title = this.sentence(motion, fill);
      row.append(piece);
    }
    return row;
  }

  sentence(motion, fill) {
    const whose = this.motions.length > 1 ? `${motion.label}: ` : "";
    return `${whose}${fill.what} filled, ${fill.start.toFixed(2)} to ${fill.stop.toFixed(2)} s`;
  }

  /** Show the clock's time. */
  update() {
    const { clock, slider } = this;
    slider.value = String((clock.time - clock.start) * clock.rate);
    slider.setAttribute("aria-valuetext", `${clock.time.toFixed(2)} seconds of ${clock.stop.toFixed(2)}`);
    this.seconds.textContent = `${clock.time.toFixed(2)} / ${clock.stop.toFixed(2)} s`;
    this.frame.textContent = ` · frame ${clock.frame}`;
    const sentences = this.motions.flatMap((motion) =>
      motion.fillsAt(clock.time).map((fill) => this.sentence(motion, fill)));
    this.note.textContent = sentences.join(" · ");
    this.note.hidden = sentences.length === 0;
  }
}
