use glam::{Quat, Vec3};

use crate::rig::{FacePose, NodeIndex, Trs};
use crate::stage::Stage;
use crate::state::History;

#[derive(Clone, Copy, PartialEq)]
pub(in crate::state) enum ResetScope {
    Joints,
    /// The selected joints and their descendants.
    Subtrees,
    /// All joints, morph targets, expressions and pins, and the look-at target.
    Everything,
}

/// Components of the user transform `Ul_j` to reset.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::state) enum ResetComponents {
    Rotation,
    Translation,
    Scale,
    TranslationAndScale,
    All,
}

impl ResetComponents {
    fn reset(self, user_local: &Trs) -> Trs {
        match self {
            Self::Rotation => Trs { rotation: Quat::IDENTITY, ..*user_local },
            Self::Translation => Trs { translation: Vec3::ZERO, ..*user_local },
            Self::Scale => Trs { scale: Vec3::ONE, ..*user_local },
            Self::TranslationAndScale => Trs { rotation: user_local.rotation, ..Trs::IDENTITY },
            Self::All => Trs::IDENTITY,
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Rotation => "Clear rotation of",
            Self::Translation => "Clear position of",
            Self::Scale => "Clear scale of",
            Self::TranslationAndScale => "Clear position and scale of",
            Self::All => "Clear",
        }
    }
}

pub(in crate::state) fn reset(history: &mut History, stage: &mut Stage, reach: ResetScope, part: ResetComponents) {
    let hierarchy = &stage.document.rig.hierarchy;
    let selected = &stage.view.selected;
    let nodes: Vec<NodeIndex> = match reach {
        ResetScope::Joints => selected.clone(),
        ResetScope::Subtrees => stage.view.selected_subtrees(hierarchy),
        ResetScope::Everything => hierarchy.nodes().collect(),
    };
    let what = match (reach, selected.as_slice()) {
        (ResetScope::Everything, _) => "all".to_owned(),
        (ResetScope::Subtrees, [one]) => format!("{} and below", hierarchy.name(*one)),
        (_, [one]) => hierarchy.name(*one).to_owned(),
        _ => format!("{} joints", nodes.len()),
    };
    let mut pose = stage.document.pose.clone();
    for node in nodes {
        pose.set_user_local(node, part.reset(pose.user_local(node)));
    }
    if reach == ResetScope::Everything {
        pose.clear_morph_weights();
        *pose.face_mut() = FacePose::default();
    }
    history.cancel_edit(stage);
    history.as_step_called(stage, &format!("{} {what}", part.label()), |stage| {
        if reach == ResetScope::Everything {
            stage.document.pins.clear();
        }
        stage.edit_pose(|shown| *shown = pose);
    });
}
