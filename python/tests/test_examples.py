"""The examples in the documentation run and print what the documentation shows."""

import doctest
import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT

import rigscope

PAGES = ["README.md", "python/README.md", *(f"docs/{page.name}" for page in sorted((ROOT / "docs").glob("*.md")))]


def examples(page):
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def test_pages_about_python_have_examples():
    assert all(examples(page) for page in ["python/README.md", "docs/python.md"])


@pytest.mark.parametrize("page", [page for page in PAGES if examples(page)])
def test_examples_of_the_pages_run_as_written(run, tmp_path, page):
    run("convert", "builtin:figure", "-o", tmp_path / "hero.glb")
    for example in examples(page):
        done = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, env=os.environ)
        assert done.returncode == 0, done.stderr


def test_examples_of_docstrings_say_what_comes_out():
    assert doctest.testmod(rigscope) == (0, 4)
