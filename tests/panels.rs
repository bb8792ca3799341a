//! The panels beside the view: their widths, and what a small window makes of them.

#[path = "common/program.rs"]
mod program;

use egui::{Rect, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use program::{Program, drag_through, program, program_of};
use rigscope::rig::{Hierarchy, NodeDescription, Rig, RigParts};
use rigscope::state::{BuiltIn, Command, Document, Source};

fn view(harness: &Harness<'_, Program>) -> Rect {
    harness.get_by_label("Viewport").rect()
}

/// Of the tree and of the inspector.
fn widths(harness: &Harness<'_, Program>) -> [f32; 2] {
    /// The harness leaves this much around the interface.
    const MARGIN: f32 = 8.0;
    let window = harness.ctx.content_rect().shrink(MARGIN);
    [view(harness).left() - window.left(), window.right() - view(harness).right()]
}

fn resize(harness: &mut Harness<'_, Program>, size: [f32; 2]) {
    harness.set_size(size.into());
    harness.run();
}

#[test]
fn a_small_window_squeezes_the_panels_only_while_it_is_small() {
    let mut harness = program(BuiltIn::Figure);
    let before = widths(&harness);
    assert_eq!(before.map(f32::round), [240.0, 300.0]);
    resize(&mut harness, [800.0, 500.0]);
    assert_eq!(widths(&harness).map(f32::round), [157.0, 235.0]);
    resize(&mut harness, [1440.0, 900.0]);
    assert_eq!(widths(&harness), before);
}

#[test]
fn a_panel_is_as_wide_as_its_edge_was_dragged_and_settings_know_it() {
    let mut harness = program(BuiltIn::Figure);
    let edge = view(&harness).left_center() - vec2(1.0, 0.0);
    drag_through(&mut harness, &[edge, edge - vec2(20.0, 0.0), edge - vec2(50.0, 0.0)]);
    harness.drop_at(edge - vec2(50.0, 0.0));
    harness.run();
    let width = widths(&harness)[0];
    assert!((width - 190.0).abs() < 3.0, "{width}");
    assert!((harness.state().state.settings.panels.left - width).abs() < 1.0);
    resize(&mut harness, [800.0, 500.0]);
    resize(&mut harness, [1440.0, 900.0]);
    assert_eq!(widths(&harness)[0], width);
}

#[test]
fn no_name_widens_a_panel() {
    let name = "a name as long as no joint should have ".repeat(20);
    let hierarchy = Hierarchy::new(&[NodeDescription { name, ..NodeDescription::default() }]).unwrap();
    let root = hierarchy.nodes().next();
    let rig = Rig::new(RigParts { hierarchy, ..RigParts::default() });
    let mut harness = program_of(Document::new(Source::File("long.glb".into()), rig, Vec::new()));
    harness.state_mut().apply(Command::Select(root));
    harness.run();
    assert_eq!(widths(&harness).map(f32::round), [240.0, 300.0]);
}

/// The least size of the window.
const SMALL: [f32; 2] = [800.0, 500.0];

#[test]
fn nothing_of_the_inspector_is_cut_off_in_a_small_window() {
    let mut harness = program(BuiltIn::Figure);
    resize(&mut harness, SMALL);
    let node = harness.state().node("LeftLowerArm");
    harness.state_mut().apply(Command::Select(Some(node)));
    harness.run();
    let inside = Rect::everything_right_of(view(&harness).right()).intersect(harness.ctx.content_rect());
    let fields =
        ["Rotation", "Rotation X", "Rotation Z", "Quaternion x", "Quaternion w", "Angle", "Position Z", "Scale Z"];
    for name in fields {
        let rect = harness.get_by_label(name).rect();
        assert!(inside.contains_rect(rect), "{name} at {rect} is not in {inside}");
    }
    let row = ["x", "y", "z", "w"].map(|part| harness.get_by_label(&format!("Quaternion {part}")).rect());
    assert!(row.windows(2).all(|pair| pair[0].right() <= pair[1].left()), "{row:?}");
}

#[test]
fn a_long_file_name_gives_way_to_what_stands_beside_it() {
    let name = format!("{}.glb", "long".repeat(60));
    let mut harness = program_of(Document::new(Source::File(name.clone().into()), Rig::default(), Vec::new()));
    for size in [SMALL, [1440.0, 900.0]] {
        resize(&mut harness, size);
        let file = harness.get_by_label(&name).rect();
        let [help, skinning] = ["Help", "Skinning"].map(|label| harness.get_by_label(label).rect());
        assert!(help.right() <= file.left() && file.right() <= skinning.left(), "{help} {file} {skinning}");
    }
}
