//! Simplification of a mesh in two poses at once. Collapses edges into one of their ends, cheapest edge first. Vertices
//! on texture seams and material borders move only along the seam or border.
//!
//! *Sources*: Garland and Heckbert 1997, "Surface simplification using quadric error metrics", with one quadric per
//! pose and vertex; Hoppe 1999, "New quadric metric for simplifying meshes with appearance attributes", for wedges.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use glam::{DMat3, DVec3, Vec3};

use rigscope_core::jobs::Progress;

/// Weight of open borders, relative to the interior.
const BORDER: f64 = 10.0;
/// Cost per unit of edge length. It makes short edges collapse first in flat regions, which keeps triangles compact.
const EDGE_LENGTH_WEIGHT: f64 = 1e-6;
/// A collapse may rotate a triangle's normal only if the cosine of the angle exceeds this.
const MIN_TURN: f64 = 0.2;
const STEPS_PER_CANCEL_CHECK: usize = 4096;

/// Triangles whose vertices have one position in each of two poses.
pub struct TwoPoseSurface {
    /// Positions in metres, one per vertex.
    pub poses: [Vec<Vec3>; 2],
    /// Index of each vertex in the original model.
    pub sources: Vec<u32>,
    /// The triangles, which refer to vertices by index.
    pub triangles: Vec<Triangle>,
}

/// A triangle and the texture coordinates and materials at its corners, as wedges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triangle {
    /// Index of the vertex at each corner.
    pub vertices: [u32; 3],
    /// Wedge of each corner. Corners at a vertex share a wedge unless their material or texture coordinates differ.
    pub wedges: [u32; 3],
}

impl Triangle {
    fn wedge(&self, vertex: u32) -> Option<u32> {
        self.vertices.iter().position(|&v| v == vertex).map(|corner| self.wedges[corner])
    }

    fn has(&self, vertex: u32) -> bool {
        self.vertices.contains(&vertex)
    }

    /// Returns the triangle with vertex `from` replaced by `to`. `along` maps the wedges of `from` to the wedges of
    /// `to`.
    fn moved(self, from: u32, to: u32, along: &[(u32, u32)]) -> Self {
        let Self { mut vertices, mut wedges } = self;
        for (vertex, wedge) in vertices.iter_mut().zip(&mut wedges).filter(|(vertex, _)| **vertex == from) {
            *vertex = to;
            *wedge = along.iter().find(|(before, _)| before == wedge).map_or(*wedge, |(_, after)| *after);
        }
        Self { vertices, wedges }
    }
}

impl TwoPoseSurface {
    /// Simplifies to at most `max_triangles`. Returns `None` if this is impossible or the job was cancelled. The
    /// second result is an upper bound on the distance, in metres, between a removed vertex and the surface; `None` if
    /// nothing was removed.
    pub fn simplified(&self, max_triangles: usize, progress: &Progress) -> Option<(Self, Option<f64>)> {
        let mut collapse = Collapse::new(self);
        while collapse.live > max_triangles {
            for _ in 0..STEPS_PER_CANCEL_CHECK {
                if collapse.live > max_triangles {
                    collapse.step()?;
                }
            }
            progress.check_cancelled()?;
        }
        let farthest = (self.triangles.len() > max_triangles).then(|| collapse.farthest());
        let triangles = collapse.triangles.iter().copied().flatten().collect();
        let mut simplified = Self { triangles, poses: self.poses.clone(), sources: self.sources.clone() };
        simplified.drop_unused();
        Some((simplified, farthest))
    }

    /// Removes vertices that no triangle refers to, and numbers the others anew.
    pub fn drop_unused(&mut self) {
        let mut numbers = vec![u32::MAX; self.sources.len()];
        let mut kept = Vec::new();
        for vertex in self.triangles.iter_mut().flat_map(|triangle| &mut triangle.vertices) {
            let number = &mut numbers[*vertex as usize];
            if *number == u32::MAX {
                *number = kept.len() as u32;
                kept.push(*vertex as usize);
            }
            *vertex = *number;
        }
        self.poses = self.poses.each_ref().map(|pose| kept.iter().map(|&v| pose[v]).collect());
        self.sources = kept.iter().map(|&v| self.sources[v]).collect();
    }

