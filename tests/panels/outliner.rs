//! The joint tree of small and very large rigs.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common::allocations;
use crate::program;

use allocations::allocated;
use egui::Key;
use egui::accesskit::{Role, Toggled};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::{Affine3, Vec3};
use program::{Program, program, program_with, texts_painted, type_into};
use rigscope::rig::{Hierarchy, NodeDescription, Rig, RigData, Skin, Trs};
use rigscope::stage::{BuiltIn, Document, Source};
use rigscope::state::{Action, AfterLoad, Command, JobResult};

/// Creates a root, joints as its children, and a node that isn't a joint.
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
    Rig::new(RigData { hierarchy, skins: vec![skin], ..RigData::default() })
}

fn tree(joints: usize) -> Harness<'static, Program> {
    program_with(Document::new(Source::File("many.glb".into()), rig(joints), Vec::new()))
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
fn skin_shows_its_size_and_selects_its_joints() {
    let mut harness = program(BuiltIn::Figure);
    harness.get_by_role_and_label(Role::ListItem, "Figure, 55 joints").click();
    harness.run();
    let state = &harness.state().state;
    assert_eq!(state.open.stage.view.selected.len(), 55);
    let reach = state.open.stage.rig().skin_reach(0);
    assert_eq!(reach.vertices, state.open.stage.rig().vertex_count());
    assert!(reach.influences >= reach.vertices && reach.influences <= 4 * reach.vertices, "{reach:?}");
    let moved: usize = state.open.stage.rig().hierarchy.nodes().map(|n| state.open.stage.rig().moved_vertices(n)).sum();
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
    harness.state_mut().receive(JobResult::Document(Box::new(other), AfterLoad::Show));
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
    harness.state_mut().receive(JobResult::Document(Box::new(other), AfterLoad::Show));
    harness.run();
    assert_eq!(rows(&harness), all);
}

#[test]
fn a_folded_node_that_is_selected_elsewhere_is_seen_in_its_row() {
    let names = [("Scene", 1), ("Root", 2), ("Rig", 3), ("Hips", 4)];
    let node = |(i, (name, child)): (usize, &(&str, usize))| {
        NodeDescription::new(*name, if i < names.len() - 1 { vec![*child] } else { Vec::new() }, Trs::IDENTITY)
    };
    let hierarchy = Hierarchy::new(&names.iter().enumerate().map(node).collect::<Vec<_>>()).unwrap();
    let joints = vec![hierarchy.by_source(3).unwrap()];
    let skin = Skin { inverse_bind: vec![Affine3::IDENTITY], joints, ..Skin::default() };
    let rig = Rig::new(RigData { hierarchy, skins: vec![skin], ..RigData::default() });
    let mut harness = program_with(Document::new(Source::File("wrapped.glb".into()), rig, Vec::new()));
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
    assert_eq!(harness.state().state.open.stage.view.active_joint(), Some(harness.state().node("Hips")));
}

/// Returns a window with a chain of joints, each the child of the previous one.
fn chain(joints: usize) -> Harness<'static, Program> {
    let node = |i: usize| NodeDescription::new(format!("joint {i}"), (i + 1..joints).take(1).collect(), Trs::IDENTITY);
    let hierarchy = Hierarchy::new(&(0..joints).map(node).collect::<Vec<_>>()).unwrap();
    let joints = (0..joints).map(|i| hierarchy.by_source(i).unwrap()).collect::<Vec<_>>();
    let skin = Skin { inverse_bind: vec![Affine3::IDENTITY; joints.len()], joints, ..Skin::default() };
    let rig = Rig::new(RigData { hierarchy, skins: vec![skin], ..RigData::default() });
    program_with(Document::new(Source::File("chain.glb".into()), rig, Vec::new()))
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
    let selected = harness.state().state.open.stage.view.active_joint().unwrap();
    assert_eq!(harness.state().state.open.stage.rig().hierarchy.name(selected), "joint 7654");
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::F);
    harness.run();
    harness.key_press(egui::Key::Escape);
    harness.run();
    assert_eq!(harness.get_by_label("Filter joints").value().unwrap_or_default(), "");
    assert_eq!(harness.state().state.open.stage.view.active_joint(), Some(selected), "Esc was for the filter");
    harness.get_by_role_and_label(Role::TreeItem, "joint 7654");
    harness.get_by_role_and_label(Role::Button, "Collapse joint 7654");
}

