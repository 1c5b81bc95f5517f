// Buffers and programs of WebGL, made once.

const SIZES = [0.06, 0.03, 0]; // metres: radii from which shapes have finer meshes

/** Return a program with the places of its uniforms by name; a mistake in a shader is thrown as it was told. */
function makeProgram(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
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

function floatBuffer(gl, numbers) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.STATIC_DRAW);
  return buffer;
}

/** Let an attribute read numbers from the bound buffer, anew for each corner or, with each = 1, for each instance. */
function attribute(gl, at, count, stride, offset, each) {
  gl.enableVertexAttribArray(at);
  gl.vertexAttribPointer(at, count, gl.FLOAT, false, 4 * stride, 4 * offset);
  gl.vertexAttribDivisor(at, each);
}

/** Return the mesh that the vertex shader bends into any tapered capsule, so many corners around and from pole to seam. */
function capsuleMesh(gl, around, rings) {
  const corners = [], indices = [];
  const levels = [];
  for (let k = 0; k <= rings; k++) levels.push([k / rings, 1]);
  for (let k = rings; k >= 0; k--) levels.push([k / rings, 0]);
  for (const [share, end] of levels) {
    for (let j = 0; j < around; j++) {
      const angle = 2 * Math.PI * j / around;
      corners.push(Math.cos(angle), Math.sin(angle), share, end);
    }
  }
  for (let i = 0; i + 1 < levels.length; i++) {
    for (let j = 0; j < around; j++) {
      const a = i * around + j, b = i * around + (j + 1) % around, c = a + around, d = b + around;
      indices.push(a, c, b, b, c, d);
    }
  }
  const elements = gl.createBuffer();
  gl.bindVertexArray(null);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, elements);
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(indices), gl.STATIC_DRAW);
  return { corners: floatBuffer(gl, corners), elements, count: indices.length };
}

/** Return a figure's flesh ready to be drawn: meshes, the finer ones for larger shapes, and one instance for each shape. */
function bodyOf(gl, meshes, shapes) {
  const groups = meshes.map(() => []);
  for (const shape of shapes) {
    const [width] = extent(shape.stretch), size = width * Math.max(...shape.radii);
    groups[SIZES.findIndex((least) => size >= least)].push(shape);
  }
  return groups.map((group, k) => fleshOf(gl, meshes[k], group));
}

function fleshOf(gl, mesh, shapes) {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, mesh.corners);
  attribute(gl, 0, 4, 4, 0, 0);
  floatBuffer(gl, shapes.flatMap((shape) => [
    ...shape.start, shape.radii[0], ...shape.stop, shape.radii[1], ...shape.stretch, shape.segment,
  ]));
  for (let k = 0; k < 3; k++) attribute(gl, 1 + k, 4, 12, 4 * k, 1);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, mesh.elements);
  gl.bindVertexArray(null);
  return { array, count: mesh.count, instances: shapes.length };
}

/** Return a square from -1 to 1, ready to be drawn. */
function squareOf(gl) {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  floatBuffer(gl, [-1, -1, 1, -1, -1, 1, 1, 1]);
  attribute(gl, 0, 2, 2, 0, 0);
  gl.bindVertexArray(null);
  return array;
}

/** Return the way of a point, 3 numbers a frame, ready to be drawn as a ribbon. */
function ribbonOf(gl, way) {
  const array = squareOf(gl);
  gl.bindVertexArray(array);
  floatBuffer(gl, way);
  attribute(gl, 1, 3, 3, 0, 1);
  attribute(gl, 2, 3, 3, 3, 1);
  gl.bindVertexArray(null);
  return { array, pieces: way.length / 3 - 1 };
}

/** Return spheres that hide about as much of the sky as a shape: segment, place and radius of each. */
function occludersOf(shape) {
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
