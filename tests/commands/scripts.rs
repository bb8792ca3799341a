//! Files, joints and captions with names in many scripts.

use crate::common;

use common::command::rigscope;
use common::{glb, scripts};

#[test]
fn files_with_names_in_every_script_are_read_and_written() {
    let folder = tempfile::tempdir().unwrap();
    for name in scripts::NAMES.into_iter().chain(["👩‍🦰 😀", "a\u{202e}b"]) {
        let inside = folder.path().join(name);
        std::fs::create_dir(&inside).unwrap();
        let [model, other, pose] = ["glb", "bake.obj", "json"].map(|ending| inside.join(format!("{name}.{ending}")));
        std::fs::write(&model, glb::triangle().build()).unwrap();
        std::fs::write(&pose, br#"{"version":1,"joints":{}}"#).unwrap();
        let said = rigscope(&["info".as_ref(), model.as_os_str()]).ok().stdout;
        assert!(said.contains(name) || name.contains('\u{202e}') && said.contains(r"a\u{202e}b"), "{said}");
        rigscope(&[
            "bake".as_ref(),
            model.as_os_str(),
            "--pose".as_ref(),
            pose.as_os_str(),
            "-o".as_ref(),
            other.as_os_str(),
        ])
        .ok();
        assert!(other.is_file(), "{}", other.display());
    }
}

#[cfg(feature = "gl")]
#[test]
fn image_with_captions_reports_missing_fonts() {
    use std::ffi::OsStr;

    let folder = tempfile::tempdir().unwrap();
    let [model, picture] = ["頭.gltf", "頭.png"].map(|name| folder.path().join(name));
    std::fs::write(&model, scripts::gltf(&scripts::NAMES)).unwrap();
    let render = |fonts: &OsStr, rest: &[&str]| {
        let words = ["render".as_ref(), model.as_os_str(), "-o".as_ref(), picture.as_os_str()].into_iter();
        let words =
            words.chain(["--size", "400x200", "--overlay", "weight", "--joint", "左腕ひじ ﾎﾞｰﾝ"].map(OsStr::new));
        let words: Vec<&OsStr> = words.chain(rest.iter().map(OsStr::new)).collect();
        common::command::rigscope_in(&[(rigscope::fonts::FONT_PATHS, fonts)], &words).ok().stderr
    };
    let without = render("".as_ref(), &["--captions"]);
    let advice = if cfg!(windows) { "Add fonts of their language" } else { "install fonts-noto-cjk." };
    assert!(without.contains(advice) && picture.is_file(), "{without}");
    assert!(!render("".as_ref(), &[]).contains(advice), "no captions, no letters");
    if let Some(files) = scripts::fonts() {
        let with = render(&std::env::join_paths(files).unwrap(), &["--captions"]);
        assert!(!with.contains(advice), "{with}");
    }
}
