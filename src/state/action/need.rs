//! What actions need, and what is said where they lack it.

use crate::state::AppState;
use crate::view::{Layout, Side};

type Obstacle = Option<&'static str>;

fn unless(is_there: bool, obstacle: &'static str) -> Obstacle {
    (!is_there).then_some(obstacle)
}

pub fn nothing(_: &AppState) -> Obstacle {
    None
}

pub fn a_step_to_undo(state: &AppState) -> Obstacle {
    unless(state.open.history.undo_label().is_some(), "Nothing to undo")
}

pub fn a_step_to_redo(state: &AppState) -> Obstacle {
    unless(state.open.history.redo_label().is_some(), "Nothing to redo")
}

pub fn a_selected_joint(state: &AppState) -> Obstacle {
    unless(state.open.selected().is_some(), "No joint is selected")
}

pub fn a_joint_to_isolate(state: &AppState) -> Obstacle {
    unless(state.open.selected().is_some() || state.open.view.isolated.is_some(), "No joint is selected")
}

pub fn a_joint_to_follow(state: &AppState) -> Obstacle {
    unless(state.open.selected().is_some() || state.open.followed().is_some(), "No joint is selected")
}

pub fn a_selection(state: &AppState) -> Obstacle {
    unless(state.open.selected().is_some() || state.open.lint.selected.is_some(), "Nothing is selected")
}

pub fn a_posed_joint(state: &AppState) -> Obstacle {
    unless(state.open.pose().is_any_posed(), "Nothing is posed")
}

pub fn a_morph_target(state: &AppState) -> Obstacle {
    unless(!state.open.rig().morphs().is_empty(), "This file has no morph targets")
}

pub fn a_moved_morph_target(state: &AppState) -> Obstacle {
    unless(state.open.pose().morph_weights().next().is_some(), "No morph target has a user weight")
}

pub fn another_pose_of_yours(state: &AppState) -> Obstacle {
    unless(state.open.user_pose() != state.open.pose(), "The user pose is shown already")
}

pub fn a_skin(state: &AppState) -> Obstacle {
    unless(!state.open.rig().skins.is_empty(), "This file has no skin")
}

pub fn a_mesh(state: &AppState) -> Obstacle {
    unless(!state.open.rig().instances.is_empty(), "This file has no mesh")
}

pub fn a_mesh_of_b(state: &AppState) -> Obstacle {
    a_mesh(state).or_else(|| unless(state.open.view.compare.layout != Layout::Single, "Side B is not shown"))
}

pub fn other_weights(state: &AppState) -> Obstacle {
    if state.open.other_on(Side::A).is_some() {
        return Some("Side A shows another file");
    }
    unless(state.open.weighted(Side::A).is_some(), "Side A shows the weights of the file")
}

pub fn another_file(state: &AppState) -> Obstacle {
    let shows_another = |side| !state.open.subject(side).is_open();
    unless(Side::ALL.into_iter().any(shows_another), "Both sides show the open file")
}

pub fn a_clip(state: &AppState) -> Obstacle {
    unless(!state.open.rig().clips.is_empty(), "This file has no clips")
}

pub fn a_chosen_clip(state: &AppState) -> Obstacle {
    unless(state.open.playback.clip.is_some(), "No clip is chosen")
}

pub fn a_part_that_plays(state: &AppState) -> Obstacle {
    unless(state.open.playback.range().is_some(), "All of the clip plays")
}

pub fn several_files(state: &AppState) -> Obstacle {
    unless(!state.files.is_empty() || state.is_touring(), "Only one file was given")
}

pub fn the_tour(state: &AppState) -> Obstacle {
    unless(state.is_touring(), "The tour is not on")
}
