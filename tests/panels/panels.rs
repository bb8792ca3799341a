//! The side panels: their widths, and how they adapt to a small window.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::program;

use std::f32::consts::PI;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Rect, Shape, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::{Affine3, Quat, Vec3};
use program::{Program, drag_through, program, program_with};
use rigscope::analysis::measure::VertexLocation;
use rigscope::analysis::twist::{JointRank, RotationKind};
use rigscope::import::Job;
use rigscope::posing::{AxisLimit, JointLimits};
use rigscope::rig::{Clip, Hierarchy, MorphTarget, NodeDescription, Rig, RigData, Trs};
use rigscope::stage::{BuiltIn, DerivedKind, Document, Source, WeightProblemPlan, WeightStatisticsPlan};
use rigscope::state::{Action, Command, JobResult, PanelEdge, PathUse, SidePanel};
use rigscope::view::{Layout, Overlay, Side};

fn view(harness: &Harness<'_, Program>) -> Rect {
    harness.get_by_label("Viewport").rect()
}

/// Returns the widths of the tree and of the inspector, points.
fn widths(harness: &Harness<'_, Program>) -> [f32; 2] {
    /// Margin that the harness leaves around the interface, points.
    const MARGIN: f32 = 8.0;
    let window = harness.ctx.content_rect().shrink(MARGIN);
    [view(harness).left() - window.left(), window.right() - view(harness).right()]
}

fn resize(harness: &mut Harness<'_, Program>, size: [f32; 2]) {
    harness.set_size(size.into());
    harness.run();
}

#[test]
fn a_small_window_squeezes_and_folds_the_panels_only_while_it_is_small() {
    let mut harness = program(BuiltIn::Figure);
    let before = widths(&harness);
    assert_eq!(before.map(f32::round), [240.0, 300.0]);
    resize(&mut harness, [1100.0, 700.0]);
    assert_eq!(widths(&harness).map(f32::round), [217.0, 300.0]);
    resize(&mut harness, SMALL);
    assert_eq!(widths(&harness).map(f32::round), [FOLDED, 300.0]);
    harness.get_by_label("Left panel").click();
    harness.run();
    assert_eq!(widths(&harness).map(f32::round), [240.0, FOLDED], "one is open at a time");
    harness.get_by_label("Right panel").click();
    harness.run();
    assert_eq!(widths(&harness).map(f32::round), [FOLDED, 300.0]);
    resize(&mut harness, [1440.0, 900.0]);
    assert_eq!(widths(&harness), before);
}

/// Width of a collapsed panel's strip, points.
const FOLDED: f32 = 24.0;

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
fn an_edge_is_dragged_from_either_side_of_it_and_the_camera_stays() {
    for offset in [-5.0, 5.0] {
        let mut harness = program(BuiltIn::Figure);
        let camera = harness.state().state.open.stage.view.camera;
        for (edge, at) in [("left", view(&harness).left_center()), ("right", view(&harness).right_center())] {
            let (from, by) = (at + vec2(offset, 0.0), if edge == "left" { 30.0 } else { -30.0 });
            let before = widths(&harness);
            drag_through(&mut harness, &[from, from + vec2(by * 0.5, 0.0), from + vec2(by, 0.0)]);
            harness.drop_at(from + vec2(by, 0.0));
            harness.run();
            let after = widths(&harness);
            let index = usize::from(edge == "right");
            assert!((after[index] - before[index] - 30.0).abs() < 7.0, "{edge} {offset}: {before:?} {after:?}");
        }
        assert_eq!(harness.state().state.open.stage.view.camera, camera);
    }
}

