//! Turns any set of triangles into a closed manifold with Delaunay edges, using edge lengths only.
//! Every triangle gets a back side. Around an edge, the front of each triangle is joined to the back of the next. At a
//! border, a front is joined to its own back; where many triangles meet, each side still has one neighbour. Then edges
//! are flipped until the two angles opposite each edge sum to at most 180°, which makes all cotangent weights positive.
//! Flipped edges run along the surface, not through the air.
//! *Source*: Sharp and Crane 2020, *A Laplacian for nonmanifold triangle meshes* (cover, and mollification of zero-area
//! triangles); Bobenko and Springborn 2007, *A discrete Laplace-Beltrami operator for simplicial surfaces* (flips).

use std::sync::atomic::{AtomicU32, Ordering};

use glam::Vec3;
use rayon::prelude::*;

use crate::jobs::Progress;
use crate::rig::JaggedArray;

/// Margin of the triangle inequality, relative to the mean edge length.
const SLACK: f64 = 1e-5;
/// Maximum number of flips per edge, on average. Without a limit, rounding might flip an edge back and forth forever.
const FLIPS: usize = 16;
const CHUNK: usize = 4096;

/// Half-edge mesh: half edge `3 t + k` runs from corner k of triangle t to the next corner.
pub(super) struct DoubleCover {
    /// Start point of each half edge.
    pub starts: Vec<u32>,
    lengths: Vec<f64>,
    /// Twin of each half edge.
    pub twins: Vec<u32>,
    /// Angles of each triangle.
    pub angles: Vec<Angles>,
}

/// Area of a triangle, and cotangents of the angles opposite its half edges.
pub(super) struct Angles {
    pub area: f64,
    pub cotangents: [f64; 3],
}

impl DoubleCover {
    pub(super) fn new(points: &[Vec3], triangles: &[[u32; 3]], progress: &Progress) -> Option<Self> {
        let backs = triangles.iter().map(|&[a, b, c]| [a, c, b]);
        let starts: Vec<u32> = triangles.iter().copied().chain(backs).flatten().collect();
        let place = |point: u32| points[point as usize].as_dvec3();
        let length = |h: usize| place(starts[h]).distance(place(starts[next(h)]));
        let lengths = (0..starts.len()).into_par_iter().map(length).collect();
        let twins = pair_half_edges(points.len(), triangles.len(), &starts);
        let mut cover = Self { starts, lengths, twins, angles: Vec::new() };
        progress.check_cancelled()?;
        cover.mollify();
        cover.angles =
            (0..cover.starts.len() / 3).into_par_iter().map(|triangle| cover.triangle_angles(triangle)).collect();
        cover.flip(progress)?;
        Some(cover)
    }

    pub(super) fn end(&self, half_edge: usize) -> u32 {
        self.starts[next(half_edge)]
    }

    fn triangle_angles(&self, triangle: usize) -> Angles {
        let [a, b, c] = self.sides(3 * triangle);
        let area = area([a, b, c]);
        Angles { area, cotangents: [[a, b, c], [b, c, a], [c, a, b]].map(|sides| cotangent(sides, area)) }
    }

    pub(super) fn cotangent(&self, half_edge: usize) -> f64 {
        self.angles[half_edge / 3].cotangents[half_edge % 3]
    }

    fn sides(&self, half_edge: usize) -> [f64; 3] {
        [half_edge, next(half_edge), next(next(half_edge))].map(|h| self.lengths[h])
    }

    /// Lengthens all edges by the same amount: just enough for the flattest triangle to have an area.
    fn mollify(&mut self) {
        let slack = SLACK * self.lengths.iter().sum::<f64>() / self.lengths.len().max(1) as f64;
        let missing = (0..self.lengths.len()).into_par_iter().map(|h| {
            let [a, b, c] = self.sides(h);
            slack + a - b - c
        });
        let more = missing.reduce(|| 0.0, f64::max);
        self.lengths.iter_mut().for_each(|length| *length += more);
    }

    fn flip(&mut self, progress: &Progress) -> Option<()> {
        let edges = (0..self.twins.len()).into_par_iter().filter(|&h| h < self.twins[h] as usize);
        let mut open: Vec<usize> = edges.filter(|&h| !self.is_delaunay(h)).collect();
        for step in 0..FLIPS * self.twins.len() / 2 {
            if step % CHUNK == 0 {
                progress.check_cancelled()?;
            }
            let Some(half_edge) = open.pop() else { break };
            if !self.is_delaunay(half_edge)
                && let Some(around) = self.flipped(half_edge)
            {
                open.extend(around);
            }
        }
        Some(())
    }

    /// Returns true if the angles opposite an edge sum to at most 180°.
    fn is_delaunay(&self, half_edge: usize) -> bool {
        self.cotangent(half_edge) + self.cotangent(self.twins[half_edge] as usize) > -1e-9
    }

