//! Names in many scripts: rows, filters, and loading fonts for their letters.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common::scripts;
use crate::program;

use egui::accesskit::Role;
use egui::epaint::TextShape;
use egui::{FontFamily, FontId, Rect, Shape};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use program::{Program, type_into};
use rigscope::fonts::Fonts;
use rigscope::import::Job;
use rigscope::rig::Rig;
use rigscope::stage::{BuiltIn, Document, Source};
use rigscope::state::{Action, Command};
use rigscope::ui::install_fonts;

/// Returns a window with these additional fonts.
fn window(document: Document, fonts: &Fonts) -> Harness<'static, Program> {
    Program::new(document).harness_with([1440.0, 900.0], fonts.clone())
}

fn document(rig: Rig) -> Document {
    Document::new(Source::File("names.glb".into()), rig, Vec::new())
}

fn figure() -> Document {
    Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap()
}

/// Returns the letters of all names that the window draws as boxes.
fn boxes(harness: &Harness<'_, Program>) -> String {
    let font = FontId::new(13.0, FontFamily::Proportional);
    let letters: Vec<char> = scripts::NAMES.concat().chars().collect();
    harness.ctx.fonts_mut(|fonts| letters.into_iter().filter(|letter| !fonts.has_glyph(&font, *letter)).collect())
}

#[test]
fn no_font_is_looked_for_while_our_own_has_every_letter() {
    let fonts = Fonts::none();
    let mut harness = window(figure(), &fonts);
    for action in [Action::TogglePalette, Action::TogglePalette, Action::ToggleHelp, Action::ToggleAllNodes] {
        harness.state_mut().apply(Command::Do(action));
        harness.run();
    }
    assert!(!fonts.is_asked() && !fonts.is_listed());
    let harness = window(document(scripts::rig(&["Ärmel", "Рука", "Χέρι", "😀", "line\nbreak\u{202e}"])), &fonts);
    assert!(!fonts.is_asked() && !fonts.is_listed());
    drop(harness);
}

#[test]
fn a_letter_that_is_lacking_is_asked_for_and_a_frame_does_not_look_for_it() {
    let fonts = Fonts::none();
    let mut harness = window(document(scripts::rig(&scripts::NAMES)), &fonts);
    harness.run();
    assert!(fonts.is_asked() && !fonts.is_listed(), "what looks for it is another thread");
    assert!(!fonts.search() && !fonts.is_asked());
    install_fonts(&harness.ctx, &fonts);
    harness.run();
    assert!(!fonts.is_asked(), "what no font has is not asked for again");
    assert!(boxes(&harness).contains("左腕"));
}

#[test]
fn every_name_is_drawn_once_the_faces_that_were_found_are_there() {
    let Some(files) = scripts::fonts() else { return };
    let fonts = Fonts::from_paths(files);
    let mut harness = window(document(scripts::rig(&scripts::NAMES)), &fonts);
    assert!(boxes(&harness).contains("左腕"));
    assert!(fonts.search());
    install_fonts(&harness.ctx, &fonts);
    harness.run();
    assert_eq!(boxes(&harness), "");
    assert_eq!(fonts.faces().len(), 4, "{fonts:?}");
    assert!(!fonts.is_asked() && fonts.packages().is_empty());
}

/// Returns all painted texts with their positions.
fn painted(harness: &Harness<'_, Program>) -> Vec<TextShape> {
    fn collect(shape: &Shape, found: &mut Vec<TextShape>) {
        match shape {
            Shape::Text(text) => found.push(text.clone()),
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    harness.output().shapes.iter().for_each(|clipped| collect(&clipped.shape, &mut found));
    found
}

/// Asserts that the rows of the tree have equal sizes and don't overlap, and that each name is in its row, on one line.
fn assert_rows_hold(fonts: &Fonts) {
    let names = scripts::odd_names();
    let harness = window(document(scripts::rig(&names)), fonts);
    let rows: Vec<Rect> = harness.query_all_by_role(Role::TreeItem).map(|row| row.rect()).collect();
    assert_eq!(rows.len(), names.len() + 1);
    assert!(rows.iter().all(|row| row.size() == rows[0].size()), "{rows:?}");
    assert!(rows.windows(2).all(|pair| pair[0].bottom() <= pair[1].top() + 0.1), "{rows:?}");
    let mut texts = Vec::new();
    for text in painted(&harness) {
        let rect = text.visual_bounding_rect();
        let Some(row) = rows.iter().find(|row| row.intersects(rect)) else { continue };
        assert!(row.expand(1.0).contains_rect(rect), "{:?} at {rect} in {row}", text.galley.text());
        assert_eq!(text.galley.rows.len(), 1, "{:?}", text.galley.text());
        texts.push(text.galley.text().to_owned());
    }
    for spelt in [r"line\nbreak\r\n\tafter", r"a\u{202e}b\u{2066}c\u{200f}", r"same\u{200b}", "same"] {
        assert!(texts.iter().any(|text| text == spelt), "{spelt} in {texts:?}");
    }
}

#[test]
fn rows_hold_whatever_names_are_in_them() {
    assert_rows_hold(&Fonts::none());
    if let Some(files) = scripts::fonts() {
        let fonts = Fonts::from_paths(files);
        assert!(fonts.find(&scripts::odd_names().concat()));
        assert_rows_hold(&fonts);
    }
}

#[test]
fn the_filter_finds_whatever_the_width_and_by_the_bone_of_a_human() {
    let mut harness = window(document(scripts::rig(&scripts::NAMES)), &Fonts::none());
    let found = |harness: &Harness<'_, Program>| -> Vec<String> {
        let rows = harness.query_all_by_role(Role::TreeItem).filter_map(|row| row.accesskit_node().label());
        rows.filter(|name| name != "Root").collect()
    };
    for (typed, name) in [
        ("ｒｍｅｌ", "Ärmel_L"),
        ("ボーン", "左腕ひじ ﾎﾞｰﾝ (leftLowerArm)"),
        ("left lower", "左腕ひじ ﾎﾞｰﾝ (leftLowerArm)"),
        ("ЛЕВАЯ", "Левая рука"),
        ("זרוע", "זרוע שמאל"),
        ("اليسرى", "الذراع اليسرى_L"),
        ("हाथ", "बायाँ हाथ हिन्दी"),
        ("어깨", "왼쪽 어깨"),
    ] {
        type_into(&mut harness, "Filter joints", typed);
        assert_eq!(found(&harness), [name], "{typed}");
    }
}

#[test]
fn a_field_takes_letters_of_every_script() {
    let Some(files) = scripts::fonts() else { return };
    let fonts = Fonts::from_paths(files);
    fonts.find(&scripts::NAMES.concat());
    let mut harness = window(document(scripts::rig(&scripts::NAMES)), &fonts);
    for name in scripts::NAMES {
        type_into(&mut harness, "Filter joints", name);
        // Moves the caret through the letters and deletes one.
        for key in [egui::Key::ArrowLeft, egui::Key::ArrowLeft, egui::Key::Backspace, egui::Key::End, egui::Key::Home] {
            harness.get_by_label("Filter joints").click();
            harness.run();
            harness.key_press(key);
            harness.run();
        }
    }
}
