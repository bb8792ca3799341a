//! The real window under a virtual display: select, type, toggle, look.

#![cfg(feature = "inspection")]

#[path = "common/window.rs"]
mod window;

use std::path::Path;

use egui::{Key, Modifiers};
use image::RgbaImage;
use window::Window;

fn open(arguments: &[&str]) -> Option<Window> {
    match Window::open(Path::new(env!("CARGO_BIN_EXE_rigscope")), arguments, [1280, 800]) {
        Ok(window) => Some(window),
        Err(problem) if std::env::var_os("CI").is_none() && problem.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("skipped: no Xvfb here");
            None
        }
        Err(problem) => panic!("{problem}"),
    }
}

/// Pixels of the viewport that differ visibly, between two pictures of the same size.
fn changed_pixels(window: &mut Window, a: &RgbaImage, b: &RgbaImage) -> usize {
    let view = window.find("Viewport").unwrap().rect;
    assert_eq!(a.dimensions(), b.dimensions());
    a.enumerate_pixels()
        .filter(|(x, y, _)| view.contains(egui::pos2(*x as f32, *y as f32)))
        .filter(|(x, y, p)| {
            let q = b.get_pixel(*x, *y);
            (0..3).any(|i| p[i].abs_diff(q[i]) > 24)
        })
        .count()
}

#[test]
fn a_joint_is_selected_turned_and_seen_with_both_methods() {
    let Some(mut window) = open(&["builtin:tube"]) else { return };
    let rest = window.screenshot().unwrap();
    window.click("Middle").unwrap();
    let selected = window.screenshot().unwrap();
    window.type_into("Rotation X", "170").unwrap();
    assert!(window.find("Rotation X").unwrap().value.starts_with("170"), "the field shows what was typed");
    window.find("Linear blend skinning").unwrap();
    let lbs = window.screenshot().unwrap();
    assert!(changed_pixels(&mut window, &selected, &lbs) > 5_000, "the tube is twisted");
    window.click("DQS").unwrap();
    window.find("Dual quaternion skinning").unwrap();
    let dqs = window.screenshot().unwrap();
    assert!(changed_pixels(&mut window, &lbs, &dqs) > 5_000, "the candy wrapper is cured");
    window.key(Modifiers::COMMAND | Modifiers::CTRL, Key::Z).unwrap();
    assert!(window.find("Rotation X").unwrap().value.starts_with('0'), "undone");
    window.key(Modifiers::NONE, Key::M).unwrap();
    window.key(Modifiers::NONE, Key::Escape).unwrap();
    let again = window.screenshot().unwrap();
    assert!(changed_pixels(&mut window, &rest, &again) < 200, "back to how it was");
}

#[test]
fn a_broken_file_leaves_the_character_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.glb");
    std::fs::write(&path, b"glTF\x02\0\0\0\xff\xff\xff\xff").unwrap();
    let Some(mut window) = open(&[path.to_str().unwrap()]) else { return };
    let told = window.find("was not opened").unwrap();
    assert!(told.name.contains("broken.glb") || told.value.contains("broken.glb"), "{told:?}");
    window.find("LeftLowerArm").expect("the built-in figure is still there");
    window.click("Dismiss").unwrap();
    assert!(window.find("was not opened").is_err());
}
