//! The joint tree of small and of very large rigs.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common::allocations;
use crate::program;

use allocations::allocated;
use egui::accesskit::{Role, Toggled};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::{Affine3, Vec3};
use program::{Program, program, program_of, type_into};
use rigscope::rig::{Hierarchy, NodeDescription, Rig, RigParts, Skin, Trs};
use rigscope::state::{Action, AfterLoad, Arrived, BuiltIn, Command, Document, Source};

/// A root, joints below it side by side, and a node that is no joint.
fn rig(joints: usize) -> Rig {
    let node = |i: usize| NodeDescription {
        name: if i <= joints { format!("joint {i}") } else { "camera".to_owned() },
        children: if i == 0 { (1..joints + 2).collect() } else { Vec::new() },
        rest: Trs { translation: Vec3::new(i as f32 * 1e-3, 1.0, 0.0), ..Trs::IDENTITY },
        ..NodeDescription::default()
    };
    let hierarchy = Hierarchy::new(&(0..joints + 2).map(node).collect::<Vec<_>>()).unwrap();
    let joints = (0..=joints).map(|i| hierarchy.by_source(i).unwrap()).collect::<Vec<_>>();
    let skin = Skin { inverse_bind: vec![Affine3::IDENTITY; joints.len()], joints, ..Skin::default() };
    Rig::new(RigParts { hierarchy, skins: vec![skin], ..RigParts::default() })
}

fn tree(joints: usize) -> Harness<'static, Program> {
    program_of(Document::new(Source::File("many.glb".into()), rig(joints), Vec::new()))
}

#[test]
fn rows_out_of_sight_cost_nothing() {
    let (mut few, mut many) = (tree(100), tree(10_000));
    let rows = |harness: &Harness<'_, Program>| harness.query_all_by_role(Role::TreeItem).count();
    assert!(rows(&few) > 20 && rows(&many) <= rows(&few), "as many rows as there is room for");
    let bytes = |harness: &mut Harness<'_, Program>| {
        // The first frames fill caches.
        (0..4).for_each(|_| harness.step());
        allocated(|| harness.step()).1
    };
    let (few, many) = (bytes(&mut few), bytes(&mut many));
    assert!(many < 2 * few, "a frame allocates {few} bytes with 100 rows, {many} with 10,000");
}

#[test]
fn nodes_that_are_no_joints_are_listed_where_asked_for() {
    let mut harness = tree(5);
    assert!(harness.query_by_label("camera").is_none());
    harness.get_by_label("All nodes").click();
    harness.run();
    harness.get_by_role_and_label(Role::TreeItem, "camera");
    harness.get_by_label("Joints only").click();
    harness.run();
    assert!(harness.query_by_label("camera").is_none());
    harness.state_mut().apply(Command::Do(Action::ToggleAllNodes));
    harness.run();
    harness.get_by_role_and_label(Role::TreeItem, "camera");
}

#[test]
fn a_skin_tells_its_size_and_selects_its_joints() {
    let mut harness = program(BuiltIn::Figure);
    harness.get_by_role_and_label(Role::ListItem, "Figure, 55 joints").click();
    harness.run();
    let state = &harness.state().state;
    assert_eq!(state.open.view.selected.len(), 55);
    let reach = state.rig().skin_reach(0);
    assert_eq!(reach.vertices, state.rig().vertex_count());
    assert!(reach.influences >= reach.vertices && reach.influences <= 4 * reach.vertices, "{reach:?}");
    let moved: usize = state.rig().hierarchy.nodes().map(|n| state.rig().moved_vertices(n)).sum();
    assert_eq!(moved, reach.influences);
}

#[test]
fn another_file_begins_at_the_top_of_the_tree() {
    let mut harness = tree(200);
    let last = harness.state().node("joint 200");
    harness.state_mut().apply(Command::Select(Some(last)));
    harness.run();
    harness.get_by_role_and_label(Role::TreeItem, "joint 200");
    let other = Document::new(Source::File("other.glb".into()), rig(150), Vec::new());
    harness.state_mut().receive(Arrived::Document(Box::new(other), AfterLoad::Show));
    harness.run();
    harness.get_by_role_and_label(Role::TreeItem, "joint 0");
    assert!(harness.query_by_role_and_label(Role::TreeItem, "joint 150").is_none());
}

