#!/usr/bin/env python3
"""compare.py LINUX WINDOWS SAMPLES [--out FOLDER]: compares the program for Windows, run by Wine, with the one for Linux.

Both run the same commands on the same files: samples, and copies of samples with random changes. Output, exit codes and written files are compared: they are
the same, or numbers differ by at most 1e-6, or they differ. Prints a table of the results and saves what differs. Exits with 1 if something differs.
"""

import argparse
import json
import math
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from wine import LIMIT_SECS, Wine

MAX_DIFFERENCE = 1e-6
"""Maximum difference of two numbers: relative, for numbers below 1 absolute. The two C libraries round some functions differently."""

HOSTILE_FILES = 500
HOSTILE_EXTENSIONS = (".fbx", ".glb", ".vrm")
MAX_HOSTILE_BYTES = 2_000_000

FOX = "samples/khronos/Fox/Fox.glb"
COMMANDS = {
    "info": ["info", "samples"],
    "info, JSON": ["info", "--json", "samples"],
    "check": ["check", "--no-config", "samples"],
    "check, JSON": ["check", "--no-config", "--json", "samples"],
    "check, SARIF": ["check", "--no-config", "--sarif", "samples"],
    "check, baseline": ["check", "--no-config", "--write-baseline=OUT/baseline.json", "samples"],
    "check, pattern": ["check", "--no-config", "--json", "samples/**/*.vrm"],
    "nodes": ["nodes", "--json", FOX],
    "motion": ["motion", "--json", FOX],
    "diff": ["diff", "--json", FOX, "samples/fbx/blender42_Fox.fbx"],
    "diff, text": ["diff", FOX, "samples/fbx/blender42_Fox.fbx"],
    "compare": ["compare", "--json", "--clip", "0", "--time", "0.37", FOX, "builtin:figure"],
    "weights": ["weights", "--json", "samples"],
    "weights, computed": ["weights", "--compute", "-o", "OUT/computed.glb", FOX],
    "bake": ["bake", "samples", "-o", "OUT/{folder}/{name}.glb"],
    "bake, DQS": ["bake", "samples", "--method", "dqs", "--clip", "0", "--time", "0.37", "-o", "OUT/{folder}/{name}.json"],
    "bake, OBJ": ["bake", FOX, "-o", "OUT/fox.obj"],
    "convert": ["convert", "samples", "-o", "OUT/{folder}/{name}.glb"],
    "report": ["report", FOX, "-o", "OUT/fox.html"],
    "render": ["render", FOX, "--size", "320x240", "-o", "OUT/fox.png"],
    "render, figure": ["render", "builtin:figure", "--size", "320x240", "--method", "dqs", "-o", "OUT/figure.png"],
    "help": ["help"],
    "hostile files": ["check", "--no-config", "--json", "hostile"],
    "hostile files, bake": ["bake", "hostile", "-o", "OUT/{name}.glb"],
    "bad file": ["info", "samples/none.glb"],
    "bad extension": ["bake", FOX, "-o", "OUT/fox.txt"],
}
"""Commands to compare. OUT is a folder of each program; `samples` is a copy of the samples, `hostile` are copies with random changes."""

ARBITRARY = "matrix_indecomposable"
"""Part of the name of a sample whose matrix has no rotation, so that any is right."""

DRIVE = b"Z:/"
"""Wine's name of the root folder. The only absolute paths in outputs are those of the samples."""

SYSTEM_MESSAGE = re.compile(rb"[^:]+ \(os error \d+\)")
"""A message of the operating system."""

OPTIONS = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
OPTIONS.add_argument("linux", type=Path, help="the program for Linux")
OPTIONS.add_argument("windows", type=Path, help="the program for Windows")
OPTIONS.add_argument("samples", type=Path, help="a folder of rigs")
OPTIONS.add_argument("--only", default="", help="runs only the commands whose names contain this")
OPTIONS.add_argument("--out", type=Path, default=Path("target/tried-windows/differences"), help="folder for outputs that differ")


