#!/usr/bin/env python3
"""try_card.py RIGSCOPE [--samples FOLDER] [--pictures TEST_PROGRAM]: tests the program on a machine with a graphics card, in at most four minutes.

Compares the vertices from the graphics card with those from the processor, measures frame times, compares images with the golden images and, if there is a
display, opens the window. Prints a table of the results, including what could not be tested. Exits with 1 if something failed.
"""

import argparse
import json
import os
import struct
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

METHODS = ["lbs", "dqs", "cor", "dqs-bulge", "sclerp", "blend:0.4"]
"""Skinning methods. Each sample is tested with the next one."""

LIMIT_SECS = {"vertices": 100, "frames": 60, "pictures": 50, "window": 12}
"""Time limit of each part, seconds."""

MAX_DISTANCE = 1e-5
"""Maximum difference between the graphics card and the processor: of positions, as a fraction of the character's size, and of normals."""

OPTIONS = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
OPTIONS.add_argument("rigscope", help="the program, built for release")
OPTIONS.add_argument("--samples", help="a folder of rigs")
OPTIONS.add_argument("--pictures", help="the program of the tests of pictures")


class Table:
    """Rows of the result: what was tested, the outcome, details."""

    def __init__(self):
        self.rows, self.failed = [], False

    def add(self, what, is_fine, details):
        """Adds a row and prints it. `is_fine` is None if this could not be tested."""
        result = {True: "fine", False: "FAILED", None: "not tried"}[is_fine]
        self.failed |= is_fine is False
        self.rows.append((what, result, details))
        print(f"{what:34} {result:9} {details}", flush=True)


def run(rigscope, *arguments, timeout=60):
    """Runs the program and returns the finished process. If it times out, its exit code is 124."""
    try:
        return subprocess.run([rigscope, *arguments], capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(arguments, 124, "", f"took longer than {timeout:.0f} s")


def last_line(text):
    return (text.strip().splitlines() or ["no output"])[-1][:100]


def bench(rigscope, file, timeout=60, *options):
    done = run(rigscope, "bench", file, "--card", "-q", *options, timeout=timeout)
    return json.loads(done.stdout) if done.returncode == 0 else last_line(done.stderr)


def try_card(table, rigscope):
    """Reports the OpenGL renderer. Returns True if it is a graphics card."""
    found = bench(rigscope, "builtin:tube", 60, "--frames", "3", "--only", "lbs")
    if isinstance(found, str):
        table.add("OpenGL", False, found)
        return False
    card = found["card"]
    is_card = not card["is_software"]
    details = f"{card['renderer']}, OpenGL {card['version']}"
    table.add("graphics card", True if is_card else None, details if is_card else f"this machine draws in software: {details}")
    return is_card


def baked(rigscope, file, method, backend):
    """Returns a file's primitives as one backend skins them, or an error message."""
    done = run(rigscope, "bake", file, "--method", method, "--backend", backend, "--format", "json", "-o", "-", "-q")
    return last_line(done.stderr) if done.returncode else json.loads(done.stdout)["primitives"]


def distance(processor, card):
    """Returns the largest difference of positions, as a fraction of the size, and of normals. None if there are no vertices."""
    points = [np.array(p["positions"]) for p in processor if p["positions"]]
    if not points:
        return None
    every = np.concatenate(points)
    size = np.linalg.norm(every.max(0) - every.min(0)) or 1.0
    largest = 0.0
    for ours, theirs in zip(processor, card, strict=True):
        for key, unit in (("positions", size), ("normals", 1.0)):
            if ours.get(key):
                largest = max(largest, float(np.abs(np.array(ours[key]) - np.array(theirs[key])).max()) / unit)
    return largest


def compare(rigscope, file, method, end):
    """Returns the largest difference between the graphics card and the processor, or an error message. None if there are no vertices or the time is up."""
    if time.monotonic() > end:
        return None
    processor = baked(rigscope, file, method, "cpu")
    if isinstance(processor, str):
        return None
    card = baked(rigscope, file, method, "gpu")
    return f"{file}: {card}" if isinstance(card, str) else distance(processor, card)


def try_vertices(table, rigscope, samples):
    files = ["builtin:figure", "builtin:tube"]
    if samples:
        found = (p for p in sorted(Path(samples).rglob("*")) if p.suffix in {".glb", ".gltf", ".vrm", ".fbx"})
        files += [str(p) for p in found if not any(part.startswith("bad-") for part in p.parts) and p.stat().st_size < 4_000_000]
    end = time.monotonic() + LIMIT_SECS["vertices"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(compare, rigscope, file, METHODS[number % len(METHODS)], end) for number, file in enumerate(files)]
        results = [job.result() for job in jobs]
    failures = [result for result in results if isinstance(result, str)]
    distances = [result for result in results if isinstance(result, float)]
    is_fine = not failures and max(distances, default=0.0) <= MAX_DISTANCE
    details = f"{len(distances)} of {len(files)} files, {len(METHODS)} methods: at most {max(distances, default=0.0):.1e} of the size"
    table.add("vertices: OpenGL, processor", is_fine if distances else None, "; ".join([details, *failures[:3]]))
    if not samples:
        table.add("vertices of samples", None, "no --samples")


def tube(path, vertices):
    """Writes a skinned, animated tube with about this many vertices."""
    around = 64
    rings = vertices // around
    angle, height = np.meshgrid(np.arange(around) * (2 * np.pi / around), np.linspace(0, 2, rings))
    outward = np.stack([np.cos(angle), 0 * angle, np.sin(angle)], -1).reshape(-1, 3).astype("<f4")
    position = (0.3 * outward + np.stack([0 * height, height, 0 * height], -1).reshape(-1, 3)).astype("<f4")
    upper = np.clip(height.reshape(-1) - 0.5, 0, 1).astype("<f4")
    weights = np.stack([1 - upper, upper, 0 * upper, 0 * upper], -1).astype("<f4")
    joints = np.tile(np.array([0, 1, 0, 0], "u1"), (len(position), 1))
    ring, side = np.meshgrid(np.arange(rings - 1), np.arange(around), indexing="ij")
    a, b, c, d = (r * around + s % around for r, s in ((ring, side), (ring + 1, side), (ring + 1, side + 1), (ring, side + 1)))
    indices = np.stack([a, b, c, a, c, d], -1).astype("<u4")
    binds = np.stack([np.eye(4), np.eye(4)])
    binds[1, 3, 1] = -1
    turns = np.array([[0, 0, 0, 1], [0.383, 0, 0, 0.924]], "<f4")
    arrays = [
        (position, 5126, "VEC3"), (outward, 5126, "VEC3"), (joints, 5121, "VEC4"), (weights, 5126, "VEC4"), (indices.reshape(-1), 5125, "SCALAR"),
        (binds.astype("<f4").reshape(2, 16), 5126, "MAT4"), (np.array([0, 1], "<f4"), 5126, "SCALAR"), (turns, 5126, "VEC4"),
    ]
    data, views, accessors = b"", [], []
    for array, component, kind in arrays:
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": array.nbytes})
        accessors.append({"bufferView": len(views) - 1, "componentType": component, "count": len(array), "type": kind})
        data += array.tobytes() + b"\0" * (-array.nbytes % 4)
    accessors[0] |= {"min": position.min(0).tolist(), "max": position.max(0).tolist()}
    accessors[6] |= {"min": [0], "max": [1]}
    gltf = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 2]}], "buffers": [{"byteLength": len(data)}],
        "nodes": [{"name": "lower", "children": [1]}, {"name": "upper", "translation": [0, 1, 0]}, {"mesh": 0, "skin": 0}],
        "skins": [{"joints": [0, 1], "inverseBindMatrices": 5}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1, "JOINTS_0": 2, "WEIGHTS_0": 3}, "indices": 4}]}],
        "animations": [{"name": "bend", "samplers": [{"input": 6, "output": 7}], "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}]}],
        "bufferViews": views, "accessors": accessors,
    }
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    header = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)) + struct.pack("<I4s", len(text), b"JSON")
    path.write_bytes(header + text + struct.pack("<I4s", len(data), b"BIN\0") + data)


