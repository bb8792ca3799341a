//! The grid: conversion from metres to cells, and bit sets of cells.

use glam::{DVec3, Vec3};

/// Width of the empty border, in cells. With a border, used cells always have 26 neighbours, and the outside is
/// connected.
const BORDER: f64 = 1.0;

/// Position and size of the grid. Grid coordinates are in cells, from the grid's corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::weights) struct VoxelGrid {
    origin: DVec3,
    /// Edge length of a cell, metres.
    pub cell: f64,
    /// Cells along each axis, including the border.
    pub size: [usize; 3],
}

impl VoxelGrid {
    pub(crate) fn new([low, high]: [DVec3; 2], cell: f64) -> Self {
        // The margin is for points that rounding moves across the last face.
        let inside = ((high - low) / cell + 1e-3).floor() + 1.0;
        let size = inside + 2.0 * BORDER;
        let origin = (low + high) / 2.0 - size * cell / 2.0;
        Self { origin, cell, size: size.to_array().map(|cells| cells as usize) }
    }

    /// Converts a point from skin space to grid coordinates; not finite if the point isn't.
    pub(crate) fn to_grid(self, point: Vec3) -> Vec3 {
        ((point.as_dvec3() - self.origin) / self.cell).as_vec3()
    }

    /// Returns the cell that contains a point; `None` in the border and beyond.
    pub(crate) fn cell_at(self, point: Vec3) -> Option<[u16; 3]> {
        let is_inside = |axis: usize| point[axis] >= 1.0 && (point[axis] as usize) < self.size[axis] - 1;
        (0..3).all(is_inside).then(|| point.to_array().map(|along| along as u16))
    }
}

pub(super) fn middle(cell: [u16; 3]) -> Vec3 {
    Vec3::from(cell.map(f32::from)) + 0.5
}

/// A set of cells. Each row along x starts a new word.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::weights) struct VoxelBits {
    pub words: Vec<u64>,
    pub size: [usize; 3],
    pub words_per_row: usize,
}

impl VoxelBits {
    pub(crate) fn none(size: [usize; 3]) -> Self {
        let words_per_row = size[0].div_ceil(64);
        Self { words: vec![0; words_per_row * size[1] * size[2]], size, words_per_row }
    }

    pub(crate) fn place(&self, [x, y, z]: [usize; 3]) -> (usize, u32) {
        (self.row(y, z) + x / 64, (x % 64) as u32)
    }

    pub(crate) fn row(&self, y: usize, z: usize) -> usize {
        (z * self.size[1] + y) * self.words_per_row
    }

    pub(crate) fn has(&self, cell: [usize; 3]) -> bool {
        let (word, bit) = self.place(cell);
        self.words[word] >> bit & 1 == 1
    }

    pub(crate) fn insert(&mut self, cell: [usize; 3]) {
        let (word, bit) = self.place(cell);
        self.words[word] |= 1 << bit;
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = [u16; 3]> + '_ {
        self.words.iter().enumerate().flat_map(move |(at, &word)| {
            let (row, first) = (at / self.words_per_row, at % self.words_per_row * 64);
            let (y, z) = (row % self.size[1], row / self.size[1]);
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some([first + bit, y, z].map(|along| along as u16))
            })
        })
    }

    /// Returns the cell whose centre is nearest to a point, by searching rings of rows.
    pub(crate) fn nearest(&self, point: Vec3) -> Option<[u16; 3]> {
        let size = self.size.map(|cells| i64::from(cells as u32));
        let [x, y, z]: [i64; 3] = std::array::from_fn(|axis| (point[axis].max(0.0) as i64).min(size[axis] - 1));
        let mut best: Option<([u16; 3], f32)> = None;
        let rings = size[1].max(size[2]);
        for ring in 0..rings {
            // The remaining rings are at least `ring - 1` cells from the point, even if the point is beyond the grid.
            if best.is_some_and(|(_, distance)| distance < (ring - 1).max(0) as f32) {
                break;
            }
            for (dy, dz) in ring_around(ring) {
                let (y, z) = (y + dy, z + dz);
                let is_inside = (0..size[1]).contains(&y) && (0..size[2]).contains(&z);
                let found = if is_inside { self.nearest_in_row(x as usize, y as usize, z as usize) } else { None };
                if let Some(cell) = found {
                    let distance = middle(cell).distance(point);
                    if best.is_none_or(|(_, min_distance)| distance < min_distance) {
                        best = Some((cell, distance));
                    }
                }
            }
        }
        best.map(|(cell, _)| cell)
    }

    fn nearest_in_row(&self, x: usize, y: usize, z: usize) -> Option<[u16; 3]> {
        let row = &self.words[self.row(y, z)..][..self.words_per_row];
        let (word, bit) = (x / 64, x % 64);
        let at_or_above = std::iter::once(row[word] >> bit << bit).chain(row[word + 1..].iter().copied());
        let above = (word..).zip(at_or_above).find(|(_, w)| *w != 0);
        let above = above.map(|(at, w)| at * 64 + w.trailing_zeros() as usize);
        let below = row[word] & ((1_u64 << bit) - 1);
        let below = (0..=word).rev().zip(std::iter::once(below).chain(row[..word].iter().rev().copied()));
        let below = { below }.find(|(_, w)| *w != 0).map(|(at, w)| at * 64 + 63 - w.leading_zeros() as usize);
        let nearest = below.into_iter().chain(above).min_by_key(|found| found.abs_diff(x))?;
        Some([nearest, y, z].map(|along| along as u16))
    }
}

/// Returns the offsets in a plane at Chebyshev distance `ring`.
fn ring_around(ring: i64) -> impl Iterator<Item = (i64, i64)> {
    let sides = (-ring..=ring).flat_map(move |a| [(a, -ring), (a, ring)]);
    let between = (1 - ring..ring).flat_map(move |b| [(-ring, b), (ring, b)]);
    sides.chain(between).take(if ring == 0 { 1 } else { usize::MAX })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_of_scattered_cells_is_found_from_anywhere() {
        let size = [150, 20, 30];
        let mut bits = VoxelBits::none(size);
        let mut seed = 7_usize;
        let mut next = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..40 {
            bits.insert([next(150), next(20), next(30)]);
        }
        assert!(bits.cells().all(|cell| bits.has(cell.map(usize::from))));
        for _ in 0..300 {
            let point = Vec3::new(next(400) as f32 - 100.0, next(60) as f32 - 20.0, next(60) as f32 - 20.0);
            let min_distance = bits.cells().map(|cell| middle(cell).distance(point)).fold(f32::INFINITY, f32::min);
            assert_eq!(middle(bits.nearest(point).unwrap()).distance(point), min_distance, "{point}");
        }
        assert_eq!(VoxelBits::none(size).nearest(Vec3::ONE), None);
    }
}
