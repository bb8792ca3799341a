use glam::Vec3;
use rayon::prelude::*;

use crate::rig::{Primitive, Rig};
use crate::view::{HiddenItems, Ray};

const CHUNK: usize = 3 * 8192;

/// Intersection of a ray with a triangle. `shares` are the barycentric coordinates of the second and third corners.
#[derive(Clone, Copy)]
struct TriangleHit {
    distance: f32,
    shares: [f32; 2],
    triangle: usize,
}

/// A point on a triangle of a skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinPoint {
    /// Index into [`Rig::primitives`].
    pub part: usize,
    /// Vertices of the triangle with their barycentric coordinates.
    pub corners: [(usize, f32); 3],
}

impl SkinPoint {
    /// Returns the vertex with the largest barycentric coordinate.
    pub fn vertex(&self) -> usize {
        let [a, b, c] = self.corners;
        [b, c].into_iter().fold(a, |best, corner| if corner.1 > best.1 { corner } else { best }).0
    }

    /// Interpolates per-vertex values at the point; `None` if a corner has no value.
    pub fn value(&self, values: &[f32]) -> Option<f32> {
        self.corners.iter().try_fold(0.0, |sum, (vertex, share)| Some(sum + values.get(*vertex)? * share))
    }
}

/// Returns the first intersection of a ray with the visible skin. `positions` is in the order of [`Rig::primitives`].
pub fn point_in<'a>(
    rig: &Rig,
    positions: impl Iterator<Item = &'a [Vec3]>,
    hidden: &HiddenItems,
    ray: &Ray,
) -> Option<SkinPoint> {
    let parts = rig.parts().zip(rig.primitives().zip(positions)).enumerate();
    let shown = parts.filter(|(_, (place, _))| hidden.shows(rig, *place));
    let hits = shown.filter_map(|(part, (_, ((_, primitive), positions)))| {
        // Positions from an earlier pose may have a different vertex count.
        (positions.len() == primitive.positions.len()).then_some(())?;
        Some((first_hit(primitive, positions, ray)?, part, primitive))
    });
    let (hit, part, primitive) = hits.min_by(|(a, ..), (b, ..)| a.distance.total_cmp(&b.distance))?;
    let [u, v] = hit.shares;
    let corner = |i: usize, share| (primitive.indices[hit.triangle + i] as usize, share);
    Some(SkinPoint { part, corners: [corner(0, 1.0 - u - v), corner(1, u), corner(2, v)] })
}

fn first_hit(primitive: &Primitive, positions: &[Vec3], ray: &Ray) -> Option<TriangleHit> {
    let sides = sides(positions, ray);
    let nearer = |a: TriangleHit, b: TriangleHit| if b.distance < a.distance { b } else { a };
    let chunks = primitive.indices.par_chunks(CHUNK).enumerate();
    chunks
        .filter_map(|(number, indices)| {
            let triangles = indices.chunks_exact(3).enumerate();
            let hits = triangles.filter_map(|(i, t)| {
                let [a, b, c] = [t[0], t[1], t[2]].map(|v| sides[v as usize]);
                if a & b & c != 0 {
                    return None;
                }
                let (distance, shares) = meet(ray, [t[0], t[1], t[2]].map(|v| positions[v as usize]))?;
                Some(TriangleHit { distance, shares, triangle: number * CHUNK + i * 3 })
            });
            hits.reduce(nearer)
        })
        .reduce_with(nearer)
}

/// Returns a bit mask per vertex: bits 0 to 3 are set if the vertex is right of, left of, above or below the ray; 0 for
/// non-finite positions. A ray misses a triangle whose corners all share a bit, which rejects nearly all triangles.
fn sides(positions: &[Vec3], ray: &Ray) -> Vec<u8> {
    let (right, up) = ray.direction.any_orthonormal_pair();
    let side = |position: &Vec3| {
        let from_ray = *position - ray.origin;
        let (x, y) = (from_ray.dot(right), from_ray.dot(up));
        u8::from(x > 0.0) | u8::from(x < 0.0) << 1 | u8::from(y > 0.0) << 2 | u8::from(y < 0.0) << 3
    };
    positions.par_iter().with_min_len(CHUNK).map(side).collect()
}

/// Intersects a ray with a triangle from either side; returns the distance and the barycentric coordinates of `b` and
/// `c`. *Source*: Möller and Trumbore, Fast, minimum storage ray/triangle intersection, 1997.
fn meet(ray: &Ray, [a, b, c]: [Vec3; 3]) -> Option<(f32, [f32; 2])> {
    let (ab, ac, from_a) = (b - a, c - a, ray.origin - a);
    let across = ray.direction.cross(ac);
    let inverse = ab.dot(across).recip();
    let u = from_a.dot(across) * inverse;
    if !(0.0..=1.0).contains(&u) {
        return None;
    }
    let lifted = from_a.cross(ab);
    let v = ray.direction.dot(lifted) * inverse;
    let distance = ac.dot(lifted) * inverse;
    (v >= 0.0 && u + v <= 1.0 && distance > 0.0).then_some((distance, [u, v]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangle_is_met_from_both_sides_and_not_behind_the_eye() {
        let triangle = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let ray = |z: f32, direction: Vec3| Ray { origin: Vec3::new(0.25, 0.5, z), direction };
        for (z, direction, wanted) in
            [(2.0, Vec3::NEG_Z, Some(2.0)), (-3.0, Vec3::Z, Some(3.0)), (2.0, Vec3::Z, None), (2.0, Vec3::X, None)]
        {
            let met = meet(&ray(z, direction), triangle);
            assert_eq!(met.map(|(distance, _)| distance), wanted);
            assert!(met.is_none_or(|(_, shares)| shares == [0.25, 0.5]));
        }
    }
}
