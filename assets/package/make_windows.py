"""Builds the packages for Windows on Debian: a ZIP archive and an installer.

    python make_windows.py [--tools target/windows] [--out target/dist]

`--tools` is the folder that toolchain.sh prepared. Before it writes anything, it checks that the program needs only DLLs of Windows and isn't too large.
"""

import argparse
import os
import re
import struct
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from make import HERE, MAX_BYTES, NAME, ROOT, Unfit, licences, metadata, put, run, write_sums

SOURCES = HERE / "windows"
TARGET = "x86_64-pc-windows-gnu"
PREFIX = "x86_64-w64-mingw32-"
# DLLs of every Windows 10, besides its API sets. The runtimes of MinGW and Visual Studio aren't among them.
SYSTEM_DLLS = set(
    "advapi32 bcryptprimitives bcrypt combase comctl32 comdlg32 crypt32 d3d11 dwmapi dxgi gdi32 imm32 kernel32 kernelbase "
    "msvcrt netapi32 ntdll ole32 oleaut32 opengl32 propsys rpcrt4 secur32 shcore shell32 shlwapi uiautomationcore user32 userenv uxtheme version winmm ws2_32".split()
)
# Licences of the C library parts that the linker adds.
RUNTIME_LICENCES = [Path("/usr/share/doc/mingw-w64-x86-64-dev/copyright")]


def icon(sizes: list[Path]) -> bytes:
    """Returns an ICO file with PNG images, which Windows reads since Vista."""
    images = [path.read_bytes() for path in sizes]
    entries, offset = b"", 6 + 16 * len(images)
    for image in images:
        width, height = struct.unpack(">II", image[16:24])
        # 256 is written as 0.
        entries += struct.pack("<BBBBHHII", width % 256, height % 256, 0, 0, 1, 32, len(image), offset)
        offset += len(image)
    return struct.pack("<HHH", 0, 1, len(images)) + entries + b"".join(images)


class Package:
    """Builds the packages from the project's files."""

    def __init__(self, tools: Path, work: Path, out: Path):
        self.tools, self.work, self.out = tools, work, out
        self.crates = metadata()
        self.version = next(crate["version"] for crate in self.crates if crate["name"] == NAME)
        # Timestamp of all files, so that the same commit gives the same bytes.
        self.moment = int(os.environ.get("SOURCE_DATE_EPOCH") or run("git", "log", "-1", "--format=%ct", cwd=ROOT))
        self.name = f"{NAME}-{self.version}-x86_64-windows"
        self.files = work / self.name

    def resources(self) -> Path:
        """Compiles icon, version and manifest. Returns the object file."""
        numbers = ",".join([*re.findall(r"\d+", self.version)[:3], "0"])
        for name in ("rigscope.rc", "rigscope.manifest"):
            text = (SOURCES / name).read_text().replace("@VERSION@", self.version).replace("@NUMBERS@", numbers)
            put(self.work / name, text)
        sizes = [ROOT / f"assets/icons/{size}.png" for size in (16, 32, 48, 256)]
        put(self.work / "rigscope.ico", icon(sizes))
        compiled = self.work / "resources.o"
        run(f"{PREFIX}windres", "rigscope.rc", compiled, cwd=self.work)
        return compiled

    def build(self) -> None:
        """Compiles the program and the launcher, strips them and checks their requirements."""
        resources = self.resources()
        cargo, rustc = (self.tools / "bin" / tool for tool in ("cargo", "rustc"))
        options = ["--package", NAME, "--bin", NAME, "--profile", "packaged", "--locked", "--target", TARGET]
        target = self.tools / "target"
        run(cargo, "rustc", *options, "--", "-C", f"link-arg={resources}", cwd=ROOT, env={**os.environ, "CARGO_TARGET_DIR": str(target)})
        launcher = self.work / "launcher.exe"
        run(rustc, "--edition=2024", "--target", TARGET, "-Copt-level=s", f"-Clink-arg={resources}", SOURCES / "launcher.rs", "-o", launcher)
        self.files.mkdir()
        for built, name in ((target / TARGET / f"packaged/{NAME}.exe", f"{NAME}.exe"), (launcher, f"{NAME}-window.exe")):
            run(f"{PREFIX}strip", "-o", self.files / name, built)
            hold(self.files / name)

    def fill(self) -> None:
        """Adds the texts to the programs."""
        runtime = [path.read_text(errors="replace") for path in RUNTIME_LICENCES]
        third_party = ("\n\n" + "=" * 80 + "\n\n").join([licences(self.crates, TARGET).strip(), *runtime])
        texts = {
            "LICENSE-MIT.txt": (ROOT / "LICENSE-MIT").read_text(),
            "LICENSE-APACHE.txt": (ROOT / "LICENSE-APACHE").read_text(),
            "CHANGELOG.md": (ROOT / "CHANGELOG.md").read_text(),
            "third-party-licences.txt": third_party,
        }
        for name, text in texts.items():
            put(self.files / name, text.replace("\r\n", "\n").replace("\n", "\r\n"))
        for path in self.files.iterdir():
            os.utime(path, (self.moment, self.moment))

    def archive(self) -> Path:
        package = self.out / f"{self.name}.zip"
        moment = time.gmtime(self.moment)[:6]
        with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for path in sorted(self.files.iterdir()):
                entry = zipfile.ZipInfo(f"{self.name}/{path.name}", moment)
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
        return package

    def installer(self) -> Path:
        package = self.out / f"{self.name}-setup.exe"
        removed = "".join(f'Delete "$INSTDIR\\{path.name}"\n' for path in sorted(self.files.iterdir()))
        put(self.work / "removed.nsh", removed)
        defines = {"VERSION": self.version, "FILES": self.files, "OUT": package, "ICON": self.work / "rigscope.ico", "REMOVED": self.work / "removed.nsh"}
        words = [f"-D{name}={value}" for name, value in defines.items()]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(self.moment)}
        run("makensis", "-V2", *words, SOURCES / "rigscope.nsi", env=environment)
        return package


def hold(program: Path) -> None:
    """Prints a program's requirements.

    Raises Unfit if they exceed what the packages promise.
    """
    headers = run(f"{PREFIX}objdump", "-p", program)
    dlls = sorted({name.lower().removesuffix(".dll") for name in re.findall(r"DLL Name: (\S+)", headers)})
    print(f"{program.name}: {program.stat().st_size:,} bytes, {len(dlls)} DLLs: {', '.join(dlls)}")
    foreign = [name for name in dlls if name not in SYSTEM_DLLS and not name.startswith("api-ms-win-")]
    if foreign:
        raise Unfit(f"{program.name} needs DLLs that Windows doesn't have: {', '.join(foreign)}")
    if program.stat().st_size > MAX_BYTES:
        raise Unfit(f"{program.name} has more than {MAX_BYTES:,} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tools", type=Path, default=ROOT / "target/windows", help="folder that toolchain.sh prepared")
    parser.add_argument("--out", type=Path, default=ROOT / "target/dist", help="folder for what is made")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        package = Package(args.tools.resolve(), Path(work), args.out.resolve())
        package.build()
        package.fill()
        made = [package.archive(), package.installer()]
    for path in made:
        print(f"{path}: {path.stat().st_size:,} bytes")
    write_sums(args.out, made)


if __name__ == "__main__":
    try:
        main()
    except Unfit as problem:
        sys.exit(f"make_windows.py: {problem}")
