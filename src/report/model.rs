//! The surface of the view to turn: that of the whole rig with few vertices, so that a page of them stays small.

use std::collections::{HashMap, HashSet};

use glam::{IVec2, IVec3, Vec2, Vec3, Vec4};

use super::measures::Measures;
use super::simplify::{Surface, Triangle};
use crate::jobs::Progress;
use crate::rig::{Bounds, PartIndex, Primitive, Rig};

/// Most vertices on a page, 22 to 38 bytes each.
const MOST_VERTICES: usize = 10_000;
/// Most wedges on a page, 6 to 10 bytes each.
const MOST_WEDGES: usize = 24_000;
/// Most triangles on a page, 6 bytes each.
const MOST_TRIANGLES: usize = 16_000;
/// Surfaces with more triangles are made coarser by a grid first, which is faster than to collapse edges.
const MOST_TO_COLLAPSE: usize = 200_000;
/// Grids that are tried in turn: cells along the longest side, from so fine that it only joins what lies in one place, to coarse; and whether seams of
/// textures and colours stay, which keep edges from collapsing.
const GRIDS: [(f32, bool); 12] = [
    (16_384.0, true),
    (1024.0, true),
    (512.0, true),
    (256.0, true),
    (128.0, true),
    (1024.0, false),
    (512.0, false),
    (256.0, false),
    (128.0, false),
    (64.0, false),
    (32.0, false),
    (16.0, false),
];

/// Surface with few vertices in both sides of the compared pose.
pub(super) struct Model {
    pub surface: Surface,
    bounds: Bounds,
    /// Largest distance of a vertex from the surface, on either side, metres; without what rounding to whole numbers adds.
    pub farthest: f32,
    /// True where edges were collapsed, so that fewer triangles stand for the same surface.
    pub is_collapsed: bool,
}

/// Numbers of the vertices of all parts of a rig, one part after the other.
pub(super) struct Numbering<'a> {
    rig: &'a Rig,
    /// Each part that is drawn, with the number of its first vertex.
    parts: Vec<(u32, PartIndex)>,
}

/// What sets the corners of a vertex apart on a grid: part, texture coordinates, colour.
type Look = (usize, IVec2, Option<[u8; 4]>);

impl<'a> Numbering<'a> {
    fn new(rig: &'a Rig) -> Option<Self> {
        let (mut first, mut parts) = (0_u32, Vec::new());
        for part in rig.parts() {
            parts.push((first, part));
            let vertices = primitive(rig, part).positions.len();
            first = first.checked_add(u32::try_from(vertices).ok()?)?;
        }
        Some(Self { rig, parts })
    }

    /// Part and position in its arrays of a vertex.
    pub(super) fn place(&self, vertex: u32) -> (PartIndex, usize) {
        let (first, part) = self.parts[self.position(vertex)];
        (part, (vertex - first) as usize)
    }

    fn position(&self, vertex: u32) -> usize {
        self.parts.partition_point(|(first, _)| *first <= vertex) - 1
    }

    /// Texture coordinates of a vertex, v down; the origin where there are none.
    pub(super) fn coords(&self, vertex: u32) -> Vec2 {
        let (part, at) = self.place(vertex);
        let coords = primitive(self.rig, part).tex_coords.as_ref().and_then(|coords| coords.get(at));
        coords.copied().filter(|coords| coords.is_finite()).unwrap_or_default()
    }

    /// Colour of a vertex, linear RGBA; `None` where it has none.
    pub(super) fn color(&self, vertex: u32) -> Option<Vec4> {
        let (part, at) = self.place(vertex);
        primitive(self.rig, part).colors.as_ref().and_then(|colors| colors.get(at)).copied()
    }

    fn look(&self, vertex: u32, (cells, keeps_seams): (f32, bool)) -> Look {
        if !keeps_seams {
            return (self.position(vertex), IVec2::ZERO, None);
        }
        let color = self.color(vertex).map(|color| (color * 31.0).to_array().map(|c| c as u8));
        (self.position(vertex), (self.coords(vertex) * cells).as_ivec2(), color)
    }
}

/// Primitive of a part.
pub(super) fn primitive(rig: &Rig, part: PartIndex) -> &Primitive {
    &rig.meshes[rig.instances[part.instance].mesh].primitives[part.primitive]
}

