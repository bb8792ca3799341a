//! What stretch is measured against.

use super::{deform_into, field};
use crate::rig::{Pose, evaluate};
use crate::skinning::{Deformed, Skinner, palettes};

/// A rig in the file's rest pose, skinned as what is compared with it.
///
/// Not the bind pose: that is a pose that many files never show, and in units of its own (joints that scale centimetres to metres would
/// make everything shrink a hundredfold). Where rest and bind pose are one, as mostly, this is the mesh as it was modelled.
#[derive(Clone, Debug)]
pub struct Rest {
    /// By mesh instance and primitive.
    pub(super) surfaces: Vec<Vec<Deformed>>,
    /// Determinants of the blended matrices, by primitive that is drawn.
    pub(super) determinants: Vec<Vec<f32>>,
}

impl Rest {
    /// Deforms everything once.
    pub fn new(skinner: &Skinner) -> Self {
        let rig = skinner.rig();
        let posed = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
        let palettes = palettes(rig, &posed);
        let mut surfaces = Vec::new();
        deform_into(skinner, &posed, &palettes, &mut surfaces);
        Self { surfaces, determinants: field::determinant(rig, &palettes) }
    }
}
