//! Sets pose, morph weights, face and behaviours of the open character.

use glam::DVec3;

use super::Stage;
use crate::rig::{DisabledBehaviours, ExpressionIndex, Gaze, LookAtOutput, LookAtTarget, MorphIndex, NodeIndex, Pose};

/// Number of active behaviours in a pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BehavioursRun {
    /// Eyes that follow the gaze; 1 for a gaze by expressions.
    pub eyes: usize,
    /// Expressions with a weight.
    pub expressions: usize,
    /// Constraints that rotate a node.
    pub constraints: usize,
    /// Joints with spring motion.
    pub springs: usize,
}

impl Stage {
    /// Sets the open character's pose.
    pub fn set_pose(&mut self, pose: Pose) {
        self.document.pose = pose;
        self.pose_changed();
    }

    /// Switches the given behaviours off and all others on.
    pub fn switch_off(&mut self, switched_off: DisabledBehaviours) {
        self.document.switched_off = switched_off;
        self.pose_changed();
    }

    /// Sets expression weights, 0 to 1.
    pub fn set_expressions(&mut self, edits: &[(ExpressionIndex, f32)]) {
        for &(expression, weight) in edits {
            self.document.pose.face_mut().set_expression(expression, weight);
        }
        self.pose_changed();
    }

    /// Sets the look-at target.
    pub fn set_gaze(&mut self, target: Option<LookAtTarget>) {
        self.document.pose.face_mut().set_gaze(target);
        self.pose_changed();
    }

    /// True for an eye that the look-at rotates in the current pose.
    pub fn is_turned_by_gaze(&self, node: NodeIndex) -> bool {
        self.posed().gaze.is_some() && self.rig().gaze.iter().flat_map(Gaze::eyes).any(|eye| eye == node)
    }

    /// Active behaviours in the current pose.
    pub fn behaviours_run(&self) -> BehavioursRun {
        let (rig, posed) = (self.rig(), self.posed());
        let eyes = rig.gaze.as_ref().map_or(0, |gaze| match gaze.by {
            _ if posed.gaze.is_none() => 0,
            LookAtOutput::Eyes(_) => gaze.eyes().count(),
            LookAtOutput::Expressions => 1,
        });
        let constraints = if self.document.switched_off.constraints { 0 } else { rig.behaviours().constraints().len() };
        let springs = posed.spring_turns.as_ref().map_or(0, |_| rig.behaviours().springs().joints().len());
        let expressions = posed.expressions.iter().filter(|weight| **weight > 0.0).count();
        BehavioursRun { eyes, expressions, constraints, springs }
    }

    /// Camera position in file coordinates, if the eyes follow it.
    pub(super) fn followed_camera(&self) -> Option<DVec3> {
        let is_followed = self.rig().gaze.is_some() && self.pose().face().gaze() == Some(LookAtTarget::Camera);
        is_followed.then(|| self.rig().hierarchy.in_file(self.view.camera.eye()))
    }

    /// Sets user weights of morph targets; the last one becomes the active target.
    pub fn set_morphs(&mut self, edits: &[(MorphIndex, f32)]) {
        for &(morph, weight) in edits {
            self.document.pose.set_morph_weight(morph, weight);
        }
        if let Some(&(last, _)) = edits.last() {
            self.choose_morph(last);
        }
        self.pose_changed();
    }
}
