use glam::DVec3;

use super::Stage;
use crate::rig::{DisabledBehaviours, Hierarchy, LookAt, LookAtOutput, LookAtTarget, MorphIndex, NodeIndex, Pose};

/// Number of active behaviours in a pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActiveBehaviours {
    /// Number of eyes that follow the look-at target; 1 if the look-at uses expressions.
    pub eyes: usize,
    /// Expressions with a nonzero weight.
    pub expressions: usize,
    /// Constraints that rotate a node.
    pub constraints: usize,
    /// Joints with spring motion.
    pub springs: usize,
}

impl ActiveBehaviours {
    /// Counts the behaviours that affect the stage's pose.
    pub fn new(stage: &Stage) -> Self {
        let (rig, posed) = (stage.rig(), stage.posed());
        let eyes = rig.look_at.as_ref().map_or(0, |look_at| match look_at.by {
            _ if posed.look_at.is_none() => 0,
            LookAtOutput::Eyes(_) => look_at.eyes().count(),
            LookAtOutput::Expressions => 1,
        });
        let is_constrained = !stage.document.switched_off.constraints;
        Self {
            eyes,
            expressions: posed.expressions.iter().filter(|weight| **weight > 0.0).count(),
            constraints: if is_constrained { rig.behaviours().constraints().len() } else { 0 },
            springs: posed.spring_turns.as_ref().map_or(0, |_| rig.behaviours().springs().joints().len()),
        }
    }
}

impl Stage {
    /// Edits the open character's pose.
    pub fn edit_pose(&mut self, edit: impl FnOnce(&mut Pose)) {
        edit(&mut self.document.pose);
        self.pose_changed();
    }

    /// Disables the given behaviours and enables all others.
    pub fn switch_off(&mut self, switched_off: DisabledBehaviours) {
        self.document.switched_off = switched_off;
        self.pose_changed();
    }

    /// True if the node is an eye that the look-at rotates in the current pose.
    pub fn is_rotated_by_look_at(&self, node: NodeIndex) -> bool {
        self.posed().look_at.is_some() && self.rig().look_at.iter().flat_map(LookAt::eyes).any(|eye| eye == node)
    }

    /// Returns the camera position in file coordinates, if the look-at target is the camera.
    pub(super) fn followed_camera(&self) -> Option<DVec3> {
        let is_followed = self.rig().look_at.is_some() && self.pose().face().look_at() == Some(LookAtTarget::Camera);
        is_followed.then(|| self.rig().hierarchy.in_file(self.view.camera.eye()))
    }

    /// Returns the morph target last edited or chosen, by default the first.
    pub fn active_morph(&self) -> Option<MorphIndex> {
        self.view.morph.or_else(|| self.rig().indexed_morphs().next().map(|(first, _)| first))
    }

    /// Returns a morph target's weight without the user's addition: its weight in the clip or, without a clip, in the
    /// file.
    pub fn morph_weight_below(&self, morph: MorphIndex) -> f32 {
        let whole = self.rig().morphs().get(morph.index()).map_or(0.0, |m| m.weight(&self.posed().morph_weights));
        whole - self.pose().morph_weight(morph)
    }

    /// Sets the active morph target.
    pub fn choose_morph(&mut self, morph: MorphIndex) {
        self.view.morph = Some(morph).filter(|m| m.index() < self.rig().morphs().len());
    }

    /// Selects exactly these joints; without any, clears the selection.
    pub fn select(&mut self, nodes: impl IntoIterator<Item = NodeIndex>) {
        self.view.select(nodes, &self.document.rig.hierarchy);
    }

    /// True if a joint, a finding, a weight problem or a change is selected.
    pub(crate) fn has_selection(&self) -> bool {
        self.view.active_joint().is_some() || self.view.problem.is_some() || self.selected_change().is_some()
    }

    pub(crate) fn select_relative(&mut self, relative: impl FnOnce(&Hierarchy, NodeIndex) -> Option<NodeIndex>) {
        let relative = self.view.active_joint().and_then(|node| relative(&self.document.rig.hierarchy, node));
        if relative.is_some() {
            self.select(relative);
        }
    }

    /// Toggles between showing all bones and only the bones below the active joint.
    pub(crate) fn toggle_isolated(&mut self) {
        let subtree = self.view.active_joint().map(|node| self.document.rig.hierarchy.subtree(node));
        self.view.isolated = subtree.filter(|_| self.view.isolated.is_none());
        self.pose_changed();
    }
}
