//! The rest surface that stretch is measured against, and the stretch of the blended transforms.

use super::blended::determinant;
use crate::analysis::deform_into;
use crate::rig::{Pose, Rig, evaluate};
use crate::skinning::{Deformed, Palette, SkinPose, Skinner, palettes};

/// A rig in the file's rest pose, skinned as what is compared with it.
///
/// Not the bind pose: that is a pose that many files never show, and in units of its own (joints that scale centimetres to metres would
/// make everything shrink a hundredfold). Where rest and bind pose are one, as mostly, this is the mesh as it was modelled.
#[derive(Clone, Debug)]
pub struct Rest {
    /// Surfaces at rest, by mesh instance and primitive.
    pub(super) surfaces: Vec<Vec<Deformed>>,
    /// Determinants of the blended matrices, by primitive that is drawn.
    determinants: Vec<Vec<f32>>,
}

impl Rest {
    /// Deforms everything once.
    pub fn new(skinner: &Skinner) -> Self {
        let rig = skinner.rig();
        let posed = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
        let palettes = palettes(rig, &posed);
        let mut surfaces = Vec::new();
        deform_into(skinner, SkinPose { posed: &posed, palettes: &palettes }, &mut surfaces);
        Self { surfaces, determinants: determinant(rig, &palettes) }
    }
}

/// [`determinant`] as a share of that at rest: 1 where no volume is lost or won, 0 where it has collapsed, below 0 where it is inside out; no
/// number where it had none at rest.
///
/// It is that of the *linear* blend, whatever the method: what DQS spares a vertex.
pub fn determinant_ratio(rig: &Rig, palettes: &[Palette], rest: &Rest) -> Vec<Vec<f32>> {
    let now = determinant(rig, palettes);
    let share = |(now, rest): (&f32, &f32)| if *rest == 0.0 { f32::NAN } else { now / rest };
    let ratios = |(now, rest): (Vec<f32>, &Vec<f32>)| now.iter().zip(rest).map(share).collect();
    now.into_iter().zip(&rest.determinants).map(ratios).collect()
}
