"""Builds the packages: a Debian package, an archive with an installer, a Python wheel with module and program, a Blender add-on, and checksums.

    python make.py [--program target/packaged/rigscope] [--out target/dist] [--depends "PACKAGE..."] {deb,archive,wheel,addon}...

Before it writes anything, it checks that the program meets the promises of the packages: it runs with an old GLIBC, needs no libraries at startup except
the C library, and isn't too large. `tree` writes the content of the packages to a folder instead, without these checks.
"""

import argparse
import functools
import gzip
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
NAME = "rigscope"

# The version in Ubuntu 22.04. Debian 12 has a newer one.
NEWEST_GLIBC = (2, 35)
# The measured size was 39 MB, including 25 MB of code and 7 MB of images and characters.
MAX_BYTES = 42_000_000
# All other libraries are loaded at run time, with a message if one is missing.
LIBRARIES = re.compile(r"lib(c|m|gcc_s)\.so\.\d+|ld-linux.*\.so\.\d+")

SHELLS = {
    "bash": "bash-completion/completions/rigscope",
    "zsh": "zsh/site-functions/_rigscope",
    "fish": "fish/vendor_completions.d/rigscope.fish",
}
DEBIAN_ZSH = "zsh/vendor-completions/_rigscope"
DEBIAN_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
BLENDER_PLATFORMS = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}

LICENCE_NAME = re.compile(r"(?i)(un)?licen[cs]e|copying|copyright|notice|^[ou]fl\b")
CODE = {".rs", ".c", ".h", ".py", ".html", ".toml", ".json", ".sh"}


class Unfit(Exception):
    """A program or package doesn't meet its requirements."""


def run(*words: object, **options) -> str:
    """Runs a command and returns its output. Errors are shown in the terminal."""
    return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, text=True, **options).stdout


# Content of a package


def metadata() -> list[dict]:
    """Returns Cargo's metadata of the project and its dependencies."""
    return json.loads(run("cargo", "metadata", "--locked", "--format-version=1", cwd=ROOT))["packages"]


def linked_crates(known: list[dict], target: str | None) -> list[dict]:
    """Returns the third-party crates in the program and the module, sorted by name, without those that only tests and builds use."""
    options = [f"--target={target}"] if target else []
    tree = run("cargo", "tree", "--locked", "--workspace", "--edges=normal", "--prefix=none", "--format={p}", *options, cwd=ROOT)
    linked = set(re.findall(r"^(\S+) v(\S+)", tree, re.MULTILINE))
    crates = [crate for crate in known if (crate["name"], crate["version"]) in linked and crate["source"]]
    return sorted(crates, key=lambda crate: (crate["name"], crate["version"]))


def licence_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        is_of_font = path.parent.name == "fonts" and path.suffix == ".txt"
        if path.is_file() and path.suffix not in CODE and (is_of_font or LICENCE_NAME.search(path.name)):
            yield path


def licences(known: list[dict], target: str | None = None) -> str:
    """Returns the licences of all crates linked for a target, by default this machine: each text once, with the crates that it covers."""
    crates = linked_crates(known, target)
    texts: dict[str, list[dict]] = defaultdict(list)
    without: list[dict] = []
    boost = "Boost Software License 1.0, https://www.boost.org/LICENSE_1_0.txt, which asks for its text only with source code"
    common = {"Apache-2.0": (ROOT / "LICENSE-APACHE").read_text(), "BSL-1.0": boost}
    for crate in crates:
        folder = Path(crate["manifest_path"]).parent
        files = list(licence_files(folder))
        for path in files:
            text = path.read_text(errors="replace").strip()
            texts[text].append(crate)
            if path.stem == "UNLICENSE":
                common["Unlicense"] = text
        if not any(path.parent == folder for path in files):
            without.append(crate)
    for crate in without:
        chosen = next((name for name in common if name in (crate["license"] or "")), None)
        if chosen is None:
            raise Unfit(f"{crate['name']} comes without the text of its licence ({crate['license']})")
        texts[common[chosen].strip()].append(crate)
    head = f"Rigscope has {len(crates)} libraries of others in it. Each licence stands below the libraries that it is for."
    parts = [head]
    for text, users in texts.items():
        named = {f"{user['name']} {user['version']} ({user['license']}) {user['repository'] or ''}".strip() for user in users}
        parts.append("\n".join(sorted(named)) + "\n\n" + text)
    return ("\n\n" + "=" * 80 + "\n\n").join(parts) + "\n"


