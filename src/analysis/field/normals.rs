//! Normals by the blended transform beside those of the surface that it makes.

use glam::Vec3;

use super::each_vertex;
use crate::analysis::topology::{Corner, MeshTopology};
use crate::analysis::{Topology, joined, winding};
use crate::rig::{Primitive, Rig};
use crate::skinning::{Deformed, Palette};

/// Two normals of the file closer than this (as the cosine) are those of one smooth surface; a sharper edge is meant to be seen.
const SMOOTH: f32 = 0.8;

/// Most corners at one position: more are no surface, and each of as many vertices there would look at all of them.
const MOST_CORNERS: usize = 1024;

/// Angle between the transformed normal and the mean of the deformed triangles around, by their areas, radians. NaN where the file has no
/// normals and where there is no triangle.
///
/// Across a seam all triangles count whose corners have about the same normal in the file. *Shapes*: `palettes` one per mesh instance.
pub fn normal_deviation(
    rig: &Rig,
    topology: &Topology,
    palettes: &[Palette],
    surfaces: &[Vec<Deformed>],
) -> Vec<Vec<f32>> {
    let mut all = Vec::new();
    for ((instance, palette), now) in rig.instances.iter().zip(palettes).zip(surfaces) {
        let mesh = topology.mesh(instance.mesh);
        let file = file_normals(&rig.meshes[instance.mesh].primitives);
        let around = SurfaceNormals { mesh, file: &file, triangles: triangle_normals(mesh, &joined(now)) };
        let side = winding(palette);
        all.extend(mesh.parts().zip(now).map(|(range, deformed)| {
            let Some(normals) = &deformed.normals else { return vec![f32::NAN; range.len()] };
            each_vertex(range.len(), |v| angle(normals[v] * side, around.at(range.start + v)))
        }));
    }
    all
}

/// Normals as the file has them, zero where it has none, by the vertices of the whole mesh.
fn file_normals(primitives: &[Primitive]) -> Vec<Vec3> {
    let mut all = Vec::new();
    for primitive in primitives {
        match &primitive.normals {
            Some(normals) => all.extend(normals),
            None => all.resize(all.len() + primitive.positions.len(), Vec3::ZERO),
        }
    }
    all
}

/// Normals of the triangles, twice as long as the triangles are large.
fn triangle_normals(mesh: &MeshTopology, positions: &[Vec3]) -> Vec<Vec3> {
    each_vertex(mesh.triangles().len(), |t| {
        let [a, b, c] = mesh.triangles()[t].map(|v| positions[v as usize]);
        (b - a).cross(c - a)
    })
}

struct SurfaceNormals<'a> {
    mesh: &'a MeshTopology,
    file: &'a [Vec3],
    triangles: Vec<Vec3>,
}

impl SurfaceNormals<'_> {
    fn at(&self, vertex: usize) -> Vec3 {
        let is_smooth = |&Corner { triangle, corner }: &Corner| {
            let other = self.mesh.triangles()[triangle][corner] as usize;
            other == vertex || self.file[other].dot(self.file[vertex]) > SMOOTH
        };
        let corners = self.mesh.around(self.mesh.point(vertex));
        if corners.len() > MOST_CORNERS {
            return Vec3::ZERO;
        }
        corners.filter(is_smooth).map(|c| self.triangles[c.triangle]).sum()
    }
}

/// Angle between two directions, radians; NaN where one of the two has none.
fn angle(a: Vec3, b: Vec3) -> f32 {
    if a == Vec3::ZERO || b == Vec3::ZERO { f32::NAN } else { a.cross(b).length().atan2(a.dot(b)) }
}
