//! Tests of joint selection.

use crate::rig::NodeIndex;
use crate::stage::{BuiltIn, Document};
use crate::state::{Action, AppState, Command, Settings};

fn tube() -> AppState {
    let document = Document::built_in(BuiltIn::Tube);
    AppState::new(document, Settings::default())
}

#[test]
fn joints_are_added_and_taken_out_and_the_last_is_active() {
    let mut state = tube();
    let [a, b, c] = [1, 2, 3].map(NodeIndex);
    for node in [a, b, c] {
        state.apply(Command::ToggleSelected(node));
    }
    assert_eq!(
        (state.open.stage.view.selected.as_slice(), state.open.stage.view.active_joint()),
        (&[a, b, c][..], Some(c))
    );
    state.apply(Command::ToggleSelected(c));
    assert_eq!(state.open.stage.view.active_joint(), Some(b));
    state.apply(Command::SelectAll(vec![b, a, b, NodeIndex(900)]));
    assert_eq!(state.open.stage.view.selected, [a, b], "each once, and none that does not exist");
}

#[test]
fn the_subtrees_of_all_selected_joints_are_selected() {
    let mut state = tube();
    let middle = state.open.stage.rig().hierarchy.node_named("Middle").unwrap();
    state.apply(Command::Select(Some(middle)));
    state.apply(Command::Do(Action::SelectSubtree));
    assert_eq!(state.open.stage.view.active_joint(), Some(middle), "the active joint stays");
    assert_eq!(state.open.stage.view.selected.len(), state.open.stage.rig().hierarchy.subtree(middle).len());
}

#[test]
fn subtrees_of_joints_below_one_another_have_each_joint_once() {
    let mut state = tube();
    let hierarchy = state.open.stage.document.rig.hierarchy.clone();
    let (root, below) = (NodeIndex(0), hierarchy.children(NodeIndex(0))[0]);
    state.apply(Command::SelectAll(vec![below, root]));
    let all: Vec<NodeIndex> = hierarchy.subtree(root).map(|i| NodeIndex(i as u32)).collect();
    assert_eq!(state.open.stage.view.selected_subtrees(&state.open.stage.document.rig.hierarchy), all);
}
