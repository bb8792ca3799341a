//! A mesh under construction: positions, and triangles with a paint.

use std::collections::BTreeMap;

use glam::DVec3;

use super::math::{length, mix, v};
use super::sdf::gradient;
use super::surface_nets::project;

/// Surface type of a triangle, for which the palette has a colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Paint {
    Skin,
    Lips,
    Mouth,
    Nostril,
    Lash,
    LidEdge,
    Scalp,
    Nail,
    EyeWhite,
    Limbus,
    Iris,
    Pupil,
    Glint,
    Brow,
    Hair,
    Shirt,
    ShirtBand,
    ShirtTrim,
    ShirtInside,
    Trousers,
    TrousersSeam,
    TrousersInside,
    Shoe,
    ShoeAccent,
    ShoeLace,
    ShoeTongue,
    Sole,
    SoleLine,
    Sock,
}

/// A triangle. Corners are counter-clockwise seen from outside.
#[derive(Clone, Copy)]
pub struct Triangle {
    /// Indices into the positions.
    pub corners: [usize; 3],
    /// Surface type.
    pub paint: Paint,
}

impl Triangle {
    fn edges(&self) -> [(usize, usize); 3] {
        let [a, b, c] = self.corners;
        [(a, b), (b, c), (c, a)]
    }

    /// Returns the corners, and the new vertices on the edges between them.
    fn ring(&self, middles: &BTreeMap<(usize, usize), usize>) -> Vec<usize> {
        let on_edge = |a: usize, b: usize| middles.get(&(a.min(b), a.max(b))).copied();
        self.edges().into_iter().flat_map(|(a, b)| [Some(a), on_edge(a, b)]).flatten().collect()
    }
}

/// Triangles with shared positions.
#[derive(Default)]
pub struct Mesh {
    /// Positions in model space, metres.
    pub positions: Vec<DVec3>,
    /// True for vertices that must stay on the mirror plane.
    pub on_plane: Vec<bool>,
    /// Unit normals of a mesh that is not the zero set of its field; otherwise empty.
    pub normals: Vec<DVec3>,
    /// Triangles of the mesh.
    pub triangles: Vec<Triangle>,
}

impl Mesh {
    /// Adds a quad, split along its shorter diagonal.
    pub fn push_quad(&mut self, ring: [usize; 4], paint: Paint) {
        let [a, b, c, d] = ring;
        let span = |i: usize, j: usize| length(self.positions[i] - self.positions[j]);
        // The margin prevents rounding from deciding ties.
        let halves = if span(a, c) <= span(b, d) + 1e-9 { [[a, b, c], [a, c, d]] } else { [[b, c, d], [b, d, a]] };
        self.triangles.extend(halves.map(|corners| Triangle { corners, paint }));
    }

    /// Returns the length of the shortest edge at each vertex.
    fn shortest_edges(&self) -> Vec<f64> {
        let mut shortest = vec![f64::INFINITY; self.positions.len()];
        for triangle in &self.triangles {
            for i in 0..3 {
                let (a, b) = (triangle.corners[i], triangle.corners[(i + 1) % 3]);
                let reach = length(self.positions[a] - self.positions[b]);
                shortest[a] = shortest[a].min(reach);
                shortest[b] = shortest[b].min(reach);
            }
        }
        shortest
    }

    /// Cuts the mesh along the curve on which `line` is zero, so that two paints meet in a clean edge.
    /// `repaint(paint, inside)` returns the new paint of a triangle; `inside` is true if `line` is negative.
    pub fn cut(
        &mut self,
        field: &dyn Fn(DVec3) -> f64,
        line: &dyn Fn(DVec3) -> f64,
        repaint: &dyn Fn(Paint, bool) -> Paint,
    ) {
        let mut side: Vec<f64> = self.positions.iter().map(|p| line(*p)).collect();
        self.snap(field, line, &mut side);
        let is_cut = |triangle: &Triangle, side: &[f64]| {
            let values = triangle.corners.map(|c| side[c]);
            let is_crossed = values.iter().any(|s| *s > 0.0) && values.iter().any(|s| *s < 0.0);
            is_crossed && repaint(triangle.paint, true) != repaint(triangle.paint, false)
        };
        // Creates the new vertices first, so that uncut triangles next to the cut also get those on shared edges.
        let mut middles = BTreeMap::new();
        for triangle in self.triangles.clone().iter().filter(|triangle| is_cut(triangle, &side)) {
            for (a, b) in triangle.edges() {
                if side[a] * side[b] < 0.0 {
                    let key = (a.min(b), a.max(b));
                    middles.entry(key).or_insert_with(|| self.push_between(key, field, line));
                }
            }
        }
        let first_new = side.len();
        side.resize(self.positions.len(), 0.0);
        for triangle in std::mem::take(&mut self.triangles) {
            if is_cut(&triangle, &side) {
                for is_inside in [true, false] {
                    let keep = |s: f64| if is_inside { s <= 0.0 } else { s >= 0.0 };
                    let ring: Vec<_> = triangle.ring(&middles).into_iter().filter(|c| keep(side[*c])).collect();
                    self.push_ring(&ring, first_new, repaint(triangle.paint, is_inside));
                }
            } else {
                let is_inside = triangle.corners.iter().any(|c| side[*c] < 0.0);
                self.push_ring(&triangle.ring(&middles), first_new, repaint(triangle.paint, is_inside));
            }
        }
    }