def try_frames(table, rigscope, folder):
    end = time.monotonic() + LIMIT_SECS["frames"]
    for name, vertices in (("figure", None), ("100,000 vertices", 100_000), ("1,000,000 vertices", 1_000_000)):
        file = "builtin:figure"
        if vertices:
            file = folder / f"{vertices}.glb"
            tube(file, vertices)
        left = end - time.monotonic()
        found = bench(rigscope, file, left, "--frames", "30", "--only", "lbs") if left > 5 else None
        if not isinstance(found, dict):
            table.add(f"frames: {name}", None if found is None else False, found or "no time was left")
            continue
        table.add(f"frames: {name}", True, f"start to picture {found['start_to_image_ms'] / 1000:.2f} s; {times_of(found)}")
        # The same with transform feedback, which older drivers use.
        left = end - time.monotonic()
        found = bench(rigscope, file, left, "--frames", "30", "--only", "lbs", "--skin", "feedback") if vertices and left > 5 else None
        if isinstance(found, dict):
            table.add(f"frames: {name}, transform feedback", True, times_of(found))


def times_of(found):
    return ", ".join(f"{frame['name']} {frame.get('card_ms') or frame['median_ms']:.2f} ms" for frame in found["frames"])


def try_pictures(table, program):
    if not program:
        table.add("golden images", None, "no --pictures")
        return
    done = run(program, "pictures::", timeout=LIMIT_SECS["pictures"])
    summary = [line for line in done.stdout.splitlines() if line.startswith("test result")]
    table.add("golden images", done.returncode == 0, summary[0] if summary else last_line(done.stderr))


def try_window(table, rigscope, folder):
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        table.add("window", None, "no display")
        return
    home = {"XDG_CONFIG_HOME": folder / "config", "XDG_CACHE_HOME": folder / "cache", "XDG_DATA_HOME": folder / "data"}
    with open(folder / "log", "w+", encoding="utf-8") as log:
        window = subprocess.Popen([rigscope, "-v", "builtin:figure"], stdout=log, stderr=log, env={**os.environ, **{k: str(v) for k, v in home.items()}})
        try:
            code = window.wait(LIMIT_SECS["window"])
        except subprocess.TimeoutExpired:
            code = None
            window.terminate()
            window.wait()
        log.seek(0)
        faults = [line.strip() for line in log if "panicked" in line or "fault" in line]
    details = faults[0][:100] if faults else f"it ended with exit code {code}" if code is not None else "open for twelve seconds"
    table.add("window", code is None and not faults, details)


def main():
    options = OPTIONS.parse_args()
    table = Table()
    try_card(table, options.rigscope)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        try_frames(table, options.rigscope, folder)
        try_vertices(table, options.rigscope, options.samples)
        try_pictures(table, options.pictures)
        try_window(table, options.rigscope, folder)
    not_tried = [what for what, result, _ in table.rows if result == "not tried"]
    print(f"\nNot tried here: {', '.join(not_tried)}." if not_tried else "\nAll was tried.")
    return int(table.failed)


sys.exit(main())
