use super::Stage;
use super::changes::FoundChanges;
use crate::rig::{DisabledBehaviours, LookAtOutput, MorphIndex, Pose};

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

    /// Returns a morph target's weight without the user's addition: its weight in the clip or, without a clip, in the
    /// file.
    pub fn morph_weight_below(&self, morph: MorphIndex) -> f32 {
        let whole = self.rig().morphs().get(morph.index()).map_or(0.0, |m| m.weight(&self.posed().morph_weights));
        whole - self.pose().morph_weight(morph)
    }

    /// True if a joint, a finding, a weight problem or a change is selected.
    pub(crate) fn has_selection(&self) -> bool {
        self.view.active_joint().is_some() || self.view.problem.is_some() || FoundChanges::selected(self).is_some()
    }
}
