//! Outward directions of a surface.

use glam::Vec3;

/// Unit normals of points, weighted by the area of the triangles around; zero where these cancel out or there are none.
pub(in crate::weights) fn normals(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; points.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|point| points[point as usize]);
        let normal = (b - a).cross(c - a);
        triangle.iter().filter(|_| normal.is_finite()).for_each(|&point| normals[point as usize] += normal);
    }
    normals.into_iter().map(Vec3::normalize_or_zero).collect()
}
