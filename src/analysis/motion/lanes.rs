//! Several triangles side by side, a number of each in a lane: loops over lanes become instructions that do two or four at once.

use std::array::from_fn;
use std::ops::{Add, Mul, Sub};

use glam::{DVec3, Mat3, Vec3};

/// Number of triangles side by side.
pub(super) const LANES: usize = 8;

/// A number of each triangle.
type Lane<T> = [T; LANES];

/// Share of its area by which a triangle must be turned over: one that has collapsed is neither.
const LEAST_FLIP: f32 = 1e-3;

/// Up to [`LANES`] triangles. Lanes without a triangle hold a point.
pub(super) struct Triangles {
    /// Components of the normals, which are as long as twice the areas.
    normals: [Lane<f64>; 3],
    /// Volumes between the triangles and the point from which their corners are seen, as in [`crate::analysis::measure::Size`] to the bit.
    pub volumes: Lane<f64>,
}

/// Triangles beside themselves at rest.
pub(super) struct Compared {
    /// Square of the share of its area at rest that each has; infinite where it had none.
    pub squares: Lane<f32>,
    /// True for those that are turned over.
    pub flipped: Lane<bool>,
}

impl Triangles {
    pub(super) fn new(corners: &[[u32; 3]], positions: &[DVec3]) -> Self {
        let mut places = [[[0.0; LANES]; 3]; 3];
        for (lane, corners) in corners.iter().take(LANES).enumerate() {
            for (place, vertex) in places.iter_mut().zip(corners) {
                let DVec3 { x, y, z } = positions[*vertex as usize];
                (place[0][lane], place[1][lane], place[2][lane]) = (x, y, z);
            }
        }
        let [a, b, c] = &places;
        let normals = cross(&minus(b, a), &minus(c, a));
        let volumes = dot(a, &normals).map(|product| product / 6.0);
        Self { normals, volumes }
    }

    /// Compares the triangles with themselves at rest.
    ///
    /// *Shapes*: `at_rest` has for each triangle its normal at rest, as long as twice its area, over the square of that, and what the node that it follows does to it.
    pub(super) fn beside<'a>(&self, at_rest: impl Iterator<Item = (Vec3, &'a Mat3)>) -> Compared {
        let (mut rest, mut turns) = ([[0.0; LANES]; 3], [[0.0; LANES]; 9]);
        for (lane, (normal, turn)) in at_rest.take(LANES).enumerate() {
            (rest[0][lane], rest[1][lane], rest[2][lane]) = normal.into();
            turns.iter_mut().zip(turn.as_ref()).for_each(|(numbers, number)| numbers[lane] = *number);
        }
        let normals = self.normals.map(|numbers| numbers.map(|number| number as f32));
        let expected = [0, 1, 2].map(|row| dot(&[turns[row], turns[row + 3], turns[row + 6]], &rest));
        // Over twice the area, squared.
        let scales = dot(&rest, &rest);
        let (squares, along, bounds) = (dot(&normals, &normals), dot(&normals, &expected), dot(&expected, &expected));
        Compared {
            squares: from_fn(|i| if scales[i] > 0.0 { squares[i] * scales[i] } else { f32::INFINITY }),
            flipped: from_fn(|i| along[i] * scales[i] < -LEAST_FLIP * bounds[i]),
        }
    }
}

fn minus<T: Copy + Sub<Output = T>>(a: &[Lane<T>; 3], b: &[Lane<T>; 3]) -> [Lane<T>; 3] {
    from_fn(|axis| from_fn(|i| a[axis][i] - b[axis][i]))
}

fn cross<T: Copy + Mul<Output = T> + Sub<Output = T>>(a: &[Lane<T>; 3], b: &[Lane<T>; 3]) -> [Lane<T>; 3] {
    [[1, 2], [2, 0], [0, 1]].map(|[j, k]| from_fn(|i| a[j][i] * b[k][i] - b[j][i] * a[k][i]))
}

fn dot<T: Copy + Mul<Output = T> + Add<Output = T>>(a: &[Lane<T>; 3], b: &[Lane<T>; 3]) -> Lane<T> {
    from_fn(|i| a[0][i] * b[0][i] + a[1][i] * b[1][i] + a[2][i] * b[2][i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn a_triangle_that_has_collapsed_is_not_turned_over() {
        let positions = [DVec3::ZERO, DVec3::X, DVec3::X * 2.0, DVec3::Y];
        let triangles = Triangles::new(&[[0, 1, 2], [0, 1, 3], [0, 3, 1]], &positions);
        let compared = triangles.beside([(Vec3::Z, &Mat3::IDENTITY); 3].into_iter());
        assert_eq!(compared.flipped[..3], [false, false, true]);
        assert_eq!(compared.squares[..3], [0.0, 1.0, 1.0]);
    }

    #[test]
    fn lanes_hold_what_each_triangle_alone_has() {
        let positions: Vec<DVec3> = (0..20)
            .map(|i| DVec3::new((f64::from(i) * 1.7).sin(), (f64::from(i) * 0.9).cos(), f64::from(i) * 0.1))
            .collect();
        let corners: Vec<[u32; 3]> = (0..5).map(|i| [i, i + 7, i + 13]).collect();
        let turns = [Mat3::from_quat(Quat::from_rotation_x(0.4)), Mat3::from_quat(Quat::from_rotation_x(3.1))];
        let normal = |[a, b, c]: [u32; 3]| {
            let [a, b, c] = [a, b, c].map(|vertex| positions[vertex as usize]);
            ((b - a).cross(c - a), a.dot((b - a).cross(c - a)) / 6.0)
        };
        let triangles = Triangles::new(&corners, &positions);
        let rest = |i: usize| if i == 4 { Vec3::ZERO } else { normal(corners[i]).0.as_vec3() / (i + 1) as f32 };
        let compared = triangles.beside((0..5).map(|i| (rest(i), &turns[i % 2])));
        for (i, &corners) in corners.iter().enumerate() {
            let (normal, volume) = normal(corners);
            assert_eq!((triangles.volumes[i], triangles.normals.map(|n| n[i])), (volume, normal.to_array()));
            let (normal, scale) = (normal.as_vec3(), rest(i).length_squared());
            let square = if i == 4 { f32::INFINITY } else { normal.length_squared() * scale };
            assert_eq!(compared.squares[i], square);
            assert_eq!(compared.flipped[i], i < 4 && normal.dot(turns[i % 2] * rest(i)) < 0.0, "{i}");
        }
        assert_eq!(triangles.volumes[5..], [0.0; 3]);
        assert_eq!((compared.squares[5], compared.flipped[5]), (f32::INFINITY, false));
    }
}
