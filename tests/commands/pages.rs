//! The README and the guide: the code blocks run in the order of the page and print what the page shows.
//!
//! Each page runs in its own folder with `hero.glb`, `hero.vrm` and `export.glb`, a badly exported hero. Python blocks
//! are tested with the wheel; the CI workflow is tested in `check_pipeline`.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::path::Path;
use std::process::{Command, Output};

use crate::common::glb::{container, split};
use crate::common::markdown::{Block, blocks};
use crate::common::vrm_face::vrm_face;

macro_rules! pages {
    ($($test:ident, $page:literal;)*) => {
        const PAGES: &[&str] = &[$($page),*];

        $(#[test]
        fn $test() {
            follow($page);
        })*
    };
}

pages! {
    the_readme, "README.md";
    the_list_of_pages, "docs/README.md";
    architecture, "docs/architecture.md";
    bend_tests, "docs/bend-tests.md";
    blender, "docs/blender.md";
    checking_clips, "docs/clip-checks.md";
    clips, "docs/clips.md";
    the_command_line, "docs/command-line.md";
    comparing, "docs/comparing.md";
    diagnoses, "docs/diagnose.md";
    differences, "docs/diff.md";
    the_first_ten_minutes, "docs/first-ten-minutes.md";
    formats, "docs/formats.md";
    the_glossary, "docs/glossary.md";
    images, "docs/images.md";
    installing, "docs/installing.md";
    json, "docs/json.md";
    lint_codes, "docs/lint-codes.md";
    mathematics, "docs/mathematics.md";
    measuring, "docs/measuring.md";
    pipelines, "docs/pipeline.md";
    posing, "docs/posing.md";
    profiles, "docs/profiles.md";
    python, "docs/python.md";
    changing_skeletons, "docs/refit.md";
    retargeting, "docs/retargeting.md";
    sessions_and_poses, "docs/sessions-and-poses.md";
    shading, "docs/shading.md";
    weights, "docs/weights.md";
}

/// Maximum number of blocks that are not run.
const MAX_UNTESTED: usize = 8;

fn root() -> &'static Path {
    Path::new(rigscope_tests::ROOT)
}

fn read(page: &str) -> String {
    std::fs::read_to_string(root().join(page)).unwrap()
}

/// A folder in which the blocks of a page run, and a folder with the program as `rigscope`.
struct Place {
    folder: tempfile::TempDir,
    tools: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap(), tools: tempfile::tempdir().unwrap() };
        std::os::unix::fs::symlink(rigscope_tests::program(), place.tools.path().join("rigscope")).unwrap();
        let hero = place.run("rigscope convert builtin:figure -o hero.glb");
        assert!(hero.status.success(), "{hero:?}");
        std::fs::write(place.path("hero.vrm"), vrm_face(1).build()).unwrap();
        std::fs::write(place.path("export.glb"), bad_export(&std::fs::read(place.path("hero.glb")).unwrap())).unwrap();
        // Files that the config on the pipeline page refers to.
        std::fs::create_dir(place.path("models")).unwrap();
        std::fs::copy(place.path("hero.glb"), place.path("models/base.glb")).unwrap();
        place
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, command: &str) -> Output {
        let path = format!("{}:{}", self.tools.path().display(), std::env::var("PATH").unwrap());
        Command::new("sh").args(["-ec", command]).env("PATH", path).current_dir(&self.folder).output().unwrap()
    }
}

/// Returns the character as a bad exporter would write it: the weights of 400 vertices sum to 0.8, 12 vertices have no
/// weights, and two joints have the same name.
fn bad_export(hero: &[u8]) -> Vec<u8> {
    let (mut document, bin) = split(hero);
    let mut bin = bin.to_vec();
    let number = |value: &serde_json::Value| value.as_u64().unwrap_or_default() as usize;
    for (primitive, vertices, factor) in [(3, 400, 0.8_f32), (2, 12, 0.0)] {
        let accessor = number(&document["meshes"][0]["primitives"][primitive]["attributes"]["WEIGHTS_0"]);
        let accessor = &document["accessors"][accessor];
        let view = &document["bufferViews"][number(&accessor["bufferView"])];
        let begin = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
        let (weights, _) = bin[begin..begin + vertices * 16].as_chunks_mut();
        for weight in weights {
            *weight = (f32::from_le_bytes(*weight) * factor).to_le_bytes();
        }
    }
    for node in document["nodes"].as_array_mut().unwrap().iter_mut().filter(|node| node["name"] == "RightToes") {
        node["name"] = "LeftToes".into();
    }
    container(document.to_string().as_bytes(), &bin)
}

fn follow(page: &str) {
    let place = Place::new();
    let mut printed = None;
    for block in blocks(&read(page)) {
        let told = printed.take();
        match block.language.as_str() {
            "sh" if !block.is_tested || block.text.starts_with("#!") => {}
            "sh" => {
                for command in commands(&block.text) {
                    printed = Some(succeed(&place, &command, page));
                }
            }
            "toml" => keep_settings(&place, &block, page),
            "text" => {
                if let Some(printed) = told.filter(|_| block.is_next_to_the_last) {
                    assert!(is_told(&printed, &block.text), "{page} has\n{}\nand not\n{printed}", block.text);
                }
            }
            // A fragment of an object, as it would appear in a glTF file.
            "json" => _ = serde_json::from_str::<serde_json::Value>(&format!("{{{}}}", block.text)).expect(page),
            // Tested elsewhere.
            "python" | "yaml" => {}
            unknown => panic!("{page} has a block of {unknown:?}, which no test runs"),
        }
    }
}

