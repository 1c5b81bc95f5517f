// Drawing: bodies, sky, floor, shadows, trails and ghosts of one picture, with WebGL 2.

import { FIELD } from "./camera.js";
import { Exposure } from "./exposure.js";
import { bodyOf, groundOf, linesOf, makeProgram, occludersOf, ribbonOf, squareOf } from "./meshes.js";
import {
  bodyFragment, bodyVertex, FLOOR_FRAGMENT, FLOOR_VERTEX, MOST_OCCLUDERS, OUTLINE_FRAGMENT, SHADE_FRAGMENT,
  SHADE_VERTEX, SHADOW_FRAGMENT, SKIN_VERTEX, SKY_FRAGMENT, SKY_VERTEX, TRAIL_FRAGMENT, TRAIL_VERTEX,
} from "./shaders.js";
import { SkinOnCard } from "./skin.js";
import { Surface } from "./surface.js";
import { add, carried, clamped, scaled } from "./vectors.js";

const TILE = 128, TILES = 6; // pixels of a figure's shadow each way, and how many shadows are in a row and a column
const SHADE_REACH = 1.45; // metres about a figure in which it shades the floor
const FLOOR_REACH = 90;
const TRAIL_WIDTH = 2.5; // CSS pixels
const FORCE_WIDTH = 4;
const OUTLINE_WIDTH = 1.1, OUTLINE_DEPTH = 0.04; // CSS pixels; metres
const LIGHT = [-0.45, 0.75, -0.55]; // to the light, along the camera's right, up and forward axes
const DETAIL = [36, 20, 10], COARSE_DETAIL = [14, 8, 5]; // corners around shapes of each of SIZES

export class Scene {
  /** changed: called when a picture of a mesh has come. */
  constructor(canvas, motions, colours, changed) {
    this.changed = changed;
    this.meshes = true; // whether the users' own meshes are drawn
    this.gl = canvas.getContext("webgl2", { antialias: false, depth: false, powerPreference: "high-performance" });
    if (!this.gl) throw new Error("WebGL 2 is not to be had");
    this.canvas = canvas;
    this.motions = motions;
    this.trailColours = colours.trails;
    this.forceColour = colours.forces;
    this.groundColour = colours.ground;
    this.make();
  }

  /** Make everything that lives on the graphics card: at the start, and anew when the card has lost it. */
  make() {
    const gl = this.gl;
    this.programs = {
      body: makeProgram(gl, bodyVertex(false), bodyFragment(false)),
      skin: makeProgram(gl, SKIN_VERTEX, bodyFragment(true), ["place"]),
      outline: makeProgram(gl, bodyVertex(true), OUTLINE_FRAGMENT),
      floor: makeProgram(gl, FLOOR_VERTEX, FLOOR_FRAGMENT),
      shadow: makeProgram(gl, FLOOR_VERTEX, SHADOW_FRAGMENT),
      shade: makeProgram(gl, SHADE_VERTEX, SHADE_FRAGMENT),
      sky: makeProgram(gl, SKY_VERTEX, SKY_FRAGMENT),
      trail: makeProgram(gl, TRAIL_VERTEX, TRAIL_FRAGMENT),
    };
    this.bodies = [], this.coarseBodies = [], this.skins = [], this.occluders = []; // of each motion
    this.grounds = [], this.ribbons = [], this.forces = [];
    this.motions.forEach((_, k) => this.makeMotion(k, true));
    this.tile = null; // pixels of a shadow each way in the picture before
    this.square = squareOf(gl);
    this.surface = new Surface(gl);
    this.makeShadowSheet();
  }

  /** Make what one motion needs on the card. fresh: its body and its mesh are others than before. */
  makeMotion(k, fresh) {
    const gl = this.gl, { shapes, skin, ground, forceEnds } = this.motions[k];
    this.ribbons[k] = null; // made when trails are asked for
    this.grounds[k] = ground && groundOf(gl, ground);
    this.forces[k] = forceEnds && linesOf(gl, forceEnds);
    if (!fresh) return;
    this.bodies[k] = bodyOf(gl, shapes, DETAIL);
    this.coarseBodies[k] = bodyOf(gl, shapes, COARSE_DETAIL);
    this.skins[k] = skin && new SkinOnCard(gl, skin, this.changed);
    this.occluders[k] = shapes.flatMap(occludersOf).sort((a, b) => b.radius - a.radius).slice(0, MOST_OCCLUDERS);
  }

