//! Naive surface nets on a warped grid: one vertex per grid cell and one quad per grid edge that the surface crosses.
//! The vertices are then projected onto the surface.
//!
//! *Source*: Gibson 1998, "Constrained elastic surface nets", simplified by leaving out the relaxation.

use glam::DVec3;

use super::math::{length, v};
use super::mesh::{Mesh, Paint};
use super::sdf::gradient;

/// A grid: positions of its planes along three axes, and the mapping of its coordinates to model space.
pub struct Grid<'a> {
    /// Positions of the planes along each axis, ascending.
    pub planes: [Vec<f64>; 3],
    /// Maps grid coordinates to model space (metres). Must preserve the orientation.
    pub warp: &'a dyn Fn(DVec3) -> DVec3,
    /// True for half a shape: the first column of cells is centred on x = 0, and its vertices stay on that plane.
    pub is_half: bool,
}

/// Returns plane positions from `low`. `runs` are pairs of an upper end and the maximum step up to it.
pub fn planes(low: f64, runs: &[(f64, f64)]) -> Vec<f64> {
    let mut planes = vec![low];
    let mut at = low;
    for &(end, step) in runs {
        let count = ((end - at) / step - 1e-9).ceil().max(1.0) as usize;
        let begin = at;
        for i in 1..=count {
            at = begin + (end - begin) * i as f64 / count as f64;
            planes.push(at);
        }
    }
    planes
}

/// Like [`planes`], for the axis across the mirror plane. The first cell is centred on 0.
pub fn half_planes(runs: &[(f64, f64)]) -> Vec<f64> {
    let half = runs[0].1 * 0.5;
    let mut planes = planes(half, runs);
    planes.insert(0, -half);
    planes
}

/// Returns the surface on which `field` is zero. It is closed or, on a half grid, open only at the mirror plane.
pub fn surface_nets(grid: &Grid<'_>, field: &dyn Fn(DVec3) -> f64, paint: Paint) -> Mesh {
    let samples = Samples::new(grid, field);
    let mut mesh = Mesh::default();
    let mut vertex_of_cell = vec![usize::MAX; samples.values.len()];
    for cell in samples.cells() {
        let Some(at) = samples.crossing(cell) else {
            continue;
        };
        vertex_of_cell[samples.index(cell)] = mesh.positions.len();
        let on_plane = grid.is_half && cell[0] == 0;
        mesh.positions.push(project(field, (grid.warp)(at), on_plane));
        mesh.on_plane.push(on_plane);
    }
    for cell in samples.cells() {
        for axis in 0..3 {
            samples.quad(cell, axis, &vertex_of_cell, &mut mesh, paint);
        }
    }
    mesh
}

/// Moves a point onto the surface with Newton steps along the gradient. A point on the mirror plane stays there.
pub fn project(field: &dyn Fn(DVec3) -> f64, start: DVec3, on_plane: bool) -> DVec3 {
    let mut p = start;
    for _ in 0..6 {
        if on_plane {
            p.x = 0.0;
        }
        let slope = gradient(field, p);
        let steep = slope.dot(slope);
        if steep < 1e-6 {
            break;
        }
        let step = slope * (field(p) / steep);
        // Limits the step, because the fields are distances only near the surface.
        let reach = length(step);
        p -= if reach > 0.004 { step * (0.004 / reach) } else { step };
    }
    if on_plane {
        p.x = 0.0;
    }
    p
}

struct Samples<'a> {
    grid: &'a Grid<'a>,
    size: [usize; 3],
    values: Vec<f64>,
}

impl<'a> Samples<'a> {
    fn new(grid: &'a Grid<'a>, field: &dyn Fn(DVec3) -> f64) -> Self {
        let size = [grid.planes[0].len(), grid.planes[1].len(), grid.planes[2].len()];
        let mut values = Vec::with_capacity(size[0] * size[1] * size[2]);
        for z in &grid.planes[2] {
            for y in &grid.planes[1] {
                for x in &grid.planes[0] {
                    values.push(field((grid.warp)(v(*x, *y, *z))));
                }
            }
        }
        Self { grid, size, values }
    }

    fn index(&self, cell: [usize; 3]) -> usize {
        cell[0] + self.size[0] * (cell[1] + self.size[1] * cell[2])
    }

    fn cells(&self) -> impl Iterator<Item = [usize; 3]> + use<> {
        let [nx, ny, nz] = self.size;
        (0..nz - 1).flat_map(move |z| (0..ny - 1).flat_map(move |y| (0..nx - 1).map(move |x| [x, y, z])))
    }

    fn corner(&self, cell: [usize; 3], corner: usize) -> ([usize; 3], f64) {
        let at = [cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2 & 1)];
        (at, self.values[self.index(at)])
    }

    fn point(&self, at: [usize; 3]) -> DVec3 {
        v(self.grid.planes[0][at[0]], self.grid.planes[1][at[1]], self.grid.planes[2][at[2]])
    }

    /// Returns the mean of the points at which the surface crosses the cell's edges, in grid coordinates.
    fn crossing(&self, cell: [usize; 3]) -> Option<DVec3> {
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for corner in 0..8_usize {
            for bit in [1, 2, 4] {
                if corner & bit != 0 {
                    continue;
                }
                let (from, a) = self.corner(cell, corner);
                let (to, b) = self.corner(cell, corner | bit);
                if (a < 0.0) != (b < 0.0) {
                    let (from, to) = (self.point(from), self.point(to));
                    sum += from + (to - from) * (a / (a - b));
                    count += 1.0;
                }
            }
        }
        (count > 0.0).then(|| sum / count)
    }

    /// Adds the quad around the grid edge from a cell's first corner along `axis`, if the surface crosses the edge.
    fn quad(&self, cell: [usize; 3], axis: usize, vertex_of_cell: &[usize], mesh: &mut Mesh, paint: Paint) {
        let (u, w) = ((axis + 1) % 3, (axis + 2) % 3);
        if cell[u] == 0 || cell[w] == 0 {
            return;
        }
        let (_, a) = self.corner(cell, 0);
        let (_, b) = self.corner(cell, 1 << axis);
        if (a < 0.0) == (b < 0.0) {
            return;
        }
        let near = |du: usize, dw: usize| {
            let mut at = cell;
            at[u] -= du;
            at[w] -= dw;
            vertex_of_cell[self.index(at)]
        };
        let mut ring = [near(1, 1), near(0, 1), near(0, 0), near(1, 0)];
        if b < 0.0 {
            ring.reverse();
        }
        mesh.push_quad(ring, paint);
    }
}
