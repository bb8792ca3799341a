use std::sync::Arc;

use crate::rig::{ClipMoment, Pose, Posed, Rig, SamplingBuffers, evaluate_into};
use crate::skinning::{Palette, SkinPose, palettes, palettes_into};

/// An evaluated pose with its skinning palettes, shared between threads.
#[derive(Clone, Debug, Default)]
pub struct SharedPose {
    /// World matrices and morph weights.
    pub posed: Arc<Posed>,
    /// Palettes, from [`crate::skinning::palettes`].
    pub palettes: Arc<Vec<Arc<Palette>>>,
}

impl SharedPose {
    /// Returns the pose as input for skinning.
    pub fn skin_pose(&self) -> SkinPose<'_> {
        SkinPose { posed: &self.posed, palettes: &self.palettes }
    }

    /// Creates a shared pose and computes its palettes.
    pub fn new(rig: &Rig, posed: Posed) -> Self {
        Self { palettes: Arc::new(palettes(rig, &posed)), posed: Arc::new(posed) }
    }
}

/// Compares by identity, not by value.
impl PartialEq for SharedPose {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.posed, &other.posed)
    }
}

/// Evaluates poses, reusing memory between calls.
#[derive(Clone, Debug, Default)]
pub struct PoseEvaluator {
    sampling: SamplingBuffers,
    palettes: Vec<Arc<Palette>>,
}

impl PoseEvaluator {
    /// Evaluates a pose into `shared`. Allocates only if the rig changes or the old pose has other owners.
    pub fn pose_into(&mut self, rig: &Rig, clip: Option<ClipMoment>, pose: &Pose, shared: &mut SharedPose) {
        let posed = make_unique(&mut shared.posed);
        evaluate_into(rig, clip, pose, &mut self.sampling, posed);
        palettes_into(rig, posed, &mut self.palettes, make_unique(&mut shared.palettes));
    }
}

/// Returns a mutable reference to the value. If the value has other owners, first replaces it with a default value.
pub fn make_unique<T: Clone + Default>(shared: &mut Arc<T>) -> &mut T {
    if Arc::get_mut(shared).is_none() {
        *shared = Arc::default();
    }
    Arc::make_mut(shared)
}