    fn places(&self, vertex: u32) -> [DVec3; 2] {
        self.poses.each_ref().map(|pose| pose[vertex as usize].as_dvec3())
    }

    fn normals(&self, corners: [u32; 3]) -> [DVec3; 2] {
        let [a, b, c] = corners.map(|v| self.places(v));
        [0, 1].map(|pose| (b[pose] - a[pose]).cross(c[pose] - a[pose]) * 0.5)
    }
}

/// Weighted sum of squared distances from planes: p·A p + 2 b·p + c at point p.
#[derive(Clone, Copy)]
struct Quadric {
    a: DMat3,
    b: DVec3,
    c: f64,
}

impl Quadric {
    const NONE: Self = Self { a: DMat3::ZERO, b: DVec3::ZERO, c: 0.0 };

    fn plane(normal: DVec3, point: DVec3, weight: f64) -> Self {
        let offset = -normal.dot(point);
        let a = DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z);
        Self { a: a * weight, b: normal * offset * weight, c: offset * offset * weight }
    }

    fn error(&self, point: DVec3) -> f64 {
        (self.a * point).dot(point) + 2.0 * self.b.dot(point) + self.c
    }

    fn add(&mut self, other: &Self) {
        self.a += other.a;
        self.b += other.b;
        self.c += other.c;
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct EdgeCollapse {
    /// Bits of the cost. They sort in the same order as the cost, because the cost is never negative.
    cost: u64,
    from: u32,
    to: u32,
    /// Values of `Collapse::changes` for both vertices when the edge was queued.
    changes: [u32; 2],
}

struct Collapse<'a> {
    surface: &'a TwoPoseSurface,
    triangles: Vec<Option<Triangle>>,
    live: usize,
    /// Triangles of each vertex, including some triangles that were removed.
    around: Vec<Vec<u32>>,
    quadrics: Vec<[Quadric; 2]>,
    /// Number of vertices merged into each vertex; `u32::MAX` for a removed vertex.
    changes: Vec<u32>,
    /// For each vertex, the vertex that it was merged into, or the vertex itself if it still exists.
    merged_into: Vec<u32>,
    queue: BinaryHeap<Reverse<EdgeCollapse>>,
}

impl<'a> Collapse<'a> {
    fn new(surface: &'a TwoPoseSurface) -> Self {
        let count = surface.poses[0].len();
        let mut collapse = Self {
            surface,
            triangles: surface.triangles.iter().copied().map(Some).collect(),
            live: surface.triangles.len(),
            around: vec![Vec::new(); count],
            quadrics: vec![[Quadric::NONE; 2]; count],
            changes: vec![0; count],
            merged_into: (0..count as u32).collect(),
            queue: BinaryHeap::new(),
        };
        let mut edges = Vec::new();
        for (number, &Triangle { vertices: corners, .. }) in surface.triangles.iter().enumerate() {
            let [a, b, c] = corners;
            edges.extend([[a, b], [b, c], [c, a]].map(|[v, w]| ([v.min(w), v.max(w)], number)));
            let normals = surface.normals(corners);
            for vertex in corners {
                collapse.around[vertex as usize].push(number as u32);
                collapse.hold(vertex, normals.map(|n| (n.normalize_or_zero(), n.length())));
            }
        }
        edges.sort_unstable();
        for same in edges.chunk_by(|(a, _), (b, _)| a == b) {
            let (edge, triangle) = same[0];
            if same.len() == 1 {
                collapse.add_border_planes(edge, surface.normals(surface.triangles[triangle].vertices));
            }
        }
        edges.dedup_by_key(|(edge, _)| *edge);
        for (edge, _) in edges {
            collapse.enqueue(edge);
        }
        collapse
    }

    /// Adds one plane per pose to the quadrics of a vertex.
    fn hold(&mut self, vertex: u32, planes: [(DVec3, f64); 2]) {
        let places = self.surface.places(vertex);
        for pose in [0, 1] {
            let (normal, weight) = planes[pose];
            self.quadrics[vertex as usize][pose].add(&Quadric::plane(normal, places[pose], weight));
        }
    }

