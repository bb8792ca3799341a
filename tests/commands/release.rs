//! `make release`: what it refuses, what it signs, and files for other package managers.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::skipped;

fn package(name: &str) -> PathBuf {
    Path::new(rigscope_tests::ROOT).join("assets/package").join(name)
}

/// A project that can be released, with packages of a few bytes.
struct Project(tempfile::TempDir);

const FILES: [(&str, &str); 3] = [
    ("Cargo.toml", "[workspace.package]\nversion = \"1.2.0\"\n"),
    ("integrations/blender/blender_manifest.toml", "version = \"1.2.0\"\n"),
    ("CHANGELOG.md", "# Changelog\n\n## 1.2.0 - 2026-01-02\n\n- Opens files.\n\n## 1.1.0 - 2025-01-02\n\n- Older.\n"),
];

const MAKE_PACKAGES: &str = r#"
set -e
git init -q . && git add -A && git commit -qm First
mkdir -p target/dist tree/rigscope-1.2.0-x86_64-linux/bin && echo target > .git/info/exclude && echo tree >> .git/info/exclude
printf '#!/bin/sh\necho rigscope %s\n' "${TOLD:-1.2.0}" > tree/rigscope-1.2.0-x86_64-linux/bin/rigscope
chmod +x tree/rigscope-1.2.0-x86_64-linux/bin/rigscope
tar -C tree --mtime "@$(git log -1 --format=%ct)" -cJf target/dist/rigscope-1.2.0-x86_64-linux.tar.xz rigscope-1.2.0-x86_64-linux
cd target/dist
for name in rigscope_1.2.0_amd64.deb rigscope-1.2.0-cp39-abi3-any.whl rigscope-blender-1.2.0-linux-x64.zip rigscope-blender-1.2.0.zip; do echo "$name" > "$name"; done
python3 -c "import sys, time, zipfile; zipfile.ZipFile(sys.argv[1], 'w').writestr(zipfile.ZipInfo('rigscope.exe', time.gmtime(int(sys.argv[2]))[:6]), b'MZ')" rigscope-1.2.0-x86_64-windows.zip "${BUILT:-$(git log -1 --format=%ct)}"
sha256sum -- * > SHA256SUMS
"#;

impl Project {
    fn new(told: &str) -> Self {
        Self::built(&[("TOLD", told)])
    }

