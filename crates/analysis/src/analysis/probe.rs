//! Probe of a vertex: its position under each joint alone, and with linear and dual quaternion blending.

use glam::{Affine3, Mat3, Vec3};

use super::measure::VertexLocation;
use rigscope_core::rig::{Influences, NodeIndex, Rig, singular_values};
use rigscope_core::skinning::{SkinPose, dual_quaternion_blend, morphed, subset};

/// Breakdown of a vertex position into influences, and the result of each method.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// Position in the bind pose, after morph targets: `v`, skin space, metres.
    pub bound: Vec3,
    /// Effect of each nonzero influence, heaviest first; a single row if no skin moves the vertex.
    pub rows: Vec<ProbeRow>,
    /// Result of linear blending: `sum_j w_j (T_j v)`, the mean of the rows' points.
    pub lbs: BlendResult,
    /// Result of dual quaternion blending.
    pub dqs: BlendResult,
    /// Distance between the two results, metres.
    pub distance: f32,
    /// DQ blend weight in the file, 0 to 1, if any.
    pub dq_blend_weight: Option<f32>,
}

/// Effect of one joint on the vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbeRow {
    /// Joint, as a node.
    pub joint: NodeIndex,
    /// Weight of the joint, above 0.
    pub weight: f32,
    /// Position under this joint alone: `T_j v`, world space, metres.
    pub point: Vec3,
}

/// Result of one blending method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlendResult {
    /// Position of the vertex, world space, metres.
    pub point: Vec3,
    /// Linear part of the blended transform, world from skin: `sum_j w_j A_j` for LBS, rotation after stretch for DQS.
    pub matrix: Mat3,
    /// Determinant of the matrix: the local change of volume.
    pub determinant: f32,
    /// Singular values of the matrix, largest first; all 1 for a rotation.
    pub singular_values: Vec3,
}

impl BlendResult {
    fn new(matrix: Affine3, v: Vec3) -> Self {
        Self {
            point: matrix.transform_point3(v),
            matrix: matrix.matrix3,
            determinant: matrix.matrix3.determinant(),
            singular_values: singular_values(matrix.matrix3),
        }
    }
}

/// Probes a vertex; returns `None` if the rig doesn't have such a vertex.
pub fn probe(rig: &Rig, pose: SkinPose<'_>, place: VertexLocation) -> Option<Probe> {
    let instance = rig.instances.get(place.instance)?;
    let primitive = rig.meshes[instance.mesh].primitives.get(place.primitive)?;
    let one = subset(primitive, &[u32::try_from(place.vertex).ok()?]);
    let morph_weights = pose.posed.morph_weights.get(place.instance).map_or(&[][..], Vec::as_slice);
    let bound = *morphed(&one, morph_weights).surface().positions.first()?;
    let palette = pose.palettes.get(place.instance)?;
    let joints = &palette.joints;
    joints.first()?;
    let node = |joint: usize| instance.skin.map_or(instance.node, |skin| rig.skins[skin].joints[joint]);
    let moved: Vec<(usize, f32)> = match one.influences.as_ref().filter(|_| joints.len() > 1) {
        Some(influences) => moving(influences),
        None => vec![(0, 1.0)],
    };
    let row = |&(joint, weight): &(usize, f32)| ProbeRow {
        joint: node(joint),
        weight,
        point: joints[joint].matrix.transform_point3(bound),
    };
    let lbs = BlendResult::new(mean(&moved, |joint| joints[joint].matrix), bound);
    let (slots, weights): (Vec<u16>, Vec<f32>) = moved.iter().map(|&(joint, weight)| (joint as u16, weight)).unzip();
    let dqs = BlendResult::new(dual_quaternion_blend(palette, &slots, &weights), bound);
    let distance = lbs.point.distance(dqs.point);
    let dq_blend_weight = one.dq_weights.first().copied();
    Some(Probe { bound, rows: moved.iter().map(row).collect(), lbs, dqs, distance, dq_blend_weight })
}

/// Returns the nonzero influences, or the first influence if all are 0.
fn moving(influences: &Influences) -> Vec<(usize, f32)> {
    let above: Vec<(usize, f32)> = influences.vertex(0).filter(|(_, weight)| *weight > 0.0).collect();
    if above.is_empty() { influences.vertex(0).take(1).collect() } else { above }
}

fn mean(moved: &[(usize, f32)], matrix: impl Fn(usize) -> Affine3) -> Affine3 {
    moved.iter().fold(Affine3::ZERO, |sum, &(joint, weight)| {
        let matrix = matrix(joint);
        Affine3 {
            matrix3: sum.matrix3 + matrix.matrix3 * weight,
            translation: sum.translation + matrix.translation * weight,
        }
    })
}
