//! Captions with names in many scripts, on a machine with fonts for them and on a machine without.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use common::golden::assert_golden;
use common::scripts;
use image::{Rgba, RgbaImage, imageops};
use rigscope::caption::{caption_text, draw_captions};
use rigscope::fonts::Fonts;
use rigscope::stage::{Document, MeasureBench, Source};
use rigscope::state::{AppState, Command, Settings};
use rigscope::studio::{ImageOptions, Studio, measure_sides};
use rigscope::view::{Overlay, Side};

/// Size of one caption, pixels.
const SIZE: [u32; 2] = [310, 76];

fn state() -> AppState {
    let rig = scripts::rig(&scripts::NAMES);
    let document = Document::new(Source::File("頭 العربية.glb".into()), rig, Vec::new());
    let mut state = AppState::new(document, Settings::default());
    state.apply(Command::SetOverlay(Side::A, Some(Overlay::Weight)));
    state
}

/// Returns the legends of all names' weights, one below the other.
fn captions(fonts: &Fonts) -> RgbaImage {
    let mut state = state();
    let nodes: Vec<_> = state.open.stage.rig().hierarchy.nodes().skip(1).collect();
    let mut all = RgbaImage::from_pixel(SIZE[0], SIZE[1] * nodes.len() as u32, Rgba([77, 78, 79, 255]));
    for (number, node) in (0_u32..).zip(nodes) {
        state.apply(Command::Select(Some(node)));
        state.open.stage.refresh();
        measure_sides(&mut state.open.stage, &mut MeasureBench::default()).unwrap();
        fonts.find(&caption_text(&state.open.stage));
        let mut one = RgbaImage::from_pixel(SIZE[0], SIZE[1], Rgba([77, 78, 79, 255]));
        draw_captions(&mut one, (0, SIZE[1]), &state.open.stage, 1.0, fonts);
        imageops::replace(&mut all, &one, 0, i64::from(SIZE[1] * number));
    }
    all
}

#[test]
fn captions_in_every_script_look_as_kept_with_fonts_for_them() {
    let Some(files) = scripts::fonts() else { return };
    let fonts = Fonts::from_paths(files);
    assert_golden("names_captions", &captions(&fonts), "llvmpipe");
    assert!(fonts.packages().is_empty(), "every letter was found");
}

#[test]
fn captions_in_every_script_look_as_kept_without_fonts_for_them() {
    let fonts = Fonts::none();
    assert_golden("names_captions_without_fonts", &captions(&fonts), "llvmpipe");
    assert_eq!(Vec::from_iter(fonts.packages()), ["fonts-noto-cjk", "fonts-noto-core"]);
}

#[test]
fn pictures_look_for_fonts_only_where_they_have_captions_with_letters_of_others() {
    let mut studio = Studio::new(None).unwrap();
    let mut state = state();
    let mut listed = |state: &mut AppState, has_captions| {
        studio.set_fonts(Fonts::none());
        state.open.stage.refresh();
        measure_sides(&mut state.open.stage, &mut MeasureBench::default()).unwrap();
        studio.picture(&state.open.stage, ImageOptions { has_captions, ..SIZE.into() }).unwrap();
        studio.fonts().is_listed()
    };
    assert!(!listed(&mut state, true), "no joint is selected");
    let nodes: Vec<_> = state.open.stage.rig().hierarchy.nodes().collect();
    state.apply(Command::Select(nodes.get(1).copied()));
    assert!(!listed(&mut state, true), "a Latin name");
    state.apply(Command::Select(nodes.get(3).copied()));
    assert!(!listed(&mut state, false), "no captions");
    assert!(listed(&mut state, true), "a Japanese one");
}
