// Picking: which limb is under a point of the picture.

import { add, carried, clamped, dot, scaled } from "./vectors.js";

const away = (a, b) => add(a, scaled(b, -1));

/** Return the ray through a point of the picture in CSS pixels: where it begins, and its unit direction. */
export function rayThrough(camera, x, y) {
  const { width, height } = camera.size, eye = camera.eye(), { right, up, forward } = camera.axes();
  const lens = camera.matrix(), row = (axis, k) => dot(axis, [lens[k], lens[4 + k], lens[8 + k]]);
  // what the lens makes of each axis of the camera gives the direction that ends at the point
  const across = (2 * x / width - 1) / row(right, 0), lift = row(forward, 1);
  const along = (1 - 2 * y / height - lift) / row(up, 1);
  const towards = add(forward, add(scaled(right, across), scaled(up, along)));
  return { origin: eye, direction: scaled(towards, 1 / Math.hypot(...towards)) };
}

/** Return where a ray meets the plane through a point with a normal, or null. */
export function planeHit({ origin, direction }, point, normal) {
  const slope = dot(direction, normal);
  if (Math.abs(slope) < 1e-6) return null;
  const reach = dot(away(point, origin), normal) / slope;
  return reach > 0 ? add(origin, scaled(direction, reach)) : null;
}

/** Return how far along a ray it passes within a radius of a line from a to b, or Infinity. */
export function capsuleHit({ origin, direction }, a, b, radius) {
  const along = away(b, a), from = away(origin, a);
  const bb = dot(along, along), slope = dot(along, direction), gap = bb - slope * slope;
  // the nearest points of both lines, then once more with the limb's end kept
  let share = gap > 1e-9 ? (dot(from, along) - slope * dot(from, direction)) / gap : 0;
  share = clamped(share, 0, 1);
  const near = add(a, scaled(along, share)), reach = dot(away(near, origin), direction);
  const apart = away(add(origin, scaled(direction, reach)), near);
  const inside = radius * radius - dot(apart, apart);
  return reach > 0 && inside >= 0 ? reach - Math.sqrt(inside) : Infinity;
}

/** Return the nearest figure under a ray and its segment: { motion, segment, distance }, or null. */
export function pick(ray, figures, motions) {
  let best = null;
  const a = [0, 0, 0], b = [0, 0, 0];
  for (const { motion, placement, shift } of figures) {
    const { places, turns } = placement;
    const local = { ...ray, origin: away(ray.origin, shift) };
    for (const { segment, start, stop, radii, stretch } of motions[motion].shapes) {
      carried(a, 0, places, 3 * segment, turns, 4 * segment, ...start);
      carried(b, 0, places, 3 * segment, turns, 4 * segment, ...stop);
      const distance = capsuleHit(local, a, b, Math.max(...radii) * Math.cbrt(stretch[0] * stretch[1] * stretch[2]));
      if (distance < (best?.distance ?? Infinity)) best = { motion, segment, distance };
    }
  }
  return best;
}
