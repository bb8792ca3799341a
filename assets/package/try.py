"""Tests the output of make.py: installs each package on an empty Debian, uses it, and checks that removing it leaves nothing behind.

    python try.py [--dist target/dist] [--out target/tried] [--suite bookworm] [--base FOLDER]

Needs root, debootstrap, Xvfb and a Debian mirror. The wheel is tested in a virtual environment with this Python. FOLDER is the result of an earlier
debootstrap run, to be reused. Screenshots of the window and a thumbnail are written to OUT.
"""

import argparse
import os
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NAME = "rigscope"
SCREEN = (1280, 800)
DISPLAY = ":73"
USER = "somebody"
HOME = f"/home/{USER}"
# Tools that detect file types and start programs from desktop entries, as desktops do.
DESKTOP = "desktop-file-utils libglib2.0-bin shared-mime-info"
# Minimum number of colours on a screen that shows a character. A window without a character has 4,000, with the figure 18,000.
COLOURS = 10_000


class Failed(Exception):
    """A package doesn't work as it should."""


def run(*words: object, **options) -> str:
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise Failed(f"{shlex.join(map(str, words))}: {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def check(holds: bool, problem: str) -> None:
    if not holds:
        raise Failed(problem)


class System:
    """An empty Debian system in a folder. Its processes end with it."""

    def __init__(self, root: Path, base: Path):
        self.root = root
        run("cp", "-a", base, root)
        self.sh(f"useradd --create-home {USER}")

    def words(self, command: str, user: str) -> list[str]:
        alone = ["unshare", "--mount", "--pid", "--fork", "--kill-child", f"--mount-proc={self.root}/proc"]
        home = HOME if user == USER else "/root"
        setting = ["env", "-i", f"HOME={home}", "PATH=/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin", "DEBIAN_FRONTEND=noninteractive"]
        # X clients connect through an abstract socket, which needs no mount.
        return [*alone, "chroot", f"--userspec={user}", str(self.root), *setting, f"DISPLAY={DISPLAY}", "sh", "-ec", f"cd {home}\n{command}"]

    def sh(self, command: str, user: str = "root") -> str:
        return run(*self.words(command, user))

    @contextmanager
    def started(self, command: str) -> Iterator[None]:
        """Runs a command until the end of the block, then kills it with all its children."""
        outside = subprocess.Popen(self.words(f"{command}\nexec sleep 1000", USER), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield
        finally:
            # Killing the namespace's first process kills all others.
            for first in Path(f"/proc/{outside.pid}/task/{outside.pid}/children").read_text().split():
                os.kill(int(first), signal.SIGKILL)
            outside.wait()

    def home(self, path: str) -> Path:
        return self.root / HOME[1:] / path

    def files(self) -> set[str]:
        """Returns the paths of all files, except logs, caches and package databases."""
        kept = ("var/log/", "var/cache/", "var/lib/dpkg/", "var/lib/apt/")
        paths = (str(path.relative_to(self.root)) for path in self.root.rglob("*"))
        return {path for path in paths if not path.startswith(kept)}


# The screen


def pixels(screen: Path) -> tuple[int, int, bytes]:
    """Reads the file in which Xvfb keeps a screen (format: X11's XWDFile.h). Returns width, height and pixels (blue, green, red, unused)."""
    data = screen.read_bytes()
    head = struct.unpack(">25I", data[:100])
    (start, width, height, row, colours) = (head[0], head[4], head[5], head[12], head[19])
    first = start + 12 * colours
    check(row == 4 * width, "the screen has not 32 bits a pixel")
    return width, height, data[first : first + row * height]


def write_png(path: Path, width: int, height: int, bgrx: bytes) -> None:
    rows = bytearray()
    for y in range(height):
        row = bgrx[4 * width * y : 4 * width * (y + 1)]
        rgb = bytearray(3 * width)
        rgb[0::3], rgb[1::3], rgb[2::3] = row[2::4], row[1::4], row[0::4]
        rows += b"\0" + rgb

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def colours(bgrx: bytes) -> int:
    return len(set(struct.iter_unpack("<I", bgrx)))


class Screen:
    """A virtual screen."""

    def __init__(self, folder: Path):
        self.file = folder / "Xvfb_screen0"
        size = f"{SCREEN[0]}x{SCREEN[1]}x24"
        words = ["Xvfb", DISPLAY, "-ac", "-screen", "0", size, "-fbdir", str(folder)]
        self.process = subprocess.Popen(words, stderr=subprocess.DEVNULL)

    def shown(self, picture: Path, seconds: float = 120.0) -> None:
        """Waits until a window is shown and no longer changes, then takes a screenshot."""
        end, last, same = time.time() + seconds, b"", 0
        while time.time() < end:
            time.sleep(1)
            width, height, now = pixels(self.file) if self.file.exists() else (0, 0, b"")
            same = same + 1 if now == last else 0
            if same == 5 and colours(now) > COLOURS:
                return write_png(picture, width, height, now)
            last = now
        raise Failed(f"there was no window within {seconds:.0f} s")

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()


# Tests


def try_deb(system: System, package: Path, screen: Screen, out: Path) -> None:
    shutil.copy(package, system.root / package.name)
    system.sh("apt-get update -q")
    system.sh(f"apt-get install -q -y --no-install-recommends /{package.name}")
    print(f"{package.name}: installed on {system.sh('. /etc/os-release; echo $PRETTY_NAME').strip()} that had nothing else")
    print("  " + system.sh("rigscope --version", USER).strip())
    system.sh("rigscope convert builtin:figure -o figure.glb -q; rigscope check figure.glb; cp figure.glb hero.vrm", USER)

    system.sh(f"apt-get install -q -y --no-install-recommends {DESKTOP}")
    for name, kind in (("figure.glb", "model/gltf-binary"), ("hero.vrm", "model/vrm")):
        told = system.sh(f"gio info -a standard::content-type {name}; gio mime {kind}", USER)
        check(f"content-type: {kind}" in told and "rigscope.desktop" in told, f"{name} is not opened by Rigscope:\n{told}")

    entry = dict(line.split("=", 1) for line in (system.root / "usr/share/thumbnailers/rigscope.thumbnailer").read_text().splitlines()[1:])
    # File names as MATE's thumbnailer passes them.
    command = entry["Exec"].replace("%i", "figure.glb").replace("%o", "/tmp/.thumbnail.X3b9Zq").replace("%s", "256")
    system.sh(command, USER)
    shutil.copy(system.root / "tmp/.thumbnail.X3b9Zq", out / "thumbnail.png")

    with system.started("gio launch /usr/share/applications/rigscope.desktop hero.vrm"):
        screen.shown(out / "desktop-entry.png")
    print("  types, thumbnail and desktop entry work; pictures are in " + str(out))

    system.sh("apt-get purge -q -y rigscope")
    left = sorted(path for path in system.files() if NAME in path and not path.startswith(("home/", package.name)))
    left += system.sh("grep -rsl -w -e rigscope -e model/vrm /etc /usr /var/lib --exclude-dir=dpkg || true").split()
    check(not left, f"removing the package leaves {left}")
    print("  removed without a trace")


def try_archive(system: System, package: Path) -> None:
    shutil.copy(package, system.home(package.name))
    system.sh(f"apt-get update -q; apt-get install -q -y --no-install-recommends xz-utils {DESKTOP}")
    system.sh(f"chown {USER}: {HOME}/{package.name}")
    system.sh(f"tar xf {package.name}", USER)
    before = system.files()
    folder = package.name.removesuffix(".tar.xz")
    system.sh(f"{folder}/install.sh", USER)
    print(f"{package.name}: " + system.sh(".local/bin/rigscope --version; desktop-file-validate .local/share/applications/rigscope.desktop", USER).strip())
    told = system.sh("gio mime model/vrm", USER)
    check("rigscope.desktop" in told, f"hero.vrm is not opened by Rigscope:\n{told}")
    system.sh(f"{folder}/install.sh --remove", USER)
    left = system.files() - before - {f"{HOME[1:]}/.local"}
    check(not left, f"removing the archive leaves {sorted(left)}")
    print("  removed without a trace")


def try_wheel(wheel: Path, work: Path) -> None:
    run(sys.executable, "-m", "venv", work / "venv")
    bin = work / "venv/bin"
    run(bin / "pip", "install", "--quiet", wheel)
    told = run(bin / "rigscope", "--version").strip()
    counted = run(bin / "python", "-c", "import rigscope; print(len(rigscope.load('builtin:figure').joints))").strip()
    print(f"{wheel.name}: program {told}, module sees {counted} joints")
    run(bin / "pip", "uninstall", "--quiet", "-y", "rigscope")
    left = [str(path) for path in (work / "venv").rglob("*rigscope*")]
    check(not left, f"removing the wheel leaves {left}")
    print("  removed without a trace")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--dist", type=Path, default=ROOT / "target/dist", help="folder with the packages")
    parser.add_argument("--out", type=Path, default=ROOT / "target/tried", help="folder for pictures")
    parser.add_argument("--suite", default="bookworm", help="the Debian or Ubuntu to try on")
    parser.add_argument("--base", type=Path, help="folder that debootstrap made before")
    args = parser.parse_args()
    check(os.geteuid() == 0, "takes root, for chroot")
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        work.chmod(0o755)
        base = args.base or work / "base"
        if not args.base:
            run("debootstrap", "--variant=minbase", args.suite, base)
        screen = Screen(work)
        try:
            for package in args.dist.glob("*.deb"):
                try_deb(System(work / "deb", base), package, screen, args.out)
        finally:
            screen.close()
        for package in args.dist.glob("*.tar.xz"):
            try_archive(System(work / "archive", base), package)
        for wheel in args.dist.glob("*.whl"):
            try_wheel(wheel, work)


if __name__ == "__main__":
    try:
        main()
    except Failed as problem:
        sys.exit(f"try.py: {problem}")
