use crate::rig::NodeIndex;
use crate::stage::Stage;
use crate::state::Notice;
use crate::view::Side;

/// Returns a notice that a comparison file's joint cannot be selected; `None` if the side shows the open character.
pub fn unmatched_joint_notice(stage: &Stage, side: Side, joint: NodeIndex) -> Option<Notice> {
    let other = Some(stage.actor(side)).filter(|actor| !actor.is_open())?;
    let (name, other) = (other.rig.hierarchy.name(joint), stage.view.sides[side].file.title());
    let open = stage.document.source.name();
    Some(Notice::info(format!(
        "{name} of {other} has no counterpart in {open}, so it cannot be selected here. Open {other} to pose it."
    )))
}

/// Returns the name of a joint that only a comparison file has, with the file's name.
pub fn unmatched_joint_name(stage: &Stage, side: Side, joint: NodeIndex) -> Option<String> {
    let other = Some(stage.actor(side)).filter(|actor| !actor.is_open())?;
    Some(format!("{} (only in {})", other.rig.hierarchy.name(joint), stage.view.sides[side].file.title()))
}

/// Returns the file and side whose joints and counts the panels list; `None` if no side shows another file.
pub fn listed_joints_source(stage: &Stage) -> Option<String> {
    let name = stage.document.source.name();
    let shows_open = |side| stage.other_on(side).is_none();
    match (shows_open(Side::A), shows_open(Side::B)) {
        (true, true) => None,
        (true, false) => Some(format!("{name}, side A")),
        (false, true) => Some(format!("{name}, side B")),
        (false, false) => Some(format!("{name}, on neither side")),
    }
}
