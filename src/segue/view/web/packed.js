// Numbers as the page is given them: base64, and rotations in three 16-bit numbers each; see packing.py.

const BALL_STEPS = 32767;
const GREATEST = Math.SQRT1_2;

/** Return the bytes that a text in base64 stands for. */
export function bytesOf(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** Rotations of several joints over frames, each in three 16-bit numbers: see packing.py. */
export class PackedTurns {
  /** moves: the moves of the first joint, or null. */
  constructor(packed, count, moves = null) {
    this.packed = packed;
    this.moves = moves;
    this.count = count;
    this.next = new Float64Array(4);
  }

  /** Write the unit quaternion of a joint in a frame: its largest component was left out. */
  decode(frame, joint, out, at) {
    const k = 3 * (frame * this.count + joint), packed = this.packed;
    const largest = (packed[k] >> 15) | ((packed[k + 1] >> 15) << 1);
    let rest = 1;
    for (let n = 0; n < 3; n++) {
      const value = ((packed[k + n] & BALL_STEPS) * 2 / BALL_STEPS - 1) * GREATEST;
      out[at + n + (n >= largest ? 1 : 0)] = value;
      rest -= value * value;
    }
    out[at + largest] = Math.sqrt(Math.max(rest, 0));
    if (joint === 0) this.moves?.turn(frame, out, at);
  }

  /** Write the quaternion between two frames: the nearest mean of both. */
  between(first, last, share, joint, out, at) {
    const next = this.next;
    this.decode(first, joint, out, at);
    if (share === 0) return;
    this.decode(last, joint, next, 0);
    let likeness = 0;
    for (let k = 0; k < 4; k++) likeness += out[at + k] * next[k];
    const weight = likeness < 0 ? -share : share;
    let length = 0;
    for (let k = 0; k < 4; k++) {
      out[at + k] = (1 - share) * out[at + k] + weight * next[k];
      length += out[at + k] ** 2;
    }
    length = Math.sqrt(length);
    for (let k = 0; k < 4; k++) out[at + k] /= length;
  }
}
