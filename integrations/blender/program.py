"""Finds and runs the program `rigscope`."""

import shutil
import subprocess

import bpy

# Time limit of a command, seconds.
PATIENCE = 300

# On Windows, keeps commands from opening a console.
FLAGS = getattr(subprocess, "CREATE_NO_WINDOW", 0)

# Processes of opened windows, so that closed ones can be reaped.
_opened = []


class Failed(Exception):
    """An error with a message for the user."""


def path():
    """Returns the path of the program named in the preferences.

    Raises Failed if it doesn't exist.
    """
    addon = bpy.context.preferences.addons.get(__package__)
    wanted = (addon and addon.preferences and addon.preferences.program) or "rigscope"
    found = shutil.which(bpy.path.abspath(wanted)) or shutil.which(wanted)
    if found is None:
        raise Failed(f"There is no program {wanted}: install Rigscope, or name it in the preferences of this add-on")
    return found


def show(*words):
    """Opens files in the existing window or a new one, without waiting."""
    _opened[:] = [window for window in _opened if window.poll() is None]
    command = [path(), "--reuse", *words]
    _opened.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, creationflags=FLAGS))


def run(*words, good=(0,)):
    """Runs a command and returns its output.

    Raises Failed with the command's error message if its exit code isn't in `good`.
    """
    try:
        done = subprocess.run(
            [path(), *words], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace", timeout=PATIENCE, creationflags=FLAGS
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"Rigscope did not end within {PATIENCE} s") from None
    if done.returncode not in good:
        raise Failed(done.stderr.strip() or f"Rigscope ended with code {done.returncode}")
    return done.stdout
