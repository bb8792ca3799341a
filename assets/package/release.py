"""Makes a release of the packages in target/dist: checks versions, changelog and packages, signs the checksums and writes the notes.

    python release.py [--dist target/dist] [--key KEY] [--address URL] [--tag]

The key is an SSH key; without one, the checksums stay unsigned. The address is the folder on the internet where the packages will be; with it, a formula
for Homebrew is written. --tag creates the tag. Nothing is uploaded, and the tag isn't pushed.
"""

import argparse
import calendar
import datetime
import hashlib
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from make import HERE, ROOT, Unfit

# Name of the signer and of the purpose, as `ssh-keygen -Y verify` asks for them.
SIGNER, PURPOSE = "rigscope", "file"
PACKAGES = {
    "Debian package": "rigscope_{version}_*.deb",
    "archive": "rigscope-{version}-*-linux.tar.xz",
    "wheel": "rigscope-{version}-cp39-abi3-*.whl",
    "add-on": "rigscope-blender-{version}*.zip",
}
# Packages of `make package-windows`, which may be left out.
FOR_WINDOWS = "rigscope-{version}-*-windows*"
SECS_OF_ZIP = 2
"""ZIP archives store times in steps of this many seconds."""


def run(*words: object, **options) -> str:
    """Runs a command and returns its output."""
    words = [str(word) for word in words]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if done.returncode != 0:
        raise Unfit(f"{' '.join(words)} failed: {(done.stderr or done.stdout).strip()}")
    return done.stdout.strip()


def find_version(root: Path) -> str:
    """Returns the version that all manifests have."""
    manifests = {
        "Cargo.toml": r'^\[workspace\.package\]\nversion = "(.+)"',
        "integrations/blender/blender_manifest.toml": r'^version = "(.+)"',
    }
    found = {}
    for path, pattern in manifests.items():
        match = re.search(pattern, (root / path).read_text(), re.MULTILINE)
        found[path] = match[1] if match else "no version"
    if len(set(found.values())) != 1:
        raise Unfit("the manifests have different versions: " + ", ".join(f"{path} {version}" for path, version in found.items()))
    return found["Cargo.toml"]


