//! Compares a frame's triangles with the rest pose.

#![expect(clippy::inline_always, reason = "what is not inlined is not compiled for wider instructions")]

use glam::{Mat3, Vec3};

use crate::analysis::lanes::{LANES, Lane, Triangles, dot, lanes};

/// Flipped triangles smaller than this, relative to the area expected from their node, count as collapsed instead.
const MIN_FLIP: f32 = 1e-3;

pub(super) struct TrianglesAtRest {
    /// Unit normals divided by twice the triangle's area; 0 in lanes without a comparable triangle.
    normals: [Lane<f32>; 3],
    /// Squared lengths of `normals`: 1 over the square of twice the triangle's area.
    scales: Lane<f32>,
    nodes: Lane<u32>,
}

pub(super) struct ComparedTriangles {
    /// Squared ratio of each triangle's area to its rest area; infinite if the rest area is too small to compare.
    pub squares: Lane<f32>,
    pub flipped: Lane<bool>,
}

impl TrianglesAtRest {
    /// Each item of `triangles` is an area-scaled normal divided by its squared length, and the index of the triangle's
    /// node.
    pub(super) fn new(triangles: impl Iterator<Item = (Vec3, u32)>) -> Self {
        let (mut normals, mut nodes) = ([[0.0; LANES]; 3], [None; LANES]);
        for (lane, (normal, node)) in triangles.take(LANES).enumerate() {
            (normals[0][lane], normals[1][lane], normals[2][lane]) = normal.into();
            nodes[lane] = Some(node);
        }
        let first = nodes[0].unwrap_or(0);
        Self { scales: dot(&normals, &normals), normals, nodes: nodes.map(|node| node.unwrap_or(first)) }
    }

    #[inline(always)]
    fn turned(&self, turns: &[Mat3]) -> [Lane<f32>; 3] {
        let (first, [x, y, z]) = (self.nodes[0], &self.normals);
        if self.nodes == [first; LANES] {
            let Mat3 { x_axis: along_x, y_axis: along_y, z_axis: along_z } = turns[first as usize];
            return [
                lanes(|i| along_x.x * x[i] + along_y.x * y[i] + along_z.x * z[i]),
                lanes(|i| along_x.y * x[i] + along_y.y * y[i] + along_z.y * z[i]),
                lanes(|i| along_x.z * x[i] + along_y.z * y[i] + along_z.z * z[i]),
            ];
        }
        let mut turned = [[0.0; LANES]; 3];
        for (lane, node) in self.nodes.iter().enumerate() {
            let Vec3 { x, y, z } = turns[*node as usize] * Vec3::new(x[lane], y[lane], z[lane]);
            (turned[0][lane], turned[1][lane], turned[2][lane]) = (x, y, z);
        }
        turned
    }
}

impl ComparedTriangles {
    /// Compares triangles with the rest pose. `turns` holds each node's transform of normals.
    #[inline(always)]
    pub(super) fn new(triangles: &Triangles, at_rest: &TrianglesAtRest, turns: &[Mat3]) -> Self {
        let [x, y, z] = &triangles.normals;
        let normals = [lanes(|i| x[i] as f32), lanes(|i| y[i] as f32), lanes(|i| z[i] as f32)];
        let (expected, scales) = (at_rest.turned(turns), &at_rest.scales);
        let (squares, along, bounds) = (dot(&normals, &normals), dot(&normals, &expected), dot(&expected, &expected));
        Self {
            squares: lanes(|i| if scales[i] > 0.0 { squares[i] * scales[i] } else { f32::INFINITY }),
            flipped: lanes(|i| along[i] * scales[i] < -MIN_FLIP * bounds[i]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::array::from_fn;

    use glam::{DVec3, Quat};

    #[test]
    fn a_triangle_that_has_collapsed_is_not_turned_over() {
        let positions = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::Y];
        let triangles = Triangles::new(&[[0, 1, 2], [0, 1, 3], [0, 3, 1]], &positions, DVec3::ZERO);
        let at_rest = TrianglesAtRest::new([(Vec3::Z, 0); 3].into_iter());
        let compared = ComparedTriangles::new(&triangles, &at_rest, &[Mat3::IDENTITY]);
        assert_eq!(compared.flipped[..3], [false, false, true]);
        assert_eq!(compared.squares[..3], [0.0, 1.0, 1.0]);
    }

    #[test]
    fn a_triangle_is_turned_over_by_what_its_own_node_does() {
        let positions = [Vec3::ZERO, Vec3::Z, Vec3::X];
        let triangles = Triangles::new(&[[0, 1, 2]; LANES], &positions, DVec3::ZERO);
        let [to, away] = [-1.0, 1.0].map(|turn| Mat3::from_rotation_z(turn * std::f32::consts::FRAC_PI_2));
        let flipped = |nodes: [u32; LANES]| {
            let at_rest = TrianglesAtRest::new(nodes.map(|node| (Vec3::NEG_X, node)).into_iter());
            ComparedTriangles::new(&triangles, &at_rest, &[to, away]).flipped
        };
        assert_eq!((flipped([0; LANES]), flipped([1; LANES])), ([false; LANES], [true; LANES]));
        let nodes = from_fn(|lane| lane as u32 % 2);
        assert_eq!(flipped(nodes), nodes.map(|node| node == 1));
    }

    #[test]
    fn lanes_hold_what_each_triangle_alone_has() {
        let positions: Vec<Vec3> =
            (0..20).map(|i| Vec3::new((i as f32 * 1.7).sin(), (i as f32 * 0.9).cos(), i as f32 * 0.1)).collect();
        let corners: Vec<[u32; 3]> = (0..5).map(|i| [i, i + 7, i + 13]).collect();
        let turns = [Mat3::from_quat(Quat::from_rotation_x(0.4)), Mat3::from_quat(Quat::from_rotation_x(3.1))];
        let normal = |[a, b, c]: [u32; 3]| {
            let [a, b, c] = [a, b, c].map(|vertex| positions[vertex as usize].as_dvec3());
            (b - a).cross(c - a).as_vec3()
        };
        let triangles = Triangles::new(&corners, &positions, DVec3::ZERO);
        let rest = |i: usize| if i == 4 { Vec3::ZERO } else { normal(corners[i]) / (i + 1) as f32 };
        let at_rest = TrianglesAtRest::new((0..5).map(|i| (rest(i), i as u32 % 2)));
        let compared = ComparedTriangles::new(&triangles, &at_rest, &turns);
        for (i, &corners) in corners.iter().enumerate() {
            let (normal, scale) = (normal(corners), rest(i).length_squared());
            let square = if i == 4 { f32::INFINITY } else { normal.length_squared() * scale };
            assert_eq!(compared.squares[i], square);
            assert_eq!(compared.flipped[i], i < 4 && normal.dot(turns[i % 2] * rest(i)) < 0.0, "{i}");
        }
        assert_eq!((compared.squares[5], compared.flipped[5]), (f32::INFINITY, false));
        let of_one = TrianglesAtRest::new((0..5).map(|i| (rest(i), 1)));
        let compared = ComparedTriangles::new(&triangles, &of_one, &turns);
        for (i, &corners) in corners.iter().enumerate() {
            assert_eq!(compared.flipped[i], i < 4 && normal(corners).dot(turns[1] * rest(i)) < 0.0, "{i}");
        }
    }
}
