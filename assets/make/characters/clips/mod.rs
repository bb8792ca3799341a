//! The figure's clips, sampled from functions of time.

mod curve;
mod idle;
mod legs;
mod pose;
mod stance;
mod walk;
mod wave;

use super::model::Clip;
use super::rig::Rig;

pub use pose::{Pose, sample};

/// Returns the clips `idle`, `walk` and `wave`.
pub fn clips(rig: &Rig) -> Vec<Clip> {
    vec![idle::idle(rig), walk::walk(rig), wave::wave(rig)]
}
