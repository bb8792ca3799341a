//! Deviation of blended normals from the normals of the deformed surface.

use std::sync::Arc;

use glam::Vec3;

use super::each_vertex;
use crate::analysis::{Topology, joined, triangle_normals, winding};
use rigscope_core::rig::{Corner, Primitive, Rig, WeldedMesh};
use rigscope_core::skinning::{Deformed, Palette};

/// Minimum cosine between two normals of a smooth surface; sharper edges count as intended.
const SMOOTH: f32 = 0.8;

/// Maximum number of triangle corners at one position. The cost is quadratic, and a position with more corners is not
/// on a proper surface.
const MAX_CORNERS: usize = 1024;

/// Returns the angle, in radians, between each transformed normal and the area-weighted mean normal of the deformed
/// triangles around it. Across a seam, a triangle counts only if its corner normal in the file is nearly the same. NaN
/// if the file has no normals or the vertex has no triangles. `palettes` has one entry per mesh instance.
pub fn normal_deviation(
    rig: &Rig,
    topology: &Topology,
    palettes: &[Arc<Palette>],
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

struct SurfaceNormals<'a> {
    mesh: &'a WeldedMesh,
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
        if corners.len() > MAX_CORNERS {
            return Vec3::ZERO;
        }
        corners.filter(is_smooth).map(|c| self.triangles[c.triangle]).sum()
    }
}

fn angle(a: Vec3, b: Vec3) -> f32 {
    if a == Vec3::ZERO || b == Vec3::ZERO { f32::NAN } else { a.cross(b).length().atan2(a.dot(b)) }
}
