//! Per-vertex fields of blended joint transforms.

use std::sync::Arc;

use glam::Mat3;

use super::each_vertex;
use rigscope_core::rig::{Primitive, Rig};
use rigscope_core::skinning::{Palette, antipodal_vertices};

/// Returns the determinant of each vertex's blended matrix `sum_j w_ij T_j`, which maps skin space to world space: the
/// local change in volume, negative if inverted. `palettes` has one entry per mesh instance.
pub fn determinant(rig: &Rig, palettes: &[Arc<Palette>]) -> Vec<Vec<f32>> {
    parts(rig, palettes, |primitive, palette| {
        let matrix = |joint: usize| palette.joints.get(joint).map_or(Mat3::IDENTITY, |j| j.matrix.matrix3);
        let Some(influences) = primitive.influences.as_ref().filter(|_| palette.joints.len() > 1) else {
            return vec![matrix(0).determinant(); primitive.positions.len()];
        };
        each_vertex(primitive.positions.len(), |v| {
            let sum = influences.vertex(v).fold(Mat3::ZERO, |sum, (joint, weight)| sum + matrix(joint) * weight);
            sum.determinant()
        })
    })
}

/// Returns 1 for each vertex with a joint whose quaternion lies in the opposite hemisphere from the heaviest joint's
/// quaternion, otherwise 0. Blending these vertices correctly needs [`rigscope_core::skinning::Antipodality::Checked`].
/// `palettes` has one entry per mesh instance.
pub fn antipodal(rig: &Rig, palettes: &[Arc<Palette>]) -> Vec<Vec<f32>> {
    parts(rig, palettes, |primitive, palette| {
        let mut values = vec![0.0; primitive.positions.len()];
        if let Some(influences) = primitive.influences.as_ref().filter(|_| palette.joints.len() > 1) {
            for vertex in antipodal_vertices(palette, influences) {
                values[vertex as usize] = 1.0;
            }
        }
        values
    })
}

fn parts(rig: &Rig, palettes: &[Arc<Palette>], values: impl Fn(&Primitive, &Palette) -> Vec<f32>) -> Vec<Vec<f32>> {
    let instances = rig.instances.iter().zip(palettes);
    instances
        .flat_map(|(i, palette)| rig.meshes[i.mesh].primitives.iter().map(|p| values(p, palette)).collect::<Vec<_>>())
        .collect()
}
