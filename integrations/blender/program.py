"""Runs Rigscope: the Python module if the add-on has it, otherwise the program `rigscope`. Only the program has a window."""

import glob
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile

import bpy
import numpy

# Time limit of a command that Blender waits for, seconds. Those in the background are cancelled with Esc.
PATIENCE = 300

# On Windows, keeps commands from opening a console.
FLAGS = getattr(subprocess, "CREATE_NO_WINDOW", 0)

# Processes of opened windows, so that closed ones can be reaped.
_opened = []


class Failed(Exception):
    """An error with a message for the user."""


def path():
    """Returns the path of the program named in the preferences, or else on the PATH, or else in the add-on's wheel.

    Raises Failed if there is none.
    """
    addon = bpy.context.preferences.addons.get(__package__)
    named = addon and addon.preferences and addon.preferences.program
    wanted = named or "rigscope"
    found = shutil.which(bpy.path.abspath(wanted)) or shutil.which(wanted) or (None if named else bundled())
    if found is None:
        raise Failed(f"There is no program {wanted}: install Rigscope, or name it in the preferences of this add-on")
    return found


def bundled():
    """Returns the path of the program in the add-on's wheel, or None."""
    folder = module_folder()
    found = glob.glob(os.path.join(glob.escape(folder), "rigscope-*.data", "scripts", "rigscope")) if folder else ()
    if not found:
        return None
    # Blender unpacks wheels without permissions.
    if not os.access(found[0], os.X_OK):
        try:
            os.chmod(found[0], 0o755)
        except OSError as problem:
            raise Failed(f"The program of this add-on could not be made executable: {problem}") from None
    return found[0]


def module_folder():
    """Returns the folder that contains the Python module, or None. The add-on's wheel installs it."""
    spec = importlib.util.find_spec("rigscope")
    folders = spec.submodule_search_locations if spec else None
    # An add-on may be called rigscope too, but only the module has a library.
    is_module = folders and any(name.startswith("_rigscope.") for name in os.listdir(folders[0]))
    return os.path.dirname(folders[0]) if is_module and os.path.exists(sys.executable or "") else None


def show(*words):
    """Opens files in the existing window or a new one, without waiting."""
    _opened[:] = [window for window in _opened if window.poll() is None]
    command = [path(), "--reuse", *words]
    _opened.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, creationflags=FLAGS))


def check(file, config):
    """Starts checking a file, with a config if there is one. The task's result is JSON."""
    if folder := module_folder():
        return module_task(folder, "check", file, *([config] if config else []))
    words = ["--config", config] if config else []
    # Exit code 1 means that there are errors.
    return Task([path(), "check", file, "--format", "json", "--quiet", *words], good=(0, 1))


def compute_weights(file, method, output):
    """Starts computing a file's weights, which are written to another file."""
    if folder := module_folder():
        return module_task(folder, "weights", file, method, output)
    return Task([path(), "weights", file, "--compute", method, "--output", output, "--quiet"])


def module_task(folder, *words):
    script = os.path.join(os.path.dirname(__file__), "by_module.py")
    numpy_folder = os.path.dirname(os.path.dirname(numpy.__file__))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((folder, numpy_folder))}
    return Task([sys.executable, "-s", "-B", script, *words], environment=environment)


class Task:
    """A command in a child process."""

    def __init__(self, command, good=(0,), environment=None):
        self.good = good
        # Files, because a full pipe would stop the command.
        self.output, self.errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        streams = {"stdin": subprocess.DEVNULL, "stdout": self.output, "stderr": self.errors}
        self.process = subprocess.Popen(command, **streams, env=environment, creationflags=FLAGS)

    def is_done(self):
        return self.process.poll() is not None

    def result(self):
        """Waits for the command and returns its output.

        Raises Failed with the command's error message if its exit code isn't in `good`.
        """
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.cancel()
            raise Failed(f"Rigscope did not end within {PATIENCE} s") from None
        output, errors = (self._read(file) for file in (self.output, self.errors))
        if code not in self.good:
            raise Failed(errors.strip() or f"Rigscope ended with code {code}")
        return output

    def cancel(self):
        """Ends the command."""
        self.process.terminate()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.output.close()
        self.errors.close()

    def _read(self, file):
        with file:
            file.seek(0)
            return file.read().decode("utf-8", "replace")
