// Buffers and programs of WebGL, made once.

import { add, clamped, cross, mixed, scaled, unit } from "./vectors.js";

const SIZES = [0.06, 0.03, 0]; // metres: radii from which shapes have finer meshes

/**
 * Return a program with the places of its uniforms by name; a mistake in a shader is thrown as it was told. captured:
 * names of outputs of vertices that a script can read back.
 */
export function makeProgram(gl, vertex, fragment, captured = []) {
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  if (captured.length) gl.transformFeedbackVaryings(program, captured, gl.SEPARATE_ATTRIBS);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    const logs = gl.getAttachedShaders(program).map((shader) => gl.getShaderInfoLog(shader));
    throw new Error(["a shader cannot be used:", gl.getProgramInfoLog(program), ...logs].join("\n"));
  }
  const uniforms = {};
  for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k++) {
    const name = gl.getActiveUniform(program, k).name;
    uniforms[name.replace("[0]", "")] = gl.getUniformLocation(program, name);
  }
  return { program, uniforms };
}

export function floatBuffer(gl, numbers) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.STATIC_DRAW);
  return buffer;
}

/** Let an attribute read numbers from the bound buffer, anew for each corner or, with each = 1, for each instance. */
export function attribute(gl, at, count, stride, offset, each) {
  gl.enableVertexAttribArray(at);
  gl.vertexAttribPointer(at, count, gl.FLOAT, false, 4 * stride, 4 * offset);
  gl.vertexAttribDivisor(at, each);
}

/** Return a figure's flesh ready to be drawn; detail: corners around the shapes of each of SIZES. */
export function bodyOf(gl, shapes, detail) {
  const numbers = [], indices = [];
  for (const shape of shapes) addShape(shape, detail, numbers, indices);
  return meshOf(gl, numbers, indices);
}

/** Return corners (place, segment, normal: 7 numbers each) and triangles, ready to be drawn. */
function meshOf(gl, numbers, indices) {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  floatBuffer(gl, numbers);
  attribute(gl, 0, 4, 7, 0, 0);
  attribute(gl, 1, 3, 7, 4, 0);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(indices), gl.STATIC_DRAW);
  gl.bindVertexArray(null);
  return { array, count: indices.length };
}

/**
 * Add a shape's corners (place, segment, normal) and triangles. A tapered capsule is two spheres and the cone that
 * touches both: its point with the normal n lies on the sphere that reaches further along n, at the seam on both.
 */
function addShape({ segment, start, stop, radii, stretch }, detail, numbers, indices) {
  const along = [0, 1, 2].map((k) => stop[k] - start[k]), span = Math.hypot(...along);
  const axis = span > 0 ? scaled(along, 1 / span) : [0, 1, 0];
  const seam = span > 0 ? Math.acos(clamped((radii[0] - radii[1]) / span, -1, 1)) : Math.PI / 2;
  const around = detail[SIZES.findIndex((least) => Math.min(...stretch) * Math.max(...radii) >= least)];
  const rings = Math.ceil(around / (span > 0 ? 6 : 3)); // the round ends of capsules are mostly inside their neighbours
  const aside = unit(cross(axis, Math.abs(axis[1]) > 0.9 ? [1, 0, 0] : [0, 1, 0])), across = cross(axis, aside);
  const first = numbers.length / 7;
  const ring = (polar, centre, radius) => {
    for (let j = 0; j < around; j++) {
      const angle = 2 * Math.PI * j / around;
      const sideways = add(scaled(aside, Math.cos(angle)), scaled(across, Math.sin(angle)));
      const normal = add(scaled(axis, Math.cos(polar)), scaled(sideways, Math.sin(polar)));
      const facing = unit(normal.map((part, k) => part / stretch[k]));
      numbers.push(...normal.map((part, k) => centre[k] + stretch[k] * radius * part), segment, ...facing);
    }
  };
  for (let k = 0; k <= rings; k++) ring(seam * k / rings, stop, radii[1]);
  for (let k = 0; k <= rings; k++) ring(mixed(seam, Math.PI, k / rings), start, radii[0]);
  for (let i = 0; i < 2 * rings + 1; i++) {
    for (let j = 0; j < around; j++) {
      const a = first + i * around + j, b = first + i * around + (j + 1) % around, c = a + around, d = b + around;
      indices.push(a, c, b, b, c, d);
    }
  }
}

/** Return triangles, 9 numbers each, that are seen from both sides, ready to be drawn as a body of one segment. */
export function groundOf(gl, triangles) {
  const numbers = [], count = triangles.length / 9;
  for (let n = 0; n < count; n++) {
    const [a, b, c] = [0, 3, 6].map((k) => triangles.slice(9 * n + k, 9 * n + k + 3));
    const normal = unit(cross(add(b, scaled(a, -1)), add(c, scaled(a, -1))));
    for (const corner of [a, b, c]) numbers.push(...corner, 0, ...normal);
    for (const corner of [a, c, b]) numbers.push(...corner, 0, ...scaled(normal, -1));
  }
  return meshOf(gl, numbers, Array.from({ length: 6 * count }, (_, k) => k));
}

/** Return a square from -1 to 1, ready to be drawn. */
export function squareOf(gl) {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  floatBuffer(gl, [-1, -1, 1, -1, -1, 1, 1, 1]);
  attribute(gl, 0, 2, 2, 0, 0);
  gl.bindVertexArray(null);
  return array;
}

/** Return the way of a point, 3 numbers a frame, ready to be drawn as a ribbon. */
export function ribbonOf(gl, way) {
  const array = squareOf(gl);
  gl.bindVertexArray(array);
  floatBuffer(gl, way);
  attribute(gl, 1, 3, 3, 0, 1);
  attribute(gl, 2, 3, 3, 3, 1);
  gl.bindVertexArray(null);
  return { array, pieces: way.length / 3 - 1 };
}

/** Return lines, 6 numbers each for both ends; bind makes them ready to be drawn from one of them on. */
export function linesOf(gl, ends) {
  const array = squareOf(gl);
  gl.bindVertexArray(array);
  const buffer = floatBuffer(gl, ends);
  gl.bindVertexArray(null);
  const bind = (first) => {
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    attribute(gl, 1, 3, 6, 6 * first, 1);
    attribute(gl, 2, 3, 6, 6 * first + 3, 1);
  };
  return { bind };
}

/** Return spheres that hide about as much of the sky as a shape: segment, place and radius of each. */
export function occludersOf(shape) {
  const [first, last] = shape.radii, [a, b, c] = shape.stretch;
  const bulk = Math.cbrt(a * b * c);
  const span = Math.hypot(...[0, 1, 2].map((k) => shape.stop[k] - shape.start[k]));
  const count = clamped(Math.ceil(span / (2 * (first + last))), 1, 3);
  // in all as much as three of three quarters of the radius, as in render.py
  const share = span > 0 ? 0.75 * Math.sqrt(3 / count) : 1;
  return Array.from({ length: count }, (_, k) => {
    const at = (k + 0.5) / count;
    return {
      segment: shape.segment,
      place: [0, 1, 2].map((axis) => mixed(shape.start[axis], shape.stop[axis], at)),
      radius: bulk * mixed(first, last, at) * share,
    };
  });
}
