"use strict";
// Skins a surface with the reference formulas of crates/core/src/skinning: LBS, and DQS in two phases.
// A joint j of a frame has a stretch S, a rotation q applied after it, and the position y to which it moves the bind
// position x.

const TEXELS_PER_JOINT = 9;
const JOINTS_PER_ROW = 16;

const skinningShader = `#version 300 es
precision highp float;
precision highp sampler2D;
in vec3 position; in vec3 normal; in vec4 joints_a; in vec4 joints_b; in vec4 weights_a; in vec4 weights_b; in vec2 coords; in vec4 tint;
uniform sampler2D palette; uniform vec3 center; uniform float reach; uniform vec2 coords_from; uniform vec2 coords_size;
uniform int slots; uniform float share; uniform mat4 screen_from_world;
out vec3 at; out vec3 facing; out float apart; out vec2 coords_at; out vec4 tint_at;

struct Affine { vec4 x; vec4 y; vec4 z; }; // rows of a 3x4 matrix
struct Skinned { vec3 position; vec3 normal; };

// Texels of a joint.
const int MATRIX = 0;   // 3 rows of T
const int ROTATION = 3; // q
const int DUAL = 4;     // y q / 2, the dual part for skin space without extent
const int STRETCH = 5;  // 3 rows of v -> S (v - x)
const int BIND = 8;     // x

vec4 texel(int joint, int number) {
  return texelFetch(palette, ivec2((joint % ${JOINTS_PER_ROW}) * ${TEXELS_PER_JOINT} + number, joint / ${JOINTS_PER_ROW}), 0);
}
int joint_of(int slot) { return int(slot < 4 ? joints_a[slot] : joints_b[slot - 4]); }
float weight_of(int slot) { return slot < 4 ? weights_a[slot] : weights_b[slot - 4]; }
vec3 point(Affine m, vec3 p) { return vec3(dot(m.x, vec4(p, 1.0)), dot(m.y, vec4(p, 1.0)), dot(m.z, vec4(p, 1.0))); }
vec3 vector(Affine m, vec3 v) { return vec3(dot(m.x.xyz, v), dot(m.y.xyz, v), dot(m.z.xyz, v)); }
vec3 rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
vec4 product(vec4 a, vec4 b) { return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz)); }

// sign(det M) * cofactor(M) * n, of unit length or zero.
vec3 turned_normal(Affine m, vec3 n) {
  vec3 x = cross(m.y.xyz, m.z.xyz), y = cross(m.z.xyz, m.x.xyz), z = cross(m.x.xyz, m.y.xyz);
  vec3 turned = vec3(dot(x, n), dot(y, n), dot(z, n)) * (dot(m.x.xyz, x) < 0.0 ? -1.0 : 1.0);
  float largest = max(max(abs(turned.x), abs(turned.y)), abs(turned.z));
  return largest > 0.0 ? normalize(turned / largest) : vec3(0.0);
}

// Weighted mean of the 3x4 matrices at a texel offset of each joint.
Affine blended(int first, float sum) {
  Affine mean = Affine(vec4(0.0), vec4(0.0), vec4(0.0));
  for (int slot = 0; slot < slots; slot++) {
    int joint = joint_of(slot);
    float weight = weight_of(slot) / sum;
    mean.x += texel(joint, first) * weight;
    mean.y += texel(joint, first + 1) * weight;
    mean.z += texel(joint, first + 2) * weight;
  }
  return mean;
}

Skinned linear(vec3 p, float sum) {
  Affine mean = blended(MATRIX, sum);
  return Skinned(point(mean, p), turned_normal(mean, normal));
}

Skinned dual_quaternion(vec3 p, float sum) {
  // Phase 1: the blended stretch, skin space to skin space.
  Affine stretch = blended(STRETCH, sum);
  vec3 bind = vec3(0.0);
  for (int slot = 0; slot < slots; slot++) bind += texel(joint_of(slot), BIND).xyz * weight_of(slot) / sum;
  bind = vector(stretch, bind);
  stretch.x.w += bind.x;
  stretch.y.w += bind.y;
  stretch.z.w += bind.z;
  // Phase 2: the rigid part, with signs that agree with the first, heaviest joint.
  vec4 pivot = texel(joint_of(0), ROTATION), real = vec4(0.0), dual = vec4(0.0), pivot_dual;
  for (int slot = 0; slot < slots; slot++) {
    int joint = joint_of(slot);
    vec4 q = texel(joint, ROTATION);
    vec4 d = texel(joint, DUAL) - 0.5 * product(q, vec4(vector(stretch, texel(joint, BIND).xyz), 0.0));
    if (slot == 0) pivot_dual = d;
    float weight = weight_of(slot) / sum * (dot(pivot, q) < 0.0 ? -1.0 : 1.0);
    real += q * weight;
    dual += d * weight;
  }
  float norm = length(real);
  if (norm < 1e-12) { real = pivot; dual = pivot_dual; norm = 1.0; }
  real /= norm;
  dual /= norm;
  vec3 translation = 2.0 * (dual.xyz * real.w - real.xyz * dual.w + cross(real.xyz, dual.xyz));
  return Skinned(rotate(real, point(stretch, p)) + translation, rotate(real, turned_normal(stretch, normal)));
}

void main() {
  float sum = dot(weights_a, vec4(1.0)) + dot(weights_b, vec4(1.0));
  vec3 p = center + position * reach;
  Skinned a = linear(p, sum), b = dual_quaternion(p, sum);
  at = mix(a.position, b.position, share);
  facing = mix(a.normal, b.normal, share);
  apart = distance(a.position, b.position);
  coords_at = coords_from + coords * coords_size;
  tint_at = tint * tint;
  gl_Position = screen_from_world * vec4(at, 1.0);
}`;