    /// Flips an edge and returns the sides of its quadrilateral; `None` if the edge must stay.
    fn flipped(&mut self, h: usize) -> Option<[usize; 4]> {
        let g = self.twins[h] as usize;
        if h / 3 == g / 3 {
            return None;
        }
        let [h1, h2, g1, g2] = [next(h), next(next(h)), next(g), next(next(g))];
        let [length, jk, ki, il, lj] = [h, h1, h2, g1, g2].map(|h| self.lengths[h]);
        let apex = |near: f64, far: f64| {
            let along = (length * length + near * near - far * far) / (2.0 * length);
            (along, 2.0 * area([length, near, far]) / length)
        };
        let ((x, y), (u, v)) = (apex(ki, jk), apex(il, lj));
        let diagonal = (x - u).hypot(y + v);
        let is_triangle = |a: f64, b: f64| area([diagonal, a, b]) > 0.0;
        if !diagonal.is_finite() || !is_triangle(lj, jk) || !is_triangle(ki, il) {
            return None;
        }
        let ([i, j], [k, l]) = ([h, g].map(|h| self.starts[h]), [h2, g2].map(|h| self.starts[h]));
        let (first, second) = ([0, 1, 2].map(|at| h / 3 * 3 + at), [0, 1, 2].map(|at| g / 3 * 3 + at));
        let moved = [(g2, first[1]), (h1, first[2]), (h2, second[1]), (g1, second[2])];
        let twins = moved.map(|(old, _)| {
            let twin = self.twins[old] as usize;
            moved.iter().find(|(from, _)| *from == twin).map_or(twin, |(_, to)| *to)
        });
        for (slots, corners, lengths) in
            [(first, [k, l, j], [diagonal, lj, jk]), (second, [l, k, i], [diagonal, ki, il])]
        {
            for ((slot, corner), length) in slots.into_iter().zip(corners).zip(lengths) {
                (self.starts[slot], self.lengths[slot]) = (corner, length);
            }
            self.angles[slots[0] / 3] = self.triangle_angles(slots[0] / 3);
        }
        self.sew(first[0], second[0]);
        let around = moved.map(|(_, to)| to);
        for (half_edge, twin) in around.into_iter().zip(twins) {
            self.sew(half_edge, twin);
        }
        Some(around)
    }

    fn sew(&mut self, a: usize, b: usize) {
        (self.twins[a], self.twins[b]) = (b as u32, a as u32);
    }
}

fn next(half_edge: usize) -> usize {
    if half_edge % 3 == 2 { half_edge - 2 } else { half_edge + 1 }
}

fn cotangent([a, b, c]: [f64; 3], area: f64) -> f64 {
    (b * b + c * c - a * a) / (4.0 * area)
}

/// Computes a triangle's area by Heron's formula in Kahan's form, accurate even for needle-like triangles; 0 if the
/// sides form no triangle.
fn area(mut sides: [f64; 3]) -> f64 {
    sides.sort_unstable_by(f64::total_cmp);
    let [c, b, a] = sides;
    0.25 * ((a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c))).max(0.0).sqrt()
}

/// Returns the twin of each half edge: around an edge, the upward half edge of a triangle joins the downward one of the
/// next.
fn pair_half_edges(point_count: usize, triangle_count: usize, starts: &[u32]) -> Vec<u32> {
    let fronts = 3 * triangle_count;
    // Higher point and index of each half edge, by its lower point.
    let edges = (0..fronts).map(|h| (starts[h], starts[next(h)], h as u32));
    let edges = JaggedArray::new(point_count, edges.map(|(a, b, h)| (a.min(b), (a.max(b), h))));
    // The back has corners a, c, b: its half edges are the twins of the front's in the order 2, 1, 0.
    let back = |h: usize| fronts + h / 3 * 3 + 2 - h % 3;
    let twins: Vec<AtomicU32> = (0..2 * fronts).map(|_| AtomicU32::new(0)).collect();
    (0..point_count).into_par_iter().for_each_init(Vec::new, |sorted, low| {
        let up_and_down = |&(_, h): &(u32, u32)| {
            let h = h as usize;
            if starts[h] as usize == low { (h, back(h)) } else { (back(h), h) }
        };
        sorted.clear();
        sorted.extend_from_slice(edges.row(low));
        sorted.sort_unstable();
        for around in sorted.chunk_by(|a, b| a.0 == b.0) {
            for (at, edge) in around.iter().enumerate() {
                let (up, _) = up_and_down(edge);
                let (_, down) = up_and_down(&around[(at + 1) % around.len()]);
                twins[up].store(down as u32, Ordering::Relaxed);
                twins[down].store(up as u32, Ordering::Relaxed);
            }
        }
    });
    twins.into_iter().map(AtomicU32::into_inner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cover(points: &[Vec3], triangles: &[[u32; 3]]) -> DoubleCover {
        DoubleCover::new(points, triangles, &Progress::default()).unwrap()
    }

    #[test]
    fn every_half_edge_has_a_twin_that_runs_against_it() {
        let book: [[u32; 3]; 4] = [[0, 1, 2], [1, 0, 3], [0, 1, 4], [2, 5, 0]];
        let points = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_X];
        let cover = cover(&points, &book);
        for h in 0..cover.twins.len() {
            let twin = cover.twins[h] as usize;
            assert_eq!((cover.twins[twin] as usize, cover.starts[twin]), (h, cover.end(h)), "{h}");
            assert_ne!(twin, h);
        }
    }

    #[test]
    fn the_long_diagonal_of_a_kite_is_flipped() {
        let points = [Vec3::NEG_X * 4.0, Vec3::X * 4.0, Vec3::Y, Vec3::NEG_Y];
        let cover = cover(&points, &[[0, 1, 2], [1, 0, 3]]);
        let edges: Vec<[u32; 2]> = (0..12).map(|h| [cover.starts[h], cover.end(h)]).collect();
        assert!(edges.contains(&[2, 3]) && !edges.contains(&[0, 1]), "{edges:?}");
        let area: f64 = cover.angles.iter().map(|angles| angles.area).sum();
        assert!((area - 16.0).abs() < 1e-9, "front and back, {area}");
        for h in 0..12 {
            assert!(cover.cotangent(h) + cover.cotangent(cover.twins[h] as usize) > -1e-9);
        }
    }

    #[test]
    fn triangles_without_area_get_angles() {
        let points = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::X];
        let cover = cover(&points, &[[0, 1, 2], [1, 3, 2]]);
        assert!(cover.angles.iter().all(|of| of.area > 0.0 && of.cotangents.iter().all(|c| c.is_finite())));
    }
}