impl Model {
    /// A model for which a page has room, and what its vertices and wedges are numbers in; `None` where there is no surface, or where the job was cancelled.
    pub(super) fn of<'a>(measures: &'a Measures, progress: &Progress) -> Option<(Self, Numbering<'a>)> {
        let numbering = Numbering::new(&measures.rig)?;
        let full = Self::full(measures, &numbering)?;
        let model = GRIDS.into_iter().find_map(|grid| {
            progress.go_on()?;
            full.simplified(grid.0, &|vertex| numbering.look(vertex, grid), progress)
        })?;
        Some((model, numbering))
    }

    /// Number of triangles of the model.
    pub(super) fn triangle_count(&self) -> usize {
        self.surface.triangles.len()
    }

    /// Model of all triangles of a rig.
    fn full(measures: &Measures, numbering: &Numbering<'_>) -> Option<Self> {
        let surfaces = measures.surfaces.as_ref()?;
        let (mut poses, mut triangles) = ([Vec::new(), Vec::new()], Vec::new());
        for &(first, part) in &numbering.parts {
            for (all, surfaces) in poses.iter_mut().zip(surfaces) {
                all.extend(surfaces[part.instance][part.primitive].positions.iter().map(|p| finite(*p)));
            }
            let corners = primitive(&measures.rig, part).indices.as_chunks().0.iter();
            triangles.extend(corners.map(|&[a, b, c]| [a + first, b + first, c + first]));
        }
        (!triangles.is_empty()).then(|| Self::new(poses, &triangles))
    }

    fn new(poses: [Vec<Vec3>; 2], triangles: &[[u32; 3]]) -> Self {
        let mut bounds = Bounds::default();
        poses.iter().flatten().for_each(|p| bounds.add(*p));
        let sources = (0..poses[0].len() as u32).collect();
        let triangles = triangles.iter().map(|&corners| Triangle { vertices: corners, wedges: corners }).collect();
        Self { surface: Surface { poses, sources, triangles }, bounds, farthest: 0.0, is_collapsed: false }
    }

    /// Model simplified on a grid with this many cells along its longest side, at most as much as fits on a page; `None` where that leaves too much.
    fn simplified(&self, cells: f32, look: &dyn Fn(u32) -> Look, progress: &Progress) -> Option<Self> {
        let joined = self.joined(cells, look);
        if joined.triangles.len() > MOST_TO_COLLAPSE {
            return None;
        }
        let (surface, collapsed) = joined.simplified(MOST_TRIANGLES, progress)?;
        // Joined within a cell, then collapsed.
        let farthest = self.cell(cells) * 3_f32.sqrt() + collapsed.unwrap_or(0.0) as f32;
        let wedges: HashSet<u32> = surface.triangles.iter().flat_map(|triangle| triangle.wedges).collect();
        let fits = surface.sources.len() <= MOST_VERTICES && wedges.len() <= MOST_WEDGES;
        fits.then_some(Self { surface, bounds: self.bounds, farthest, is_collapsed: collapsed.is_some() })
    }

    /// Side of a cell, metres.
    fn cell(&self, cells: f32) -> f32 {
        (self.bounds.max - self.bounds.min).max_element().max(1e-6) / cells
    }

    /// Surface on which the vertices of each cell, on both sides, are joined to the first of them, and wedges of one vertex that look alike to the first of
    /// those. Triangles without area are dropped.
    ///
    /// *Source*: Rossignac and Borrel 1993, "Multi-resolution 3D approximations for rendering complex scenes".
    fn joined(&self, cells: f32, look: &dyn Fn(u32) -> Look) -> Surface {
        let Self { surface: Surface { poses, triangles, .. }, bounds, .. } = self;
        let cell = self.cell(cells);
        let mut vertices: HashMap<[IVec3; 2], u32> = HashMap::new();
        let mut wedges: HashMap<(u32, Look), u32> = HashMap::new();
        let mut first = |vertex: u32| {
            let key = poses.each_ref().map(|pose| ((pose[vertex as usize] - bounds.min) / cell).as_ivec3());
            let joined = *vertices.entry(key).or_insert(vertex);
            [joined, *wedges.entry((joined, look(vertex))).or_insert(vertex)]
        };
        let firsts: Vec<[u32; 2]> = (0..poses[0].len() as u32).map(&mut first).collect();
        let mut seen = HashSet::new();
        let joined = triangles.iter().map(|Triangle { vertices, .. }| {
            let [vertices, wedges] = [0, 1].map(|which| vertices.map(|vertex| firsts[vertex as usize][which]));
            Triangle { vertices, wedges }
        });
        let kept = joined.filter(|Triangle { vertices: [a, b, c], .. }| {
            let mut sorted = [a, b, c];
            sorted.sort_unstable();
            a != b && b != c && c != a && seen.insert(sorted.map(|v| *v))
        });
        self.surface.of(kept.collect::<Vec<_>>().iter())
    }
}

