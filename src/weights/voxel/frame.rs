//! Placement of the grid: conversion from metres to cells.

use glam::{DVec3, Vec3};

/// Empty cells around everything, so that every used cell has 26 neighbours and the air around is connected.
const BORDER: f64 = 1.0;

/// Position and size of the cells. Grid coordinates are in cells, from the grid's corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::weights) struct Frame {
    origin: DVec3,
    /// Side of a cell, metres.
    pub cell: f64,
    /// Number of cells along each axis, including the border.
    pub size: [usize; 3],
}

impl Frame {
    /// A grid centred on a box.
    pub(crate) fn new([low, high]: [DVec3; 2], cell: f64) -> Self {
        // A little more, for points that rounding moves across the last face.
        let inside = ((high - low) / cell + 1e-3).floor() + 1.0;
        let size = inside + 2.0 * BORDER;
        let origin = (low + high) / 2.0 - size * cell / 2.0;
        Self { origin, cell, size: size.to_array().map(|cells| cells as usize) }
    }

    /// Converts skin space to grid coordinates; not finite where the point is not.
    pub(crate) fn to_grid(self, point: Vec3) -> Vec3 {
        ((point.as_dvec3() - self.origin) / self.cell).as_vec3()
    }

    /// The cell that contains a point of the grid; `None` in the border and beyond.
    pub(crate) fn cell_at(self, point: Vec3) -> Option<[u16; 3]> {
        let is_inside = |axis: usize| point[axis] >= 1.0 && (point[axis] as usize) < self.size[axis] - 1;
        (0..3).all(is_inside).then(|| point.to_array().map(|along| along as u16))
    }
}

/// Middle of a cell, in grid coordinates.
pub(super) fn middle(cell: [u16; 3]) -> Vec3 {
    Vec3::from(cell.map(f32::from)) + 0.5
}
