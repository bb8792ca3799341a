//! The rest surface that stretch is measured against, and the stretch of the blended transforms.

use std::sync::Arc;

use super::blended::determinant;
use crate::analysis::deform_into;
use crate::rig::{Pose, Rig, evaluate};
use crate::skinning::{Deformed, Palette, SkinPose, Skinner, palettes};

/// A rig in the file's rest pose, skinned in the same way as what is compared with it.
///
/// Not the bind pose, which many files never show and which may be in other units (joints that scale centimetres to metres would make everything
/// shrink a hundredfold). Where rest and bind pose are the same, as they mostly are, this is the mesh as modelled.
#[derive(Clone, Debug)]
pub struct Rest {
    /// Surfaces at rest, by mesh instance and primitive.
    pub(super) surfaces: Vec<Vec<Deformed>>,
    /// Determinants of the blended matrices, by drawn primitive.
    determinants: Vec<Vec<f32>>,
}

impl Rest {
    /// Deforms everything once, at rest.
    pub fn new(skinner: &Skinner) -> Self {
        let rig = skinner.rig();
        let posed = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
        let palettes = palettes(rig, &posed);
        let mut surfaces = Vec::new();
        deform_into(skinner, SkinPose { posed: &posed, palettes: &palettes }, &mut surfaces);
        Self { surfaces, determinants: determinant(rig, &palettes) }
    }
}

/// [`determinant`] relative to that at rest: 1 where no volume is lost or gained, 0 where it has collapsed, negative where it is inside out; NaN where it was 0 at rest.
///
/// The determinant is that of the *linear* blend whatever the method: what DQS prevents.
pub fn determinant_ratio(rig: &Rig, palettes: &[Arc<Palette>], rest: &Rest) -> Vec<Vec<f32>> {
    let now = determinant(rig, palettes);
    let share = |(now, rest): (&f32, &f32)| if *rest == 0.0 { f32::NAN } else { now / rest };
    let ratios = |(now, rest): (Vec<f32>, &Vec<f32>)| now.iter().zip(rest).map(share).collect();
    now.into_iter().zip(&rest.determinants).map(ratios).collect()
}