    fn add_border_planes(&mut self, edge: [u32; 2], normals: [DVec3; 2]) {
        let [a, b] = edge.map(|v| self.surface.places(v));
        let across = [0, 1].map(|pose| {
            let along = b[pose] - a[pose];
            (along.cross(normals[pose]).normalize_or_zero(), along.length_squared() * BORDER)
        });
        for vertex in edge {
            self.hold(vertex, across);
        }
    }

    fn enqueue(&mut self, [a, b]: [u32; 2]) {
        let [place_a, place_b] = [a, b].map(|v| self.surface.places(v));
        let length = place_a[0].distance_squared(place_b[0]);
        let cost = |places: [DVec3; 2]| -> f64 {
            let both = [a, b].map(|v| self.quadrics[v as usize]);
            let errors =
                both.iter().flat_map(|poses| poses.iter().zip(places)).map(|(quadric, place)| quadric.error(place));
            errors.sum::<f64>().max(0.0) + EDGE_LENGTH_WEIGHT * length * length
        };
        let (to_a, to_b) = (cost(place_a), cost(place_b));
        let (cost, from, to) = if to_a < to_b { (to_a, b, a) } else { (to_b, a, b) };
        let changes = [from, to].map(|v| self.changes[v as usize]);
        self.queue.push(Reverse(EdgeCollapse { cost: cost.to_bits(), from, to, changes }));
    }

    /// Pops the cheapest edge and collapses it if that is allowed. Returns `None` if the queue is empty.
    fn step(&mut self) -> Option<()> {
        let Reverse(EdgeCollapse { from, to, changes, .. }) = self.queue.pop()?;
        let is_new = [from, to].map(|v| self.changes[v as usize]) == changes;
        if is_new && self.is_harmless(from, to) {
            self.collapse(from, to);
        }
        Some(())
    }

    fn live_around(&self, vertex: u32) -> impl Iterator<Item = Triangle> + '_ {
        self.around[vertex as usize].iter().filter_map(|&t| self.triangles[t as usize])
    }

    fn neighbours(&self, vertex: u32) -> BTreeSet<u32> {
        self.live_around(vertex).flat_map(|triangle| triangle.vertices).filter(|v| *v != vertex).collect()
    }

    /// Returns true if a collapse flips no triangle, keeps the appearance, and doesn't join surfaces that merely touch.
    fn is_harmless(&self, from: u32, to: u32) -> bool {
        let common = self.neighbours(from).intersection(&self.neighbours(to)).count();
        let wedges = self.wedges_along(from, to);
        let stays_on_its_side = |corners: [u32; 3]| {
            let moved = corners.map(|v| if v == from { to } else { v });
            let (before, after) = (self.surface.normals(corners), self.surface.normals(moved));
            [0, 1].into_iter().all(|pose| {
                let lengths = before[pose].length() * after[pose].length();
                before[pose] == DVec3::ZERO || before[pose].dot(after[pose]) > MIN_TURN * lengths
            })
        };
        let keeps_its_look = |triangle: &Triangle| {
            let mut along = wedges.iter().filter(|(from_wedge, _)| triangle.wedge(from) == Some(*from_wedge));
            let first = along.next();
            first.is_some() && along.all(|other| Some(other) == first)
        };
        let is_kept = |triangle: Triangle| keeps_its_look(&triangle) && stays_on_its_side(triangle.vertices);
        common == wedges.len() && self.live_around(from).all(|triangle| triangle.has(to) || is_kept(triangle))
    }

    fn wedges_along(&self, from: u32, to: u32) -> Vec<(u32, u32)> {
        self.live_around(from).filter_map(|triangle| Some((triangle.wedge(from)?, triangle.wedge(to)?))).collect()
    }

    /// Returns an upper bound, in metres, on the distance between removed vertices and the surface in either pose.
    fn farthest(&self) -> f64 {
        (0..self.merged_into.len() as u32).fold(0.0, |farthest, vertex| {
            let mut kept = vertex;
            while self.merged_into[kept as usize] != kept {
                kept = self.merged_into[kept as usize];
            }
            [0, 1].into_iter().fold(farthest, |far, pose| far.max(self.distance_near([vertex, kept], pose, far)))
        })
    }

    /// Returns an upper bound, in metres, on the distance between a vertex and the surface, searching near `kept`.
    /// Walks along edges while the distance to the adjacent triangles decreases and is greater than `enough`.
    fn distance_near(&self, [vertex, mut kept]: [u32; 2], pose: usize, enough: f64) -> f64 {
        let place = |v: u32| self.surface.places(v)[pose];
        let at = place(vertex);
        let around = |v: u32| {
            let triangles = self.live_around(v).map(|triangle| distance(at, triangle.vertices.map(place)));
            triangles.fold(at.distance(place(v)), f64::min)
        };
        let mut min_distance = around(kept);
        while min_distance > enough {
            let next = self.neighbours(kept).into_iter().map(|v| (around(v), v)).min_by(|a, b| a.0.total_cmp(&b.0));
            match next.filter(|(distance, _)| *distance < min_distance) {
                Some((distance, nearer)) => (min_distance, kept) = (distance, nearer),
                None => break,
            }
        }
        min_distance
    }

    fn collapse(&mut self, from: u32, to: u32) {
        let along = self.wedges_along(from, to);
        for number in std::mem::take(&mut self.around[from as usize]) {
            let Some(triangle) = self.triangles[number as usize] else { continue };
            let is_gone = triangle.has(to);
            self.live -= usize::from(is_gone);
            self.triangles[number as usize] = (!is_gone).then(|| triangle.moved(from, to, &along));
            self.around[to as usize].extend((!is_gone).then_some(number));
        }
        let triangles = &self.triangles;
        self.around[to as usize].retain(|&t| triangles[t as usize].is_some());
        let taken = self.quadrics[from as usize];
        for (all, taken) in self.quadrics[to as usize].iter_mut().zip(&taken) {
            all.add(taken);
        }
        self.changes[from as usize] = u32::MAX;
        self.merged_into[from as usize] = to;
        self.changes[to as usize] += 1;
        for vertex in self.neighbours(to) {
            self.enqueue([vertex, to]);
        }
    }
}

