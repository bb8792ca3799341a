mod cover;
mod network;
mod touching;
mod tree;

use glam::Vec3;

pub(super) use network::Network;
pub(super) use touching::touching_points;
pub(super) use tree::ClosestTriangle;
pub use tree::{TriangleTree, closest_barycentric};

/// Returns area-weighted unit normals of the points; zero where undefined.
pub(super) fn normals(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; points.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|point| points[point as usize]);
        let normal = (b - a).cross(c - a);
        triangle.iter().filter(|_| normal.is_finite()).for_each(|&point| normals[point as usize] += normal);
    }
    normals.into_iter().map(Vec3::normalize_or_zero).collect()
}
