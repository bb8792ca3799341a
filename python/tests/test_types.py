"""The type stubs match the module."""

import subprocess
import sys


def test_stubs_are_what_is_there():
    command = [sys.executable, "-m", "mypy.stubtest", "rigscope", "--ignore-missing-stub"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_everything_public_is_documented():
    import rigscope

    for name in rigscope.__all__:
        thing = getattr(rigscope, name)
        if isinstance(thing, (str, tuple)):
            continue
        assert thing.__doc__, name
        members = [m for m in vars(thing) if not m.startswith("_")] if isinstance(thing, type) else []
        assert not [m for m in members if not getattr(thing, m).__doc__], name
