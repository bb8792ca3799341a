//! Springs and colliders, drawn as wires in the viewport.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::program;

use egui::{Color32, Shape};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::{Quat, Vec3};
use program::{Program, program_with};
use rigscope::import::Job;
use rigscope::rig::{Collider, ColliderShape, NodeIndex, Rig, RigData, SpringBones, SpringChain, SpringJoint, Trs};
use rigscope::stage::{BuiltIn, Document, Source};
use rigscope::state::{Action, Command};

/// Returns the tube with its last joints as a spring chain, and with a sphere, a capsule and a plane as colliders. The
/// last tail stays inside the sphere wherever it swings.
fn springy() -> Document {
    let tube = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
    let hierarchy = &tube.rig.hierarchy;
    let joints: Vec<NodeIndex> = hierarchy.nodes().filter(|&node| tube.rig.is_joint(node)).collect();
    let spring = |pair: &[NodeIndex]| SpringJoint {
        node: pair[0],
        tail: hierarchy.rest(pair[1]).translation,
        is_leaf: false,
        stiffness: 0.1,
        gravity: Vec3::X,
        drag: 0.4,
        hit_radius: 0.05,
    };
    let last = joints[joints.len() - 1];
    let shapes = [
        ColliderShape::Sphere {
            offset: hierarchy.rest(last).translation + Vec3::X * 0.2,
            radius: 0.3,
            is_inside: false,
        },
        ColliderShape::Capsule { offset: Vec3::NEG_X, tail: Vec3::new(-1.0, 0.3, 0.0), radius: 0.1, is_inside: false },
        ColliderShape::Plane { offset: Vec3::NEG_Y * 5.0, normal: Vec3::Y },
    ];
    let node = |shape: &ColliderShape| if matches!(shape, ColliderShape::Sphere { .. }) { last } else { joints[0] };
    let colliders = shapes.map(|shape| Collider { node: hierarchy.parent(node(&shape)).unwrap_or(joints[0]), shape });
    let chain = SpringChain {
        joints: joints.windows(2).skip(1).map(spring).collect(),
        colliders: vec![0, 1, 2],
        ..SpringChain::default()
    };
    let spring_bones = SpringBones { colliders: colliders.to_vec(), chains: vec![chain] };
    let rig = Rig::new(RigData { spring_bones, ..RigData::clone(&tube.rig) });
    Document::new(tube.source, rig, Vec::new())
}

/// Returns the colours of closed lines and of circles without a fill.
fn outlines(harness: &Harness<'_, Program>) -> Vec<Color32> {
    let outline = |shape: &Shape| match shape {
        Shape::Path(path) if path.closed && path.fill == Color32::TRANSPARENT => match path.stroke.color {
            egui::epaint::ColorMode::Solid(color) => Some(color),
            egui::epaint::ColorMode::UV(_) => None,
        },
        Shape::Circle(circle) if circle.fill == Color32::TRANSPARENT => Some(circle.stroke.color),
        _ => None,
    };
    harness.output().shapes.iter().filter_map(|clipped| outline(&clipped.shape)).collect()
}

#[test]
fn springs_and_colliders_are_drawn_where_asked_for_and_those_that_push_are_red() {
    let mut harness = program_with(springy());
    let before = outlines(&harness).len();
    harness.get_by_label("View").click();
    harness.run();
    harness.get_by_label("Springs and colliders").click();
    harness.run();
    harness.key_press(egui::Key::Escape);
    harness.run();
    let springs = harness.state().state.open.stage.rig().behaviours().springs().joints().len();
    // A sphere has three circles, a capsule six outlines and a plane none. Each tail has one circle.
    let shown = outlines(&harness);
    assert_eq!(shown.len(), before + 3 + 6 + springs, "{shown:?}");
    let root = harness.state().state.open.stage.rig().hierarchy.nodes().next().unwrap();
    let user_local = Trs::from_rotation(Quat::from_rotation_x(0.01));
    harness.state_mut().apply(Command::Edit { node: root, user_local });
    for _ in 0..20 {
        harness.state_mut().state.open.stage.refresh();
        harness.state_mut().state.open.stage.advance(1.0 / 60.0);
    }
    harness.state_mut().state.open.stage.refresh();
    harness.run();
    let is_pushing = harness.state().state.open.stage.springs.is_pushing(0);
    let red = outlines(&harness).iter().filter(|color| color.r() / 2 > color.g().max(color.b())).count();
    assert!(is_pushing && red >= 3, "pushes: {is_pushing}, {red} outlines are red");
    harness.state_mut().apply(Command::Do(Action::ToggleSpringWires));
    harness.run();
    assert_eq!(outlines(&harness).len(), before);
}

#[test]
fn a_file_without_springs_has_no_wires_to_show() {
    let harness = program_with(Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap());
    assert_eq!(harness.state().state.obstacle(Action::ToggleSpringWires), Some("This file has no springs"));
}
