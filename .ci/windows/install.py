#!/usr/bin/env python3
"""install.py ZIP SETUP CHARACTER [--out FOLDER]: tests the packages for Windows in empty Wine prefixes.

Unpacks the archive and opens the window on a character, compares LBS and DQS with a wipe, and opens the dialog for files. Then it installs by the installer,
starts the program by its link in the Start menu, opens a file by its type, and removes the program: nothing may be left. Saves pictures of the screen. Exits
with 1 if something failed.
"""

import argparse
import re
import shutil
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from wine import Wine

MIN_COLOURS = 5000
"""A window that shows a character has more colours; one without has fewer than 1000."""

START_MENU = "AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Rigscope.lnk"
SETTINGS = re.compile(r"AppData/(Roaming|Local)/rigscope(/|$)")
"""What stays after removal: settings and autosaved work of the user."""

USUAL_KEYS = [
    rf"[HKEY_CURRENT_USER\Software\{key}]" for key in ("Classes", r"Classes\Applications", r"Microsoft\Windows\CurrentVersion\Uninstall")
]
"""Keys that every Windows has, but a new Wine prefix hasn't."""

OPTIONS = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
OPTIONS.add_argument("zip", type=Path, help="the archive")
OPTIONS.add_argument("setup", type=Path, help="the installer")
OPTIONS.add_argument("character", type=Path, help="a file that has a character")
OPTIONS.add_argument("--out", type=Path, default=Path("target/tried-windows"), help="folder for pictures")


class Results:
    """What was tested. Prints each result."""

    def __init__(self):
        self.has_failed = False

    def add(self, what, is_fine, details=""):
        self.has_failed |= not is_fine
        print(f"{what:34} {'fine' if is_fine else 'FAILED':7} {details}", flush=True)


def registry(wine):
    """Returns the keys and values that programs have written for the user, as lines that start with their key."""
    wine.run("reg", "export", r"HKCU\Software", r"C:\exported.reg", "/y")
    exported = wine.drive / "exported.reg"
    found, key = set(), ""
    for line in exported.read_text(encoding="utf-16").splitlines():
        if line.startswith("["):
            key = line
        elif line:
            found.add(f"{key} {line}")
        if key not in USUAL_KEYS:
            found.add(key)
    exported.unlink()
    # What Wine and its dialogs remember of their own use isn't the program's.
    return {line for line in found if r"Software\Wine" not in line and "Explorer" not in line}


def files(wine):
    """Returns the user's files and those of programs, relative to drive C."""
    users = [path for name in ("users", "Program Files") for path in (wine.drive / name).rglob("*")]
    return {path.relative_to(wine.drive).as_posix() for path in users if not path.is_dir() and "/Temp/" not in path.as_posix()}


def shows_character(wine, results, what, picture, secs=60):
    """Waits until the window shows a character, and saves its picture."""
    window = wine.window("Rigscope|rigscope")
    end, colours = time.monotonic() + secs, 0
    while window and colours < MIN_COLOURS and time.monotonic() < end:
        time.sleep(2)
        colours = wine.picture(picture)
    results.add(what, colours >= MIN_COLOURS, f"{colours} colours" if window else "no window")
    return window


def try_archive(wine, results, options, folder):
    with zipfile.ZipFile(options.zip) as archive:
        archive.extractall(folder)
    program = next(folder.glob("rigscope-*/rigscope.exe"))
    wine.start(program, options.character, start_new_session=True)
    window = shows_character(wine, results, "archive: the window", options.out / "window.png")
    if window is None:
        return
    # Plays the first clip for two seconds, then compares by a wipe.
    for key, secs in (("space", 2), ("space", 1), ("c", 2)):
        wine.desktop("xdotool", "windowfocus", window, "key", key)
        time.sleep(secs)
    results.add("archive: wipe", wine.picture(options.out / "wipe.png") >= MIN_COLOURS)
    wine.desktop("xdotool", "key", "ctrl+o")
    dialog = wine.window("^Open", secs=30)
    time.sleep(2)
    wine.picture(options.out / "dialog.png")
    results.add("archive: dialog for files", dialog is not None)


def try_installer(wine, results, options):
    user = next(path for path in (wine.drive / "users").iterdir() if path.name != "Public")
    installed = user / "AppData/Local/Programs/Rigscope"
    before = registry(wine), files(wine)
    done = wine.run(options.setup, "/S")
    results.add("install", done.returncode == 0 and (installed / "rigscope.exe").is_file(), f"exit code {done.returncode}")

    wine.start("start", "/unix", user / START_MENU, start_new_session=True)
    shows_character(wine, results, "start by the Start menu", options.out / "start-menu.png")
    wine.end_programs()

    # What *Open with* runs.
    asked = wine.run("reg", "query", r"HKCU\Software\Classes\Rigscope.Rig\shell\open\command", "/ve").stdout.decode(errors="replace")
    types = wine.run("reg", "query", r"HKCU\Software\Classes\.glb\OpenWithProgids").stdout.decode(errors="replace")
    found = re.search(r'"([^"]+)" "%1"', asked)
    results.add("file types", found is not None and "Rigscope.Rig" in types)
    if found:
        wine.start(found[1], options.character, start_new_session=True)
        shows_character(wine, results, "open by file type", options.out / "open-with.png")
        wine.end_programs()

    # The uninstaller continues as a copy, which can remove it.
    wine.run(installed / "uninstall.exe", "/S")
    end = time.monotonic() + 30
    while installed.exists() and time.monotonic() < end:
        time.sleep(0.5)
    left_keys = registry(wine) - before[0]
    left = {path for path in files(wine) - before[1] if not SETTINGS.search(path)}
    results.add("remove", not left and not left_keys and not installed.exists(), ", ".join(sorted(left | left_keys)[:5]))


def main():
    options = OPTIONS.parse_args()
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    options.character = options.character.resolve()
    results = Results()
    for part in ("archive", "installer"):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            # A name with a space and letters of two scripts.
            character = folder / f"Ähre 模型{options.character.suffix}"
            shutil.copy(options.character, character)
            copied = argparse.Namespace(**{**vars(options), "character": character})
            with Wine(folder) as wine:
                if part == "archive":
                    try_archive(wine, results, copied, folder)
                else:
                    try_installer(wine, results, copied)
    sys.exit(1 if results.has_failed else 0)


if __name__ == "__main__":
    main()