fn finite(point: Vec3) -> Vec3 {
    if point.is_finite() { point } else { Vec3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions in two poses, and corners of triangles.
    type Mesh = ([Vec<Vec3>; 2], Vec<[u32; 3]>);

    /// A wavy square of so many vertices a side; B lies a metre above A.
    fn square(side: u32) -> Mesh {
        let wave = |i: u32| ((i % side) as f32 * 0.1).sin() * ((i / side) as f32 * 0.1).sin();
        let at = |i: u32, z: f32| Vec3::new((i % side) as f32, (i / side) as f32, wave(i) + z);
        let cell = |i: u32| [[i, i + 1, i + side], [i + 1, i + side + 1, i + side]];
        let cells = (0..side * (side - 1)).filter(|i| i % side != side - 1);
        let poses = [0.0, 1.0].map(|z| (0..side * side).map(|i| at(i, z)).collect::<Vec<_>>());
        (poses, cells.flat_map(cell).collect())
    }

    fn alike(_: u32) -> Look {
        (0, IVec2::ZERO, None)
    }

    #[test]
    fn a_small_surface_stays_as_it_is_and_a_large_one_keeps_its_extent() {
        let progress = Progress::default();
        let [small, full] = [square(10), square(340)].map(|(poses, triangles)| Model::new(poses, &triangles));
        let small = small.simplified(16_384.0, &alike, &progress).unwrap();
        assert_eq!((small.surface.sources.len(), small.triangle_count()), (100, 162));
        assert!(full.simplified(16_384.0, &alike, &progress).is_none(), "too much to collapse edges of");
        let fitting = full.simplified(128.0, &alike, &progress).unwrap();
        assert!(fitting.triangle_count() > 2000 && fitting.triangle_count() <= MOST_TRIANGLES);
        let [a, b] = &fitting.surface.poses;
        let most = a.iter().fold(Vec3::ZERO, |most, p| most.max(*p));
        assert!(most.x > 335.0 && most.y > 335.0, "{most}");
        for ((a, b), &source) in a.iter().zip(b).zip(&fitting.surface.sources) {
            assert!((*b - *a).abs_diff_eq(Vec3::Z, 1e-5), "both sides keep the same vertices");
            assert_eq!(*a, full.surface.poses[0][source as usize]);
        }
    }

    /// Every triangle of a square has corners of its own.
    fn loose(side: u32) -> Model {
        let (poses, triangles) = square(side);
        let corners = triangles.as_flattened();
        let own: Vec<[u32; 3]> = (0..triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        Model::new(poses.map(|pose| corners.iter().map(|&v| pose[v as usize]).collect()), &own)
    }

    #[test]
    fn a_surface_of_nothing_but_seams_fits_once_they_are_given_up() {
        let model = loose(150);
        let progress = Progress::default();
        let seams = |vertex| (vertex as usize, IVec2::ZERO, None);
        assert!(model.simplified(16_384.0, &seams, &progress).is_none());
        let count = model.simplified(1024.0, &alike, &progress).unwrap().triangle_count();
        assert!((MOST_TRIANGLES - 1..=MOST_TRIANGLES).contains(&count), "{count}");
    }

    #[test]
    fn corners_in_one_place_are_one_vertex_and_one_wedge_where_they_look_alike() {
        let wedges = |surface: &Surface| surface.triangles.iter().flat_map(|t| t.wedges).collect::<HashSet<_>>().len();
        let joined = loose(10).joined(16_384.0, &alike);
        assert_eq!((joined.sources.len(), wedges(&joined)), (100, 100));
        // Two materials, by triangle.
        let two = loose(10).joined(16_384.0, &|vertex| (vertex as usize / 3 % 2, IVec2::ZERO, None));
        assert_eq!(two.sources.len(), 100);
        assert!(wedges(&two) > 190, "{}", wedges(&two));
    }
}
