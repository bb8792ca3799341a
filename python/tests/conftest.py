"""Fixtures: the program, whose results Python must match, and real files if available."""

import json
import os
import subprocess
from pathlib import Path

import pytest

import rigscope

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = Path(os.environ.get("RIGSCOPE_SAMPLES", ROOT.parent / "shared" / "samples"))
PROGRAM = os.environ.get("RIGSCOPE", str(ROOT / "target" / "debug" / "rigscope"))


def pytest_report_header():
    return f"program: {PROGRAM}; samples: {SAMPLES if SAMPLES.is_dir() else 'skipped, there are none'}"


@pytest.fixture(scope="session")
def figure():
    return rigscope.load("builtin:figure")


@pytest.fixture(scope="session")
def tube():
    return rigscope.load("builtin:tube")


@pytest.fixture(scope="session")
def run():
    """Runs the program and returns its standard output."""

    def run(*arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def numbers(run):
    """Runs a subcommand with --json and returns the parsed output."""
    return lambda *arguments: json.loads(run(*arguments, "--json"))


@pytest.fixture(params=["CesiumMan.glb", "RobotExpressive.glb", "Fox.glb", "maya_game_sausage_7500_binary_wiggle.fbx", "Knight.glb"])
def sample(request):
    """A real file, or a built-in character if there are no samples."""
    found = sorted(SAMPLES.rglob(request.param))
    if not found:
        assert "samples" not in os.environ.get("RIGSCOPE_REQUIRES", ""), f"{request.param} is not among the samples in {SAMPLES}"
        pytest.skip(f"{request.param} is not among the samples")
    return found[0]
