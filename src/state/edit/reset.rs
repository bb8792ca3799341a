use glam::{Quat, Vec3};

use crate::rig::{FacePose, NodeIndex, Trs};
use crate::state::OpenDocument;

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

impl OpenDocument {
    pub(in crate::state) fn reset(&mut self, reach: ResetScope, part: ResetComponents) {
        let hierarchy = &self.stage.document.rig.hierarchy;
        let selected = &self.stage.view.selected;
        let nodes: Vec<NodeIndex> = match reach {
            ResetScope::Joints => selected.clone(),
            ResetScope::Subtrees => self.stage.view.selected_subtrees(&self.stage.document.rig.hierarchy),
            ResetScope::Everything => hierarchy.nodes().collect(),
        };
        let what = match (reach, selected.as_slice()) {
            (ResetScope::Everything, _) => "all".to_owned(),
            (ResetScope::Subtrees, [one]) => format!("{} and below", hierarchy.name(*one)),
            (_, [one]) => hierarchy.name(*one).to_owned(),
            _ => format!("{} joints", nodes.len()),
        };
        let mut pose = self.stage.document.pose.clone();
        for node in nodes {
            pose.set_user_local(node, part.reset(pose.user_local(node)));
        }
        if reach == ResetScope::Everything {
            pose.clear_morph_weights();
            *pose.face_mut() = FacePose::default();
        }
        let unpins = reach == ResetScope::Everything;
        self.cancel_edit();
        self.as_step_called(&format!("{} {what}", part.label()), |open| {
            if unpins {
                open.stage.document.pins.clear();
            }
            open.stage.edit_pose(|shown| *shown = pose);
        });
    }
}
