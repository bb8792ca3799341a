// Appearance of the surface: normals, colours, textures.

const surfaceShader = `#version 300 es
precision highp float;
in vec3 at; in vec3 facing; in float apart; in vec2 coords_at; in vec4 tint_at;
uniform sampler2D picture; uniform bool has_picture; uniform vec4 base; uniform float cutoff; uniform bool blends;
uniform int colors; uniform float share; uniform float most; uniform vec3 eye;
out vec4 color;
void main() {
  vec4 own = base * tint_at * (has_picture ? texture(picture, coords_at) : vec4(1.0));
  if (own.a < cutoff) discard;
  float light = 0.35 + 0.65 * abs(dot(normalize(facing), normalize(eye - at)));
  vec3 side = mix(vec3(0.93, 0.55, 0.25), vec3(0.25, 0.68, 0.66), share);
  float t = most > 0.0 ? clamp(apart / most, 0.0, 1.0) : 0.0;
  vec3 heat = mix(vec3(0.16, 0.2, 0.45), mix(vec3(0.85, 0.35, 0.35), vec3(1.0, 0.95, 0.6), max(0.0, 2.0 * t - 1.0)), min(1.0, 2.0 * t));
  vec3 shown = colors == 0 ? pow(max(own.rgb, vec3(0.0)), vec3(1.0 / 2.2)) : colors == 1 ? side : heat;
  color = vec4(shown * light, blends ? own.a : 1.0);
}`;

// Expands per-vertex values to triangle corners.
function spread(values, width, corners) {
  const all = new values.constructor(corners.length * width);
  corners.forEach((vertex, i) => all.set(values.subarray(vertex * width, vertex * width + width), i * width));
  return all;
}

// Normals per triangle corner, smoothed across shared vertices except at sharp edges.
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

// Uploads the attributes of all corners; returns their number.
function upload(gl, program, { skin, surface }) {
  const wedges = new Uint16Array(bytes(surface.triangles).buffer);
  const vertexOf = new Uint16Array(bytes(surface.vertices).buffer);
  const corners = wedges.map((wedge) => vertexOf[wedge]);
  const attribute = (name, values, width, kind, isShare, offset = 0, stride = width) => {
    const place = gl.getAttribLocation(program, name);
    if (place < 0) return;
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, width, kind, isShare, stride * values.BYTES_PER_ELEMENT, offset * values.BYTES_PER_ELEMENT);
  };
  const positions = new Int16Array(bytes(skin.positions).buffer);
  attribute("position", spread(positions, 3, corners), 3, gl.SHORT, true);
  attribute("normal", normals(positions, corners), 3, gl.SHORT, true);
  for (const [name, isShare] of [["joints", false], ["weights", true]]) {
    const values = spread(new Uint16Array(bytes(skin[name]).buffer), skin.slots, corners);
    attribute(`${name}_a`, values, 4, gl.UNSIGNED_SHORT, isShare, 0, skin.slots);
    if (skin.slots > 4) attribute(`${name}_b`, values, 4, gl.UNSIGNED_SHORT, isShare, 4, skin.slots);
    else gl.vertexAttrib4f(gl.getAttribLocation(program, `${name}_b`), 0, 0, 0, 0);
  }
  attribute("coords", spread(new Uint16Array(bytes(surface.coords).buffer), 2, wedges), 2, gl.UNSIGNED_SHORT, true);
  if (surface.colors) attribute("tint", spread(bytes(surface.colors), 4, wedges), 4, gl.UNSIGNED_BYTE, true);
  else gl.vertexAttrib4f(gl.getAttribLocation(program, "tint"), 1, 1, 1, 1);
  return corners.length;
}

// Creates the textures; each becomes available once decoded, which calls `arrived`.
function textures(gl, pictures, arrived) {
  return pictures.map((address) => {
    const texture = { is_there: false, name: gl.createTexture() };
    if (!address) return texture;
    const image = new Image();
    image.onload = () => {
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, texture.name);
      gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE, image);
      gl.generateMipmap(gl.TEXTURE_2D);
      texture.is_there = true;
      arrived();
    };
    image.src = address;
    return texture;
  });
}

// Creates a sampler.
function sampler(gl, { wrap, nearest }) {
  const modes = { repeat: gl.REPEAT, mirror: gl.MIRRORED_REPEAT, clamp: gl.CLAMP_TO_EDGE };
  const made = gl.createSampler();
  gl.samplerParameteri(made, gl.TEXTURE_WRAP_S, modes[wrap[0]]);
  gl.samplerParameteri(made, gl.TEXTURE_WRAP_T, modes[wrap[1]]);
  gl.samplerParameteri(made, gl.TEXTURE_MAG_FILTER, nearest ? gl.NEAREST : gl.LINEAR);
  gl.samplerParameteri(made, gl.TEXTURE_MIN_FILTER, nearest ? gl.NEAREST_MIPMAP_LINEAR : gl.LINEAR_MIPMAP_LINEAR);
  return made;
}
