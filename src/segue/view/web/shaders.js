// What runs on the graphics card. Light, floor and shade are those of our pictures: see _shading_kernels.py.

const SEGMENTS = 19;
export const MOST_OCCLUDERS = 48;

export const bodyVertex = (outlined) => `#version 300 es
precision highp float;
layout(location = 0) in vec4 corner; // in the frame of its segment; and the segment
layout(location = 1) in vec3 facing;
uniform mat4 camera;
uniform vec3 shift;
uniform vec3 eye;
uniform float rim;   // how far an outline is blown up, as a share of its distance
uniform float depth; // and how much further away it is taken to be, in m: nearer neighbours get no line between them
uniform vec4 turns[${SEGMENTS}];
uniform vec3 places[${SEGMENTS}];
uniform vec3 tints[${SEGMENTS}];
out vec3 normal;
out vec3 outward;
out vec3 tint;
vec3 turned(vec4 turn, vec3 v) {
  return v + 2.0 * cross(turn.yzw, cross(turn.yzw, v) + turn.x * v);
}
void main() {
  int s = int(corner.w);
  vec3 place = places[s] + shift + turned(turns[s], corner.xyz);
  normal = turned(turns[s], facing);
  tint = tints[s];
  outward = place - eye;
${outlined ? `
  place += rim * length(outward) * normal;
  vec4 further = camera * vec4(place + depth * normalize(outward), 1.0);
  gl_Position = camera * vec4(place, 1.0);
  gl_Position.z = further.z / further.w * gl_Position.w;` : `
  gl_Position = camera * vec4(place, 1.0);`}
}`;

// A vertex of the user's own mesh is carried by up to four bones, whose matrices are rows of a texture.
export const SKIN_VERTEX = `#version 300 es
precision highp float;
precision highp sampler2D;
layout(location = 0) in vec3 corner; // in the pose that the mesh was bound in
layout(location = 1) in vec3 facing;
layout(location = 2) in vec2 spot;
layout(location = 3) in uvec4 carriers;
layout(location = 4) in vec4 weights;
uniform mat4 camera;
uniform vec3 shift;
uniform vec3 eye;
uniform sampler2D bones;
out vec3 place;
out vec3 normal;
out vec3 outward;
out vec4 tint; // of a filled gap, and how much of it is seen
out vec2 on;
vec4 blended(int part) {
  vec4 sum = vec4(0.0);
  for (int k = 0; k < 4; k++) sum += weights[k] * texelFetch(bones, ivec2(part, int(carriers[k])), 0);
  return sum;
}
void main() {
  mat3x4 rows = mat3x4(blended(0), blended(1), blended(2));
  place = vec4(corner, 1.0) * rows + shift;
  normal = vec4(facing, 0.0) * rows;
  tint = blended(3);
  on = spot;
  outward = place - eye;
  gl_Position = camera * vec4(place, 1.0);
}`;

export const bodyFragment = (skinned) => `#version 300 es
precision highp float;
in vec3 normal;
in vec3 outward;
in ${skinned ? "vec4" : "vec3"} tint;
uniform vec3 light;
uniform float opacity;
out vec4 colour;
${skinned ? `
in vec2 on;
uniform sampler2D picture;
uniform vec3 cloth;
uniform float cut; // pixels of less alpha are left out
const float GLOSS = 0.06;
vec3 surface() {
  vec4 seen = texture(picture, on);
  if (seen.a < cut) discard;
  return mix(cloth * seen.rgb, tint.rgb, 0.65 * tint.a);
}` : `
const float GLOSS = 0.14;
vec3 surface() { return tint; }`}
void main() {
  vec3 away = normalize(outward), n = normalize(normal);
  ${skinned ? "if (!gl_FrontFacing) n = -n;" : ""}
  float facing = clamp(-dot(n, away), 0.0, 1.0);
  float strength = 0.30 + 0.14 * (1.0 + n.y) + 0.62 * clamp((dot(n, light) + 0.25) / 1.25, 0.0, 1.0);
  strength *= 0.72 + 0.28 * pow(facing, 0.6);
  float gloss = max(dot(n, normalize(light - away)), 0.0);
  gloss *= gloss;
  gloss *= gloss;
  gloss *= gloss;          // to the 8th
  float sharp = gloss * gloss;
  gloss *= sharp * sharp;  // to the 40th
  colour = vec4(surface() * strength + GLOSS * gloss, opacity);
}`;

export const OUTLINE_FRAGMENT = `#version 300 es
precision mediump float;
in vec3 tint;
uniform vec3 ink;
out vec4 colour;
void main() { colour = vec4(mix(tint, ink, 0.8), 1.0); }`;

const SKY = `
uniform vec3 low;
uniform vec3 high;
vec3 sky(float height) { return mix(low, high, height); }`;

