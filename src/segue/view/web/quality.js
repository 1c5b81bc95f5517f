// How finely pictures are drawn: as finely as can be while nothing moves, and less so where a machine cannot keep up.

// pixels to a CSS pixel, at most as many as the screen has, and samples to a pixel
const LEVELS = [
  { sharp: 2, samples: 4 },
  { sharp: 1, samples: 4 },
  { sharp: 1, samples: 0 },
  { sharp: 0.7, samples: 0 },
  { sharp: 0.5, samples: 0 },
];
const SLOW = 26, QUICK = 17.6; // milliseconds from one picture to the next
const FEW = 8;

class Quality {
  constructor() {
    this.level = 0;
    this.patience = 150; // quick pictures before a finer level is tried
    this.forget();
  }

  forget() {
    this.count = 0;
    this.spent = 0;
  }

  /** Return pixels to a CSS pixel and samples to a pixel; still: when nothing moves, so that there is time. */
  chosen(still) {
    const { sharp, samples } = LEVELS[still ? 0 : this.level];
    return { sharp: Math.min(sharp, devicePixelRatio), samples };
  }

  /** Take how long the last picture took, in milliseconds. */
  note(spent) {
    this.count += 1;
    this.spent += spent;
    const mean = this.spent / this.count;
    if (this.count >= FEW && mean > SLOW) {
      // what was just found too slow is not tried again soon
      if (this.level < LEVELS.length - 1) this.patience *= 2;
      this.level = Math.min(this.level + 1, LEVELS.length - 1);
      this.forget();
    } else if (this.count >= this.patience) {
      if (mean < QUICK) this.level = Math.max(this.level - 1, 0);
      this.forget();
    } else if (this.count >= FEW && mean > QUICK) this.forget();
  }
}