#[test]
fn tabs_keep_their_order_and_place_whichever_is_chosen() {
    let mut harness = program_with(long_names());
    harness.state_mut().lint();
    harness.state_mut().apply(Command::UsePath(PathUse::CompareWith, "other.glb".into()));
    harness.run();
    let names = ["Joint", "Skin", "Pose", "Morphs", "Compare", "Changes", "History"];
    let places = |harness: &Harness<'_, Program>| {
        let inside = Rect::everything_right_of(view(harness).right()).intersect(harness.ctx.content_rect());
        let place = |name: &str| {
            let tabs = harness.get_all_by_label(name).map(|tab| tab.rect()).filter(|rect| inside.contains_rect(*rect));
            tabs.min_by(|a, b| a.top().total_cmp(&b.top())).unwrap_or_else(|| panic!("no tab {name}"))
        };
        let lint = harness.get_all_by_label_contains("Lint").map(|tab| tab.rect()).find(|r| inside.contains_rect(*r));
        names.map(place).into_iter().chain(lint).collect::<Vec<_>>()
    };
    let before = places(&harness);
    assert_eq!(before.len(), 8);
    let in_order = |pair: &[Rect]| pair[0].right() <= pair[1].left() || pair[0].bottom() <= pair[1].top();
    assert!(before.windows(2).all(in_order), "{before:?}");
    for (panel, _) in PANELS {
        harness.state_mut().apply(Command::SetSidePanel(panel));
        harness.run();
        assert_eq!(places(&harness), before, "{panel:?}");
    }
}

#[test]
fn a_tab_moves_by_its_menu_and_by_dragging_and_the_layout_is_reset() {
    let mut harness = program(BuiltIn::Figure);
    harness.get_by_label("History").click_secondary();
    harness.run();
    harness.get_by_label("Move to the bottom").click();
    harness.run();
    assert!(harness.state().shows(SidePanel::History) && harness.state().shows(SidePanel::Joint));
    let bottom = harness.get_by_label("History").rect();
    assert!(bottom.top() >= view(&harness).bottom(), "{bottom}");
    let (from, to) = (bottom.center(), view(&harness).left_center() + vec2(20.0, 0.0));
    drag_through(&mut harness, &[from, from + vec2(-20.0, 20.0), to]);
    harness.drop_at(to);
    harness.run();
    assert!(harness.state().shows(SidePanel::History));
    assert!(harness.get_by_label("History").rect().right() <= view(&harness).left());
    harness.state_mut().apply(Command::Do(Action::ResetPanelLayout));
    harness.run();
    assert!(harness.state().state.settings.layout.is_initial());
    assert!(harness.get_by_label("History").rect().left() >= view(&harness).right());
}

#[test]
fn no_name_widens_a_panel() {
    let name = "a name as long as no joint should have ".repeat(20);
    let hierarchy = Hierarchy::new(&[NodeDescription { name, ..NodeDescription::default() }]).unwrap();
    let root = hierarchy.nodes().next();
    let rig = Rig::new(RigData { hierarchy, ..RigData::default() });
    let mut harness = program_with(Document::new(Source::File("long.glb".into()), rig, Vec::new()));
    harness.state_mut().apply(Command::Select(root));
    harness.run();
    assert_eq!(widths(&harness).map(f32::round), [240.0, 300.0]);
}

/// Minimum size of the window, points.
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
    let mut harness = program_with(Document::new(Source::File(name.clone().into()), Rig::default(), Vec::new()));
    for size in [SMALL, [1440.0, 900.0]] {
        resize(&mut harness, size);
        let file = harness.get_by_label(&name).rect();
        let help = harness.get_by_label("Help").rect();
        let switch = harness.get_by_label("Single").rect();
        assert!(help.right() <= file.left() && file.right() <= switch.left(), "{help} {file} {switch}");
    }
}

/// Returns a name of about sixty letters, as exporters write them.
fn long(name: &str) -> String {
    format!("Skeleton_of_the_character_that_was_exported_twice_{name}__2_")
}

/// Number of morph targets of the file with long names; `ARKit` has as many.
const TARGETS: usize = 52;
/// Number of joints of the file with long names.
const JOINTS: usize = 113;

