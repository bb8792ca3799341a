#!/usr/bin/env python3
"""tests.py TOOLS [--only NAME] [--out FOLDER]: builds the tests for Windows and runs them by Wine.

TOOLS is the folder that toolchain.sh prepared. Unit tests of all crates and the tests that need no display run as programs for Windows. The ten tasks of
`make soak` control the window for Windows from Linux; their pictures are saved. Prints what failed. Exits with 1 if something failed.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from wine import Wine

TARGET = "x86_64-pc-windows-gnu"
ROOT = Path(__file__).resolve().parents[2]
SUITES = ["commands", "files", "import", "numbers"]
"""Tests of `rigscope-tests` that run by Wine. The others are about pixels and windows of Linux, or about the repository itself."""

WITH_PYTHON = ["rigscope_python"]
"""Tests that need Python for Windows."""

LIMIT_SECS = 3600
"""Time limit of a suite, seconds."""

OPTIONS = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
OPTIONS.add_argument("tools", type=Path, help="the folder of the tools")
OPTIONS.add_argument("--only", help="runs only the suites with this name")
OPTIONS.add_argument("--out", type=Path, default=ROOT / "target/tried-windows", help="folder for the output of tests, and pictures")


def build(tools):
    """Builds the tests and the program. Returns the name, folder and program of each suite, and the program of the window."""
    cargo = tools / "bin/cargo"
    environment = {**os.environ, "CARGO_TARGET_DIR": str(tools / "target"), "CARGO_PROFILE_DEV_DEBUG": "false"}
    options = ["--locked", "--features", "inspection", "--target", TARGET, "--message-format", "json-render-diagnostics"]
    # With the test `program`, Cargo also builds the program.
    selected = ["--lib", *(word for suite in ["program", *SUITES] for word in ("--test", suite))]
    built = subprocess.run([cargo, "test", "--no-run", *selected, *options], cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True)
    messages = map(json.loads, built.stdout.splitlines())
    artifacts = [message for message in messages if message.get("executable")]
    tests = [item for item in artifacts if item["profile"]["test"] and item["target"]["kind"] != ["bin"] and item["target"]["name"] not in WITH_PYTHON]
    suites = [(item["target"]["name"], Path(item["manifest_path"]).parent, item["executable"]) for item in tests]
    programs = [item["executable"] for item in artifacts if not item["profile"]["test"] and item["target"]["kind"] == ["bin"]]
    return suites, programs[0]


def run_suite(wine, name, folder, program, out):
    """Runs a suite. Returns its numbers of passed, failed and ignored tests."""
    done = wine.run(program, "--color", "never", cwd=folder, timeout=LIMIT_SECS)
    text = (done.stdout + done.stderr).decode(errors="replace")
    (out / f"{name}.txt").write_text(text)
    found = re.search(r"(\d+) passed; (\d+) failed; (\d+) ignored", text)
    failed = re.findall(r"^test (\S+)(?: - should panic)? \.\.\. FAILED", text, re.M)
    if found is None:
        print(f"{name:20} ended with exit code {done.returncode}: {out / name}.txt", flush=True)
        return None
    print(f"{name:20} {found[1]:>4} passed {found[2]:>4} failed {found[3]:>4} ignored  {', '.join(failed)}", flush=True)
    return int(found[2])


def run_tasks(wine, program, folder):
    """Does ten tasks in the window for Windows. Their pictures are in target/soak."""
    start = folder / "rigscope"
    words = [f"{name}={shlex.quote(wine.environment[name])}" for name in ("WINEPREFIX", "WINEDEBUG", "WINEDLLOVERRIDES")]
    start.write_text(f'#!/bin/sh\nexec /usr/bin/env PATH=/usr/bin:/bin {" ".join(words)} {wine.program} {shlex.quote(program)} "$@"\n')
    start.chmod(0o755)
    command = ["cargo", "test", "--locked", "--features", "inspection", "--test", "whole", "--", "--ignored", "--nocapture", "ten_tasks"]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "RIGSCOPE_PROGRAM": str(start)}, check=False).returncode


def main():
    options = OPTIONS.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    suites, program = build(options.tools.resolve())
    with tempfile.TemporaryDirectory() as folder, Wine(Path(folder)) as wine:
        wanted = [suite for suite in suites if options.only in (None, suite[0])]
        results = [run_suite(wine, *suite, options.out) for suite in wanted]
        if options.only in (None, "tasks"):
            results.append(run_tasks(wine, program, Path(folder)))
    sys.exit(0 if all(result == 0 for result in results) else 1)


if __name__ == "__main__":
    main()
