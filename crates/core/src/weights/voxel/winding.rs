use glam::{DVec2, DVec3, Vec3};
use rayon::prelude::*;

use super::grid::VoxelBits;
use crate::jobs::{Progress, try_ranges};

const CHUNK: usize = 4096;

/// Minimum number of the six directions that must vote inside. A hole falsifies some votes; an open tube leaves four of
/// them correct.
const MAJORITY: u8 = 4;

/// Finds the cells inside a body by winding numbers along six directions. A direction votes inside if the signs of the
/// crossings before the cell's centre do not sum to 0. Components may be nested or inside out.
pub(super) fn inside(triangles: &[[Vec3; 3]], size: [usize; 3], progress: &Progress) -> Option<VoxelBits> {
    let mut inside = VoxelBits::none(size);
    let width = inside.words_per_row * 64;
    let mut votes = vec![0_u8; width * size[1] * size[2]];
    let strides = [1, width, width * size[1]];
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for column in crossings(triangles, size, axis, progress)?.chunk_by(|a, b| a.column == b.column) {
            progress.check_cancelled()?;
            let column_at = column[0].column as usize;
            let first = column_at % size[u] * strides[u] + column_at / size[u] * strides[v];
            vote(column, size[axis], |at, sides| votes[first + at * strides[axis]] += sides);
        }
    }
    for (word, votes) in inside.words.iter_mut().zip(votes.as_chunks::<64>().0) {
        *word = (0..64).fold(0, |word, bit| word | u64::from(votes[bit] >= MAJORITY) << bit);
    }
    Some(inside)
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Crossing {
    column: u32,
    /// First cell whose centre is at or beyond the crossing.
    cell: u16,
    /// 1 or -1, depending on which way the triangle faces.
    sign: i8,
}

/// Calls `count` with each cell that is inside as seen from at least one end of the column, and the number of such
/// ends, 1 or 2.
fn vote(column: &[Crossing], cells: usize, mut count: impl FnMut(usize, u8)) {
    let all: i32 = column.iter().map(|crossing| i32::from(crossing.sign)).sum();
    let mut passed = 0;
    let mut from = 0;
    let end = Crossing { cell: cells as u16, sign: 0, ..column[0] };
    for crossing in column.iter().chain([&end]) {
        let sides = u8::from(passed != 0) + u8::from(all != passed);
        if sides > 0 {
            (from..usize::from(crossing.cell)).for_each(|cell| count(cell, sides));
        }
        from = usize::from(crossing.cell);
        passed += i32::from(crossing.sign);
    }
}

fn crossings(triangles: &[[Vec3; 3]], size: [usize; 3], axis: usize, progress: &Progress) -> Option<Vec<Crossing>> {
    let chunks = try_ranges((triangles.len(), CHUNK), progress, |range| {
        let mut crossings = Vec::new();
        for triangle in &triangles[range] {
            triangle_crossings(triangle.map(Vec3::as_dvec3), size, axis, &mut crossings);
        }
        Some(crossings)
    })?;
    let mut crossings = chunks.concat();
    crossings.par_sort_unstable();
    Some(crossings)
}

fn triangle_crossings(triangle: [DVec3; 3], size: [usize; 3], axis: usize, crossings: &mut Vec<Crossing>) {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let flat = triangle.map(|corner| DVec2::new(corner[u], corner[v]));
    let area = (flat[1] - flat[0]).perp_dot(flat[2] - flat[0]);
    if area == 0.0 || !area.is_finite() {
        return;
    }
    let low = flat[0].min(flat[1]).min(flat[2]);
    let high = flat[0].max(flat[1]).max(flat[2]);
    let span = |low: f64, high: f64, cells: usize| {
        (low - 0.5).ceil().clamp(0.0, cells as f64) as usize
            ..((high - 0.5).floor() + 1.0).clamp(0.0, cells as f64) as usize
    };
    for at_v in span(low.y, high.y, size[v]) {
        for at_u in span(low.x, high.x, size[u]) {
            let point = DVec2::new(at_u as f64, at_v as f64) + 0.5;
            let beside = [0, 1, 2].map(|edge| side(flat[(edge + 1) % 3], flat[(edge + 2) % 3], point));
            if beside.iter().any(|(is_left, _)| *is_left != (area > 0.0)) {
                continue;
            }
            let sum: f64 = beside.iter().map(|(_, amount)| amount).sum();
            let depth: f64 = (0..3).map(|corner| triangle[corner][axis] * (beside[corner].1 / sum)).sum();
            let cell = (depth - 0.5).ceil().clamp(0.0, size[axis] as f64) as u16;
            let column = (at_v * size[u] + at_u) as u32;
            crossings.push(Crossing { column, cell, sign: if area > 0.0 { 1 } else { -1 } });
        }
    }
}

/// Returns whether a point is left of an edge, and twice the signed area of the triangle that they form. The two
/// triangles at an edge get opposite areas, so that a point belongs to exactly one of them.
fn side(from: DVec2, to: DVec2, point: DVec2) -> (bool, f64) {
    let is_forward = (from.x, from.y) < (to.x, to.y);
    let (a, b) = if is_forward { (from, to) } else { (to, from) };
    let amount = (b - a).perp_dot(point - a);
    ((amount >= 0.0) == is_forward, if is_forward { amount } else { -amount })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuboid(low: Vec3, high: Vec3) -> Vec<[Vec3; 3]> {
        let corner = |at: u8| {
            let pick = |axis: usize| if at >> axis & 1 == 1 { high[axis] } else { low[axis] };
            Vec3::new(pick(0), pick(1), pick(2))
        };
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        faces.iter().flat_map(|f| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]]).map(|t| t.map(corner)).collect()
    }

    fn count(triangles: &[[Vec3; 3]]) -> usize {
        inside(triangles, [20; 3], &Progress::default()).unwrap().cells().count()
    }

    #[test]
    fn boxes_are_full_whichever_way_they_look_and_however_they_lie_in_each_other() {
        let solid = cuboid(Vec3::splat(4.0), Vec3::splat(14.0));
        assert_eq!(count(&solid), 1000);
        let inside_out: Vec<_> = solid.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
        assert_eq!(count(&inside_out), 1000);
        let second = cuboid(Vec3::splat(6.0), Vec3::splat(16.0));
        assert_eq!(count(&[solid.clone(), second].concat()), 1000 + 1000 - 512);
    }

    #[test]
    fn a_side_may_be_open_and_so_may_two_that_face_each_other() {
        let solid = cuboid(Vec3::splat(4.0), Vec3::splat(14.0));
        assert_eq!(count(&solid[2..]), 1000);
        assert_eq!(count(&solid[4..]), 1000, "a tube");
        assert_eq!(count(&solid[..2]), 0, "a single wall has no inside");
    }
}
