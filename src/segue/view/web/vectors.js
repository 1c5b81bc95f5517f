// Vectors, quaternions and matrices in plain arrays. A quaternion is (w, x, y, z), as everywhere in Segue; a matrix has
// its columns one after another, as WebGL takes it.

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const unit = (a) => scaled(a, 1 / Math.hypot(...a));
export const mixed = (a, b, share) => a + (b - a) * share;
export const clamped = (value, low, high) => Math.min(Math.max(value, low), high);

/** Return the least and the greatest of numbers, however many. */
export function extent(numbers) {
  let low = Infinity, high = -Infinity;
  for (const number of numbers) {
    low = Math.min(low, number);
    high = Math.max(high, number);
  }
  return [low, high];
}

/** Write the quaternion at `from` turned after by the quaternion (w, x, y, z): first the second, then the first. */
export function turnAfter(out, at, from, start, w, x, y, z) {
  const a = from[start], b = from[start + 1], c = from[start + 2], d = from[start + 3];
  out[at] = a * w - b * x - c * y - d * z;
  out[at + 1] = a * x + b * w + c * z - d * y;
  out[at + 2] = a * y - b * z + c * w + d * x;
  out[at + 3] = a * z + b * y - c * x + d * w;
}

/** Write place + the vector (x, y, z) turned by the quaternion at `turnAt`. */
export function carried(out, at, places, placeAt, turns, turnAt, x, y, z) {
  const w = turns[turnAt], a = turns[turnAt + 1], b = turns[turnAt + 2], c = turns[turnAt + 3];
  const tx = 2 * (b * z - c * y), ty = 2 * (c * x - a * z), tz = 2 * (a * y - b * x);
  out[at] = places[placeAt] + x + w * tx + b * tz - c * ty;
  out[at + 1] = places[placeAt + 1] + y + w * ty + c * tx - a * tz;
  out[at + 2] = places[placeAt + 2] + z + w * tz + a * ty - b * tx;
}

/** Return the product of two 4 x 4 matrices. */
export function product(a, b) {
  const out = new Float32Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * column + k];
      out[4 * column + row] = sum;
    }
  }
  return out;
}
