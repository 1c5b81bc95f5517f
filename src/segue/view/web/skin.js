// The user's own mesh: where its bones are in a frame, and how it is drawn; see skins.py for what is given.

import { attribute, floatBuffer } from "./meshes.js";
import { bytesOf, PackedTurns } from "./packed.js";
import { carried, mixed, turnAfter } from "./vectors.js";

const BONE_TEXELS = 4; // of a bone in the texture that the card reads: three rows of its matrix, and its tint

export class Skin {
  constructor(given, frames) {
    this.parents = given.parents;
    this.rest = given.rest;
    this.moving = given.moving;
    this.joints = given.joints;
    this.binds = given.binds;
    this.segments = given.segments;
    this.corners = given.corners;
    this.bones = given.bones;
    this.weights = given.weights;
    this.triangles = given.triangles;
    this.parts = given.parts;
    this.textures = given.textures;
    const bytes = bytesOf(given.frames), count = this.parents.length;
    this.lastFrame = frames - 1;
    this.shifts = new Float32Array(bytes.buffer, 0, 3 * this.moving.length * frames);
    this.turns = new PackedTurns(new Uint16Array(bytes.buffer, 4 * this.shifts.length), count);
    this.local = { places: Float64Array.from(this.rest.flat()), turns: new Float64Array(4 * count) };
    this.world = { places: new Float64Array(3 * count), turns: new Float64Array(4 * count) };
    this.table = new Float32Array(4 * BONE_TEXELS * this.joints.length);
  }

  /** Place the joints at a frame with a fraction. */
  place(frame) {
    const first = Math.floor(frame), share = frame - first, last = Math.min(first + 1, this.lastFrame);
    const { local, world, moving, shifts } = this;
    moving.forEach((joint, m) => {
      for (let k = 0; k < 3; k++) {
        const at = (each) => shifts[3 * (each * moving.length + m) + k];
        local.places[3 * joint + k] = mixed(at(first), at(last), share);
      }
    });
    this.parents.forEach((parent, j) => {
      this.turns.between(first, last, share, j, local.turns, 4 * j);
      const place = local.places.subarray(3 * j, 3 * j + 3), turn = local.turns.subarray(4 * j, 4 * j + 4);
      if (parent < 0) {
        world.places.set(place, 3 * j);
        world.turns.set(turn, 4 * j);
      } else {
        carried(world.places, 3 * j, world.places, 3 * parent, world.turns, 4 * parent, ...place);
        turnAfter(world.turns, 4 * j, world.turns, 4 * parent, ...turn);
      }
    });
  }

  /** Return the table of bones for the card. tints: of segments; filled: segments that are shown in their tint. */
  bonesAt(frame, tints, filled) {
    this.place(frame);
    const { places, turns } = this.world, column = new Float64Array(3), nowhere = [0, 0, 0];
    this.joints.forEach((joint, b) => {
      const bind = this.binds[b], at = 4 * BONE_TEXELS * b, segment = this.segments[joint];
      for (let k = 0; k < 4; k++) {
        const from = k < 3 ? nowhere : places, start = k < 3 ? 0 : 3 * joint;
        carried(column, 0, from, start, turns, 4 * joint, bind[k], bind[4 + k], bind[8 + k]);
        for (let row = 0; row < 3; row++) this.table[at + 4 * row + k] = column[row];
      }
      this.table.set(tints.subarray(3 * segment, 3 * segment + 3), at + 12);
      this.table[at + 15] = filled.has(segment) ? 1 : 0;
    });
    return this.table;
  }
}

