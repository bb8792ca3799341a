// The interactive view: camera, controls, playback.

const part = (id) => document.getElementById(id);
const model = part("model") && JSON.parse(part("model").textContent);

function linked(gl) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, skinningShader], [gl.FRAGMENT_SHADER, surfaceShader]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : null;
}

function multiplied(m, n) {
  return Array.from({ length: 16 }, (_, i) => [0, 1, 2, 3].reduce((sum, k) => sum + m[k * 4 + (i % 4)] * n[(i >> 2) * 4 + k], 0));
}

// Camera position and screen-from-world matrix for a view around a target.
function camera({ yaw, pitch, nearness }, target, radius, aspect) {
  const distance = radius * nearness;
  const [sy, cy, sp, cp] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)];
  const [tx, ty, tz] = target;
  const turn = [cy, -sp * sy, cp * sy, 0, 0, cp, sp, 0, -sy, -sp * cy, cp * cy, 0];
  const moved = [0, 1, 2].map((row) => -(turn[row] * tx + turn[4 + row] * ty + turn[8 + row] * tz));
  const near = Math.max(distance - 3 * radius, distance * 0.02);
  const far = distance + 3 * radius;
  const focus = 1 / Math.tan(0.3);
  const lens = [focus / aspect, 0, 0, 0, 0, focus, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0];
  const eye = [tx + distance * cp * sy, ty + distance * sp, tz + distance * cp * cy];
  return { eye, screen: multiplied(lens, [...turn, moved[0], moved[1], moved[2] - distance, 1]) };
}

