//! Analysis of a rig without displaying it: lint, and measurements of skinning.
//!
//! All surfaces come from [`rigscope_core::skinning::Skinner`], so every measure works with every method. *Shapes*: a
//! surface is a [`rigscope_core::skinning::Deformed`] per mesh instance and primitive; a field is one list per
//! primitive, in the order of [`rigscope_core::rig::Rig::primitives`]. Sums use double precision and a fixed order, so
//! results don't depend on the number of cores.

pub mod clip_checks;
pub mod diagnose;
pub mod feet;
pub mod field;
pub mod flex;
mod human_ranges;
pub mod influence_error;
mod lanes;
pub mod lint;
pub mod measure;
pub mod motion;
pub mod probe;
mod region;
pub mod rigging_metrics;
mod rotation_keys;
pub mod seams;
pub mod sides;
pub mod simplify;
mod spikes;
pub mod tracks;
pub mod trails;
pub mod twist;
pub mod weight_problems;

pub use field::RestReference;

use std::borrow::Cow;

use glam::Vec3;
use rayon::prelude::*;

use rigscope_core::rig::{NodeIndex, PrimitiveIndex, Rig, WeldedMesh};
use rigscope_core::skinning::{Deformed, Palette, SkinPose, Skinner};

/// Rigs that draw more vertices than this are not measured. Vertices of every mesh instance count, and each takes about
/// 100 bytes.
pub const MAX_VERTICES: usize = 1 << 24;

/// Welded meshes of a rig, used to look up the triangles around each vertex. Valid in any pose.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    meshes: Vec<WeldedMesh>,
}

impl Topology {
    /// Welds all meshes in parallel; linear, about 0.1 s for a million vertices.
    pub fn new(rig: &Rig) -> Self {
        Self { meshes: rig.meshes.par_iter().map(|mesh| WeldedMesh::new(&mesh.primitives)).collect() }
    }

    fn mesh(&self, mesh: usize) -> &WeldedMesh {
        &self.meshes[mesh]
    }
}

/// Returns `None` if a rig draws more than [`MAX_VERTICES`] vertices.
pub fn measurable(rig: &Rig) -> Option<()> {
    (rig.vertex_count() <= MAX_VERTICES).then_some(())
}

/// Deforms all drawn primitives, reusing the memory of `surfaces`, which is by mesh instance and primitive.
pub fn deform_into(skinner: &Skinner, pose: SkinPose<'_>, surfaces: &mut Vec<Vec<Deformed>>) {
    each_part(skinner.rig(), surfaces, |part, deformed| skinner.deform_into(part, pose, deformed));
}

/// Deforms positions only, about twice as fast as [`deform_into`].
fn deform_positions_into(skinner: &Skinner, pose: SkinPose<'_>, surfaces: &mut Vec<Vec<Deformed>>) {
    each_part(skinner.rig(), surfaces, |part, deformed| skinner.deform_positions_into(part, pose, deformed));
}

fn each_part(rig: &Rig, surfaces: &mut Vec<Vec<Deformed>>, deform: impl Fn(PrimitiveIndex, &mut Deformed)) {
    surfaces.resize_with(rig.instances.len(), Vec::new);
    for (instance, parts) in rig.instances.iter().zip(surfaces.iter_mut()) {
        parts.resize_with(rig.meshes[instance.mesh].primitives.len(), Deformed::default);
    }
    rig.parts().zip(surfaces.iter_mut().flatten()).for_each(|(part, deformed)| deform(part, deformed));
}

/// Returns the positions of all primitives of a mesh, concatenated as in [`WeldedMesh`].
fn joined(parts: &[Deformed]) -> Cow<'_, [Vec3]> {
    match parts {
        [one] => Cow::Borrowed(&one.positions),
        several => Cow::Owned(several.iter().flat_map(|d| d.positions.iter().copied()).collect()),
    }
}

/// Returns the triangle normals; the length of each is twice the triangle's area.
fn triangle_normals(mesh: &WeldedMesh, positions: &[Vec3]) -> Vec<Vec3> {
    let normal = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|vertex| positions[vertex as usize]);
        (b - a).cross(c - a)
    };
    mesh.triangles().par_iter().with_min_len(4096).map(normal).collect()
}

/// Returns -1 if all joint transforms mirror, which flips the winding of all triangles; otherwise 1.
fn winding(palette: &Palette) -> f32 {
    let mirrors = |m: &rigscope_core::skinning::JointTransform| m.matrix.matrix3.determinant() < 0.0;
    if !palette.joints.is_empty() && palette.joints.iter().all(mirrors) { -1.0 } else { 1.0 }
}

/// Returns the joint with the largest weight on a vertex, or the mesh's node if the vertex has no influences.
pub fn dominant_joint(rig: &Rig, instance: usize, primitive: usize, vertex: usize) -> Option<NodeIndex> {
    let placed = rig.instances.get(instance)?;
    let influences = rig.meshes[placed.mesh].primitives.get(primitive)?.influences.as_ref();
    match (influences, placed.skin) {
        (Some(influences), Some(skin)) if vertex < influences.len() => {
            rig.skins[skin].joints.get(influences.vertex(vertex).next()?.0).copied()
        }
        _ => Some(placed.node),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Affine3;
    use rigscope_core::skinning::JointTransform;

    #[test]
    fn winding_is_turned_where_every_joint_mirrors() {
        let of = |scales: &[f32]| {
            let joint = |&x: &f32| JointTransform::new(Affine3::from_scale(Vec3::new(x, 1.0, 1.0)), Vec3::ZERO);
            winding(&Palette::from(scales.iter().map(joint).collect::<Vec<_>>()))
        };
        assert_eq!([of(&[]), of(&[1.0, 1.0]), of(&[-1.0, 1.0]), of(&[-1.0, -2.0])], [1.0, 1.0, 1.0, -1.0]);
    }
}
