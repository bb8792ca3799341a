"""A Wine prefix with its own display, for the scripts of this folder."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

DISPLAY = ":74"
SCREEN = "1600x1000x24"

LIMIT_SECS = 900
"""Time limit of a command, seconds."""

# Wine 8 lacks this DLL, which every Windows since 7 has.
RANDOM_DLL = """
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) { return SystemFunction036(data, (ULONG)length); }
"""


class Wine:
    """A new Wine prefix in a folder, and a display. Both end with `close`."""

    def __init__(self, folder):
        self.program = next((found for name in ("wine64", "/usr/lib/wine/wine64", "wine") if (found := shutil.which(name))), None)
        if self.program is None:
            sys.exit("Wine is missing; install wine64")
        self.prefix = folder / "prefix"
        self.drive = self.prefix / "drive_c"
        self.environment = {**os.environ, "WINEPREFIX": str(self.prefix), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml=", "DISPLAY": DISPLAY}
        self.display = subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", SCREEN], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)
        self.run("wineboot", "--init")
        self.add_random_dll(folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end_programs()
        self.display.terminate()
        self.display.wait()

    def end_programs(self):
        """Ends every program of the prefix, and waits until Wine has written its files."""
        self.run("wineboot", "--kill")
        server = shutil.which("wineserver") or Path(self.program).with_name("wineserver")
        subprocess.run([server, "--wait"], env=self.environment, timeout=LIMIT_SECS, check=True)

    def add_random_dll(self, folder):
        dll = self.drive / "windows/system32/bcryptprimitives.dll"
        if dll.exists():
            return
        source = folder / "random.c"
        source.write_text(RANDOM_DLL)
        subprocess.run(["x86_64-w64-mingw32-gcc", "-shared", "-o", dll, source, "-ladvapi32"], check=True)

    def run(self, *words, timeout=LIMIT_SECS, **options):
        """Runs a program for Windows. Returns the finished process with its output."""
        return subprocess.run([self.program, *map(str, words)], env=self.environment, capture_output=True, timeout=timeout, check=False, **options)

    def start(self, *words, **options):
        """Starts a program for Windows, which runs until the prefix ends."""
        return subprocess.Popen([self.program, *map(str, words)], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)

    def window(self, title, secs=120):
        """Waits for a window whose title matches a regular expression. Returns its X11 number, or None."""
        end = time.monotonic() + secs
        while time.monotonic() < end:
            found = self.desktop("xdotool", "search", "--onlyvisible", "--name", title).split()
            if found:
                return found[0]
            time.sleep(0.5)
        return None

    def desktop(self, *words):
        """Runs a program of Linux on the display. Returns its output."""
        return subprocess.run(list(map(str, words)), env=self.environment, capture_output=True, text=True, check=False).stdout

    def picture(self, path):
        """Saves the screen. Returns the number of its colours: an empty window has few."""
        self.desktop("import", "-window", "root", path)
        return int(self.desktop("identify", "-format", "%k", path) or 0)
