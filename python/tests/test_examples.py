"""The examples of the documentation do what they say."""

import doctest
import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT

import rigscope


@pytest.mark.parametrize("readme", ["README.md", "python/README.md"])
def test_examples_of_the_readmes_run_as_written(run, tmp_path, readme):
    examples = re.findall(r"^```python\n(.*?)^```", (ROOT / readme).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert examples
    run("convert", "builtin:figure", "-o", tmp_path / "hero.glb")
    for example in examples:
        done = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, env=os.environ)
        assert done.returncode == 0, done.stderr


def test_examples_of_docstrings_say_what_comes_out():
    assert doctest.testmod(rigscope) == (0, 4)