/// Returns the tube with long names everywhere, many morph targets and joints, and a clip.
fn long_names() -> Document {
    let tube = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
    let mut parts = RigData::clone(&tube.rig);
    let old = &tube.rig.hierarchy;
    let nodes = (0..old.len()).map(|source| old.by_source(source).unwrap());
    let mut nodes: Vec<NodeDescription> = nodes
        .map(|node| NodeDescription {
            name: long(old.name(node)),
            children: old.children(node).iter().map(|child| old.source(*child)).collect(),
            rest: *old.rest(node),
            ..NodeDescription::default()
        })
        .collect();
    let more = nodes.len()..nodes.len() + JOINTS - tube.rig.joint_count();
    let number =
        |number: usize| NodeDescription { name: long(&format!("Joint{number}")), ..NodeDescription::default() };
    nodes.extend(more.clone().map(number));
    parts.hierarchy = Hierarchy::new(&nodes).unwrap();
    for source in more {
        parts.skins[0].joints.push(parts.hierarchy.by_source(source).unwrap());
        parts.skins[0].inverse_bind.push(Affine3::IDENTITY);
    }
    parts.skins.iter_mut().for_each(|skin| skin.name = long("Skin"));
    parts.materials.iter_mut().for_each(|material| material.name = long("Material"));
    for mesh in &mut parts.meshes {
        mesh.name = long("Mesh");
        mesh.target_names = (0..TARGETS).map(|number| long(&format!("Target{number}"))).collect();
        for primitive in &mut mesh.primitives {
            let target = MorphTarget { positions: vec![Vec3::X; primitive.positions.len()], ..MorphTarget::default() };
            primitive.morph_targets = vec![target; TARGETS];
        }
    }
    let clip = Clip { name: long("Walk"), duration_secs: 1.0, channels: Vec::new(), authored_rate: None };
    parts.clips = vec![clip];
    Document::new(Source::File(format!("{}.glb", long("File")).into()), Rig::new(parts), Vec::new())
}

/// Returns a window in which all panels show as much as they can.
fn full_panels() -> Harness<'static, Program> {
    let mut program = Program::new(long_names());
    program.lints = true;
    // The window is so high that every section is visible and can be opened.
    let mut harness = program.harness([1440.0, 4000.0]);
    let node = harness.state().node(&long("Middle"));
    let free = AxisLimit::Limited { min: -1.0, max: 1.0 };
    let limits = JointLimits { axes: [free, AxisLimit::Locked(0.0), free], ..JointLimits::default() };
    for command in [
        Command::Select(Some(node)),
        Command::Edit { node, user_local: Trs::from_rotation(Quat::from_rotation_x(0.4)) },
        Command::SetLimits { node, limits },
        Command::SetClip(Some(0)),
        Command::SetLayout(Layout::SideBySide),
        Command::SetOverlay(Side::A, Some(Overlay::Distance)),
        Command::SetOverlay(Side::B, Some(Overlay::Distance)),
        Command::Do(Action::ToggleTwistTest),
        Command::Do(Action::ToggleSymmetry),
        Command::Do(Action::ToggleIk),
    ] {
        harness.state_mut().apply(command);
    }
    let rig = Arc::clone(harness.state().state.open.stage.rig());
    let ranked = |joint| JointRank {
        joint,
        loss: 0.422,
        uncertainty: 0.0,
        motion: RotationKind::Twist,
        angle: -PI,
        triangles: 1234,
        is_speck: false,
    };
    let ranked = rig.hierarchy.nodes().map(ranked).collect();
    harness.state_mut().rank(ranked);
    let vertex = |vertex| VertexLocation { instance: 0, primitive: 0, vertex };
    harness.state_mut().state.open.stage.probes.places = [300, 400].map(vertex).to_vec();
    harness.state_mut().measure();
    harness.run();
    for (panel, parts) in PANELS {
        harness.state_mut().apply(Command::SetSidePanel(panel));
        harness.run();
        for part in parts {
            let number = harness.query_all_by_label(part).count();
            assert!(number > 0, "{part} in {panel:?}");
            for at in 0..number {
                harness.query_all_by_label(part).nth(at).unwrap().click();
                harness.run();
            }
        }
        while let Some(wanted) = DerivedKind::new::<WeightStatisticsPlan>().wanted(&harness.state().state.open.stage) {
            harness.state_mut().receive(JobResult::Derived(wanted.run(&Job::default())));
        }
        while let Some(wanted) = DerivedKind::new::<WeightProblemPlan>().wanted(&harness.state().state.open.stage) {
            harness.state_mut().receive(JobResult::Derived(wanted.run(&Job::default())));
        }
        harness.run();
    }
    harness
}

