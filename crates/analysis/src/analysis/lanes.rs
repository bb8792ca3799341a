//! Fixed-width vectors of numbers. Loops over their lanes compile to SIMD instructions.

#![expect(clippy::inline_always, reason = "what is not inlined is not compiled for wider instructions")]

use std::ops::{Add, Mul, Sub};

use glam::{DVec3, Vec3};

pub(super) const LANES: usize = 8;

pub(super) type Lane<T> = [T; LANES];

/// Up to [`LANES`] triangles relative to a point. Unused lanes hold a degenerate triangle.
pub(super) struct Triangles {
    /// Components of the normals; the length of each normal is twice its triangle's area.
    pub normals: [Lane<f64>; 3],
    /// Six times the signed volume of the tetrahedron between each triangle and the point.
    pub six_volumes: Lane<f64>,
}

impl Triangles {
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
        let a = corner_lanes::<0>(corners, positions, about);
        let b = corner_lanes::<1>(corners, positions, about);
        let c = corner_lanes::<2>(corners, positions, about);
        let normals = cross(&minus(&b, &a), &minus(&c, &a));
        Self { six_volumes: dot(&a, &normals), normals }
    }

    /// Adds [`Self::six_volumes`] to `sums` and returns the added values. Triangles with a non-finite corner add 0.
    #[inline(always)]
    pub(super) fn add_six_volumes(&self, sums: &mut Lane<f64>) -> Lane<f64> {
        let finite = lanes(|i| if self.six_volumes[i].is_finite() { self.six_volumes[i] } else { 0.0 });
        *sums = lanes(|i| sums[i] + finite[i]);
        finite
    }
}

#[inline(always)]
fn corner_lanes<const CORNER: usize>(corners: &[[u32; 3]; LANES], positions: &[Vec3], about: DVec3) -> [Lane<f64>; 3] {
    let mut places = [[0.0_f32; LANES]; 3];
    for (lane, corners) in corners.iter().enumerate() {
        let Vec3 { x, y, z } = positions[corners[CORNER] as usize];
        (places[0][lane], places[1][lane], places[2][lane]) = (x, y, z);
    }
    [
        lanes(|i| f64::from(places[0][i]) - about.x),
        lanes(|i| f64::from(places[1][i]) - about.y),
        lanes(|i| f64::from(places[2][i]) - about.z),
    ]
}

/// Calls `number` for each lane. Three times faster than `array::from_fn` and `array::map`, which may not be inlined.
#[inline(always)]
pub(super) fn lanes<T: Copy + Default>(number: impl Fn(usize) -> T) -> Lane<T> {
    let mut lanes = [T::default(); LANES];
    for (lane, place) in lanes.iter_mut().enumerate() {
        *place = number(lane);
    }
    lanes
}

pub(super) trait Number: Copy + Default + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {}

impl Number for f32 {}
impl Number for f64 {}

#[inline(always)]
pub(super) fn minus<T: Number>(a: &[Lane<T>; 3], b: &[Lane<T>; 3]) -> [Lane<T>; 3] {
    [lanes(|i| a[0][i] - b[0][i]), lanes(|i| a[1][i] - b[1][i]), lanes(|i| a[2][i] - b[2][i])]
}

#[inline(always)]
pub(super) fn cross<T: Number>(a: &[Lane<T>; 3], b: &[Lane<T>; 3]) -> [Lane<T>; 3] {
    [
        lanes(|i| a[1][i] * b[2][i] - b[1][i] * a[2][i]),
        lanes(|i| a[2][i] * b[0][i] - b[2][i] * a[0][i]),
        lanes(|i| a[0][i] * b[1][i] - b[0][i] * a[1][i]),
    ]
}

#[inline(always)]
pub(super) fn dot<T: Number>(a: &[Lane<T>; 3], b: &[Lane<T>; 3]) -> Lane<T> {
    lanes(|i| a[0][i] * b[0][i] + a[1][i] * b[1][i] + a[2][i] * b[2][i])
}

/// Sums the lanes in a fixed order.
#[inline(always)]
pub(super) fn sum(lanes: &Lane<f64>) -> f64 {
    let [a, b, c, d, e, f, g, h] = *lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
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