/** A skin on the graphics card. ready: called when a texture has come. */
export class SkinOnCard {
  constructor(gl, skin, ready) {
    this.gl = gl;
    this.skin = skin;
    this.array = gl.createVertexArray();
    gl.bindVertexArray(this.array);
    const corners = new Float32Array(bytesOf(skin.corners).buffer);
    this.count = corners.length / 8;
    floatBuffer(gl, corners);
    attribute(gl, 0, 3, 8, 0, 0);
    attribute(gl, 1, 3, 8, 3, 0);
    attribute(gl, 2, 2, 8, 6, 0);
    this.load(gl.ARRAY_BUFFER, skin.bones);
    gl.enableVertexAttribArray(3);
    gl.vertexAttribIPointer(3, 4, gl.UNSIGNED_SHORT, 0, 0);
    this.load(gl.ARRAY_BUFFER, skin.weights);
    gl.enableVertexAttribArray(4);
    gl.vertexAttribPointer(4, 4, gl.UNSIGNED_SHORT, true, 0, 0);
    this.load(gl.ELEMENT_ARRAY_BUFFER, skin.triangles);
    gl.bindVertexArray(null);
    this.bones = this.texture(gl.NEAREST, gl.CLAMP_TO_EDGE);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, BONE_TEXELS, skin.joints.length);
    this.plain = this.texture(gl.NEAREST, gl.REPEAT);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([255, 255, 255, 255]));
    this.pictures = skin.textures.map((source) => this.picture(source, ready));
  }

  load(target, text) {
    const gl = this.gl;
    gl.bindBuffer(target, gl.createBuffer());
    gl.bufferData(target, bytesOf(text), gl.STATIC_DRAW);
  }

  texture(filter, wrap) {
    const gl = this.gl, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter === gl.NEAREST ? filter : gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, wrap);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, wrap);
    return texture;
  }

  /** Return a texture that is white until its picture has come. */
  picture(source, ready) {
    const gl = this.gl, held = { texture: this.plain }, image = new Image();
    image.onload = () => {
      if (gl.isContextLost()) return;
      held.texture = this.texture(gl.LINEAR_MIPMAP_LINEAR, gl.REPEAT);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
      gl.generateMipmap(gl.TEXTURE_2D);
      ready();
    };
    image.src = source;
    return held;
  }

  /** Give the card the bones of an exposure. */
  pose({ frame, tints, filled }) {
    const gl = this.gl, { skin } = this;
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.bones);
    const table = skin.bonesAt(frame, tints, filled);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, BONE_TEXELS, skin.joints.length, gl.RGBA, gl.FLOAT, table);
    gl.activeTexture(gl.TEXTURE0);
  }

  /** Draw an exposure with the skin's program, which is in use. */
  draw(exposure, uniforms) {
    const gl = this.gl;
    this.pose(exposure);
    gl.uniform1i(uniforms.bones, 1);
    gl.uniform3fv(uniforms.shift, exposure.shift);
    gl.uniform1f(uniforms.opacity, exposure.opacity);
    gl.bindVertexArray(this.array);
    for (const { first, count, colour, texture, twoSided, cutOut } of this.skin.parts) {
      gl.bindTexture(gl.TEXTURE_2D, texture === null ? this.plain : this.pictures[texture].texture);
      gl.uniform3fv(uniforms.cloth, colour);
      gl.uniform1f(uniforms.cut, cutOut ? 0.5 : 0);
      if (twoSided) gl.disable(gl.CULL_FACE);
      gl.drawElements(gl.TRIANGLES, 3 * count, gl.UNSIGNED_INT, 12 * first);
      gl.enable(gl.CULL_FACE);
    }
  }

  /** Return where the card puts all vertices of an exposure, 3 numbers each; program: one that captures them. */
  captured(exposure, { program, uniforms }) {
    const gl = this.gl, places = new Float32Array(3 * this.count), buffer = gl.createBuffer();
    gl.useProgram(program);
    this.pose(exposure);
    gl.uniform1i(uniforms.bones, 1);
    gl.uniform3fv(uniforms.shift, exposure.shift);
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, buffer);
    gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, places.byteLength, gl.STREAM_READ);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    gl.bindVertexArray(this.array);
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, this.count);
    gl.endTransformFeedback();
    gl.disable(gl.RASTERIZER_DISCARD);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, buffer);
    gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, places);
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, null);
    gl.deleteBuffer(buffer);
    return places;
  }
}