/// The tabs, and the collapsible sections of each one.
const PANELS: [(SidePanel, &[&str]); 8] = [
    (SidePanel::Joint, &["Degrees of freedom", "Equations"]),
    (SidePanel::Skin, &["Weight statistics"]),
    (SidePanel::Pose, &[]),
    (SidePanel::Morphs, &[]),
    (SidePanel::Compare, &["Settings", "Engine limits", "By joint", "Weight problems", "Influence simulator"]),
    (SidePanel::History, &[]),
    (SidePanel::Lint, &[]),
    (SidePanel::Changes, &[]),
];

/// A painted line of text, and the area to which it is clipped.
struct Painted {
    text: String,
    rect: Rect,
    clip: Rect,
}

fn painted(harness: &Harness<'_, Program>) -> Vec<Painted> {
    fn collect(shape: &Shape, clip: Rect, found: &mut Vec<Painted>) {
        match shape {
            // Rotated, as on the strip of a collapsed panel.
            Shape::Text(text) if text.angle != 0.0 => {
                found.push(Painted { text: text.galley.text().to_owned(), rect: shape.visual_bounding_rect(), clip });
            }
            Shape::Text(text) => found.extend(text.galley.rows.iter().map(|row| {
                let rect = row.visuals.mesh_bounds.translate(text.pos.to_vec2() + row.pos.to_vec2());
                Painted { text: row.text(), rect, clip }
            })),
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, clip, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    harness.output().shapes.iter().for_each(|clipped| collect(&clipped.shape, clipped.clip_rect, &mut found));
    // Text that is scrolled out of view is not visible.
    found.retain(|p| p.rect.is_positive() && p.clip.intersects(p.rect) && p.clip.y_range().contains(p.rect.center().y));
    found
}

/// Returns layout faults: text that is outside its panel, cut off, or over other text.
fn faults(harness: &Harness<'_, Program>) -> Vec<String> {
    const MARGIN: f32 = 8.0;
    const SLACK: f32 = 1.0;
    let window = harness.ctx.content_rect().shrink(MARGIN).expand(SLACK);
    let view = view(harness);
    let mut faults = Vec::new();
    for node in harness.root().children_recursive().filter(|node| node.accesskit_node().raw_bounds().is_some()) {
        let rect = node.rect();
        // The edge that resizes a panel overlaps both sides of it.
        let is_edge = node.accesskit_node().role() == Role::Splitter;
        if is_edge || !rect.is_positive() || rect.height() > view.height() {
            continue;
        }
        let name =
            || format!("{:?} {:?}", node.accesskit_node().role(), node.accesskit_node().label().or(node.value()));
        if rect.left() < window.left() || rect.right() > window.right() {
            faults.push(format!("{} at {rect} reaches out of the window {window}", name()));
        }
        if view.y_range().contains(rect.center().y) {
            let is_left = rect.right() <= view.left() + SLACK;
            let is_right = rect.left() >= view.right() - SLACK;
            let is_inside = rect.left() >= view.left() - SLACK && rect.right() <= view.right() + SLACK;
            if !is_left && !is_right && !is_inside {
                faults.push(format!("{} at {rect} reaches out of its panel beside {view}", name()));
            }
        }
    }
    // Text in the viewport is cut off at its border, and labels of a plot at the plot's border.
    let plot = harness.query_by_label("Plot of the test").map_or(Rect::NOTHING, |plot| plot.rect());
    let mut texts = painted(harness);
    texts.retain(|painted| !view.contains(painted.rect.center()) && !plot.contains(painted.rect.center()));
    for Painted { text, rect, clip } in &texts {
        if rect.left() < clip.left() - SLACK || rect.right() > clip.right() + SLACK {
            faults.push(format!("{text:?} at {rect} is cut by {clip}"));
        }
    }
    for (at, one) in texts.iter().enumerate() {
        for other in &texts[at + 1..] {
            let both = one.rect.intersect(other.rect).intersect(one.clip).intersect(other.clip).shrink(SLACK);
            if both.is_positive() {
                faults.push(format!("{:?} at {} stands over {:?} at {}", one.text, one.rect, other.text, other.rect));
            }
        }
    }
    faults
}

#[test]
fn nothing_reaches_out_of_its_panel_whatever_the_size_of_the_window_and_the_length_of_names() {
    let mut harness = full_panels();
    let mut found = faults_at(
        &mut harness,
        &[
            // 1440 x 900 pixels at 130 %.
            ([1108.0, 692.0], 1.3),
            // 1440 x 900 pixels at 200 %.
            ([720.0, 450.0], 2.0),
            ([800.0, 500.0], 1.0),
            ([1024.0, 700.0], 1.5),
            ([1099.0, 700.0], 1.0),
            ([1100.0, 700.0], 2.0),
            ([1366.0, 768.0], 1.0),
            ([1440.0, 900.0], 1.0),
            ([1920.0, 1080.0], 2.0),
            ([3840.0, 2160.0], 1.0),
        ],
    );
    // Tabs at every edge, with the twist test beside those at the bottom.
    for (tab, edge) in [
        (SidePanel::Tree, PanelEdge::Right),
        (SidePanel::Compare, PanelEdge::Left),
        (SidePanel::Joint, PanelEdge::Bottom),
        (SidePanel::Lint, PanelEdge::Bottom),
    ] {
        harness.state_mut().apply(Command::DockTab(tab, edge));
    }
    found.extend(faults_at(
        &mut harness,
        &[([720.0, 450.0], 2.0), ([1100.0, 700.0], 1.0), ([1440.0, 900.0], 1.0), ([1920.0, 1080.0], 1.0)],
    ));
    harness.state_mut().apply(Command::Do(Action::ResetPanelLayout));
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join(format!("{}.glb", long("OtherFile")));
    std::fs::write(&other, BuiltIn::Figure.bytes()).unwrap();
    harness.state_mut().apply(Command::UsePath(PathUse::CompareWith, other));
    harness.state_mut().state.open.stage.compute_pending(&Job::default());
    harness.run();
    assert!(harness.state().state.open.stage.other_on(Side::B).is_some());
    found.extend(faults_at(&mut harness, &[([800.0, 500.0], 1.0), ([1440.0, 900.0], 1.0), ([1920.0, 1080.0], 2.0)]));
    assert!(found.is_empty(), "{} faults\n{}", found.len(), found.join("\n"));
}

/// Returns the layout faults of every tab, for each of these window sizes (points) and scales (pixels per point).
fn faults_at(harness: &mut Harness<'_, Program>, sizes: &[([f32; 2], f32)]) -> Vec<String> {
    let mut found = Vec::new();
    for &(size, scale) in sizes {
        harness.set_pixels_per_point(scale);
        harness.run();
        resize(harness, size);
        for (panel, _) in PANELS {
            harness.state_mut().apply(Command::SetSidePanel(panel));
            harness.run();
            found.extend(faults(harness).into_iter().map(|fault| format!("{size:?} x{scale} {panel:?}: {fault}")));
        }
        if size[0] < 1100.0 {
            harness.state_mut().apply(Command::Do(Action::ToggleLeftPanel));
            harness.run();
            found.extend(faults(harness).into_iter().map(|fault| format!("{size:?} x{scale} tree: {fault}")));
        }
    }
    found
}