/// Returns the commands of a block, one per line. A command continues after a backslash at the end of a line, and
/// includes its here-document.
fn commands(block: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut lines = block.lines();
    while let Some(line) = lines.next() {
        let mut command = line.to_owned();
        while command.ends_with('\\') {
            command.extend(["\n", lines.next().unwrap()]);
        }
        if let Some((_, end)) = line.split_once("<<'").and_then(|(head, rest)| Some((head, rest.split_once('\'')?.0))) {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != end).collect();
            command.extend(["\n", &text.join("\n"), "\n", end, "\n"]);
        }
        commands.push(command);
    }
    commands
}

/// Runs a command and returns its standard output. Asserts success; commands that report findings or differences may
/// also exit with 1.
fn succeed(place: &Place, command: &str, page: &str) -> String {
    let output = place.run(command);
    let may_find =
        ["rigscope check", "rigscope diff", "rigscope diagnose"].iter().any(|name| command.starts_with(name));
    let code = output.status.code();
    assert!(
        code == Some(0) || code == Some(1) && may_find,
        "{page}: {command}\n{code:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Returns whether a page shows the output. A line `…` on the page stands for any number of lines.
fn is_told(printed: &str, told: &str) -> bool {
    let (told, printed): (Vec<&str>, Vec<&str>) = (told.lines().collect(), printed.lines().collect());
    match told.iter().position(|line| *line == "…") {
        None => told == printed,
        Some(gap) => {
            let (head, tail) = (&told[..gap], &told[gap + 1..]);
            printed.len() >= head.len() + tail.len() && printed.starts_with(head) && printed.ends_with(tail)
        }
    }
}

/// Writes a config to the file named in its first line, and checks a rig with it.
fn keep_settings(place: &Place, block: &Block, page: &str) {
    let name = block.text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap();
    std::fs::write(place.path(name), &block.text).unwrap();
    succeed(place, &format!("rigscope check hero.glb --config {name}"), page);
}

#[test]
fn every_page_is_followed() {
    let pages = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<String> = pages
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .map(|path| format!("docs/{}", path.file_name().unwrap().to_str().unwrap()))
        .collect();
    pages.sort();
    pages.insert(0, "README.md".to_owned());
    assert_eq!(PAGES, pages);
}

#[test]
fn few_blocks_are_not_run() {
    let blocks = PAGES.iter().flat_map(|page| blocks(&read(page)));
    let untested: Vec<String> = blocks.filter(|block| !block.is_tested).map(|block| block.text).collect();
    assert!(untested.len() <= MAX_UNTESTED, "{untested:#?}");
}

#[test]
fn page_test_detects_wrong_output_and_failing_commands() {
    assert!(is_told("a\nb\n", "a\nb\n") && is_told("a\nb\nc\n", "a\n…\n") && is_told("a\nb\nc\n", "…\nc\n"));
    assert!(!is_told("a\nb\n", "a\n") && !is_told("a\nb\n", "…\na\n") && !is_told("a\n", "a\n…\na\n"));
    assert_eq!(commands("a \\\nb\nc <<'X'\nd\nX\ne\n"), ["a \\\nb", "c <<'X'\nd\nX\n", "e"]);
    let place = Place::new();
    let fails = |command: &str| std::panic::catch_unwind(|| succeed(&place, command, "page")).is_err();
    assert!(fails("rigscope render hero.glb --no-such-option") && fails("false") && !fails("true"));
}

/// Runs `make install` with a fake `cargo` that only creates a file in place of the program.
fn install(root_of: &Path, tools: &Path, further: &Path) -> String {
    let path = format!("{}:{}:{}", tools.display(), further.display(), std::env::var("PATH").unwrap());
    let output = Command::new("make")
        .args(["-s", "install", "PACKAGES_RUN=", &format!("PREFIX={}", root_of.display())])
        .env("PATH", path)
        .env_remove("MAKEFLAGS")
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn make_install_prints_the_path_of_the_program() {
    use std::os::unix::fs::PermissionsExt as _;

    let [tools, prefix, empty] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let cargo = tools.path().join("cargo");
    let script = "#!/bin/sh\nroot=; for word; do root=$word; done\nmkdir -p \"$root/bin\"\nprintf '#!/bin/sh\\n' > \"$root/bin/rigscope\"\nchmod +x \"$root/bin/rigscope\"\n";
    std::fs::write(&cargo, script).unwrap();
    std::fs::set_permissions(&cargo, std::fs::Permissions::from_mode(0o755)).unwrap();
    let bin = prefix.path().join("bin");
    let on_path = install(prefix.path(), tools.path(), &bin);
    assert_eq!(on_path.trim_end(), format!("rigscope is in {}, which is on the PATH.", bin.display()));
    // `rigscope` may already be on the PATH of whoever runs the tests.
    let elsewhere = install(prefix.path(), tools.path(), empty.path());
    assert!(elsewhere.contains(&format!("export PATH=\"{}:", bin.display())), "{elsewhere}");
}
