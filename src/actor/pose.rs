//! A pose with everything that skinning needs, in reused memory.

use std::sync::Arc;

use crate::rig::{ClipMoment, Pose, Posed, Rig, SamplingBuffers, evaluate_into};
use crate::skinning::{Palette, SkinPose, palettes, palettes_into};

/// A pose of a rig with what skinning needs of it, shared among threads.
#[derive(Clone, Debug, Default)]
pub struct SharedPose {
    /// World matrices and morph weights.
    pub posed: Arc<Posed>,
    /// Palettes of the pose, as [`crate::skinning::palettes`] gives them.
    pub palettes: Arc<Vec<Arc<Palette>>>,
}

impl SharedPose {
    /// The pose as skinning reads it.
    pub fn skin_pose(&self) -> SkinPose<'_> {
        SkinPose { posed: &self.posed, palettes: &self.palettes }
    }

    /// A pose of a rig that is posed once.
    pub fn of(rig: &Rig, posed: Posed) -> Self {
        Self { palettes: Arc::new(palettes(rig, &posed)), posed: Arc::new(posed) }
    }

    /// True where both are the same value in memory, not merely equal.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.posed, &other.posed)
    }
}

/// Poses a rig again and again in the same memory.
#[derive(Clone, Debug, Default)]
pub struct Poser {
    sampling: SamplingBuffers,
    palettes: Vec<Arc<Palette>>,
}

impl Poser {
    /// Replaces a pose; where others share it they keep it, and only then memory is allocated, or for another rig.
    pub fn pose_into(&mut self, rig: &Rig, clip: Option<ClipMoment>, pose: &Pose, shared: &mut SharedPose) {
        let posed = own(&mut shared.posed);
        evaluate_into(rig, clip, pose, &mut self.sampling, posed);
        palettes_into(rig, posed, &mut self.palettes, own(&mut shared.palettes));
    }
}

/// The value itself where it is not shared, else a new one in its place.
pub fn own<T: Clone + Default>(shared: &mut Arc<T>) -> &mut T {
    if Arc::get_mut(shared).is_none() {
        *shared = Arc::default();
    }
    Arc::make_mut(shared)
}