fn press(harness: &mut Harness<'_, Program>, key: Key) {
    harness.key_press(key);
    harness.run();
}

/// Returns the name of the row with keyboard focus.
fn focused(harness: &Harness<'_, Program>) -> Option<String> {
    let mut rows = harness.query_all_by_role(Role::TreeItem).filter(egui_kittest::Node::is_focused);
    rows.next().and_then(|row| row.accesskit_node().label())
}

/// Creates a tree of joints from (level, name) pairs.
fn branches() -> Rig {
    let lines = [(0, "root"), (1, "left"), (2, "left hand"), (1, "right"), (2, "right hand"), (3, "finger")];
    let node = |at: usize| {
        let below = (at + 1..lines.len()).take_while(|below| lines[*below].0 > lines[at].0);
        NodeDescription {
            name: lines[at].1.to_owned(),
            children: below.filter(|below| lines[*below].0 == lines[at].0 + 1).collect(),
            ..NodeDescription::default()
        }
    };
    let hierarchy = Hierarchy::new(&(0..lines.len()).map(node).collect::<Vec<_>>()).unwrap();
    let joints = (0..lines.len()).map(|i| hierarchy.by_source(i).unwrap()).collect::<Vec<_>>();
    let skin = Skin { inverse_bind: vec![Affine3::IDENTITY; joints.len()], joints, ..Skin::default() };
    Rig::new(RigData { hierarchy, skins: vec![skin], ..RigData::default() })
}

fn listed(harness: &Harness<'_, Program>) -> Vec<String> {
    harness.query_all_by_role(Role::TreeItem).filter_map(|row| row.accesskit_node().label()).collect()
}

/// Returns a window with keyboard focus on the first row of the tree.
fn on_first_row() -> Harness<'static, Program> {
    let mut harness = program_with(Document::new(Source::File("hand.glb".into()), branches(), Vec::new()));
    harness.get_by_role_and_label(Role::TreeItem, "root").focus();
    harness.run();
    harness
}

#[test]
fn tab_stops_once_at_each_row() {
    let mut harness = on_first_row();
    let rows = listed(&harness);
    for row in &rows {
        assert_eq!(focused(&harness).as_ref(), Some(row));
        press(&mut harness, Key::Tab);
    }
    assert_eq!(focused(&harness), None, "the rows are over");
}

#[test]
fn arrows_collapse_and_expand_the_row_that_has_the_keys_and_go_from_row_to_row() {
    let mut harness = on_first_row();
    let time = harness.state().state.open.stage.playback.clone();
    for (key, on, rows) in [
        (Key::ArrowRight, "left", 6),
        (Key::ArrowLeft, "left", 5),
        (Key::ArrowDown, "right", 5),
        (Key::ArrowRight, "right hand", 5),
        (Key::ArrowRight, "finger", 5),
        (Key::ArrowRight, "finger", 5),
        (Key::ArrowLeft, "right hand", 5),
        (Key::ArrowLeft, "right hand", 4),
        (Key::ArrowLeft, "right", 4),
        (Key::ArrowLeft, "right", 3),
        (Key::ArrowRight, "right", 4),
        (Key::ArrowUp, "left", 4),
        (Key::ArrowRight, "left", 5),
        (Key::ArrowLeft, "left", 4),
        (Key::ArrowLeft, "root", 4),
        (Key::ArrowLeft, "root", 1),
        (Key::ArrowLeft, "root", 1),
        (Key::ArrowUp, "root", 1),
    ] {
        press(&mut harness, key);
        assert_eq!((focused(&harness).as_deref(), listed(&harness).len()), (Some(on), rows), "{key:?}");
    }
    assert_eq!(harness.state().state.open.stage.playback, time);
    let root = harness.state().node("root");
    assert_eq!(harness.state().state.open.stage.view.active_joint(), Some(root), "the row that was gone to");
}