    /// Paints the strip between two lines, where `below` is negative and `above` is positive. Uses two cuts, because
    /// one cut would miss a strip that is narrower than a triangle.
    pub fn strip(
        &mut self,
        field: &dyn Fn(DVec3) -> f64,
        [below, above]: [&dyn Fn(DVec3) -> f64; 2],
        [old, new]: [Paint; 2],
    ) {
        self.cut(field, below, &|paint, inside| {
            if inside && paint == old { new } else { paint }
        });
        self.cut(field, above, &|paint, inside| {
            if inside && paint == new { old } else { paint }
        });
    }

    /// Adds a vertex at the point where the line crosses an edge.
    fn push_between(
        &mut self,
        (a, b): (usize, usize),
        field: &dyn Fn(DVec3) -> f64,
        line: &dyn Fn(DVec3) -> f64,
    ) -> usize {
        let on_plane = self.on_plane[a] && self.on_plane[b];
        let start = root_between(line, self.positions[a], self.positions[b]);
        let moved = onto_both(field, line, start, on_plane);
        // At a corner of the line, the search may diverge; then uses the point on the edge.
        let reach = length(self.positions[a] - self.positions[b]);
        self.positions.push(if length(moved - start) < 0.5 * reach { moved } else { start });
        self.on_plane.push(on_plane);
        self.positions.len() - 1
    }

    /// Fills a ring of three to five corners with triangles. Corners with an index of at least `first_new` are on triangle edges.
    fn push_ring(&mut self, ring: &[usize], first_new: usize, paint: Paint) {
        let is_new = |i: usize| ring[i % ring.len()] >= first_new;
        let at = |i: usize| ring[i % ring.len()];
        let mut push = |corners| self.triangles.push(Triangle { corners, paint });
        match ring.len() {
            3 => push([ring[0], ring[1], ring[2]]),
            4 => match (0..4).filter(|i| is_new(*i)).collect::<Vec<_>>()[..] {
                // The other diagonal would be on the triangle's edge.
                [m] => {
                    push([at(m), at(m + 1), at(m + 2)]);
                    push([at(m), at(m + 2), at(m + 3)]);
                }
                _ => self.push_quad([ring[0], ring[1], ring[2], ring[3]], paint),
            },
            5 => {
                let ear = (0..5).find(|i| is_new(*i) && is_new(i + 2)).unwrap_or(0);
                push([at(ear), at(ear + 1), at(ear + 2)]);
                self.push_quad([at(ear), at(ear + 2), at(ear + 3), at(ear + 4)], paint);
            }
            _ => {}
        }
    }

    /// Moves vertices that are almost on the line onto it, because the cut would otherwise create slivers.
    fn snap(&mut self, field: &dyn Fn(DVec3) -> f64, line: &dyn Fn(DVec3) -> f64, side: &mut [f64]) {
        let shortest = self.shortest_edges();
        let borders = self.border_vertices();
        for i in 0..self.positions.len() {
            let slope = length(gradient(line, self.positions[i])).max(1e-9);
            // The vertex comes from an earlier cut along the same line.
            if side[i].abs() / slope < 1e-5 {
                side[i] = 0.0;
            }
            if borders[i] || side[i].abs() / slope > 0.3 * shortest[i] {
                continue;
            }
            let moved = onto_both(field, line, self.positions[i], self.on_plane[i]);
            if length(moved - self.positions[i]) < 0.45 * shortest[i] && line(moved).abs() < 1e-5 {
                self.positions[i] = moved;
                side[i] = 0.0;
            }
        }
    }

    /// Returns the vertices between two paints, which come from earlier cuts.
    fn border_vertices(&self) -> Vec<bool> {
        let mut paint = vec![None; self.positions.len()];
        let mut is_border = vec![false; self.positions.len()];
        for triangle in &self.triangles {
            for c in triangle.corners {
                is_border[c] |= *paint[c].get_or_insert(triangle.paint) != triangle.paint;
            }
        }
        is_border
    }
}

/// Returns the point at which the line crosses an edge, by bisection.
fn root_between(line: &dyn Fn(DVec3) -> f64, a: DVec3, b: DVec3) -> DVec3 {
    let at = |t: f64| v(mix(a.x, b.x, t), mix(a.y, b.y, t), mix(a.z, b.z, t));
    let starts_inside = line(a) < 0.0;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..24 {
        let middle = 0.5 * (low + high);
        if (line(at(middle)) < 0.0) == starts_inside {
            low = middle;
        } else {
            high = middle;
        }
    }
    at(0.5 * (low + high))
}

/// Projects a point alternately onto the line and the surface.
fn onto_both(field: &dyn Fn(DVec3) -> f64, line: &dyn Fn(DVec3) -> f64, start: DVec3, on_plane: bool) -> DVec3 {
    let mut p = start;
    for _ in 0..4 {
        let normal = gradient(field, p);
        let slope = gradient(line, p);
        let along = slope - normal * (slope.dot(normal) / normal.dot(normal).max(1e-12));
        let steep = along.dot(along);
        if steep > 1e-9 {
            let step = along * (line(p) / steep);
            let reach = length(step);
            p -= if reach > 0.01 { step * (0.01 / reach) } else { step };
        }
        p = project(field, p, on_plane);
    }
    p
}
