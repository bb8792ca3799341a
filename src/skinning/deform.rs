//! A primitive in a pose: morph targets first, then skinning.

use std::borrow::Cow;

use glam::Vec3;

use super::{Method, Palette, dual_quaternion_skinning, linear_blend_skinning, mixed_skinning, normal_matrix};
use crate::rig::Primitive;

/// Positions and normals of one primitive in world space, in the file's order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deformed {
    /// Metres.
    pub positions: Vec<Vec3>,
    /// Unit length; `None` where the file has no normals.
    pub normals: Option<Vec<Vec3>>,
}

/// Skins one primitive of a mesh instance.
///
/// *Shapes*: `palette` is the instance's own (see [`super::palettes`]); `morph_weights` one per target, missing ones count as 0.
pub fn deform(primitive: &Primitive, palette: &Palette, morph_weights: &[f32], method: Method) -> Deformed {
    let (positions, normals) = morphed(primitive, morph_weights);
    let normals_slice: &[Vec3] = normals.as_deref().unwrap_or_default();
    // A node may carry a mesh with influences and no skin: then its one transform moves everything, as it does for a skin of one joint.
    let influences = primitive.influences.as_ref().filter(|_| palette.joints.len() > 1);
    let (positions, skinned_normals) = match (influences, method) {
        (None, _) => transformed(palette, &positions, normals_slice),
        (Some(influences), Method::Lbs) => linear_blend_skinning(palette, influences, &positions, normals_slice),
        (Some(influences), Method::Dqs) => dual_quaternion_skinning(palette, influences, &positions, normals_slice),
        (Some(influences), Method::Blend(_)) => {
            mixed_skinning(palette, influences, &positions, normals_slice, method.dqs_share())
        }
    };
    Deformed { positions, normals: normals.is_some().then_some(skinned_normals) }
}

fn transformed(palette: &Palette, positions: &[Vec3], normals: &[Vec3]) -> (Vec<Vec3>, Vec<Vec3>) {
    let Some(joint) = palette.joints.first() else {
        return (positions.to_vec(), normals.to_vec());
    };
    let turn = normal_matrix(joint.matrix.matrix3);
    (
        positions.iter().map(|&p| joint.matrix.transform_point3(p)).collect(),
        normals.iter().map(|&n| (turn * n).normalize_or_zero()).collect(),
    )
}

/// Positions and normals in skin space with the morph targets added.
pub fn morphed<'a>(primitive: &'a Primitive, morph_weights: &[f32]) -> (Cow<'a, [Vec3]>, Option<Cow<'a, [Vec3]>>) {
    let mut positions = Cow::Borrowed(primitive.positions.as_slice());
    let mut normals = primitive.normals.as_deref().map(Cow::Borrowed);
    for (target, &weight) in primitive.morph_targets.iter().zip(morph_weights) {
        if weight == 0.0 {
            continue;
        }
        if !target.positions.is_empty() {
            add_scaled(positions.to_mut(), &target.positions, weight);
        }
        if let Some(normals) = normals.as_mut().filter(|_| !target.normals.is_empty()) {
            add_scaled(normals.to_mut(), &target.normals, weight);
        }
    }
    (positions, normals)
}

fn add_scaled(values: &mut [Vec3], displacements: &[Vec3], weight: f32) {
    for (value, displacement) in values.iter_mut().zip(displacements) {
        *value += *displacement * weight;
    }
}
