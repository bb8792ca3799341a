//! Surface at rest, and stretch relative to it.

use std::sync::Arc;

use glam::Vec3;

use super::blended::determinant;
use super::{each_vertex, octaves};
use crate::analysis::{Topology, deform_into, joined, triangle_normals};
use rigscope_core::rig::{Corner, Pose, Rig, WeldedMesh, evaluate};
use rigscope_core::skinning::{Deformed, Palette, SkinPose, Skinner, palettes};

/// A rig in the file's rest pose, skinned with the method under test. The bind pose is not used as the reference,
/// because many files never show it and its units may differ.
#[derive(Clone, Debug)]
pub struct RestReference {
    pub(super) surfaces: Vec<Vec<Deformed>>,
    determinants: Vec<Vec<f32>>,
}

impl RestReference {
    /// Deforms the rig once, at rest.
    pub fn new(skinner: &Skinner) -> Self {
        let rig = skinner.rig();
        let posed = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
        let palettes = palettes(rig, &posed);
        let mut surfaces = Vec::new();
        deform_into(skinner, SkinPose { posed: &posed, palettes: &palettes }, &mut surfaces);
        Self { surfaces, determinants: determinant(rig, &palettes) }
    }
}

/// Returns [`determinant`] relative to rest: 1 if the volume is unchanged, 0 if collapsed, negative if inverted. NaN if
/// the determinant is 0 at rest. Uses the *linear* blend for every method, to show the collapse that DQS prevents.
pub fn determinant_ratio(rig: &Rig, palettes: &[Arc<Palette>], rest: &RestReference) -> Vec<Vec<f32>> {
    let now = determinant(rig, palettes);
    let share = |(now, rest): (&f32, &f32)| if *rest == 0.0 { f32::NAN } else { now / rest };
    let ratios = |(now, rest): (Vec<f32>, &Vec<f32>)| now.iter().zip(rest).map(share).collect();
    now.into_iter().zip(&rest.determinants).map(ratios).collect()
}

/// Returns the area around each vertex relative to rest, in octaves. Duplicate vertices at a seam have equal values.
pub fn area_stretch(rig: &Rig, topology: &Topology, rest: &RestReference, surfaces: &[Vec<Deformed>]) -> Vec<Vec<f32>> {
    parts(rig, topology, rest, surfaces, |mesh, rest, now| {
        let areas = |positions| triangle_normals(mesh, positions).into_iter().map(Vec3::length).collect::<Vec<_>>();
        let (rest, now) = (areas(rest), areas(now));
        let around = |areas: &[f32], point| mesh.around(point).map(|c| areas[c.triangle]).sum::<f32>();
        each_point(mesh, |point| octaves(around(&now, point), around(&rest, point)))
    })
}

/// Returns the largest change in length of any edge at each vertex, in octaves; ignores edges that have zero length at
/// rest.
pub fn edge_stretch(rig: &Rig, topology: &Topology, rest: &RestReference, surfaces: &[Vec<Deformed>]) -> Vec<Vec<f32>> {
    parts(rig, topology, rest, surfaces, |mesh, rest, now| {
        let stretch = |from: u32, to: u32| {
            let length = |positions: &[Vec3]| positions[from as usize].distance_squared(positions[to as usize]);
            octaves(length(now), length(rest)) * 0.5
        };
        let at_corner = |Corner { triangle, corner }: Corner| {
            let triangle = mesh.triangles()[triangle];
            [1, 2].map(|step| stretch(triangle[corner], triangle[(corner + step) % 3]))
        };
        let larger =
            |largest: f32, next: f32| if largest.abs() >= next.abs() || next.is_nan() { largest } else { next };
        each_point(mesh, |point| mesh.around(point).flat_map(at_corner).fold(f32::NAN, larger))
    })
}

/// Computes one value per point and copies it to all vertices of the point.
pub(super) fn each_point(mesh: &WeldedMesh, value: impl Fn(usize) -> f32 + Sync) -> Vec<f32> {
    let of_points = each_vertex(mesh.vertex_count(), |v| if mesh.point(v) == v { value(v) } else { f32::NAN });
    each_vertex(mesh.vertex_count(), |v| of_points[mesh.point(v)])
}

fn parts(
    rig: &Rig,
    topology: &Topology,
    rest: &RestReference,
    surfaces: &[Vec<Deformed>],
    values: impl Fn(&WeldedMesh, &[Vec3], &[Vec3]) -> Vec<f32>,
) -> Vec<Vec<f32>> {
    let mut all = Vec::new();
    for ((instance, rest), now) in rig.instances.iter().zip(&rest.surfaces).zip(surfaces) {
        let mesh = topology.mesh(instance.mesh);
        let values = values(mesh, &joined(rest), &joined(now));
        all.extend(mesh.parts().map(|range| values[range].to_vec()));
    }
    all
}
