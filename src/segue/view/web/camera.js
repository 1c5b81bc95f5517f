// The camera: it goes round what is looked at. At 0 degrees of azimuth it is in front of a figure that faces +Z.

import { add, clamped, dot, product, scaled } from "./vectors.js";

// half the height of the picture at the distance 1: 30 degrees from top to bottom
export const FIELD = Math.tan(Math.PI / 12);
export const BESIDE = 0.75; // metres left free at either side of a figure's way
const LOWEST = 1, HIGHEST = 89, NEAREST = 0.8, FARTHEST = 120;

export class Camera {
  constructor(azimuth, elevation) {
    this.home = { azimuth, elevation };
    this.azimuth = azimuth;
    this.elevation = elevation;
    this.fit = 6; // metres from which all is seen, and how many times that the user wants
    this.zoomed = 1;
    this.anchor = [0, 0.9, 0]; // what is looked at, and how far the user has moved from it
    this.aside = [0, 0, 0];
    this.size = { width: 1, height: 1, top: 0, bottom: 0 };
  }

  /** Take the size of the picture in CSS pixels, and how much of it controls cover above and below. */
  resize(size) {
    this.size = size;
  }

  get target() {
    return add(this.anchor, this.aside);
  }

  turn(right, up) {
    this.azimuth -= right;
    this.elevation = clamped(this.elevation + up, LOWEST, HIGHEST);
  }

  zoom(times) {
    this.zoomed = clamped(this.distance * times, NEAREST, FARTHEST) / this.fit;
  }

  get distance() {
    return clamped(this.zoomed * this.fit, NEAREST, FARTHEST);
  }

  /** Move the picture by so many CSS pixels. */
  pan(right, down) {
    const axes = this.axes(), size = this.metresPerPixel();
    this.aside = add(this.aside, add(scaled(axes.right, -right * size), scaled(axes.up, down * size)));
    this.aside[1] = clamped(this.aside[1], -this.anchor[1], 3);
  }

  /** Look at a point, from so far that metres above and below it and about it are seen. */
  lookAt({ target, halfHeight, reach }) {
    this.anchor = target;
    this.fit = this.distanceFor(reach + BESIDE, halfHeight) + reach; // also those who stand nearer
  }

  /** Go back to where the camera was at first, and look at a point. */
  reset(what) {
    Object.assign(this, this.home);
    this.aside = [0, 0, 0];
    this.zoomed = 1;
    this.lookAt(what);
  }

  /** Return the unit vectors right, up and forward. */
  axes() {
    const a = this.azimuth * Math.PI / 180, e = this.elevation * Math.PI / 180;
    const forward = [-Math.cos(e) * Math.sin(a), -Math.sin(e), -Math.cos(e) * Math.cos(a)];
    const right = [Math.cos(a), 0, -Math.sin(a)];
    const up = [-Math.sin(e) * Math.sin(a), Math.cos(e), -Math.sin(e) * Math.cos(a)];
    return { right, up, forward };
  }

  eye() {
    return add(this.target, scaled(this.axes().forward, -this.distance));
  }

  /** Return how many metres at the target a CSS pixel is. */
  metresPerPixel() {
    return 2 * FIELD * this.distance / this.size.height;
  }

  /** Return the distance from which so many metres to either side, and up and down, are within what is not covered. */
  distanceFor(halfWidth, halfHeight) {
    const { width, height, top, bottom } = this.size;
    const free = Math.max(height - top - bottom, 0.3 * height) / height;
    return clamped(Math.max(halfHeight / (FIELD * free), halfWidth / (FIELD * width / height)), NEAREST, FARTHEST);
  }

  /** Return the matrix from the world to the picture; its middle is the middle of what is not covered. */
  matrix() {
    const { width, height, top, bottom } = this.size;
    const { right, up, forward } = this.axes(), eye = this.eye();
    const near = 0.05 * this.distance, far = this.distance + 150;
    const view = [
      right[0], up[0], -forward[0], 0, right[1], up[1], -forward[1], 0, right[2], up[2], -forward[2], 0,
      -dot(right, eye), -dot(up, eye), dot(forward, eye), 1,
    ];
    const lift = (bottom - top) / height;
    const lens = [
      height / (FIELD * width), 0, 0, 0, 0, 1 / FIELD, 0, 0,
      0, -lift, -(far + near) / (far - near), -1, 0, 0, -2 * far * near / (far - near), 0,
    ];
    return product(lens, view);
  }

  /**
   * Return where a point appears, in CSS pixels from the upper left, or null where it is behind the camera.
   *
   * @param {Float32Array} matrix
   * @param {number[]} point
   */
  project(matrix, [x, y, z]) {
    const at = (row) => matrix[row] * x + matrix[4 + row] * y + matrix[8 + row] * z + matrix[12 + row];
    const w = at(3);
    if (w <= 0) return null;
    return [(at(0) / w + 1) * this.size.width / 2, (1 - at(1) / w) * this.size.height / 2];
  }
}
