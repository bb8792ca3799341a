//! Stretch of the surface around each vertex, relative to the rest pose.

use glam::Vec3;

use super::{Rest, each_vertex, octaves};
use crate::analysis::{Topology, joined};
use crate::rig::{Corner, Rig, WeldedMesh};
use crate::skinning::Deformed;

/// Area of the triangles around each vertex relative to rest, in octaves. Duplicate vertices at a seam have the same value.
pub fn area_stretch(rig: &Rig, topology: &Topology, rest: &Rest, surfaces: &[Vec<Deformed>]) -> Vec<Vec<f32>> {
    parts(rig, topology, rest, surfaces, |mesh, rest, now| {
        let areas = |positions: &[Vec3]| {
            let area = |t: usize| {
                let [a, b, c] = mesh.triangles()[t].map(|v| positions[v as usize]);
                (b - a).cross(c - a).length()
            };
            each_vertex(mesh.triangles().len(), area)
        };
        let (rest, now) = (areas(rest), areas(now));
        let around = |areas: &[f32], point| mesh.around(point).map(|c| areas[c.triangle]).sum::<f32>();
        each_point(mesh, |point| octaves(around(&now, point), around(&rest, point)))
    })
}

/// Length relative to rest of the edge at each vertex that has changed most, in octaves. Edges without length at rest do not count.
pub fn edge_stretch(rig: &Rig, topology: &Topology, rest: &Rest, surfaces: &[Vec<Deformed>]) -> Vec<Vec<f32>> {
    parts(rig, topology, rest, surfaces, |mesh, rest, now| {
        let stretch = |from: u32, to: u32| {
            let length = |positions: &[Vec3]| positions[from as usize].distance_squared(positions[to as usize]);
            octaves(length(now), length(rest)) * 0.5
        };
        let at_corner = |Corner { triangle, corner }: Corner| {
            let triangle = mesh.triangles()[triangle];
            [1, 2].map(|step| stretch(triangle[corner], triangle[(corner + step) % 3]))
        };
        let larger = |most: f32, next: f32| if most.abs() >= next.abs() || next.is_nan() { most } else { next };
        each_point(mesh, |point| mesh.around(point).flat_map(at_corner).fold(f32::NAN, larger))
    })
}

/// A value for each point, given to all vertices at its position.
pub(super) fn each_point(mesh: &WeldedMesh, value: impl Fn(usize) -> f32 + Sync) -> Vec<f32> {
    let of_points = each_vertex(mesh.len(), |v| if mesh.point(v) == v { value(v) } else { f32::NAN });
    each_vertex(mesh.len(), |v| of_points[mesh.point(v)])
}

fn parts(
    rig: &Rig,
    topology: &Topology,
    rest: &Rest,
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