    fn built(environment: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in FILES {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let project = Self(folder);
        assert!(project.shell(MAKE_PACKAGES, environment).is_ok());
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs a script in the project. *Errors*: what it complained about.
    fn shell(&self, script: &str, environment: &[(&str, &str)]) -> Result<String, String> {
        let mut command = Command::new("sh");
        let identity = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"];
        command.envs(identity.map(|name| (name, "a@example.org"))).envs(environment.iter().copied());
        let ran = command.args(["-c", script]).current_dir(self.0.path()).output();
        let ran = ran.unwrap();
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        if ran.status.success() { Ok(text(&ran.stdout)) } else { Err(text(&ran.stderr)) }
    }

    fn release(&self, options: &str) -> Result<String, String> {
        let script = format!("python3 '{}' --root . {options}", package("release.py").display());
        self.shell(&script, &[])
    }
}

fn lacks_tools() -> bool {
    let missing = ["git", "python3", "ssh-keygen", "sha256sum"].into_iter().find(|tool| {
        Command::new("sh")
            .args(["-c", &format!("command -v {tool}")])
            .output()
            .is_ok_and(|found| !found.status.success())
    });
    if let Some(tool) = missing {
        skipped(&format!("there is no {tool}"));
    }
    missing.is_some()
}

#[test]
fn a_release_has_notes_a_signature_a_formula_and_a_tag() {
    if lacks_tools() {
        return;
    }
    let project = Project::new("1.2.0");
    project.shell("ssh-keygen -q -t ed25519 -N '' -f target/key", &[]).unwrap();
    let said = project.release("--key target/key --address https://example.org/v1/ --tag").unwrap();
    assert!(said.contains("6 packages") && said.contains("signed, tag v1.2.0 created"), "{said}");
    let read = |name: &str| fs::read_to_string(project.path(name)).unwrap();
    assert_eq!(read("target/dist/NOTES.md"), "# Rigscope 1.2.0\n\n- Opens files.\n");
    let formula = read("target/dist/rigscope.rb");
    let archive = "rigscope-1.2.0-x86_64-linux.tar.xz";
    let checksum = project.shell(&format!("sha256sum target/dist/{archive}"), &[]).unwrap();
    assert!(formula.contains(&format!("url \"https://example.org/v1/{archive}\"")), "{formula}");
    assert!(formula.contains(&format!("sha256 \"{}\"", &checksum[..64])) && !formula.contains('@'), "{formula}");
    assert_eq!(project.shell("git tag", &[]).unwrap(), "v1.2.0\n");
    let verify = "cd target/dist && ssh-keygen -Y verify -f allowed-signers -I rigscope -n file -s SHA256SUMS.sig";
    project.shell(&format!("{verify} < SHA256SUMS"), &[]).unwrap();
    assert!(project.shell(&format!("echo changed | {verify}"), &[]).is_err());
    // The tag of this commit is no reason against a second run.
    assert!(project.release("").unwrap().contains("not signed"));
}

#[test]
fn what_is_not_ready_is_not_released() {
    if lacks_tools() {
        return;
    }
    let cases = [
        ("sed -i s/1.2.0/1.2.1/ Cargo.toml", "Cargo.toml 1.2.1, integrations/blender/blender_manifest.toml 1.2.0"),
        ("sed -i 's/2026-01-02/unreleased/' CHANGELOG.md", "has no date"),
        ("sed -i 's/2026-01-02/2999-01-02/' CHANGELOG.md", "in the future: 2999-01-02"),
        ("sed -i 's/1.2.0 - /1.3.0 - /' CHANGELOG.md", "is \"1.3.0 - 2026-01-02\" and not of 1.2.0"),
        ("touch new", "uncommitted changes"),
        (
            "git commit -q --allow-empty -m More --date 2001-01-01 && git tag v1.2.0 HEAD~",
            "tag v1.2.0 is that of another commit",
        ),
        ("rm target/dist/*.whl", "has no wheel"),
        ("echo more >> target/dist/rigscope_1.2.0_amd64.deb", "amd64.deb is not the file whose checksum"),
        ("echo more >> target/dist/rigscope-1.2.0-x86_64-windows.zip", "windows.zip is not the file whose checksum"),
        ("echo '0 other.zip' >> target/dist/SHA256SUMS", "names other files: other.zip; remove"),
        ("GIT_COMMITTER_DATE='2001-01-01 00:00' git commit -q --allow-empty -m More", "not made from the last commit"),
    ];
    for (change, told) in cases {
        let project = Project::new("1.2.0");
        project.shell(change, &[]).unwrap();
        let problem = project.release("--tag").unwrap_err();
        assert!(problem.starts_with("release.py: ") && problem.contains(told), "{change}: {problem}");
        assert!(!project.path("target/dist/NOTES.md").exists(), "{change}");
    }
    let problem = Project::new("1.1.0").release("").unwrap_err();
    assert!(problem.contains("reports \"rigscope 1.1.0\""), "{problem}");
    let problem = Project::built(&[("BUILT", "1000000000")]).release("").unwrap_err();
    assert!(problem.contains("windows.zip was not made from the last commit"), "{problem}");
}

#[test]
fn files_for_package_managers_name_the_archive_of_this_version() {
    let archive = format!("rigscope-{}-x86_64-linux", env!("CARGO_PKG_VERSION"));
    let flatpak = fs::read_to_string(package("flatpak.yml")).unwrap();
    assert!(flatpak.contains(&format!("/{archive}.tar.xz\n")), "{flatpak}");
    let metainfo = fs::read_to_string(package("rigscope.metainfo.xml")).unwrap();
    let id = flatpak.lines().find_map(|line| line.strip_prefix("id: ")).unwrap();
    assert!(metainfo.contains(&format!("<id>{id}</id>")), "{metainfo}");
    let manifest = fs::read_to_string(Path::new(rigscope_tests::ROOT).join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let install = &manifest["package"]["metadata"]["binstall"]["overrides"]["x86_64-unknown-linux-gnu"];
    let filled = |key: &str| install[key].as_str().unwrap().replace("{ version }", env!("CARGO_PKG_VERSION"));
    assert!(filled("pkg-url").ends_with(&format!("/{archive}.tar.xz")));
    assert_eq!(filled("bin-dir"), format!("{archive}/bin/{{ bin }}{{ binary-ext }}"));
}