#[test]
fn a_filter_is_cleared_by_its_button_and_by_another_file() {
    let mut harness = tree(20);
    let rows = |harness: &Harness<'_, Program>| harness.query_all_by_role(Role::TreeItem).count();
    let all = rows(&harness);
    type_into(&mut harness, "Filter joints", "joint 7");
    assert_eq!(rows(&harness), 2, "the joint below its root");
    harness.get_by_label("Clear Filter joints").click();
    harness.run();
    assert!(rows(&harness) == all && harness.query_by_label("Clear Filter joints").is_none());
    type_into(&mut harness, "Filter joints", "joint 7");
    let other = Document::new(Source::File("other.glb".into()), rig(20), Vec::new());
    harness.state_mut().receive(Arrived::Document(Box::new(other), AfterLoad::Show));
    harness.run();
    assert_eq!(rows(&harness), all);
}

#[test]
fn a_folded_node_that_is_selected_elsewhere_is_seen_in_its_row() {
    let names = [("Scene", 1), ("Root", 2), ("Rig", 3), ("Hips", 4)];
    let node = |(i, (name, child)): (usize, &(&str, usize))| NodeDescription {
        name: (*name).to_owned(),
        children: if i < names.len() - 1 { vec![*child] } else { Vec::new() },
        ..NodeDescription::default()
    };
    let hierarchy = Hierarchy::new(&names.iter().enumerate().map(node).collect::<Vec<_>>()).unwrap();
    let joints = vec![hierarchy.by_source(3).unwrap()];
    let skin = Skin { inverse_bind: vec![Affine3::IDENTITY], joints, ..Skin::default() };
    let rig = Rig::new(RigParts { hierarchy, skins: vec![skin], ..RigParts::default() });
    let mut harness = program_of(Document::new(Source::File("wrapped.glb".into()), rig, Vec::new()));
    let folded = |harness: &Harness<'_, Program>| {
        let row = harness.get_by_role_and_label(Role::TreeItem, "Scene / Root / Rig");
        row.accesskit_node().toggled() == Some(Toggled::True)
    };
    assert!(!folded(&harness));
    let root = harness.state().node("Root");
    harness.state_mut().apply(Command::Select(Some(root)));
    harness.run();
    assert!(folded(&harness));
    harness.key_press(egui::Key::ArrowDown);
    harness.run();
    assert_eq!(harness.state().state.selected(), Some(harness.state().node("Hips")));
}

/// A chain of joints, each below the one before.
fn chain(joints: usize) -> Harness<'static, Program> {
    let node = |i: usize| NodeDescription {
        name: format!("joint {i}"),
        children: (i + 1..joints).take(1).collect(),
        ..NodeDescription::default()
    };
    let hierarchy = Hierarchy::new(&(0..joints).map(node).collect::<Vec<_>>()).unwrap();
    let joints = (0..joints).map(|i| hierarchy.by_source(i).unwrap()).collect::<Vec<_>>();
    let skin = Skin { inverse_bind: vec![Affine3::IDENTITY; joints.len()], joints, ..Skin::default() };
    let rig = Rig::new(RigParts { hierarchy, skins: vec![skin], ..RigParts::default() });
    program_of(Document::new(Source::File("chain.glb".into()), rig, Vec::new()))
}

#[test]
fn the_filter_finds_a_joint_deep_in_a_chain_and_keys_take_and_clear_it() {
    let mut harness = chain(10_000);
    assert!(harness.query_by_role_and_label(Role::TreeItem, "joint 7654").is_none());
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::F);
    harness.run();
    harness.event(egui::Event::Text("7654".to_owned()));
    harness.run();
    assert!(harness.query_by_role_and_label(Role::TreeItem, "joint 7654").is_some(), "it comes into sight");
    harness.key_press(egui::Key::Enter);
    harness.run();
    let selected = harness.state().state.selected().unwrap();
    assert_eq!(harness.state().state.rig().hierarchy.name(selected), "joint 7654");
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::F);
    harness.run();
    harness.key_press(egui::Key::Escape);
    harness.run();
    assert_eq!(harness.get_by_label("Filter joints").value().unwrap_or_default(), "");
    assert_eq!(harness.state().state.selected(), Some(selected), "Esc was for the filter");
    harness.get_by_role_and_label(Role::TreeItem, "joint 7654");
    harness.get_by_role_and_label(Role::Button, "Collapse joint 7654");
}