#[test]
fn rows_collapsed_before_another_file_took_the_place_for_a_moment_are_collapsed_after_it() {
    let mut harness = on_first_row();
    harness.get_by_label("Collapse right").click();
    harness.run();
    let collapsed = listed(&harness);
    assert_eq!(collapsed.len(), 4);
    let reload = |harness: &mut Harness<'static, Program>, rig: Rig| {
        let document = Document::new(Source::File("hand.glb".into()), rig, Vec::new());
        harness.state_mut().receive(JobResult::Document(Box::new(document), AfterLoad::Reload { is_asked: false }));
        harness.run();
    };
    for passing in [3, 4] {
        reload(&mut harness, rig(passing));
        assert_eq!(listed(&harness).len(), passing + 1);
    }
    reload(&mut harness, branches());
    assert_eq!(listed(&harness), collapsed);
    harness.get_by_label("Expand right").click();
    harness.run();
    reload(&mut harness, rig(3));
    reload(&mut harness, branches());
    assert_eq!(listed(&harness).len(), 6, "it was opened");
}

#[test]
fn the_hint_of_a_row_stands_beside_the_panel() {
    let mut harness = on_first_row();
    let row = harness.get_by_role_and_label(Role::TreeItem, "left").rect();
    harness.hover_at(row.center());
    harness.run();
    let below = harness.get_by_role_and_label(Role::TreeItem, "left hand").rect();
    let hint = harness.get_by_label_contains("root/left").rect();
    assert!(hint.left() >= row.right() && hint.left() >= below.right(), "{hint} {row}");
}

#[test]
fn role_is_shown_only_if_the_name_lacks_it() {
    let rig = branches();
    let node = |name: &str| rig.hierarchy.node_named(name).unwrap();
    let human_bones = [("left hand", "leftHand"), ("right hand", "rightLowerArm")];
    let human_bones = human_bones.map(|(name, bone)| (node(name), bone.to_owned())).to_vec();
    let rig = Rig::new(RigData { human_bones, ..RigData::clone(&rig) });
    let harness = program_with(Document::new(Source::File("human.glb".into()), rig, Vec::new()));
    let rows = listed(&harness);
    assert!(
        rows.contains(&"left hand".to_owned()) && rows.contains(&"right hand (rightLowerArm)".to_owned()),
        "{rows:?}"
    );
    let painted = texts_painted(&harness);
    assert!(painted.contains(&"rightLowerArm".to_owned()) && !painted.contains(&"leftHand".to_owned()), "{painted:?}");
}

#[test]
fn the_filter_is_gone_to_where_the_tree_is_hidden_or_folded() {
    for (width, action) in [(1440.0, Some(Action::ToggleLeftPanel)), (900.0, None)] {
        let tree = Document::new(Source::File("hand.glb".into()), branches(), Vec::new());
        let mut harness = Program::new(tree).harness([width, 900.0]);
        harness.state_mut().state.apply(Command::Select(None));
        if let Some(action) = action {
            harness.state_mut().apply(Command::Do(action));
        }
        harness.run();
        assert!(harness.query_by_label("Filter joints").is_none(), "at {width}");
        harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::F);
        harness.run();
        assert!(harness.get_by_label("Filter joints").is_focused(), "at {width}");
        harness.event(egui::Event::Text("finger".to_owned()));
        harness.run();
        assert_eq!(listed(&harness), ["root", "right", "right hand", "finger"]);
    }
}

#[test]
fn the_hint_of_a_joint_deep_in_a_chain_has_room_in_the_window() {
    let mut harness = chain(10_000);
    let deep = harness.state().node("joint 7654");
    harness.state_mut().apply(Command::Select(Some(deep)));
    harness.run();
    let heading = harness.get_all_by_label("joint 7654").last().unwrap().rect();
    for at in [harness.get_by_role_and_label(Role::TreeItem, "joint 7654").rect(), heading] {
        harness.hover_at(at.center());
        harness.run();
        harness.run();
        let hint = harness.get_by_label_contains("…/");
        assert!(hint.rect().height() < 200.0, "{}", hint.rect());
        assert!(
            hint.accesskit_node()
                .label()
                .or(hint.value())
                .is_some_and(|text| text.ends_with("joint 7652/joint 7653/joint 7654"))
        );
    }
}