def outcome(start, words, folder, side):
    """Runs a command. Returns its outputs by name: exit code, standard output and error, and written files. Also returns the time in seconds."""
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    words = [word.replace("OUT/", "out/") for word in words]
    began = time.monotonic()
    try:
        done = start([*words, "--quiet"] if words[0] not in ("help", "info") else words, folder)
        found = {"exit code": str(done.returncode).encode(), "standard output": done.stdout, "standard error": done.stderr}
    except subprocess.TimeoutExpired:
        found = {"exit code": f"none after {LIMIT_SECS} s on {side}".encode()}
    taken = time.monotonic() - began
    found |= {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
    return found, taken


def common(content):
    """Replaces what differs between the systems in any program: names of folders, and messages of the system."""
    return SYSTEM_MESSAGE.sub(b" (os error)", content.replace(DRIVE, b"/"))


def numbers(content):
    """Splits an output into its numbers with decimals and the rest, in which whole numbers and other data stay."""
    if content[:4] == b"glTF":
        return numbers_of_glb(content)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return [], content
    pattern = r"-?\d+\.\d+(?:e-?\d+)?|-?\d+e-?\d+"
    return [float(number) for number in re.findall(pattern, text)], re.sub(pattern, "#", text)


def numbers_of_glb(content):
    """Splits a GLB file into the numbers of its JSON and of its float accessors, and the rest."""
    length = struct.unpack("<I", content[12:16])[0]
    document, data = content[20 : 20 + length], content[28 + length :]
    found, rest = numbers(document)
    document = json.loads(document)
    float_views = {accessor.get("bufferView") for accessor in document.get("accessors", []) if accessor["componentType"] == 5126}
    others = []
    for number, view in enumerate(document.get("bufferViews", [])):
        start = view.get("byteOffset", 0)
        part = data[start : start + view["byteLength"]]
        if number in float_views:
            found += struct.unpack(f"<{len(part) // 4}f", part[: len(part) // 4 * 4])
        else:
            others.append(part)
    return found, (rest, others)


def difference(ours, theirs):
    """Returns the maximum difference of the numbers in two outputs; None if they differ in anything else."""
    (one, rest), (other, other_rest) = numbers(ours), numbers(theirs)
    if rest != other_rest or len(one) != len(other):
        return None
    pairs = [(a, b) for a, b in zip(one, other) if a != b and not (math.isnan(a) and math.isnan(b))]
    if any(math.isnan(a) or math.isnan(b) for a, b in pairs):
        return None
    return max((abs(a - b) / max(1.0, abs(a), abs(b)) for a, b in pairs), default=0.0)


class Table:
    """Rows of the result: what was compared, and how many outputs are the same, within the maximum difference, and different."""

    def __init__(self, out):
        self.out, self.total, self.has_failed = out, [0, 0, 0], False

    def add(self, what, linux, windows, times):
        same, near, different = 0, [], []
        for name in sorted(linux.keys() | windows.keys()):
            ours, theirs = linux.get(name), windows.get(name)
            if ours == theirs or None not in (ours, theirs) and (ARBITRARY in name or common(ours) == common(theirs)):
                same += 1
                continue
            found = None if ours is None or theirs is None else difference(ours, theirs)
            if found is not None and found <= MAX_DIFFERENCE:
                near.append(found)
                continue
            different.append(name)
            for side, content in (("linux", ours), ("windows", theirs)):
                path = self.out / what.replace(", ", "-") / side / name
                if content is not None:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)
        self.total = [a + b for a, b in zip(self.total, (same, len(near), len(different)))]
        self.has_failed |= bool(different)
        details = f"{same} same" + (f", {len(near)} within {max(near):.0e}" if near else "")
        details += f", {len(different)} DIFFERENT: {', '.join(different[:4])}" if different else ""
        print(f"{what:20} {times[0]:6.1f} s {times[1]:6.1f} s  {details}", flush=True)


def make_hostile(samples, folder):
    """Writes copies of samples with random changes: cut, with changed or repeated bytes, or with another number in their JSON."""
    random = Random(60)
    sources = sorted(path for path in samples.rglob("*") if path.suffix in HOSTILE_EXTENSIONS and 0 < path.stat().st_size < MAX_HOSTILE_BYTES)
    folder.mkdir()
    for number in range(HOSTILE_FILES):
        source = random.choice(sources)
        content = bytearray(source.read_bytes())
        start = random.randrange(len(content))
        kind = number % 4
        if kind == 0:
            del content[start:]
        elif kind == 1:
            for _ in range(20):
                content[random.randrange(len(content))] = random.randrange(256)
        elif kind == 2:
            content[start:start] = content[start : start + 64]
        else:
            found = list(re.finditer(rb"(?<=[:,\[])\d+(?=[,\]}])", content[:100_000]))
            if found:
                place = random.choice(found)
                length = place.end() - place.start()
                # As many digits, so that the other offsets stay right.
                content[place.start() : place.end()] = str(random.randrange(10**length)).zfill(length).encode()
        (folder / f"{number:03}-{source.name}").write_bytes(content)


def main():
    options = OPTIONS.parse_args()
    linux, windows, out = options.linux.resolve(), options.windows.resolve(), options.out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    table = Table(out)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        shutil.copytree(options.samples, folder / "samples")
        make_hostile(folder / "samples", folder / "hostile")
        with Wine(folder) as wine:
            starts = {
                "Linux": lambda words, cwd: subprocess.run([linux, *words], cwd=cwd, capture_output=True, timeout=LIMIT_SECS, check=False),
                "Windows": lambda words, cwd: wine.run(windows, *words, cwd=cwd),
            }
            print(f"{'command':20} {'Linux':>8} {'Wine':>8}")
            for what, words in COMMANDS.items():
                if options.only not in what:
                    continue
                results = [outcome(start, words, folder, side) for side, start in starts.items()]
                table.add(what, *(found for found, _ in results), [taken for _, taken in results])
    same, near, different = table.total
    print(json.dumps({"outputs": sum(table.total), "same": same, "within 1e-6": near, "different": different}))
    sys.exit(1 if table.has_failed else 0)


if __name__ == "__main__":
    main()
