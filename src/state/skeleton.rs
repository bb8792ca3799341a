//! Changes of the skeleton, shown on side B.

use std::path::Path;

use super::{Action, AppState};
use crate::analysis::lint::Code;
use crate::export::PoseFile;
use crate::matching::Scheme;
use crate::refit::{Operation, Renaming, RestPose, SignedAxis, UnitChange, UpChange};
use crate::rig::{PointUnit, Rig};
use crate::stage::{Stage, pose_over_rest};
use crate::view::{ShownFile, Side};

/// Number of twist joints that the window adds.
const TWIST_JOINTS: u8 = 3;

/// Number of influences per vertex that most engines support.
const INFLUENCES: u8 = 4;

impl AppState {
    /// Applies an operation to the skeleton that side B shows, or else to the open one, and shows the result on B.
    pub(super) fn change_skeleton(&mut self, action: Action) {
        if let Some(operation) = operation(action, &self.open.stage) {
            self.compare_with(self.open.stage.view.sides.b.file.with_skeleton_change(operation.to_string()));
        }
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

fn operation(action: Action, stage: &Stage) -> Option<Operation> {
    let rename = |scheme| Operation::Rename(Renaming::Scheme(scheme));
    Some(match action {
        Action::PoseAsRest => Operation::PoseAsRest(RestPose::File(shown_over_rest(stage))),
        Action::BindAsRest => Operation::PoseAsRest(RestPose::Bind),
        Action::ResetBinds => Operation::ResetBinds,
        Action::FreezeScale => Operation::FreezeScale,
        Action::FreezeRoot => Operation::FreezeRoot,
        Action::TurnUpright => Operation::Up(UpChange { to: SignedAxis { axis: 1, is_negative: false }, from: None }),
        Action::ConvertToMetres => Operation::ToUnit(UnitChange { to: PointUnit::METRE, from: None }),
        Action::DropUnusedJoints => Operation::DropUnused { keep: Vec::new() },
        Action::MergeSkins => Operation::MergeSkins,
        Action::AddRoot => Operation::AddRoot(free_name(stage.rig(), "Root")),
        Action::AddTwistJoints => {
            let joint = stage.rig().hierarchy.name(stage.view.active_joint()?).to_owned();
            Operation::AddTwist { joint, count: TWIST_JOINTS }
        }
        Action::LimitInfluences => Operation::LimitInfluences(INFLUENCES),
        Action::RenameToVrm => rename(Scheme::Vrm),
        Action::RenameToMixamo => rename(Scheme::Mixamo),
        Action::RenameToUnreal => rename(Scheme::Unreal),
        Action::RenameToUnity => rename(Scheme::Unity),
        Action::RenameToGodot => rename(Scheme::Godot),
        Action::RenameToRigify => rename(Scheme::Rigify),
        Action::RenameToArkit => Operation::Rename(Renaming::Arkit),
        _ => return None,
    })
}

fn shown_over_rest(stage: &Stage) -> PoseFile {
    pose_over_rest(stage.rig(), stage.posed(), stage.other_on(Side::B).map(|other| &**other))
}

/// Returns a name that no node has.
fn free_name(rig: &Rig, wanted: &str) -> String {
    let numbered = (2..).map(|number| format!("{wanted} {number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names.find(|name| rig.hierarchy.node_named(name).is_none()).unwrap_or_else(|| wanted.to_owned())
}
