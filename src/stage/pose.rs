//! Setting the pose and morph weights of the open character, and which behaviours run.

use super::Stage;
use crate::rig::{MorphIndex, Pose, SwitchedOff};

impl Stage {
    /// Poses the open character.
    pub fn set_pose(&mut self, pose: Pose) {
        self.document.pose = pose;
        self.pose_changed();
    }

    /// Switches kinds of behaviours off, and all others on.
    pub fn switch_off(&mut self, switched_off: SwitchedOff) {
        self.document.switched_off = switched_off;
        self.pose_changed();
    }

    /// Sets what the user adds to weights of morph targets; the last target is then worked with.
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
