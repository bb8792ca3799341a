use crate::rig::NodeIndex;
use crate::stage::Stage;
use crate::state::Notice;
use crate::view::Side;

/// Returns a notice that a comparison file's joint cannot be selected; `None` if the side shows the open character.
pub fn unmatched_joint_notice(stage: &Stage, side: Side, joint: NodeIndex) -> Option<Notice> {
    let other = Some(stage.actor(side)).filter(|actor| !actor.is_open())?;
    let (name, other) = (other.rig.hierarchy.name(joint), stage.shown_file(side).title());
    let open = stage.document.source.name();
    Some(Notice::info(format!(
        "{name} of {other} has no counterpart in {open}, so it cannot be selected here. Open {other} to pose it."
    )))
}