def find_notes(root: Path, version: str, today: datetime.date) -> str:
    """Returns the changelog's section for a version, which must be its first and dated."""
    _, *sections = re.split(r"^## ", (root / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    title, _, text = (sections[0] if sections else "").partition("\n")
    if not title.startswith(f"{version} - "):
        raise Unfit(f'the first section of CHANGELOG.md is "{title}" and not of {version}')
    try:
        date = datetime.date.fromisoformat(title.removeprefix(f"{version} - "))
    except ValueError:
        raise Unfit(f'the section "{title}" of CHANGELOG.md has no date such as {today}') from None
    if date > today:
        raise Unfit(f"the date of {version} in CHANGELOG.md is in the future: {date}")
    if not text.strip():
        raise Unfit(f"CHANGELOG.md says nothing about {version}")
    return text.strip()


def check_commit(root: Path, version: str) -> None:
    """Checks that nothing is uncommitted and that the version is not yet the tag of another commit."""
    if changed := run("git", "status", "--porcelain", cwd=root):
        raise Unfit(f"there are uncommitted changes:\n{changed}")
    head = run("git", "rev-parse", "HEAD", cwd=root)
    tagged = run("git", "for-each-ref", "--format=%(objectname) %(*objectname)", f"refs/tags/v{version}", cwd=root)
    if tagged and head not in tagged.split():
        raise Unfit(f"the tag v{version} is that of another commit")


def find_packages(dist: Path, version: str) -> list[Path]:
    """Returns the packages, after comparing them with their checksums."""
    found = []
    for kind, pattern in PACKAGES.items():
        paths = sorted(dist.glob(pattern.format(version=version)))
        if not paths:
            raise Unfit(f"{dist} has no {kind}, {pattern.format(version=version)}; run make package")
        found += paths
    found += sorted(dist.glob(FOR_WINDOWS.format(version=version)))
    sums = (line.split() for line in (dist / "SHA256SUMS").read_text().splitlines())
    known = {name: checksum for checksum, name in sums}
    for path in found:
        if known.pop(path.name, None) != hashlib.sha256(path.read_bytes()).hexdigest():
            raise Unfit(f"{path.name} is not the file whose checksum is in SHA256SUMS")
    if known:
        raise Unfit(f"SHA256SUMS names other files: {', '.join(known)}; remove them from {dist} and run make package")
    return found


def check_program(root: Path, archive: Path, version: str) -> None:
    """Checks that the program in the archive reports the version, and that the archive was made from the last commit."""
    commit = int(run("git", "log", "-1", "--format=%ct", cwd=root))
    with tempfile.TemporaryDirectory() as folder, tarfile.open(archive) as content:
        (program,) = (entry for entry in content if entry.name.endswith("/bin/rigscope"))
        if program.mtime != commit:
            raise Unfit(f"{archive.name} was not made from the last commit; run make package")
        content.extract(program, folder)
        reported = run(Path(folder, program.name), "--version")
    if reported != f"rigscope {version}":
        raise Unfit(f'the program in {archive.name} reports "{reported}"')


def check_windows(root: Path, archive: Path) -> None:
    """Checks that the archive for Windows was made from the last commit, whose time all its files have."""
    commit = int(run("git", "log", "-1", "--format=%ct", cwd=root))
    with zipfile.ZipFile(archive) as content:
        times = {calendar.timegm((*entry.date_time, 0, 0, 0)) for entry in content.infolist()}
    if times != {commit - commit % SECS_OF_ZIP}:
        raise Unfit(f"{archive.name} was not made from the last commit; run make package-windows")


def sign(path: Path, key: Path) -> None:
    """Signs a file with an SSH key and verifies the signature."""
    signature = path.with_name(f"{path.name}.sig")
    signature.unlink(missing_ok=True)
    run("ssh-keygen", "-Y", "sign", "-q", "-n", PURPOSE, "-f", key, path)
    public = run("ssh-keygen", "-y", "-f", key)
    signers = path.with_name("allowed-signers")
    signers.write_text(f'{SIGNER} namespaces="{PURPOSE}" {public}\n')
    with path.open() as content:
        run("ssh-keygen", "-Y", "verify", "-f", signers, "-I", SIGNER, "-n", PURPOSE, "-s", signature, stdin=content)


def formula(archive: Path, version: str, address: str) -> str:
    """Returns the formula for Homebrew."""
    checksum = hashlib.sha256(archive.read_bytes()).hexdigest()
    values = {"VERSION": version, "URL": f"{address.rstrip('/')}/{archive.name}", "SHA256": checksum}
    text = (HERE / "homebrew.rb").read_text()
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the project")
    parser.add_argument("--dist", type=Path, help="folder of the packages [default: target/dist]")
    parser.add_argument("--key", type=Path, help="SSH key that signs the checksums")
    parser.add_argument("--address", help="folder on the internet where the packages will be")
    parser.add_argument("--tag", action="store_true", help="create the tag")
    args = parser.parse_args()
    root, dist = args.root, args.dist or args.root / "target/dist"
    version = find_version(root)
    notes = find_notes(root, version, datetime.date.today())
    check_commit(root, version)
    packages = find_packages(dist, version)
    (archive,) = dist.glob(PACKAGES["archive"].format(version=version))
    check_program(root, archive, version)
    for for_windows in dist.glob(f"{FOR_WINDOWS.format(version=version)}.zip"):
        check_windows(root, for_windows)
    sums = dist / "SHA256SUMS"
    if args.key:
        sign(sums, args.key)
    (dist / "NOTES.md").write_text(f"# Rigscope {version}\n\n{notes}\n")
    if args.address:
        (dist / "rigscope.rb").write_text(formula(archive, version, args.address))
    if args.tag:
        run("git", "tag", "--annotate", f"v{version}", "--message", f"Rigscope {version}", cwd=root)
    signed = "signed" if args.key else "not signed, since no key was given"
    tagged = f"tag v{version} created" if args.tag else "no tag created"
    print(f"Rigscope {version}: {len(packages)} packages in {dist}, checksums {signed}, {tagged}")


if __name__ == "__main__":
    try:
        main()
    except Unfit as problem:
        sys.exit(f"release.py: {problem}")
