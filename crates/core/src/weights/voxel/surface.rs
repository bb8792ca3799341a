use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

use glam::{Vec2, Vec3};

use super::grid::VoxelBits;
use crate::jobs::{Progress, try_ranges};

const CHUNK: usize = 4096;

/// Margin for rounding, relative to a cell's extent.
const ROUNDING: f32 = 1e-4;

/// Returns the cells that triangles touch; a face between two cells belongs to the upper one. *Source*: separating axis
/// tests of Schwarz and Seidel 2010, *Fast parallel surface and solid voxelization on GPUs*.
pub(super) fn voxelize_surface(triangles: &[[Vec3; 3]], size: [usize; 3], progress: &Progress) -> Option<VoxelBits> {
    let mut bits = VoxelBits::none(size);
    let shared: Vec<AtomicU64> = std::mem::take(&mut bits.words).into_iter().map(AtomicU64::new).collect();
    let mark = |cell: [usize; 3]| {
        let (word, bit) = bits.place(cell);
        shared[word].fetch_or(1 << bit, Ordering::Relaxed);
    };
    try_ranges((triangles.len(), CHUNK), progress, |range| {
        for &triangle in &triangles[range] {
            triangle_cells(triangle, size, mark);
        }
        Some(())
    })?;
    bits.words = shared.into_iter().map(AtomicU64::into_inner).collect();
    Some(bits)
}

/// Returns the maximum cost of marking a triangle: the number of cells in the largest face of its bounds.
pub(super) fn cost(triangle: [Vec3; 3], size: [usize; 3]) -> u64 {
    let mut sides =
        [0, 1, 2].map(|axis| span(triangle, axis, size).map_or(0, |cells| (cells.end() - cells.start() + 1) as u64));
    sides.sort_unstable();
    sides[1] * sides[2]
}

fn triangle_cells(triangle: [Vec3; 3], size: [usize; 3], mark: impl Fn([usize; 3])) {
    let [Some(x), Some(y), Some(z)] = [0, 1, 2].map(|axis| span(triangle, axis, size)) else { return };
    if [&x, &y, &z].iter().all(|span| span.start() == span.end()) {
        return mark([*x.start(), *y.start(), *z.start()]);
    }
    let normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
    let across = normal.abs().max_position();
    let (u, v) = ((across + 1) % 3, (across + 2) % 3);
    let spans = [x, y, z];
    let outlines = [u, v, across].map(|axis| Outline::new(triangle, axis));
    for at_u in spans[u].clone() {
        for at_v in spans[v].clone() {
            let mut cell = [0; 3];
            (cell[u], cell[v]) = (at_u, at_v);
            if !outlines[2].touches(cell) {
                continue;
            }
            for at in depths(triangle[0], normal, cell, across, &spans[across]) {
                cell[across] = at;
                if outlines[0].touches(cell) && outlines[1].touches(cell) {
                    mark(cell);
                }
            }
        }
    }
}

/// Returns the range of cells in a column that a triangle's plane crosses.
fn depths(
    corner: Vec3,
    normal: Vec3,
    cell: [usize; 3],
    across: usize,
    within: &RangeInclusive<usize>,
) -> RangeInclusive<usize> {
    let (u, v) = ((across + 1) % 3, (across + 2) % 3);
    if normal[across] == 0.0 {
        return within.clone();
    }
    let slope = |axis: usize| -normal[axis] / normal[across];
    let from_corner = |axis: usize| cell[axis] as f32 + 0.5 - corner[axis];
    let middle = corner[across] + slope(u) * from_corner(u) + slope(v) * from_corner(v);
    let reach = 0.5 * (slope(u).abs() + slope(v).abs());
    let low = (middle - reach - ROUNDING * reach).floor().max(0.0) as usize;
    let high = (middle + reach + ROUNDING * reach).floor().max(0.0) as usize;
    low.max(*within.start())..=high.min(*within.end())
}

