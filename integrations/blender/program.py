"""The program `rigscope`: where it is, and how it is run."""

import shutil
import subprocess

import bpy

# Seconds that a check or the computing of weights may take.
PATIENCE = 300

# Windows that were opened; kept so that they are waited for once they are closed.
_opened = []


class Failed(Exception):
    """What went wrong, for the user."""


def path():
    """The program that the preferences name.

    Raises Failed where there is none.
    """
    addon = bpy.context.preferences.addons.get(__package__)
    wanted = (addon and addon.preferences and addon.preferences.program) or "rigscope"
    found = shutil.which(bpy.path.abspath(wanted)) or shutil.which(wanted)
    if found is None:
        raise Failed(f"There is no program {wanted}: install Rigscope, or name it in the preferences of this add-on")
    return found


def show(*words):
    """Opens files in the window that is open already, or in a new one, and does not wait."""
    _opened[:] = [window for window in _opened if window.poll() is None]
    command = [path(), "--reuse", *words]
    _opened.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True))


def run(*words, good=(0,)):
    """What a command prints.

    Raises Failed with the command's own words where it ends otherwise than with a code in `good`.
    """
    try:
        done = subprocess.run([path(), *words], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace", timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise Failed(f"Rigscope did not end within {PATIENCE} s") from None
    if done.returncode not in good:
        raise Failed(done.stderr.strip() or f"Rigscope ended with code {done.returncode}")
    return done.stdout
