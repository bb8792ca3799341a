//! Changes of the skeleton, shown on side B.

use std::path::Path;

use super::{Action, AppState};
use crate::analysis::lint::Code;
use crate::matching::Scheme;
use crate::refit::{Operation, Renaming, RestPose, SignedAxis, UnitChange, UpChange};
use crate::rig::{PointUnit, Rig};
use crate::stage::{Stage, pose_over_rest};
use crate::view::{ShownFile, Side};

/// Number of twist joints that the window adds.
const TWIST_JOINTS: u8 = 3;

/// Number of influences per vertex that most engines support.
pub(super) const INFLUENCES: u8 = 4;

pub(super) const Y_UP: UpChange = UpChange { to: SignedAxis { axis: 1, is_negative: false }, from: None };

pub(super) const METRES: UnitChange = UnitChange { to: PointUnit::METRE, from: None };

impl AppState {
    /// Applies an operation to the skeleton that side B shows, or else to the open one, and shows the result on B.
    pub(super) fn change_skeleton(&mut self, operation: &Operation) {
        self.compare_with(self.open.stage.view.sides.b.file.with_skeleton_change(operation.to_string()));
    }
}

/// Returns the character of side B with the skinned meshes of another file on its skeleton.
pub(super) fn with_outfit(stage: &Stage, path: &Path) -> ShownFile {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    stage.view.sides.b.file.with_skeleton_change(format!("attach={}", path.display()))
}

/// Returns the action that changes the skeleton so that a finding goes away, if any.
pub fn skeleton_fix(code: Code) -> Option<Action> {
    match code {
        Code::ArmatureScale | Code::BindScale => Some(Action::FreezeScale),
        Code::RestUnlikeBind => Some(Action::BindAsRest),
        Code::SeveralRoots => Some(Action::AddRoot),
        Code::JointUnused | Code::ManyJoints | Code::JointsOverLimit => Some(Action::DropUnusedJoints),
        _ => None,
    }
}

pub(super) fn rename(scheme: Scheme) -> Operation {
    Operation::Rename(Renaming::Scheme(scheme))
}

/// Makes the shown pose the rest pose.
pub(super) fn pose_as_rest(stage: &Stage) -> Operation {
    let changed = stage.other_on(Side::B).map(|other| &**other);
    Operation::PoseAsRest(RestPose::File(pose_over_rest(stage.rig(), stage.posed(), changed)))
}

/// Adds twist joints below the active joint, if there is one.
pub(super) fn twist_joints(stage: &Stage) -> Option<Operation> {
    let joint = stage.rig().hierarchy.name(stage.view.active_joint()?).to_owned();
    Some(Operation::AddTwist { joint, count: TWIST_JOINTS })
}

/// Returns a name that no node has.
pub(super) fn free_name(rig: &Rig, wanted: &str) -> String {
    let numbered = (2..).map(|number| format!("{wanted} {number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names.find(|name| rig.hierarchy.node_named(name).is_none()).unwrap_or_else(|| wanted.to_owned())
}
