//! The committed built-in characters equal the output of their generator, byte for byte.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::characters;

fn assert_written(name: &str, written: &[u8]) {
    let path = std::path::Path::new(rigscope_tests::ROOT).join("assets").join(name);
    let committed = std::fs::read(&path).unwrap();
    let first = committed.iter().zip(written).position(|(a, b)| a != b);
    assert!(
        committed == written,
        "assets/{name} has {} bytes, `make assets` writes {}; the first difference is at {first:?}",
        committed.len(),
        written.len()
    );
}

#[test]
fn the_figure_is_what_its_program_writes() {
    assert_written("figure.glb", &characters::figure());
}

#[test]
fn the_tube_is_what_its_program_writes() {
    assert_written("tube.glb", &characters::tube());
}

#[test]
fn the_icons_are_what_their_program_writes() {
    for size in characters::ICON_SIZES {
        assert_written(&format!("icons/{size}.png"), &characters::icon(size));
    }
}
