// Curves over time: the range of a plot, the marks on its upright axis, the line through samples, and its limits.

const STEPS = [1, 2, 2.5, 5, 10];

/**
 * Return a range that holds all numbers of rows and the limits near them, with a margin; never of no height.
 *
 * @param {ArrayLike<number>[]} rows
 * @param {[number | null, number | null][]} [limits]
 * @returns {[number, number]}
 */
export function rangeOf(rows, limits = []) {
  let low = Infinity, high = -Infinity;
  for (const row of rows) {
    for (let k = 0; k < row.length; k++) {
      if (row[k] < low) low = row[k];
      if (row[k] > high) high = row[k];
    }
  }
  if (low > high) return [-1, 1];
  const size = Math.max(high - low, 1e-3), [least, most] = [low - 0.6 * size, high + 0.6 * size];
  // a limit far away would flatten the curve
  for (const limit of limits.flat()) {
    if (limit !== null && limit >= least && limit <= most) [low, high] = [Math.min(low, limit), Math.max(high, limit)];
  }
  const margin = 0.08 * Math.max(high - low, 1e-3);
  return [low - margin, high + margin];
}

/** Return the numbers that get a mark between low and high: round ones, at most `most` of them. */
export function marks(low, high, most = 6) {
  const least = (high - low) / Math.max(most, 1), power = 10 ** Math.floor(Math.log10(least));
  const step = power * (STEPS.find((each) => each * power >= least * (1 - 1e-9)) ?? 10);
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

/** Return the height of a number in pixels: the highest is 0. */
export function toPixel(value, [low, high], height) {
  return height * (high - value) / (high - low);
}

/** Return the number at a height in pixels. */
export function toValue(pixel, [low, high], height) {
  return high - pixel / height * (high - low);
}

/** Return the sample of a row at a time, between its frames; its first or last outside. */
export function sampleAt(row, start, fps, time) {
  const at = Math.min(Math.max((time - start) * fps, 0), row.length - 1), k = Math.min(Math.floor(at), row.length - 2);
  if (row.length < 2) return row[0];
  return row[k] + (at - k) * (row[k + 1] - row[k]);
}

/**
 * Return the path of an SVG line through the samples that a ruler shows. Where a pixel has many samples, it keeps their
 * lowest and highest, so that no peak is lost.
 *
 * @param {ArrayLike<number>} row
 * @param {import("./ruler.js").Ruler} ruler
 */
export function pathOf(row, start, fps, ruler, range, height) {
  const first = Math.max(Math.floor((ruler.start - start) * fps), 0);
  const last = Math.min(Math.ceil((ruler.stop - start) * fps), row.length - 1);
  const each = fps / ruler.scale, parts = [];
  const point = (k) => {
    const x = ruler.toPixel(start + k / fps), y = toPixel(row[k], range, height);
    parts.push(`${parts.length ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`);
  };
  if (each <= 2) for (let k = first; k <= last; k++) point(k);
  else {
    for (let k = first; k <= last; k = Math.floor(k + each) + 1) {
      let low = k, high = k;
      for (let n = k; n <= Math.min(k + each, last); n++) {
        if (row[n] < row[low]) low = n;
        if (row[n] > row[high]) high = n;
      }
      for (const n of low < high ? [low, high] : low > high ? [high, low] : [low]) point(n);
    }
  }
  return parts.join("");
}
