//! Files that packages install beside the program: desktop entry, MIME types, thumbnailer, and the archive's installer.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use rigscope::import::format;

use crate::common;
use common::command::rigscope;
use common::skipped;

fn package(name: &str) -> PathBuf {
    Path::new(rigscope_tests::ROOT).join("assets/package").join(name)
}

/// Returns the value of a key in a desktop entry or a similar file.
fn value(file: &str, key: &str) -> String {
    let text = std::fs::read_to_string(package(file)).unwrap();
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('=').map(str::to_owned)).unwrap()
}

fn types(file: &str) -> BTreeSet<String> {
    value(file, "MimeType").split_terminator(';').map(str::to_owned).collect()
}

/// Runs a system tool and asserts that it succeeds. If the tool is missing, reports that the test is skipped and
/// returns `None`.
fn run(tool: &mut Command) -> Option<String> {
    let Ok(output) = tool.output() else {
        skipped(&format!("there is no {}", tool.get_program().display()));
        return None;
    };
    let [said, complained] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{tool:?}: {said}{complained}");
    Some(said)
}

#[test]
fn every_format_has_a_type_that_opens_the_program_and_has_thumbnails() {
    let kinds = std::fs::read_to_string(package("rigscope.xml")).unwrap();
    let type_of = |ending: &str| {
        let (before, _) = kinds.split_once(&format!("<glob pattern=\"*.{ending}\"")).unwrap();
        let (_, last) = before.rsplit_once("<mime-type type=\"").unwrap();
        last.split_once('"').unwrap().0.to_owned()
    };
    let known: BTreeSet<String> = format::endings().into_iter().map(type_of).collect();
    for file in ["rigscope.desktop", "rigscope.thumbnailer"] {
        let named = types(file);
        assert!(if cfg!(feature = "fbx") { named == known } else { named.is_superset(&known) }, "{file}: {named:?}");
    }
}

#[test]
fn desktop_files_are_valid() {
    run(Command::new("desktop-file-validate").arg(package("rigscope.desktop")));
    run(Command::new("shellcheck").arg(package("install.sh")));
    run(Command::new("appstreamcli").args(["validate", "--no-net"]).arg(package("rigscope.metainfo.xml")));
    run(Command::new("ruby").arg("-c").arg(package("homebrew.rb")));
    let data = tempfile::tempdir().unwrap();
    let packages = data.path().join("packages");
    std::fs::create_dir(&packages).unwrap();
    std::fs::copy(package("rigscope.xml"), packages.join("rigscope.xml")).unwrap();
    if run(Command::new("update-mime-database").arg(data.path())).is_some() {
        let globs = std::fs::read_to_string(data.path().join("globs2")).unwrap();
        // Higher priority than VRML, which has 50.
        assert!(globs.contains("60:model/vrm:*.vrm") && globs.contains("50:application/vnd.fbx:*.fbx"), "{globs}");
    }
}

#[test]
fn the_thumbnailer_draws_whatever_names_it_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("figure");
    rigscope(&["convert", "builtin:figure", "--format", "glb", "-o", model.to_str().unwrap()]).ok();
    let command = value("rigscope.thumbnailer", "Exec");
    for name in ["thumbnail", "thumbnail.png", ".thumbnail.X3b9Zq"] {
        let picture = folder.path().join(name);
        let given = command.replace("%i", model.to_str().unwrap()).replace("%s", "64");
        let given = given.replace("%o", picture.to_str().unwrap());
        let words: Vec<&str> = given.split(' ').skip(1).collect();
        let said = rigscope(&words).ok();
        assert_eq!(said.stdout + &said.stderr, "", "{given}");
        let drawn = image::load_from_memory(&std::fs::read(&picture).unwrap()).unwrap().to_rgba8();
        assert_eq!(drawn.dimensions(), (64, 64));
        let opaque = drawn.pixels().filter(|pixel| pixel[3] == 255).count();
        assert!((200..2000).contains(&opaque), "{name}: the character covers {opaque} pixels");
    }
}

/// Writes the package content to a folder, with a script in place of the program.
fn tree(folder: &Path) -> Option<()> {
    let program = folder.join("program");
    std::fs::write(&program, format!("#!/bin/sh\nexec '{}' \"$@\"\n", rigscope_tests::program())).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let script = package("make.py");
    run(Command::new("python3")
        .arg(script)
        .args(["tree", "--program"])
        .arg(program)
        .arg("--out")
        .arg(folder.join("tree")))?;
    std::fs::copy(package("install.sh"), folder.join("tree/install.sh")).unwrap();
    Some(())
}

fn names_below(folder: &Path) -> BTreeSet<String> {
    let found = run(Command::new("find").arg(folder).args(["-type", "f", "-printf", "%P\\n"])).unwrap();
    found.lines().map(str::to_owned).collect()
}

#[test]
fn the_archive_is_installed_and_removed() {
    let place = tempfile::tempdir().unwrap();
    if tree(place.path()).is_none() {
        return;
    }
    let prefix = place.path().join("prefix");
    std::fs::create_dir_all(prefix.join("share/applications")).unwrap();
    std::fs::write(prefix.join("share/applications/other.desktop"), "[Desktop Entry]\n").unwrap();
    let before = names_below(&prefix);
    let install = |words: &[&str]| {
        let script = place.path().join("tree/install.sh");
        run(Command::new("sh").arg(script).args(words).arg(&prefix).env("PATH", "/usr/bin:/bin")).unwrap()
    };

    let said = install(&[]);
    let program = prefix.join("bin/rigscope");
    assert!(said.contains(&format!("export PATH=\"{}:", program.parent().unwrap().display())), "{said}");
    assert!(run(Command::new(&program).arg("--version")).unwrap().starts_with("rigscope "));
    let entry = std::fs::read_to_string(prefix.join("share/applications/rigscope.desktop")).unwrap();
    assert!(entry.contains(&format!("\nExec={} %F\n", program.display())), "{entry}");
    for name in ["doc/rigscope/third-party-licences.txt.gz", "icons/hicolor/48x48/apps/rigscope.png"] {
        assert!(prefix.join("share").join(name).is_file(), "{name}");
    }
    for command in ["rigscope", "rigscope-check", "rigscope-render"] {
        assert!(prefix.join(format!("share/man/man1/{command}.1.gz")).is_file(), "{command}");
    }

    install(&["--remove"]);
    let after: BTreeSet<String> =
        names_below(&prefix).into_iter().filter(|name| !name.ends_with("mimeinfo.cache")).collect();
    assert_eq!(after, before);
    assert!(!prefix.join("bin").exists() && !prefix.join("share/mime").exists());
}
