use std::sync::Arc;

use rigscope_core::rig::{ClipMoment, Pose, Rig};

/// A pose of a kit, without behaviours.
#[derive(Clone, Debug)]
pub struct KitSample {
    /// Name, also of its files: ASCII letters, digits and hyphens; unique.
    pub name: String,
    /// The user's pose, on top of the moment or of the rest pose.
    pub pose: Pose,
    /// Moment of a clip.
    pub moment: Option<ClipMoment>,
}

/// A rig and the poses of its kit.
#[derive(Clone, Copy, Debug)]
pub struct Kit<'a> {
    /// Name of the rig's file.
    pub file: &'a str,
    /// The rig.
    pub rig: &'a Arc<Rig>,
    /// The poses, at least one.
    pub samples: &'a [KitSample],
}
