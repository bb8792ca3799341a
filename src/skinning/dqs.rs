//! Dual quaternion skinning by dual quaternion linear blending (Kavan et al. 2008), in two phases where joints scale.

use glam::{Affine3, Vec3};

use super::{DualQuat, Palette, normal_matrix};
use crate::rig::Influences;

/// The blended stretch (phase 1) and the blended rigid motion (phase 2) of one vertex.
///
/// Antipodality: each quaternion takes the sign that agrees with the pivot, the vertex's heaviest joint, which import sorts first.
/// Exactly opposite rotations, whose mean means nothing, give the pivot's own motion.
pub fn blended_motion(palette: &Palette, influences: &Influences, vertex: usize) -> (Affine3, DualQuat) {
    let mut stretch = Affine3::ZERO;
    let mut sum = DualQuat { real: glam::Vec4::ZERO, dual: glam::Vec4::ZERO };
    let mut pivot = DualQuat::IDENTITY;
    for (slot, (joint, weight)) in influences.of(vertex).enumerate() {
        let transform = &palette.joints[joint];
        if slot == 0 {
            pivot = transform.rigid;
        }
        let sign = if pivot.real.dot(transform.rigid.real) < 0.0 { -1.0 } else { 1.0 };
        sum = sum.add_scaled(&transform.rigid, sign * weight);
        stretch.matrix3 += transform.stretch.matrix3 * weight;
        stretch.translation += transform.stretch.translation * weight;
    }
    (stretch, sum.normalized().unwrap_or(pivot))
}

/// Skins positions and normals from skin space to world space.
///
/// *Shapes*: as for [`super::linear_blend_skinning`].
pub fn dual_quaternion_skinning(
    palette: &Palette,
    influences: &Influences,
    positions: &[Vec3],
    normals: &[Vec3],
) -> (Vec<Vec3>, Vec<Vec3>) {
    let mut skinned = (Vec::with_capacity(positions.len()), Vec::with_capacity(normals.len()));
    for (vertex, &position) in positions.iter().enumerate() {
        let (stretch, motion) = blended_motion(palette, influences, vertex);
        let stretched = stretch.transform_point3(position);
        skinned.0.push(motion.transform_point(stretched));
        if let Some(&normal) = normals.get(vertex) {
            let turned = normal_matrix(stretch.matrix3) * normal;
            skinned.1.push(motion.rotation() * turned.normalize_or_zero());
        }
    }
    skinned
}