export const FLOOR_VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec2 corner; // of a square from -1 to 1
uniform mat4 camera;
uniform vec3 middle; // x and z of the square on the floor, and half its width
out vec2 place;
out vec2 on;
void main() {
  place = middle.xy + middle.z * corner;
  on = 0.5 + 0.5 * corner;
  gl_Position = camera * vec4(place.x, 0.0, place.y, 1.0);
}`;

export const FLOOR_FRAGMENT = `#version 300 es
precision highp float;
in vec2 place;
uniform vec3 ground;
uniform vec3 line;
uniform vec2 centre; // of what is looked at
uniform float fade;  // metres from it at which the floor is lost in the sky
uniform float rows;  // of the picture
out vec4 colour;
${SKY}
// how much of a pixel lines 1 m apart cover, every fifth of them heavier; where they would crowd they are left out
float lines() {
  vec2 wide = fwidth(place), nearest = round(place);
  vec2 heavy = vec2(lessThan(abs(nearest - 5.0 * round(nearest / 5.0)), vec2(0.5)));
  vec2 width = mix(vec2(0.011), vec2(0.022), heavy);
  vec2 cover = clamp((0.5 * width - abs(place - nearest)) / wide + 0.5, 0.0, 1.0) * min(vec2(1.0), width / wide);
  cover *= mix(vec2(0.85), vec2(1.0), heavy) * (1.0 - smoothstep(0.15, 0.5, wide / mix(vec2(1.0), vec2(5.0), heavy)));
  return max(cover.x, cover.y);
}
void main() {
  float share = 1.0 - smoothstep(0.35, 1.0, distance(place, centre) / fade);
  colour = vec4(mix(sky(gl_FragCoord.y / rows), mix(ground, line, lines()), share), 1.0);
}`;

export const SHADOW_FRAGMENT = `#version 300 es
precision mediump float;
in vec2 on;
uniform sampler2D shadows;
uniform vec3 tile; // corner and width in the sheet of shadows
uniform float strength;
out vec4 colour;
void main() {
  colour = vec4(0.0, 0.0, 0.0, strength * texture(shadows, tile.xy + tile.z * on).r);
}`;

// How much of the sky spheres hide from the floor: h r^2 / d^3 each, h their height and d their distance.
export const SHADE_VERTEX = `#version 300 es
layout(location = 0) in vec2 corner;
out vec2 offset;
void main() {
  offset = corner;
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

export const SHADE_FRAGMENT = `#version 300 es
precision highp float;
in vec2 offset;
uniform vec4 occluders[${MOST_OCCLUDERS}]; // x, height, z about the middle of the tile; radius squared
uniform int count;
uniform float reach; // half the width of the tile
out vec4 colour;
void main() {
  vec2 place = reach * offset;
  float hidden = 0.0;
  for (int k = 0; k < count; k++) {
    vec3 away = vec3(place.x - occluders[k].x, occluders[k].y, place.y - occluders[k].z);
    float near = inversesqrt(dot(away, away));
    hidden += away.y * occluders[k].w * near * near * near;
  }
  float edge = 1.0 - smoothstep(0.7, 1.0, length(offset));
  float even = exp(-2.0 * hidden); // tanh in terms of it
  colour = vec4(edge * (1.0 - even) / (1.0 + even), 0.0, 0.0, 1.0);
}`;

export const SKY_VERTEX = `#version 300 es
layout(location = 0) in vec2 corner;
out float height;
void main() {
  height = 0.5 + 0.5 * corner.y;
  gl_Position = vec4(corner, 0.99999, 1.0);
}`;

export const SKY_FRAGMENT = `#version 300 es
precision mediump float;
in float height;
out vec4 colour;
${SKY}
void main() { colour = vec4(sky(height), 1.0); }`;

// A trail is a ribbon of so many pixels: every piece is a square stretched from one frame's point to the next.
export const TRAIL_VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec2 corner;
layout(location = 1) in vec3 begin;
layout(location = 2) in vec3 end;
uniform mat4 camera;
uniform vec3 shift;
uniform vec2 size; // of the picture in pixels
uniform float width;
uniform float now; // the frame that is shown
out float past;
void main() {
  vec4 a = camera * vec4(begin + shift, 1.0), b = camera * vec4(end + shift, 1.0);
  vec2 along = size * (b.xy / b.w - a.xy / a.w);
  along = length(along) > 1e-4 ? normalize(along) : vec2(1.0, 0.0);
  vec4 here = corner.y < 0.0 ? a : b;
  here.xy += here.w * width / size * corner.x * vec2(-along.y, along.x);
  past = float(gl_InstanceID) < now ? 1.0 : 0.0;
  gl_Position = here;
}`;

export const TRAIL_FRAGMENT = `#version 300 es
precision mediump float;
in float past;
uniform vec3 tint;
out vec4 colour;
void main() { colour = vec4(tint, mix(0.28, 0.95, past)); }`;