def put(path: Path, content: str | bytes, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    path.chmod(mode)


def write_sums(folder: Path, files: list[Path]) -> None:
    """Writes the checksums of files in a folder, and keeps those of other files that are still there."""
    sums = folder / "SHA256SUMS"
    lines = sums.read_text().splitlines() if sums.exists() else []
    known = {name: line for line in lines for name in [line.partition("  ")[2]] if (folder / name).exists()}
    known |= {path.name: f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in files}
    put(sums, "".join(f"{line}\n" for line in known.values()))


def squeezed(content: str | bytes) -> bytes:
    return gzip.compress(content.encode() if isinstance(content, str) else content, 9, mtime=0)


def fill_documents(share: Path, third_party: str) -> None:
    documents = share / "doc" / NAME
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        put(documents / name, (ROOT / name).read_bytes())
    put(documents / "third-party-licences.txt.gz", squeezed(third_party))


def fill(prefix: Path, program: Path, third_party: str) -> None:
    """Writes all files that are installed below a prefix such as /usr."""
    put(prefix / "bin" / NAME, program.read_bytes(), 0o755)
    share = prefix / "share"
    put(share / "applications/rigscope.desktop", (HERE / "rigscope.desktop").read_bytes())
    put(share / "thumbnailers/rigscope.thumbnailer", (HERE / "rigscope.thumbnailer").read_bytes())
    put(share / "mime/packages/rigscope.xml", (HERE / "rigscope.xml").read_bytes())
    put(share / "metainfo/org.rigscope.Rigscope.metainfo.xml", (HERE / "rigscope.metainfo.xml").read_bytes())
    for icon in (ROOT / "assets/icons").glob("*.png"):
        put(share / f"icons/hicolor/{icon.stem}x{icon.stem}/apps/rigscope.png", icon.read_bytes())
    with tempfile.TemporaryDirectory() as pages:
        run(program, "man", "--output", pages, "--quiet")
        for page in Path(pages).iterdir():
            put(share / f"man/man1/{page.name}.gz", squeezed(page.read_bytes()))
    for shell, place in SHELLS.items():
        put(share / place, run(program, "completions", shell))
    fill_documents(share, third_party)
    put(share / "doc/rigscope/changelog.gz", squeezed((ROOT / "CHANGELOG.md").read_bytes()))


# Requirements of the program


def newest_glibc(binary: Path) -> tuple[int, int]:
    """Returns the GLIBC version that a binary requires."""
    asked = re.findall(r"GLIBC_(\d+)\.(\d+)", run("objdump", "-T", binary))
    return max(((int(major), int(minor)) for major, minor in asked), default=(0, 0))


def hold(binary: Path) -> None:
    """Prints a binary's requirements.

    Raises Unfit if they exceed what the packages promise.
    """
    glibc = newest_glibc(binary)
    needed = re.findall(r"NEEDED.*\[(.+)\]", run("readelf", "-d", binary))
    print(f"{binary.name}: {binary.stat().st_size:,} bytes, GLIBC {glibc[0]}.{glibc[1]}, linked to {', '.join(needed)}")
    if glibc > NEWEST_GLIBC:
        raise Unfit(f"{binary} takes GLIBC {glibc[0]}.{glibc[1]}, and is to run with {NEWEST_GLIBC[0]}.{NEWEST_GLIBC[1]}")
    if unknown := [library for library in needed if not LIBRARIES.fullmatch(library)]:
        raise Unfit(f"{binary} does not start without {', '.join(unknown)}")
    if binary.stat().st_size > MAX_BYTES:
        raise Unfit(f"{binary} has more than {MAX_BYTES:,} bytes")


# Packages


class Package:
    """Builds the packages from the program and the project's files."""

    def __init__(self, program: Path, work: Path, out: Path, depends: str, module: Path | None):
        self.crates = metadata()
        self.version = next(crate["version"] for crate in self.crates if crate["name"] == NAME)
        self.machine = platform.machine()
        self.work, self.out, self.depends = work, out, depends
        self.program = program
        # Wheel that the add-on contains, if any.
        self.module = module
        # Timestamp of all files, so that the same commit gives the same bytes.
        self.moment = os.environ.get("SOURCE_DATE_EPOCH") or run("git", "log", "-1", "--format=%ct", cwd=ROOT).strip()

    @functools.cached_property
    def third_party(self) -> str:
        return licences(self.crates)

    @functools.cached_property
    def stripped(self) -> Path:
        """Path of the stripped program, after checking its requirements."""
        stripped = self.work / NAME
        run("strip", "-o", stripped, self.program)
        hold(stripped)
        return stripped

    def tree(self) -> Path:
        fill(self.out, self.program, self.third_party)
        return self.out

    def deb(self) -> Path:
        root = self.work / "deb"
        fill(root / "usr", self.stripped, self.third_party)
        share = root / "usr/share"
        (share / DEBIAN_ZSH).parent.mkdir(parents=True)
        (share / SHELLS["zsh"]).rename(share / DEBIAN_ZSH)
        (share / SHELLS["zsh"]).parent.rmdir()
        put(share / "doc/rigscope/copyright", self.copyright())
        (share / "doc/rigscope/LICENSE-MIT").unlink()
        (share / "doc/rigscope/LICENSE-APACHE").unlink()
        files = sorted(path for path in root.rglob("*") if path.is_file())
        sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files]
        put(root / "DEBIAN/md5sums", "".join(sums))
        glibc = newest_glibc(self.stripped)
        architecture = DEBIAN_ARCHITECTURES[self.machine]
        libraries = ", ".join([f"libc6 (>= {glibc[0]}.{glibc[1]})", "libgcc-s1", *self.depends.split()])
        control = {
            "Package": NAME,
            "Version": self.version,
            "Architecture": architecture,
            "Maintainer": "The Rigscope authors",
            "Section": "graphics",
            "Priority": "optional",
            "Installed-Size": sum(-(-path.stat().st_size // 1024) for path in files),
            "Depends": libraries,
            # For file dialogs.
            "Recommends": "xdg-desktop-portal | zenity",
            "Description": "viewer for rigged characters\n"
            " Opens glTF, VRM and FBX, poses joints, plays clips, and shows and measures what\n"
            " linear blend skinning, dual quaternion skinning and others make of them. The\n"
            " same program checks, renders, compares and converts rigs on the command line.",
        }
        put(root / "DEBIAN/control", "".join(f"{key}: {value}\n" for key, value in control.items()))
        package = self.out / f"{NAME}_{self.version}_{architecture}.deb"
        environment = {**os.environ, "SOURCE_DATE_EPOCH": self.moment}
        run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, package, env=environment)
        return package

    def copyright(self) -> str:
        return (
            "Rigscope is under the MIT licence or the Apache License 2.0, as you choose. The latter is\n"
            "/usr/share/common-licenses/Apache-2.0. The licences of all libraries in it are\n"
            "/usr/share/doc/rigscope/third-party-licences.txt.gz.\n\n" + (ROOT / "LICENSE-MIT").read_text()
        )

    def archive(self) -> Path:
        name = f"{NAME}-{self.version}-{self.machine}-linux"
        folder = self.work / "archive"
        fill(folder, self.stripped, self.third_party)
        put(folder / "install.sh", (HERE / "install.sh").read_bytes(), 0o755)

        def owned_by_nobody(entry: tarfile.TarInfo) -> tarfile.TarInfo:
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            entry.mtime = int(self.moment)
            return entry

        package = self.out / f"{name}.tar.xz"
        # Entries are sorted by name.
        with tarfile.open(package, "w:xz") as archive:
            archive.add(folder, name, filter=owned_by_nobody)
        return package

    def wheel(self) -> Path:
        """Builds a wheel that includes the program, tagged with the oldest systems on which it runs."""
        # maturin installs the files in this folder beside the module.
        data = ROOT / "python/rigscope._rigscope.data"
        tag = f"manylinux_{NEWEST_GLIBC[0]}_{NEWEST_GLIBC[1]}"
        try:
            put(data / "scripts" / NAME, self.stripped.read_bytes(), 0o755)
            fill_documents(data / "data/share", self.third_party)
            options = ["--profile", "packaged", "--locked", "--manifest-path", ROOT / "python/Cargo.toml", "--compatibility", tag]
            run(sys.executable, "-m", "maturin", "build", *options, "--interpreter", sys.executable, "--out", self.work, cwd=ROOT)
        finally:
            shutil.rmtree(data)
        (made,) = self.work.glob("*.whl")
        self.hold_wheel(made, tag)
        self.module = Path(shutil.copy(made, self.out))
        return self.module

    def hold_wheel(self, wheel: Path, tag: str) -> None:
        with zipfile.ZipFile(wheel) as content:
            names = content.namelist()
            if not any(name.endswith(f".data/scripts/{NAME}") for name in names):
                raise Unfit(f"{wheel.name} lacks the program")
            (module,) = (name for name in names if name.endswith(".abi3.so"))
            hold(Path(content.extract(module, self.work / "module")))
        told = run(sys.executable, "-m", "auditwheel", "show", wheel)
        oldest = re.search(r"following platform tag:\s*\"manylinux_(\d+)_(\d+)_", told)
        if oldest is None or (int(oldest[1]), int(oldest[2])) > NEWEST_GLIBC or tag not in wheel.name:
            raise Unfit(f"{wheel.name} is not what its name says:\n{told}")

    def addon(self) -> Path:
        """Builds the add-on for Blender 4.2 and later, with the wheel that was built before or named by --wheel, if any."""
        folder = ROOT / "integrations/blender"
        manifest = (folder / "blender_manifest.toml").read_text()
        if f'version = "{self.version}"' not in manifest.splitlines():
            raise Unfit(f"the manifest of the add-on does not have version {self.version}")
        paths = [*sorted(folder.glob("*.py")), ROOT / "LICENSE-MIT", ROOT / "LICENSE-APACHE"]
        files = {path.name: path.read_bytes() for path in paths}
        suffix = ""
        if self.module:
            files[f"wheels/{self.module.name}"] = self.module.read_bytes()
            bundled = f'platforms = ["{BLENDER_PLATFORMS[self.machine]}"]\nwheels = ["./wheels/{self.module.name}"]\n'
            # Keys of the file itself come before those of tables.
            manifest = manifest.replace("\n[permissions]", f"{bundled}\n[permissions]", 1)
            suffix = f"-{BLENDER_PLATFORMS[self.machine]}"
        package = self.out / f"{NAME}-blender-{self.version}{suffix}.zip"
        moment = time.gmtime(int(self.moment))[:6]
        with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in {"blender_manifest.toml": manifest.encode(), **files}.items():
                entry = zipfile.ZipInfo(name, moment)
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
        return package


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", nargs="+", choices=["deb", "archive", "wheel", "addon", "tree"], help="what to make")
    parser.add_argument("--program", type=Path, default=ROOT / "target/packaged" / NAME, help="the program, as built")
    parser.add_argument("--out", type=Path, default=ROOT / "target/dist", help="folder for what is made")
    parser.add_argument("--wheel", type=Path, help="wheel for the Blender add-on; by default the one that the same call builds before it")
    parser.add_argument("--depends", default="", help="Debian packages whose libraries the window opens")
    args = parser.parse_args()
    # Folders in packages must be readable by everyone.
    os.umask(0o022)
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        package = Package(args.program, Path(work), args.out.resolve(), args.depends, args.wheel)
        made = [getattr(package, what)() for what in args.what]
    files = [path for path in made if path.is_file()]
    if files:
        write_sums(args.out, files)
    for path in files:
        print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    try:
        main()
    except Unfit as problem:
        sys.exit(f"make.py: {problem}")