fn span(triangle: [Vec3; 3], axis: usize, size: [usize; 3]) -> Option<RangeInclusive<usize>> {
    let along = triangle.map(|corner| corner[axis]);
    let low = along.into_iter().fold(f32::INFINITY, f32::min);
    let high = along.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let last = size[axis] - 2;
    let is_inside = triangle.iter().all(|corner| corner.is_finite()) && high >= 1.0 && low < (last + 1) as f32;
    is_inside.then(|| (low.max(1.0) as usize)..=(high as usize).min(last))
}

/// A triangle projected along an axis: its edges, each with the distance within which a cell touches it.
struct Outline {
    axis: usize,
    edges: [(Vec2, f32); 3],
}

impl Outline {
    fn new(triangle: [Vec3; 3], axis: usize) -> Self {
        let flat = triangle.map(|corner| on_plane(corner, axis));
        let turn = if (flat[1] - flat[0]).perp_dot(flat[2] - flat[0]) < 0.0 { -1.0 } else { 1.0 };
        let edge = |at: usize| {
            let inwards = (flat[(at + 1) % 3] - flat[at]).perp() * turn;
            let reach = 0.5 * (inwards.x.abs() + inwards.y.abs());
            (inwards, reach * (1.0 + ROUNDING) - inwards.dot(flat[at]))
        };
        Self { axis, edges: [0, 1, 2].map(edge) }
    }

    fn touches(&self, cell: [usize; 3]) -> bool {
        let middle = on_plane(Vec3::from(cell.map(|along| along as f32)) + 0.5, self.axis);
        self.edges.iter().all(|(inwards, offset)| inwards.dot(middle) + offset >= 0.0)
    }
}

fn on_plane(point: Vec3, axis: usize) -> Vec2 {
    Vec2::new(point[(axis + 1) % 3], point[(axis + 2) % 3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::voxel::grid::middle;

    #[test]
    fn every_sample_of_a_triangle_is_in_a_marked_cell_and_every_marked_cell_is_near() {
        let triangles = [
            [Vec3::new(1.2, 1.3, 1.4), Vec3::new(17.8, 3.1, 9.0), Vec3::new(4.0, 16.6, 12.2)],
            [Vec3::new(3.0, 3.0, 3.0), Vec3::new(3.0, 12.0, 3.0), Vec3::new(3.0, 5.0, 11.0)],
            [Vec3::new(2.0, 2.5, 9.0), Vec3::new(16.0, 2.6, 9.0), Vec3::new(9.0, 2.55, 9.0)],
        ];
        for triangle in triangles {
            let bits = voxelize_surface(&[triangle], [20; 3], &Progress::default()).unwrap();
            let mut samples = Vec::new();
            for i in 0..=200_u8 {
                for j in 0..=200 - i {
                    let (s, t) = (f32::from(i) / 200.0, f32::from(j) / 200.0);
                    samples.push(triangle[0] + (triangle[1] - triangle[0]) * s + (triangle[2] - triangle[0]) * t);
                }
            }
            for sample in &samples {
                assert!(bits.has(sample.to_array().map(|along| along as usize)), "{sample} of {triangle:?}");
            }
            for cell in bits.cells() {
                let off = |sample: &Vec3| (*sample - middle(cell)).abs().max_element();
                let min_distance = samples.iter().map(off).fold(f32::INFINITY, f32::min);
                assert!(min_distance < 0.6, "{cell:?} is {min_distance} from {triangle:?}");
            }
        }
    }

    #[test]
    fn a_triangle_without_area_is_in_one_cell_and_one_that_is_not_finite_in_none() {
        let count = |triangle| voxelize_surface(&[triangle], [20; 3], &Progress::default()).unwrap().cells().count();
        assert_eq!([[Vec3::splat(5.5); 3], [Vec3::ONE, Vec3::NAN, Vec3::X]].map(count), [1, 0]);
    }

    #[test]
    fn a_wall_on_a_face_between_cells_is_one_cell_thick() {
        let wall = [Vec3::new(4.0, 2.0, 2.0), Vec3::new(4.0, 8.5, 2.0), Vec3::new(4.0, 2.0, 8.5)];
        let bits = voxelize_surface(&[wall], [10; 3], &Progress::default()).unwrap();
        assert!(bits.cells().all(|[x, ..]| x == 4) && bits.cells().count() > 20);
    }
}
