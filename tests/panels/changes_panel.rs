//! The changes between the files on the two sides: the list, and the jump from each row to its location.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;
use crate::program;

use std::path::Path;

use common::character::{Character, vertex};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use program::Program;
use rigscope::import::Job;
use rigscope::rig::NodeIndex;
use rigscope::stage::{ChangePlan, ChangeState, DerivedKind, Document, Source};
use rigscope::state::{Command, JobResult, PathUse, SidePanel};
use rigscope::view::{Overlay, Side};
use serde_json::json;

type Hands = Harness<'static, Program>;

/// Returns a window that compares a character with a version that has a moved vertex, a renamed joint and a new joint.
fn beside(folder: &Path) -> Hands {
    let mut other = Character::default();
    other.positions[vertex(12, 3)][0] += 0.5;
    other.nodes[5]["name"] = json!("Antler");
    let node = usize::from(other.add_joint("Ear", Some(4))) + 1;
    other.nodes[node]["translation"] = json!([0.5, 0, 0]);
    let paths = ["open.glb", "other.glb"].map(|name| folder.join(name));
    for (path, character) in paths.iter().zip([Character::default(), other]) {
        std::fs::write(path, character.builder().build()).unwrap();
    }
    let document = Document::open(&Source::File(paths[0].clone()), &Job::default()).unwrap();
    let mut hands = Program::new(document).harness([1280.0, 900.0]);
    hands.state_mut().apply(Command::UsePath(PathUse::CompareWith, paths[1].clone()));
    hands.run();
    hands
}

/// Computes the changes, which a window does in the background.
fn derive(hands: &mut Hands) {
    hands.state_mut().state.open.stage.compute_pending(&Job::default());
    while let Some(wanted) = DerivedKind::new::<ChangePlan>().wanted(&hands.state().state.open.stage) {
        let done = wanted.run(&Job::default());
        hands.state_mut().receive(JobResult::Derived(done));
    }
    hands.run();
}

fn click(hands: &mut Hands, name: &str) {
    hands.get_by_label_contains(name).click();
    hands.run();
}

fn named(hands: &Hands, name: &str) -> NodeIndex {
    let hierarchy = &hands.state().state.open.stage.rig().hierarchy;
    hierarchy.node_named(name).unwrap()
}

#[test]
fn comparing_with_a_file_lists_what_changed_and_a_row_leads_to_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let mut hands = beside(folder.path());
    assert!(hands.state().shows(SidePanel::Changes));
    hands.get_by_label("Comparing the files…");
    derive(&mut hands);
    hands.get_by_label_contains("From open.glb to other.glb");
    let ChangeState::Found(diff, _) = ChangeState::new(&hands.state().state.open.stage) else { panic!("no changes") };
    assert_eq!(diff.changes.len(), 3, "{:#?}", diff.changes);

    click(&mut hands, "joint renamed: Horn");
    assert_eq!(hands.state().state.open.stage.view.active_joint(), Some(named(&hands, "Horn")));
    let target = |hands: &Hands| hands.state().state.open.stage.view.camera.target;
    let at_horn = target(&hands);
    click(&mut hands, "joint added: Ear");
    let open = &hands.state().state.open;
    assert_eq!(open.stage.view.active_joint(), Some(named(&hands, "Horn")), "the open file has no ear to select");
    let ear = open.stage.actor(Side::B).rig.hierarchy.nodes().last().unwrap();
    let place = open.stage.actor(Side::B).pose.posed.world_from_node[ear.index()].translation;
    assert!(target(&hands) != at_horn && target(&hands).distance(place) < 1e-3, "{} {place}", target(&hands));
    click(&mut hands, "vertices moved: Tube");
    assert!(target(&hands).distance(place) > 0.1);
    let overlays = |hands: &Hands| Side::ALL.map(|side| hands.state().state.open.stage.view.overlay(side));
    assert_eq!(overlays(&hands), [Some(Overlay::Distance); 2]);
    click(&mut hands, "vertices moved: Tube");
    assert_eq!(overlays(&hands), [None; 2], "a second click deselects the row");
    click(&mut hands, "vertices moved: Tube");
    hands.get_by_label("Joint").click();
    hands.run();
    assert_eq!(overlays(&hands), [None; 2], "who leaves the tab sees what was shown before");
    assert_eq!(open_steps(&hands), 1, "looking at changes is no step of undo: the file of B alone is one");
}

fn open_steps(hands: &Hands) -> usize {
    hands.state().state.open.history.len()
}

#[test]
fn unchanged_file_is_reported_and_the_tab_closes_with_the_comparison_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("same.glb");
    std::fs::write(&path, Character::default().builder().build()).unwrap();
    let document = Document::open(&Source::File(path.clone()), &Job::default()).unwrap();
    let mut hands = Program::new(document).harness([1280.0, 900.0]);
    assert!(hands.query_by_label("Changes").is_none(), "nothing is compared yet");
    hands.state_mut().apply(Command::UsePath(PathUse::CompareWith, path));
    derive(&mut hands);
    hands.get_by_label("No differences");
    hands.state_mut().apply(Command::Do(rigscope::state::Action::StopComparing));
    hands.state_mut().apply(Command::SetSidePanel(SidePanel::Joint));
    hands.run();
    assert!(hands.query_by_label("Changes").is_none());
}