function bytes(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

// Writes the texels of all joints of a motion at a time (seconds) into `palette`; returns the joints' mean position.
function pose(motion, bind, seconds, palette) {
  const count = bind.length / 3;
  const width = motion.stretch ? 13 : 7;
  const last = motion.frames - 1;
  const frame = motion.duration > 0 ? Math.min(Math.max(seconds / motion.duration, 0), 1) * last : 0;
  const before = Math.floor(frame);
  const share = frame - before;
  const [from, to] = [before, Math.min(before + 1, last)].map((number) => number * count * width);
  const mean = [0, 0, 0];
  for (let joint = 0; joint < count; joint++) {
    const at = (number) => {
      const place = joint * width + number;
      return (motion.numbers[from + place] * (1 - share) + motion.numbers[to + place] * share) / 32767;
    };
    const length = Math.hypot(at(0), at(1), at(2), at(3)) || 1;
    const [x, y, z, w] = [0, 1, 2, 3].map((number) => at(number) / length);
    const place = [0, 1, 2].map((axis) => motion.origin[axis] + at(4 + axis) * motion.reach);
    const [xx, yy, zz, xy, xz, yz] = motion.stretch ? [7, 8, 9, 10, 11, 12].map((number) => at(number) * motion.stretch) : [1, 1, 1, 0, 0, 0];
    const stretch = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    const rotation = [
      [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
      [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
      [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ];
    const matrix = rotation.map((row) => [0, 1, 2].map((k) => row[0] * stretch[0][k] + row[1] * stretch[1][k] + row[2] * stretch[2][k]));
    const bound = bind.slice(joint * 3, joint * 3 + 3);
    const moved = (row) => row[0] * bound[0] + row[1] * bound[1] + row[2] * bound[2];
    const [px, py, pz] = place;
    palette.set([
      ...matrix.flatMap((row, axis) => [...row, place[axis] - moved(row)]),
      x, y, z, w,
      (px * w + py * z - pz * y) / 2, (py * w + pz * x - px * z) / 2, (pz * w + px * y - py * x) / 2, -(px * x + py * y + pz * z) / 2,
      ...stretch.flatMap((row) => [...row, -moved(row)]),
      ...bound, 0,
    ], joint * TEXELS_PER_JOINT * 4);
    for (const axis of [0, 1, 2]) mean[axis] += place[axis] / count;
  }
  return mean;
}
