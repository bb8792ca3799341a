//! Several numbers side by side, one in each lane: loops over lanes become instructions that do two, four or eight at once.

#![expect(clippy::inline_always, reason = "what is not inlined is not compiled for wider instructions")]

use std::array::from_fn;
use std::ops::{Add, Mul, Sub};

use glam::{DVec3, Vec3};

/// Number of lanes.
pub(super) const LANES: usize = 8;

/// A number in each lane.
pub(super) type Lane<T> = [T; LANES];

/// Up to [`LANES`] triangles, seen from a point. Lanes without a triangle hold one that has collapsed.
pub(super) struct Triangles {
    /// Components of the normals, which are as long as twice the areas.
    pub normals: [Lane<f64>; 3],
    /// Six times the volumes between the triangles and the point.
    pub six_volumes: Lane<f64>,
}

impl Triangles {
    /// Triangles by their corners, positions of the vertices, and the point.
    #[inline(always)]
    pub(super) fn new(corners: &[[u32; 3]], positions: &[Vec3], about: DVec3) -> Self {
        if let Ok(corners) = corners.try_into() {
            return Self::whole(corners, positions, about);
        }
        let mut whole = [[corners.first().map_or(0, |corners| corners[0]); 3]; LANES];
        whole.iter_mut().zip(corners).for_each(|(lane, corners)| *lane = *corners);
        Self::whole(&whole, positions, about)
    }

    #[inline(always)]
    fn whole(corners: &[[u32; 3]; LANES], positions: &[Vec3], about: DVec3) -> Self {
        let mut places = [[[0.0_f32; LANES]; 3]; 3];
        for (lane, corners) in corners.iter().enumerate() {
            for (place, vertex) in places.iter_mut().zip(corners) {
                (place[0][lane], place[1][lane], place[2][lane]) = positions[*vertex as usize].into();
            }
        }
        let about = about.to_array();
        let [a, b, c] = places.map(|place| from_fn(|axis| place[axis].map(|number| f64::from(number) - about[axis])));
        let normals = cross(&minus(&b, &a), &minus(&c, &a));
        Self { six_volumes: dot(&a, &normals), normals }
    }

    /// Adds [`Self::six_volumes`] to sums. Returns what was added: 0 for triangles with a corner that is not finite.
    #[inline(always)]
    pub(super) fn add_six_volumes(&self, sums: &mut Lane<f64>) -> Lane<f64> {
        let finite = self.six_volumes.map(|number| if number.is_finite() { number } else { 0.0 });
        *sums = from_fn(|i| sums[i] + finite[i]);
        finite
    }
}

/// Differences of the components of vectors.
#[inline(always)]
pub(super) fn minus<T: Copy + Sub<Output = T>>(a: &[Lane<T>; 3], b: &[Lane<T>; 3]) -> [Lane<T>; 3] {
    from_fn(|axis| from_fn(|i| a[axis][i] - b[axis][i]))
}

/// Cross products.
#[inline(always)]
pub(super) fn cross<T: Copy + Mul<Output = T> + Sub<Output = T>>(a: &[Lane<T>; 3], b: &[Lane<T>; 3]) -> [Lane<T>; 3] {
    [[1, 2], [2, 0], [0, 1]].map(|[j, k]| from_fn(|i| a[j][i] * b[k][i] - b[j][i] * a[k][i]))
}

/// Dot products.
#[inline(always)]
pub(super) fn dot<T: Copy + Mul<Output = T> + Add<Output = T>>(a: &[Lane<T>; 3], b: &[Lane<T>; 3]) -> Lane<T> {
    from_fn(|i| a[0][i] * b[0][i] + a[1][i] * b[1][i] + a[2][i] * b[2][i])
}

/// Sum over the lanes, always in the same order.
#[inline(always)]
pub(super) fn sum(lanes: &Lane<f64>) -> f64 {
    let halves: [f64; LANES / 2] = from_fn(|i| lanes[i] + lanes[i + LANES / 2]);
    (halves[0] + halves[2]) + (halves[1] + halves[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_hold_what_each_triangle_alone_has() {
        let positions: Vec<Vec3> =
            (0..20).map(|i| Vec3::new((i as f32 * 1.7).sin(), (i as f32 * 0.9).cos(), i as f32 * 0.1)).collect();
        let about = DVec3::new(0.3, -0.2, 0.7);
        let corners: Vec<[u32; 3]> = (0..5).map(|i| [i, i + 7, i + 13]).collect();
        let triangles = Triangles::new(&corners, &positions, about);
        for (i, corners) in corners.iter().enumerate() {
            let [a, b, c] = corners.map(|vertex| positions[vertex as usize].as_dvec3() - about);
            let normal = (b - a).cross(c - a);
            assert_eq!((triangles.six_volumes[i], triangles.normals.map(|n| n[i])), (a.dot(normal), normal.to_array()));
        }
        assert_eq!(triangles.six_volumes[5..], [0.0; 3]);
    }

    #[test]
    fn triangles_that_are_not_finite_add_nothing() {
        let positions = [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(f32::NAN, 0.0, 0.0)];
        let triangles = Triangles::new(&[[0, 1, 2], [0, 1, 3], [3, 3, 3], [0, 2, 1]], &positions, DVec3::ZERO);
        let mut sums = [1.0; LANES];
        assert_eq!(triangles.add_six_volumes(&mut sums)[..4], [1.0, 0.0, 0.0, -1.0]);
        assert_eq!(sums, [2.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
        assert_eq!(sum(&sums), 8.0);
    }
}
