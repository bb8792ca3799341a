//! Edits of the pose and of visibility. Each edit is an undo step.

pub(super) mod choices;
pub(super) mod clipboard;
pub(super) mod hiding;
pub(super) mod history;
pub(super) mod ik;
pub(super) mod mirroring;
pub(super) mod morphs;
pub(super) mod reset;
pub(super) mod saved_views;
pub(super) mod step_label;
pub(super) mod steps;
pub(super) mod user_pose;
pub(super) mod weights;
