//! Bulge-compensated dual quaternion skinning, after Kim and Han 2014, *Bulging-free dual quaternion skinning*.
//!
//! DQS moves skin along arcs about the joint, which lifts the outside of a bend off its bone. For each joint,
//! [`bulge_free`] pulls the vertex towards the joint's bone, to the distance that the vertex would have if it followed
//! only that joint. The corrections are averaged by weight.
//!
//! Kim and Han use only the nearest bone, which tears the skin where the nearest bone changes. The mean is as
//! continuous as the weights and removes at least half of the bulge. A pure twist doesn't change distances, so its
//! positions equal the positions of DQS. Normals always equal the normals of DQS.

use glam::Vec3;

use super::Palette;
use super::chunk::{ChunkVertex, SkinnedVertex, VertexChunk};
use super::dq_blend_weight::DqBlendWeight;
use super::dqs::{blended_motion, directions, moved};
use super::spec::{MethodRequirement, MethodSpec};
use super::summing::BlendOptions;

pub(super) const SPEC: MethodSpec = MethodSpec {
    text: "dqs-compensated",
    gloss: "dqs without its bulge",
    label: "DQS, bulge-compensated",
    full_name: "Dual quaternion skinning, bulge-compensated",
    tradeoff: "Keeps the distance from the bones without a bulge; not rigid, and needs well-placed bones",
    color: [0x8F, 0xC9, 0x4D],
    needs: MethodRequirement::Skin,
    glsl: "bulgeFreeSkinned",
    kernel: skin,
    directions,
};

/// Returns the compensated position of a vertex that DQS moves from `rest` (skin space) to `moved` (world space).
/// *Shapes*: one weight per joint. Joints without a bone in the palette have no effect.
/// ```
/// use glam::{Affine3, Quat, Vec3};
/// use rigscope_core::skinning::{JointTransform, Palette, bulge_free};
///
/// // A bone along x that does not move, and skin that was 1 m above it.
/// let joints = vec![JointTransform::new(Affine3::IDENTITY, Vec3::ZERO)];
/// let palette = Palette::from(joints).with_bones(vec![[Vec3::ZERO, Vec3::X]]);
/// let (rest, lifted) = (Vec3::new(0.5, 1.0, 0.0), Vec3::new(0.5, 1.5, 0.0));
/// assert_eq!(bulge_free(&palette, &[0], &[1.0], rest, lifted), rest);
/// ```
pub fn bulge_free(palette: &Palette, joints: &[u16], weights: &[f32], rest: Vec3, moved: Vec3) -> Vec3 {
    let corrections = joints.iter().zip(weights).map(|(&joint, &weight)| {
        let joint = usize::from(joint);
        let Some(&bone) = palette.bones.get(joint) else { return Vec3::ZERO };
        let alone = palette.joints[joint].matrix.transform_point3(rest);
        let wanted = alone.distance(nearest_point(bone, alone));
        let from_bone = moved - nearest_point(bone, moved);
        let found = from_bone.length();
        if found > wanted { from_bone * (weight * (wanted / found - 1.0)) } else { Vec3::ZERO }
    });
    moved + corrections.sum::<Vec3>()
}

fn nearest_point([head, tail]: [Vec3; 2], point: Vec3) -> Vec3 {
    let along = tail - head;
    let length_squared = along.length_squared();
    let share = if length_squared > 0.0 { (point - head).dot(along) / length_squared } else { 0.0 };
    head + along * share.clamp(0.0, 1.0)
}

fn skin(palette: &Palette, summing: BlendOptions, _: DqBlendWeight<'_>, mut chunk: VertexChunk<'_>) {
    chunk.each(chunk.per_vertex, |vertex| {
        let ChunkVertex { joints, weights, position, .. } = vertex;
        let motion = blended_motion(palette, joints, weights, summing);
        let by_dqs = moved(palette, vertex, summing.stretch, motion);
        SkinnedVertex { position: bulge_free(palette, joints, weights, position, by_dqs.position), ..by_dqs }
    });
}
