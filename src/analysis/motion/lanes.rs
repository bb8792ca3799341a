//! Several triangles side by side, a number of each in a lane: loops over lanes become instructions that do two or four at once.

#![expect(clippy::inline_always, reason = "what is not inlined is not compiled for wider instructions")]

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

/// Up to [`LANES`] triangles at rest.
pub(super) struct TrianglesAtRest {
    /// Components of the normals, as long as twice the areas, over the squares of those; 0 in lanes without a triangle that can be compared.
    normals: [Lane<f32>; 3],
    /// Over the squares of twice the areas.
    scales: Lane<f32>,
    /// Number of the node that each triangle follows.
    nodes: Lane<u32>,
}

/// Triangles beside themselves at rest.
pub(super) struct Compared {
    /// Square of the share of its area at rest that each has; infinite where it had none.
    pub squares: Lane<f32>,
    /// True for those that are turned over.
    pub flipped: Lane<bool>,
}

impl TrianglesAtRest {
    /// Triangles by their normals, as long as twice their areas, over the squares of those, and by the number of the node that each follows.
    pub(super) fn new(triangles: impl Iterator<Item = (Vec3, u32)>) -> Self {
        let (mut normals, mut nodes) = ([[0.0; LANES]; 3], [None; LANES]);
        for (lane, (normal, node)) in triangles.take(LANES).enumerate() {
            (normals[0][lane], normals[1][lane], normals[2][lane]) = normal.into();
            nodes[lane] = Some(node);
        }
        let first = nodes[0].unwrap_or(0);
        Self { scales: dot(&normals, &normals), normals, nodes: nodes.map(|node| node.unwrap_or(first)) }
    }

    /// What the nodes do to the normals, of which they do `turns`.
    #[inline(always)]
    fn turned(&self, turns: &[Mat3]) -> [Lane<f32>; 3] {
        let first = self.nodes[0];
        if self.nodes == [first; LANES] {
            let turn = turns[first as usize].to_cols_array();
            return from_fn(|row| dot(&from_fn(|column| [turn[row + 3 * column]; LANES]), &self.normals));
        }
        let mut of_lanes = [[0.0; LANES]; 9];
        for (lane, node) in self.nodes.iter().enumerate() {
            let turn = turns[*node as usize].to_cols_array();
            of_lanes.iter_mut().zip(turn).for_each(|(numbers, number)| numbers[lane] = number);
        }
        from_fn(|row| dot(&[of_lanes[row], of_lanes[row + 3], of_lanes[row + 6]], &self.normals))
    }
}

impl Triangles {
    #[inline(always)]
    pub(super) fn new(corners: &[[u32; 3]], positions: &[DVec3]) -> Self {
        if let Ok(corners) = corners.try_into() {
            return Self::whole(corners, positions);
        }
        let mut whole = [[corners.first().map_or(0, |corners| corners[0]); 3]; LANES];
        whole.iter_mut().zip(corners).for_each(|(lane, corners)| *lane = *corners);
        Self::whole(&whole, positions)
    }

    #[inline(always)]
    fn whole(corners: &[[u32; 3]; LANES], positions: &[DVec3]) -> Self {
        let mut places = [[[0.0; LANES]; 3]; 3];
        for (lane, corners) in corners.iter().enumerate() {
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

    /// Compares the triangles with themselves at rest; `turns` are what nodes do to normals.
    #[inline(always)]
    pub(super) fn beside(&self, at_rest: &TrianglesAtRest, turns: &[Mat3]) -> Compared {
        let normals = self.normals.map(|numbers| numbers.map(|number| number as f32));
        let (expected, scales) = (at_rest.turned(turns), &at_rest.scales);
        let (squares, along, bounds) = (dot(&normals, &normals), dot(&normals, &expected), dot(&expected, &expected));
        Compared {
            squares: from_fn(|i| if scales[i] > 0.0 { squares[i] * scales[i] } else { f32::INFINITY }),
            flipped: from_fn(|i| along[i] * scales[i] < -LEAST_FLIP * bounds[i]),
        }
    }
}

#[inline(always)]
fn minus<T: Copy + Sub<Output = T>>(a: &[Lane<T>; 3], b: &[Lane<T>; 3]) -> [Lane<T>; 3] {
    from_fn(|axis| from_fn(|i| a[axis][i] - b[axis][i]))
}

#[inline(always)]
fn cross<T: Copy + Mul<Output = T> + Sub<Output = T>>(a: &[Lane<T>; 3], b: &[Lane<T>; 3]) -> [Lane<T>; 3] {
    [[1, 2], [2, 0], [0, 1]].map(|[j, k]| from_fn(|i| a[j][i] * b[k][i] - b[j][i] * a[k][i]))
}

#[inline(always)]
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
        let at_rest = TrianglesAtRest::new([(Vec3::Z, 0); 3].into_iter());
        let compared = triangles.beside(&at_rest, &[Mat3::IDENTITY]);
        assert_eq!(compared.flipped[..3], [false, false, true]);
        assert_eq!(compared.squares[..3], [0.0, 1.0, 1.0]);
    }

    #[test]
    fn a_triangle_is_turned_over_by_what_its_own_node_does() {
        let positions = [DVec3::ZERO, DVec3::Z, DVec3::X];
        let triangles = Triangles::new(&[[0, 1, 2]; LANES], &positions);
        let [to, away] = [-1.0, 1.0].map(|turn| Mat3::from_rotation_z(turn * std::f32::consts::FRAC_PI_2));
        let flipped = |nodes: [u32; LANES]| {
            let at_rest = TrianglesAtRest::new(nodes.map(|node| (Vec3::NEG_X, node)).into_iter());
            triangles.beside(&at_rest, &[to, away]).flipped
        };
        assert_eq!((flipped([0; LANES]), flipped([1; LANES])), ([false; LANES], [true; LANES]));
        let nodes = from_fn(|lane| lane as u32 % 2);
        assert_eq!(flipped(nodes), nodes.map(|node| node == 1));
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
        let at_rest = TrianglesAtRest::new((0..5).map(|i| (rest(i), i as u32 % 2)));
        let compared = triangles.beside(&at_rest, &turns);
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
        let of_one = TrianglesAtRest::new((0..5).map(|i| (rest(i), 1)));
        let compared = triangles.beside(&of_one, &turns);
        for (i, &corners) in corners.iter().enumerate() {
            let flips = normal(corners).0.as_vec3().dot(turns[1] * rest(i)) < 0.0;
            assert_eq!(compared.flipped[i], i < 4 && flips, "{i}");
        }
    }
}
