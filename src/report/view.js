"use strict";
// Turns the compared pose: both sides are in the buffers, and a slider mixes them.
const canvas = document.querySelector("canvas");
const model = canvas && JSON.parse(document.getElementById("model").textContent);
const gl = canvas && canvas.getContext("webgl2", { antialias: true });

const vertex = `#version 300 es
in vec3 a; in vec3 b; in vec3 normal_a; in vec3 normal_b; uniform float share; uniform mat4 clip;
out vec3 at; out vec3 normal; out float apart;
void main() {
  at = mix(a, b, share);
  normal = mix(normal_a, normal_b, share);
  apart = distance(a, b);
  gl_Position = clip * vec4(at, 1.0);
}`;
const fragment = `#version 300 es
precision highp float; in vec3 at; in vec3 normal; in float apart; uniform float share; uniform float most; uniform bool painted; uniform vec3 eye; out vec4 color;
void main() {
  float light = 0.35 + 0.65 * abs(dot(normalize(normal), normalize(eye - at)));
  vec3 side = mix(vec3(0.93, 0.55, 0.25), vec3(0.25, 0.68, 0.66), share);
  float t = most > 0.0 ? clamp(apart / most, 0.0, 1.0) : 0.0;
  vec3 heat = mix(vec3(0.16, 0.2, 0.45), mix(vec3(0.85, 0.35, 0.35), vec3(1.0, 0.95, 0.6), max(0.0, 2.0 * t - 1.0)), min(1.0, 2.0 * t));
  color = vec4((painted ? heat : side) * light, 1.0);
}`;

function bytes(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

// The vectors of each triangle's corners, one after the other.
function spread(vectors, corners) {
  const all = new vectors.constructor(corners.length * 3);
  corners.forEach((vertex, i) => all.set(vectors.subarray(vertex * 3, vertex * 3 + 3), i * 3));
  return all;
}

// Normals of each triangle's corners: triangles that share a vertex are one smooth surface unless it has an edge between them.
function normals(positions, corners) {
  const edge = 0.6;
  const count = corners.length / 3;
  const faces = new Float32Array(corners.length);
  const around = Array.from({ length: positions.length / 3 }, () => []);
  for (let face = 0; face < count; face++) {
    const [p, q, r] = [0, 1, 2].map((i) => corners[face * 3 + i] * 3);
    const u = [0, 1, 2].map((k) => positions[q + k] - positions[p + k]);
    const v = [0, 1, 2].map((k) => positions[r + k] - positions[p + k]);
    faces.set([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]], face * 3);
    for (const vertex of [p, q, r]) around[vertex / 3].push(face);
  }
  const lengths = Float32Array.from({ length: count }, (_, face) => Math.hypot(...faces.subarray(face * 3, face * 3 + 3)));
  const all = new Int16Array(corners.length * 3);
  corners.forEach((vertex, i) => {
    const own = Math.floor(i / 3);
    const [x, y, z] = faces.subarray(own * 3, own * 3 + 3);
    const sum = [0, 0, 0];
    for (const face of around[vertex]) {
      const [fx, fy, fz] = faces.subarray(face * 3, face * 3 + 3);
      if (face !== own && x * fx + y * fy + z * fz < edge * lengths[own] * lengths[face]) continue;
      sum[0] += fx;
      sum[1] += fy;
      sum[2] += fz;
    }
    const length = Math.hypot(...sum) || 1;
    all.set(sum.map((s) => Math.round(s / length * 32767)), i * 3);
  });
  return all;
}

function multiplied(m, n) {
  return Array.from({ length: 16 }, (_, i) => [0, 1, 2, 3].reduce((sum, k) => sum + m[k * 4 + (i % 4)] * n[(i >> 2) * 4 + k], 0));
}

function start() {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return false;
  gl.useProgram(program);
  const corners = new Uint16Array(bytes(model.triangles).buffer);
  const upload = (name, numbers) => {
    const place = gl.getAttribLocation(program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 3, gl.SHORT, true, 6, 0);
  };
  for (const side of ["a", "b"]) {
    const positions = new Int16Array(bytes(model[side]).buffer);
    upload(side, spread(positions, corners));
    upload(`normal_${side}`, normals(positions, corners));
  }
  gl.enable(gl.DEPTH_TEST);

  const view = { yaw: Number(canvas.dataset.yaw), pitch: 0.15, distance: model.radius * 3.4 };
  const place = (name) => gl.getUniformLocation(program, name);
  const places = Object.fromEntries(["share", "clip", "most", "painted", "eye"].map((name) => [name, place(name)]));
  const share = document.getElementById("share");
  const painted = document.getElementById("painted");
  let asked = false;

  function draw() {
    asked = false;
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * scale));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * scale));
    gl.viewport(0, 0, canvas.width, canvas.height);
    const distance = view.distance;
    const [sy, cy, sp, cp] = [Math.sin(view.yaw), Math.cos(view.yaw), Math.sin(view.pitch), Math.cos(view.pitch)];
    const turn = [cy, -sp * sy, cp * sy, 0, 0, cp, sp, 0, -sy, -sp * cy, cp * cy, 0, 0, 0, -distance, 1];
    const near = Math.max(distance - 3, distance * 0.02);
    const far = distance + 3;
    const focus = 1 / Math.tan(0.3);
    const lens = [focus * canvas.height / canvas.width, 0, 0, 0, 0, focus, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0];
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix4fv(places.clip, false, multiplied(lens, turn));
    gl.uniform3f(places.eye, distance * cp * sy, distance * sp, distance * cp * cy);
    gl.uniform1f(places.most, model.most);
    gl.uniform1f(places.share, Number(share.value));
    gl.uniform1i(places.painted, painted.checked ? 1 : 0);
    gl.drawArrays(gl.TRIANGLES, 0, corners.length);
    canvas.dataset.state = gl.getError() === gl.NO_ERROR ? "drawn" : "failed";
  }
  function ask() {
    if (!asked) requestAnimationFrame(draw);
    asked = true;
  }
  function orbit(x, y) {
    view.yaw -= x;
    view.pitch = Math.min(1.5, Math.max(-1.5, view.pitch + y));
    ask();
  }
  function zoom(factor) {
    view.distance = Math.min(20, Math.max(0.3, view.distance * factor));
    ask();
  }

  const held = new Map();
  let span = 0;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, event);
    span = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = held.get(event.pointerId);
    if (!last) return;
    held.set(event.pointerId, event);
    if (held.size === 1) return orbit((event.clientX - last.clientX) * 0.01, (event.clientY - last.clientY) * 0.01);
    const [a, b] = held.values();
    const now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    if (span > 0 && now > 0) zoom(span / now);
    span = now;
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => held.delete(event.pointerId));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(event.deltaY * 0.001));
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const turns = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
    const turn = turns[event.key];
    if (turn) orbit(...turn);
    else if (event.key === "+" || event.key === "-") zoom(event.key === "+" ? 0.9 : 1.1);
    else return;
    event.preventDefault();
  });
  share.addEventListener("input", ask);
  painted.addEventListener("input", ask);
  window.addEventListener("resize", ask);
  window.addEventListener("beforeprint", draw);
  draw();
  return true;
}

if (canvas && !(gl && start())) {
  canvas.hidden = true;
  document.getElementById("no-view").hidden = false;
}