// Draws the model on the canvas; false if the browser can't.
function start() {
  const canvas = part("turn");
  const gl = canvas.getContext("webgl2", { alpha: false, antialias: true });
  const program = gl && linked(gl);
  if (!program) return false;
  gl.useProgram(program);
  const places = {};
  const uniform = (name) => places[name] ??= gl.getUniformLocation(program, name);
  const { skin, surface, motions } = model;
  for (const motion of motions) motion.numbers = new Int16Array(bytes(motion.joints).buffer);
  const count = skin.bind.length / 3;
  const rows = Math.ceil(count / JOINTS_PER_ROW);
  const palette = new Float32Array(rows * JOINTS_PER_ROW * TEXELS_PER_JOINT * 4);
  upload(gl, program, model);
  gl.activeTexture(gl.TEXTURE1);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, JOINTS_PER_ROW * TEXELS_PER_JOINT, rows);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.uniform1i(uniform("palette"), 1);
  gl.uniform1i(uniform("picture"), 0);
  gl.uniform1i(uniform("slots"), skin.slots);
  gl.uniform3fv(uniform("center"), skin.center);
  gl.uniform1f(uniform("reach"), skin.reach);
  gl.uniform2fv(uniform("coords_from"), surface.coords_from);
  gl.uniform2fv(uniform("coords_size"), surface.coords_size);
  gl.enable(gl.DEPTH_TEST);
  const pictures = textures(gl, surface.pictures, ask);
  const samplers = surface.draws.map((draw) => draw.picture === null ? null : sampler(gl, draw));

  const view = { yaw: Number(canvas.dataset.yaw), pitch: 0.15, nearness: 3.4 };
  const [share, colors, time, play, worst, choice] = ["share", "colors", "time", "play", "worst", "motion"].map(part);
  let motion = motions[0];
  let seconds = 0;
  let isPlaying = false;
  let lastDrawn = 0;
  let isAsked = false;
  let isPrinting = false;

  function drawParts() {
    let first = 0;
    surface.draws.forEach((draw, number) => {
      const picture = draw.picture === null ? null : pictures[draw.picture];
      const isThere = picture !== null && picture.is_there;
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, isThere ? picture.name : null);
      gl.bindSampler(0, samplers[number]);
      gl.uniform1i(uniform("has_picture"), isThere ? 1 : 0);
      gl.uniform4fv(uniform("base"), draw.color);
      gl.uniform1f(uniform("cutoff"), draw.covers === "mask" ? draw.cutoff : -1);
      gl.uniform1i(uniform("blends"), draw.covers === "blend" ? 1 : 0);
      if (draw.covers === "blend") gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE);
      else gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE);
      gl.drawArrays(gl.TRIANGLES, first, draw.corners);
      first += draw.corners;
    });
  }
  function draw() {
    const scale = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.max(1, Math.round(side * scale)));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    gl.viewport(0, 0, canvas.width, canvas.height);
    const mean = pose(motion, skin.bind, seconds, palette);
    gl.activeTexture(gl.TEXTURE1);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, JOINTS_PER_ROW * TEXELS_PER_JOINT, rows, gl.RGBA, gl.FLOAT, palette);
    const { eye, screen } = camera(view, motion.follow ? mean : motion.center, motion.radius, canvas.width / canvas.height);
    const paper = isPrinting ? "rgb(255, 255, 255)" : getComputedStyle(canvas).backgroundColor;
    const [red, green, blue] = paper.match(/[\d.]+/g).map((part) => part / 255);
    gl.clearColor(red, green, blue, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix4fv(uniform("screen_from_world"), false, screen);
    gl.uniform3fv(uniform("eye"), eye);
    gl.uniform1f(uniform("most"), motion.apart);
    gl.uniform1f(uniform("share"), Number(share.value));
    gl.uniform1i(uniform("colors"), ["own", "sides", "apart"].indexOf(colors.value));
    drawParts();
    canvas.dataset.state = gl.getError() === gl.NO_ERROR ? "drawn" : "failed";
  }
  function step(now) {
    isAsked = false;
    if (isPlaying) {
      go(seconds + Math.min(now - lastDrawn, 100) / 1000);
      ask();
    }
    lastDrawn = now;
    draw();
  }
  function ask() {
    if (!isAsked) requestAnimationFrame(step);
    isAsked = true;
  }

  // Seeks to a time; wraps past the end.
  function go(to) {
    seconds = to <= motion.duration ? Math.max(to, 0) : to % motion.duration;
    time.value = seconds;
    part("seconds").textContent = `${seconds.toFixed(2)} of ${motion.duration.toFixed(2)} s`;
    ask();
  }
  function setPlaying(plays) {
    isPlaying = plays && motion.duration > 0;
    lastDrawn = performance.now();
    play.textContent = isPlaying ? "Pause" : "Play";
    ask();
  }
  function goToFrame(frame) {
    setPlaying(false);
    go(Math.min(Math.max(frame, 0), motion.frames - 1) / Math.max(motion.frames - 1, 1) * motion.duration);
  }
  const frame = () => seconds / (motion.duration || 1) * (motion.frames - 1);
  function choose(number) {
    motion = motions[number];
    const isClip = motion.duration > 0;
    part("playing").hidden = !isClip;
    time.max = motion.duration;
    time.step = isClip ? motion.duration / (motion.frames - 1) : 1;
    const at = motion.worst / Math.max(motion.frames - 1, 1) * motion.duration;
    worst.textContent = `Worst frame: ${at.toFixed(2)} s, ${(motion.apart * 1000).toFixed(1)} mm apart`;
    go(0);
    setPlaying(isClip && !matchMedia("(prefers-reduced-motion: reduce)").matches);
  }

  choice.addEventListener("change", () => choose(Number(choice.value)));
  play.addEventListener("click", () => setPlaying(!isPlaying));
  worst.addEventListener("click", () => goToFrame(motion.worst));
  time.addEventListener("input", () => {
    setPlaying(false);
    go(Number(time.value));
  });
  share.addEventListener("input", ask);
  colors.addEventListener("input", ask);
  window.addEventListener("resize", ask);
  window.addEventListener("beforeprint", () => {
    isPrinting = true;
    draw();
  });
  window.addEventListener("afterprint", () => {
    isPrinting = false;
    ask();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ask);
  canvas.addEventListener("webglcontextlost", () => {
    setPlaying(false);
    say("The browser has lost the graphics context of this view. Reload the page to restore it.");
  });
  turning(canvas, view, ask, {
    " ": () => setPlaying(!isPlaying),
    ",": () => goToFrame(Math.ceil(frame() - 0.01) - 1),
    ".": () => goToFrame(Math.floor(frame() + 0.01) + 1),
    w: () => goToFrame(motion.worst),
  });
  part("player").hidden = false;
  // Browsers restore form values on reload.
  choose(0);
  choice.value = 0;
  draw();
  return true;
}

// Orbits and zooms by pointer, wheel and keys; `others` maps further keys to actions.
function turning(canvas, view, ask, others) {
  function orbit(x, y) {
    view.yaw -= x;
    view.pitch = Math.min(1.5, Math.max(-1.5, view.pitch + y));
    ask();
  }
  function zoom(factor) {
    view.nearness = Math.min(12, Math.max(0.2, view.nearness * factor));
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
  const keys = {
    ArrowLeft: () => orbit(0.1, 0),
    ArrowRight: () => orbit(-0.1, 0),
    ArrowUp: () => orbit(0, 0.1),
    ArrowDown: () => orbit(0, -0.1),
    "+": () => zoom(0.9),
    "-": () => zoom(1.1),
    ...others,
  };
  canvas.addEventListener("keydown", (event) => {
    const act = !event.ctrlKey && !event.metaKey && !event.altKey && (keys[event.key] || keys[event.key.toLowerCase()]);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

// Replaces the view with a message.
function say(why) {
  part("player").hidden = true;
  part("no-view").textContent = why;
  part("no-view").hidden = false;
}

function tryToStart() {
  try {
    return start();
  } catch (problem) {
    console.warn(problem);
    return false;
  }
}

if (model && !tryToStart()) say("This browser draws no WebGL 2, so nothing turns here; the pictures above show the same pose.");