  makeShadowSheet() {
    const gl = this.gl, width = TILE * TILES;
    this.sheet = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.sheet);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.R8, width, width);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    this.sheetFrame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.sheetFrame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.sheet, 0);
  }

  /** Use a program and give it its numbers: uniforms by name, a matrix, a vector or a number each. */
  use(name, values) {
    const gl = this.gl, { program, uniforms } = this.programs[name];
    gl.useProgram(program);
    for (const [uniform, value] of Object.entries(values)) {
      const at = uniforms[uniform];
      if (typeof value === "number") gl.uniform1f(at, value);
      else if (value.length === 16) gl.uniformMatrix4fv(at, false, value);
      else if (value.length === 3) gl.uniform3fv(at, value);
      else gl.uniform2fv(at, value);
    }
    return uniforms;
  }

  /**
   * Draw figures and ghosts (exposures) as a camera sees them. look: colours of the surroundings. trails, forces: the
   * frame that each motion shows, or null for none. moved: whether anyone has since the last picture. quality: of
   * LEVELS.
   */
  draw({ camera, figures, ghosts, trails, forces, look, moved, quality }) {
    const gl = this.gl, { samples, outlines } = quality;
    const shading = [...figures, ...ghosts].slice(0, TILES * TILES);
    const tile = samples > 0 ? TILE : TILE / 2;
    if (moved || tile !== this.tile) this.shade(shading, tile);
    this.surface.begin(samples);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
    const { right, up, forward } = camera.axes();
    const light = add(add(scaled(right, LIGHT[0]), scaled(up, LIGHT[1])), scaled(forward, LIGHT[2]));
    const seen = { camera: camera.matrix(), eye: camera.eye() };
    const lit = { ...seen, light: scaled(light, 1 / Math.hypot(...light)) };
    const bodies = samples > 0 ? this.bodies : this.coarseBodies;
    gl.depthFunc(gl.LESS);
    this.drawFigures(figures, bodies, lit);
    this.drawGrounds(figures, lit);
    if (outlines) this.drawOutlines(figures.filter((figure) => !this.isSkinned(figure)), bodies, seen, camera, look);
    this.drawSurroundings(seen.camera, camera, look);
    this.drawShadows(seen.camera, shading, look);
    if (trails) this.drawTrails(seen.camera, camera, figures, trails);
    if (forces) this.drawForces(seen.camera, camera, figures, forces);
    this.drawGhosts(ghosts, lit);
    this.surface.end();
  }

  /** Draw the ground under each motion that has one, as a body of one segment that is moved with its figure. */
  drawGrounds(figures, values) {
    const standing = figures.filter((figure) => this.grounds[figure.motion]);
    const exposures = standing.map((figure) => {
      const exposure = new Exposure(figure.motion, figure.tints.length / 3);
      exposure.placement.turns[0] = 1;
      exposure.tints.set(this.groundColour);
      exposure.shift = figure.shift;
      return exposure;
    });
    if (exposures.length) this.drawBodies("body", exposures, this.grounds, values);
  }

  drawBodies(program, exposures, bodies, values) {
    const uniforms = this.use(program, values);
    for (const exposure of exposures) this.drawBody(exposure, bodies, uniforms);
  }

  isSkinned({ motion }) {
    return this.meshes && this.skins[motion] !== null;
  }

  /** Draw exposures as the user's own meshes where there are any, else as bodies. */
  drawFigures(exposures, bodies, values) {
    this.drawBodies("body", exposures.filter((exposure) => !this.isSkinned(exposure)), bodies, values);
    const skinned = exposures.filter((exposure) => this.isSkinned(exposure));
    if (!skinned.length) return;
    const uniforms = this.use("skin", values);
    for (const exposure of skinned) this.skins[exposure.motion].draw(exposure, uniforms);
  }

  drawBody(exposure, bodies, uniforms) {
    const gl = this.gl, body = bodies[exposure.motion];
    gl.uniform4fv(uniforms.turns, exposure.placement.turns);
    gl.uniform3fv(uniforms.places, exposure.placement.places);
    gl.uniform3fv(uniforms.tints, exposure.tints);
    gl.uniform3fv(uniforms.shift, exposure.shift);
    if (uniforms.opacity) gl.uniform1f(uniforms.opacity, exposure.opacity);
    gl.bindVertexArray(body.array);
    gl.drawElements(gl.TRIANGLES, body.count, gl.UNSIGNED_SHORT, 0);
  }

  /** Draw the far sides of bodies a little blown up: what of them is seen is a line around limbs. */
  drawOutlines(exposures, bodies, seen, camera, look) {
    const gl = this.gl;
    gl.cullFace(gl.FRONT);
    const rim = OUTLINE_WIDTH * 2 * FIELD / camera.size.height;
    this.drawBodies("outline", exposures, bodies, { ...seen, rim, depth: OUTLINE_DEPTH, ink: look.ink });
    gl.cullFace(gl.BACK);
  }

  /** Draw floor and sky, behind all that is there already: every pixel is drawn but once. */
  drawSurroundings(matrix, camera, { low, high, ground, line }) {
    const gl = this.gl, [x, , z] = camera.target;
    const fade = clamped(2.6 * camera.distance, 9, FLOOR_REACH);
    gl.disable(gl.CULL_FACE);
    gl.depthFunc(gl.LEQUAL);
    const around = { middle: [x, z, fade], centre: [x, z], fade, rows: this.canvas.height };
    this.use("floor", { camera: matrix, ...around, low, high, ground, line });
    this.drawSquare();
    this.use("sky", { low, high });
    this.drawSquare();
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  drawSquare() {
    this.gl.bindVertexArray(this.square);
    this.gl.drawArrays(this.gl.TRIANGLE_STRIP, 0, 4);
  }

  /** Draw how much of the sky each exposure hides into its tile of the sheet. */
  shade(exposures, tile) {
    const gl = this.gl;
    this.tile = tile;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.sheetFrame);
    gl.disable(gl.BLEND);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.CULL_FACE);
    const uniforms = this.use("shade", { reach: SHADE_REACH });
    const spheres = new Float32Array(4 * MOST_OCCLUDERS);
    exposures.forEach((exposure, k) => {
      const count = this.gatherOccluders(exposure, spheres);
      gl.uniform4fv(uniforms.occluders, spheres);
      gl.uniform1i(uniforms.count, count);
      gl.viewport(tile * (k % TILES), tile * Math.floor(k / TILES), tile, tile);
      this.drawSquare();
    });
  }

  gatherOccluders({ motion, placement }, out) {
    const { places, turns } = placement, place = [0, 0, 0];
    const occluders = this.occluders[motion];
    occluders.forEach((sphere, k) => {
      carried(place, 0, places, 3 * sphere.segment, turns, 4 * sphere.segment, ...sphere.place);
      const height = Math.max(place[1], sphere.radius);
      out.set([place[0] - places[0], height, place[2] - places[2], sphere.radius ** 2], 4 * k);
    });
    return occluders.length;
  }

  /** Darken the floor by the tiles of the sheet, each about the root of its figure. */
  drawShadows(matrix, exposures, look) {
    const gl = this.gl;
    gl.depthMask(false);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(-1, -2);
    gl.bindTexture(gl.TEXTURE_2D, this.sheet);
    // half a pixel is left out all around, so that a tile does not take from its neighbours
    const inset = 0.5 / this.tile, size = this.tile / (TILE * TILES);
    exposures.forEach(({ placement, shift, opacity }, k) => {
      const middle = [placement.places[0] + shift[0], placement.places[2] + shift[2], SHADE_REACH];
      const corner = [k % TILES, Math.floor(k / TILES)].map((place) => (place + inset) * size);
      const tile = [...corner, (1 - 2 * inset) * size];
      this.use("shadow", { camera: matrix, middle, tile, strength: look.shade * opacity });
      this.drawSquare();
    });
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }

  /** Draw the ways of roots and feet; what comes after the frame that is shown is fainter. */
  drawTrails(matrix, camera, figures, trails) {
    const gl = this.gl, size = [camera.size.width, camera.size.height];
    gl.depthMask(false);
    for (const { motion, shift } of figures) {
      this.ribbons[motion] ??= Object.entries(this.trailColours).map(([point, tint]) =>
        ({ ...ribbonOf(gl, this.motions[motion].trail(point)), tint }));
      for (const { array, pieces, tint } of this.ribbons[motion]) {
        if (pieces < 1) continue;
        this.use("trail", { camera: matrix, shift, size, width: TRAIL_WIDTH, now: trails[motion], tint });
        gl.bindVertexArray(array);
        gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, pieces);
      }
    }
  }

  /** Draw the forces of the frames that are shown as lines, also through bodies. */
  drawForces(matrix, camera, figures, frames) {
    const gl = this.gl, size = [camera.size.width, camera.size.height];
    gl.depthMask(false);
    gl.disable(gl.DEPTH_TEST);
    for (const { motion, shift } of figures) {
      if (!this.forces[motion]) continue;
      const { count } = this.motions[motion].forces;
      this.use("trail", { camera: matrix, shift, size, width: FORCE_WIDTH, now: count, tint: this.forceColour });
      this.forces[motion].bind(count * Math.round(frames[motion]));
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    }
    gl.enable(gl.DEPTH_TEST);
  }

  /** Draw ghosts over all else: first how near they are, then the nearest of them only, through which one sees. */
  drawGhosts(ghosts, lit) {
    const gl = this.gl;
    gl.enable(gl.CULL_FACE);
    gl.depthMask(true);
    gl.colorMask(false, false, false, false);
    gl.depthFunc(gl.LESS);
    this.drawFigures(ghosts, this.coarseBodies, lit);
    gl.colorMask(true, true, true, true);
    gl.depthFunc(gl.EQUAL);
    this.drawFigures(ghosts, this.coarseBodies, lit);
    gl.disable(gl.BLEND);
  }
}
