// How finely pictures are drawn: as finely as can be while nothing moves, and less so where a machine cannot keep up.

// pixels to a CSS pixel, at most as many as the screen has; samples to a pixel; whether limbs are outlined
export const LEVELS = [
  { sharp: 2, samples: 4, outlines: true },
  { sharp: 1, samples: 4, outlines: true },
  { sharp: 1, samples: 0, outlines: true },
  { sharp: 0.7, samples: 0, outlines: false },
  { sharp: 0.5, samples: 0, outlines: false },
];
const SLOW = 26, QUICK = 17.6; // milliseconds from one picture to the next
const FEW = 8, ENOUGH = 150; // pictures, and milliseconds that tell enough about the first of them

export class Quality {
  constructor() {
    this.level = 0;
    this.patience = 150; // quick pictures before a finer level is tried
    this.warming = 2; // first pictures, for which much is made that is then kept
    this.forget();
  }

  forget() {
    this.count = 0;
    this.spent = 0;
  }

  /** Return one of LEVELS; still: when nothing moves, so that there is time. */
  chosen(still) {
    const level = LEVELS[still ? 0 : this.level];
    return { ...level, sharp: Math.min(level.sharp, devicePixelRatio) };
  }

  /** Take how long the last picture took, in milliseconds. */
  note(spent) {
    if (this.warming > 0) {
      this.warming -= 1;
      return;
    }
    this.count += 1;
    this.spent += spent;
    const mean = this.spent / this.count;
    if (mean > SLOW && (this.count >= FEW || this.spent > ENOUGH + SLOW * FEW)) this.lower(mean > 3 * SLOW ? 2 : 1);
    else if (this.count >= this.patience) {
      if (mean < QUICK) this.level = Math.max(this.level - 1, 0);
      this.forget();
    } else if (this.count >= FEW && mean > QUICK) this.forget();
  }

  lower(steps) {
    // what was just found too slow is not tried again soon
    if (this.level < LEVELS.length - 1) this.patience *= 2;
    this.level = Math.min(this.level + steps, LEVELS.length - 1);
    this.forget();
  }
}