fn distance(point: DVec3, corners: [DVec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let is_within = |from: DVec3, to: DVec3| normal.cross(to - from).dot(point - from) >= 0.0;
    if normal != DVec3::ZERO && is_within(a, b) && is_within(b, c) && is_within(c, a) {
        return (point - a).dot(normal).abs() / normal.length();
    }
    let to_edge = |from: DVec3, to: DVec3| {
        let along = to - from;
        let share = (point - from).dot(along) / along.length_squared().max(f64::MIN_POSITIVE);
        point.distance(from + along * share.clamp(0.0, 1.0))
    };
    to_edge(a, b).min(to_edge(b, c)).min(to_edge(c, a))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a square with `side` vertices per side, folded at a right angle along its middle. In the second pose,
    /// the square is flat and one metre higher.
    fn folded(side: u32) -> TwoPoseSurface {
        let middle = (side / 2) as f32;
        let at = |i: u32| ((i % side) as f32, (i / side) as f32);
        let fold = |i: u32| {
            let (x, y) = at(i);
            if x > middle { Vec3::new(middle, y, x - middle) } else { Vec3::new(x, y, 0.0) }
        };
        let flat = |i: u32| Vec3::new(at(i).0, at(i).1, 1.0);
        let cell = |i: u32| [[i, i + 1, i + side], [i + 1, i + side + 1, i + side]];
        let cells = (0..side * (side - 1)).filter(|i| i % side != side - 1);
        let vertices = 0..side * side;
        let poses = [vertices.clone().map(fold).collect(), vertices.clone().map(flat).collect()];
        let triangles = cells.flat_map(cell).map(|corners| Triangle { vertices: corners, wedges: corners });
        TwoPoseSurface { poses, sources: vertices.collect(), triangles: triangles.collect() }
    }

    fn area(surface: &TwoPoseSurface) -> [f64; 2] {
        let normals = surface.triangles.iter().map(|triangle| surface.normals(triangle.vertices));
        normals.fold([0.0; 2], |sum, n| [sum[0] + n[0].length(), sum[1] + n[1].length()])
    }

    #[test]
    fn flat_parts_lose_their_triangles_and_folds_and_borders_stay() {
        let full = folded(41);
        let (simple, farthest) = full.simplified(24, &Progress::default()).unwrap();
        assert!(farthest.unwrap() < 1e-6, "the surface is the same: {farthest:?}");
        assert!(simple.triangles.len() <= 24, "{}", simple.triangles.len());
        for area in area(&simple) {
            assert!((area - 1600.0).abs() < 1e-3, "{area}");
        }
        for (folded, flat) in simple.poses[0].iter().zip(&simple.poses[1]) {
            let unfolded = if folded.z > 0.0 { folded.x + folded.z } else { folded.x };
            assert_eq!(Vec3::new(unfolded, folded.y, 1.0), *flat, "both poses keep the same vertices");
        }
    }

    #[test]
    fn a_bend_of_either_pose_alone_is_kept() {
        let full = folded(41);
        let [folded, flat] = full.poses.clone();
        let other = TwoPoseSurface { poses: [flat, folded], ..full }.simplified(24, &Progress::default()).unwrap().0;
        assert!(other.poses[1].iter().any(|p| p.x == 20.0 && p.z == 0.0), "no vertex at the fold");
        assert!((area(&other)[1] - 1600.0).abs() < 1e-3);
    }

    #[test]
    fn simplification_reports_its_deviation() {
        let mut full = folded(11);
        // A bump one metre high in the flat pose, which five triangles can't represent.
        full.poses[1][3 * 11 + 3].z += 1.0;
        let (simple, farthest) = full.simplified(6, &Progress::default()).unwrap();
        let keeps_bump = simple.poses[1].iter().any(|p| p.z > 1.5);
        let farthest = farthest.unwrap();
        assert!(keeps_bump && farthest > 0.1 || (0.99..1.01).contains(&farthest), "{farthest}");
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
        for (point, expected) in [([0.2, 0.2, 3.0], 3.0), ([2.0, 0.0, 0.0], 1.0), ([0.5, -2.0, 0.0], 2.0)] {
            assert!((distance(DVec3::from_array(point), corners) - expected).abs() < 1e-12, "{point:?}");
        }
    }

    #[test]
    fn a_seam_stays_where_it_is() {
        // A square, flat in both poses. Columns from 20 on use a different material, so border vertices have two
        // wedges.
        let mut full = folded(41);
        full.poses[0] = full.poses[1].clone();
        let column = |vertex: u32| vertex % 41;
        for triangle in full.triangles.iter_mut().filter(|t| t.vertices.iter().all(|&v| column(v) >= 20)) {
            triangle.wedges = triangle.wedges.map(|wedge| wedge + 10_000);
        }
        let (simple, _) = full.simplified(40, &Progress::default()).unwrap();
        for triangle in &simple.triangles {
            let is_right = triangle.wedges[0] >= 10_000;
            for (vertex, wedge) in triangle.vertices.into_iter().zip(triangle.wedges) {
                let source = simple.sources[vertex as usize];
                assert_eq!(wedge, source + if is_right { 10_000 } else { 0 }, "{triangle:?}");
                assert!(if is_right { column(source) >= 20 } else { column(source) <= 20 }, "{triangle:?}");
            }
        }
        assert!(simple.triangles.iter().any(|t| t.wedges[0] >= 10_000) && area(&simple)[0] > 1599.0);
    }

    #[test]
    fn nobody_waits_for_what_nobody_wants() {
        let progress = Progress::default();
        progress.cancel();
        assert!(folded(41).simplified(12, &progress).is_none());
    }

    #[test]
    fn surface_that_cannot_be_simplified_is_recognised() {
        let corner = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].to_vec();
        let triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let triangles = triangles.map(|corners| Triangle { vertices: corners, wedges: corners }).to_vec();
        let solid = TwoPoseSurface { poses: [corner.clone(), corner], sources: vec![0, 1, 2, 3], triangles };
        assert!(solid.simplified(1, &Progress::default()).is_none());
        let (same, farthest) = solid.simplified(4, &Progress::default()).unwrap();
        assert_eq!((same.triangles.len(), farthest), (4, None));
    }
}
