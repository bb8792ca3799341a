//! Simplified surface of the whole rig for the interactive view, which keeps the page small.

use std::collections::{HashMap, HashSet};

use glam::{IVec2, IVec3, Vec2, Vec3, Vec4};

use super::measures::Measures;
use crate::analysis::simplify::{Triangle, TwoPoseSurface};
use crate::jobs::Progress;
use crate::rig::{Bounds, JaggedArray, Primitive, PrimitiveIndex, Rig};
use crate::skinning::Method;

/// Maximum number of vertices on a page. Each takes 22 to 38 bytes.
const MAX_VERTICES: usize = 10_000;
/// Maximum number of wedges on a page. Each takes 6 to 10 bytes.
const MAX_WEDGES: usize = 24_000;
/// Maximum number of triangles on a page. Each takes 6 bytes.
const MAX_TRIANGLES: usize = 16_000;
/// Maximum number of triangles that edge collapse starts from. Larger surfaces are first clustered on a grid, which is
/// faster.
const MAX_TO_COLLAPSE: usize = 200_000;
/// Surfaces with more triangles than this skip the finest grid, which would remove too few of them.
const MAX_TO_WELD: usize = 4 * MAX_TO_COLLAPSE;
/// Grid cells along the longest side of the finest grid. The grid is so fine that only coincident vertices share a
/// cell.
const FINEST: f32 = 16_384.0;
/// Grids to try, in this order, given as cells along the longest side. Seams of textures and colours are kept.
const GRIDS: [f32; 5] = [FINEST, 1024.0, 512.0, 256.0, 128.0];
/// Grids to try if no surface with seams is small enough. Seams are dropped, because they block edge collapse.
const GRIDS_WITHOUT_SEAMS: [f32; 7] = [1024.0, 512.0, 256.0, 128.0, 64.0, 32.0, 16.0];

pub(super) struct Model {
    pub surface: TwoPoseSurface,
    bounds: Bounds,
    /// Maximum distance between an original vertex and the simplified surface in either pose, metres, not counting
    /// quantisation error.
    pub farthest: f32,
    pub is_collapsed: bool,
}

pub(super) struct Numbering<'a> {
    rig: &'a Rig,
    /// First vertex number of each drawn primitive.
    parts: Vec<(u32, PrimitiveIndex)>,
}

/// Primitive, texture coordinates and colour of a wedge. A vertex's wedges are joined if their keys are equal.
type WedgeKey = (usize, IVec2, Option<[u8; 4]>);

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

    /// Returns the primitive of a vertex, and the vertex's index in the primitive.
    pub(super) fn place(&self, vertex: u32) -> (PrimitiveIndex, usize) {
        let (first, part) = self.parts[self.position(vertex)];
        (part, (vertex - first) as usize)
    }

    fn position(&self, vertex: u32) -> usize {
        self.parts.partition_point(|(first, _)| *first <= vertex) - 1
    }

    /// Returns the texture coordinates of a vertex; v points down. Zero if the vertex has none.
    pub(super) fn coords(&self, vertex: u32) -> Vec2 {
        let (part, at) = self.place(vertex);
        let coords = primitive(self.rig, part).tex_coords.as_ref().and_then(|coords| coords.get(at));
        coords.copied().filter(|coords| coords.is_finite()).unwrap_or_default()
    }

    pub(super) fn color(&self, vertex: u32) -> Option<Vec4> {
        let (part, at) = self.place(vertex);
        primitive(self.rig, part).colors.as_ref().and_then(|colors| colors.get(at)).copied()
    }

    fn look(&self, vertex: u32, (cells, keeps_seams): (f32, bool)) -> WedgeKey {
        if !keeps_seams {
            return (self.position(vertex), IVec2::ZERO, None);
        }
        let color = self.color(vertex).map(|color| (color * 31.0).to_array().map(|c| c as u8));
        (self.position(vertex), (self.coords(vertex) * cells).as_ivec2(), color)
    }
}

pub(super) fn primitive(rig: &Rig, part: PrimitiveIndex) -> &Primitive {
    &rig.meshes[rig.instances[part.instance].mesh].primitives[part.primitive]
}

impl Model {
    /// Creates a model that fits on a page, and its vertex numbering. Returns `None` if cancelled or if there is no
    /// surface.
    pub(super) fn new_fitting<'a>(measures: &'a Measures, progress: &Progress) -> Option<(Self, Numbering<'a>)> {
        let numbering = Numbering::new(&measures.rig)?;
        let fitting = |grids: &[f32], keeps_seams: bool| {
            progress.check_cancelled()?;
            let look = |vertex: u32, cells: f32| numbering.look(vertex, (cells, keeps_seams));
            Self::full(measures, &numbering)?.fitting(grids, &look, progress)
        };
        let model = fitting(&GRIDS, true).or_else(|| fitting(&GRIDS_WITHOUT_SEAMS, false))?;
        Some((model, numbering))
    }

    /// Simplifies on the first grid whose result fits on a page. Each grid must subdivide the next grid.
    fn fitting(mut self, grids: &[f32], look: &dyn Fn(u32, f32) -> WedgeKey, progress: &Progress) -> Option<Self> {
        let is_huge = self.triangle_count() > MAX_TO_WELD;
        grids.iter().filter(|cells| **cells < FINEST || !is_huge).find_map(|&cells| {
            progress.check_cancelled()?;
            self.join(cells, &|vertex| look(vertex, cells));
            self.simplified(cells, progress)
        })
    }

    pub(super) fn triangle_count(&self) -> usize {
        self.surface.triangles.len()
    }

    fn full(measures: &Measures, numbering: &Numbering<'_>) -> Option<Self> {
        let mut poses = [Vec::new(), Vec::new()];
        for (positions, method) in poses.iter_mut().zip([Method::Lbs, Method::Dqs]) {
            *positions = measures.compared.positions(&measures.rig, method).filter(|_| measures.is_measured)?;
            positions.iter_mut().filter(|position| !position.is_finite()).for_each(|position| *position = Vec3::ZERO);
        }
        let mut triangles = Vec::new();
        for &(first, part) in &numbering.parts {
            let corners = primitive(&measures.rig, part).indices.as_chunks().0.iter();
            triangles.extend(corners.map(|&[a, b, c]| [a + first, b + first, c + first]));
        }
        (!triangles.is_empty()).then(|| Self::new(poses, &triangles))
    }

    fn new(poses: [Vec<Vec3>; 2], triangles: &[[u32; 3]]) -> Self {
        let bounds = poses.iter().flatten().copied().collect();
        let sources = (0..poses[0].len() as u32).collect();
        let triangles = triangles.iter().map(|&corners| Triangle { vertices: corners, wedges: corners }).collect();
        Self { surface: TwoPoseSurface { poses, sources, triangles }, bounds, farthest: 0.0, is_collapsed: false }
    }

    /// Simplifies a surface whose vertices were joined on a grid with `cells` cells along the longest side. Returns
    /// `None` if the result is still too large.
    fn simplified(&self, cells: f32, progress: &Progress) -> Option<Self> {
        if self.triangle_count() > MAX_TO_COLLAPSE {
            return None;
        }
        let (surface, collapsed) = self.surface.simplified(MAX_TRIANGLES, progress)?;
        // Sum of the errors of joining within a cell and of collapsing.
        let farthest = self.cell(cells) * 3_f32.sqrt() + collapsed.unwrap_or(0.0) as f32;
        let wedges: HashSet<u32> = surface.triangles.iter().flat_map(|triangle| triangle.wedges).collect();
        let fits = surface.sources.len() <= MAX_VERTICES && wedges.len() <= MAX_WEDGES;
        fits.then_some(Self { surface, farthest, is_collapsed: collapsed.is_some(), ..*self })
    }

    fn cell(&self, cells: f32) -> f32 {
        (self.bounds.max - self.bounds.min).max_element().max(1e-6) / cells
    }

    /// Joins vertices that share a cell in both poses, and joins wedges of a vertex that have the same appearance.
    /// Drops degenerate triangles. *Source*: Rossignac and Borrel 1993, "Multi-resolution 3D approximations for
    /// rendering complex scenes".
    fn join(&mut self, cells: f32, look: &dyn Fn(u32) -> WedgeKey) {
        let (vertices, triangles) = (self.first_of_cells(cells), &mut self.surface.triangles);
        for triangle in &mut *triangles {
            triangle.vertices = triangle.vertices.map(|vertex| vertices[vertex as usize]);
        }
        triangles.retain(|Triangle { vertices: [a, b, c], .. }| a != b && b != c && c != a);
        join_wedges(triangles, look);
        remove_duplicate_triangles(triangles, vertices.len());
        self.surface.drop_unused();
    }

    fn first_of_cells(&self, cells: f32) -> Vec<u32> {
        let (poses, origin, cell) = (&self.surface.poses, self.bounds.min, self.cell(cells));
        let mut first: HashMap<[IVec3; 2], u32> = HashMap::new();
        let joined = |vertex: u32| {
            let key = poses.each_ref().map(|pose| ((pose[vertex as usize] - origin) / cell).as_ivec3());
            *first.entry(key).or_insert(vertex)
        };
        (0..poses[0].len() as u32).map(joined).collect()
    }
}

fn remove_duplicate_triangles(triangles: &mut Vec<Triangle>, vertices: usize) {
    let sorted = triangles.iter().zip(0..).map(|(triangle, number): (&Triangle, u32)| {
        let mut corners = triangle.vertices;
        corners.sort_unstable();
        (corners[0], ([corners[1], corners[2]], number))
    });
    let by_lowest = JaggedArray::new(vertices, sorted);
    let (mut is_double, mut around) = (vec![false; triangles.len()], Vec::new());
    for vertex in 0..vertices {
        around.clear();
        around.extend_from_slice(by_lowest.row(vertex));
        around.sort_unstable();
        for doubles in around.chunk_by(|(a, _), (b, _)| a == b) {
            doubles[1..].iter().for_each(|(_, number)| is_double[*number as usize] = true);
        }
    }
    let mut is_double = is_double.into_iter();
    triangles.retain(|_| is_double.next() == Some(false));
}

fn join_wedges(triangles: &mut [Triangle], look: &dyn Fn(u32) -> WedgeKey) {
    const NONE: u32 = u32::MAX;
    let max_wedge = triangles.iter().flat_map(|triangle| triangle.wedges).max().unwrap_or(0);
    let mut known = vec![NONE; max_wedge as usize + 1];
    let mut first: HashMap<(u32, WedgeKey), u32> = HashMap::new();
    for Triangle { vertices, wedges } in triangles {
        for (vertex, wedge) in vertices.iter().zip(wedges) {
            let joined = &mut known[*wedge as usize];
            if *joined == NONE {
                *joined = *first.entry((*vertex, look(*wedge))).or_insert(*wedge);
            }
            *wedge = *joined;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Mesh = ([Vec<Vec3>; 2], Vec<[u32; 3]>);

    /// Returns a wavy square with `side` vertices per side. In pose B, it is one metre higher than in pose A.
    fn square(side: u32) -> Mesh {
        let wave = |i: u32| ((i % side) as f32 * 0.1).sin() * ((i / side) as f32 * 0.1).sin();
        let at = |i: u32, z: f32| Vec3::new((i % side) as f32, (i / side) as f32, wave(i) + z);
        let cell = |i: u32| [[i, i + 1, i + side], [i + 1, i + side + 1, i + side]];
        let cells = (0..side * (side - 1)).filter(|i| i % side != side - 1);
        let poses = [0.0, 1.0].map(|z| (0..side * side).map(|i| at(i, z)).collect::<Vec<_>>());
        (poses, cells.flat_map(cell).collect())
    }

    fn alike(_: u32) -> WedgeKey {
        (0, IVec2::ZERO, None)
    }

    #[test]
    fn a_small_surface_stays_as_it_is_and_a_large_one_keeps_its_extent() {
        let progress = Progress::default();
        let [small, full] = [square(10), square(340)].map(|(poses, triangles)| Model::new(poses, &triangles));
        let small = small.fitting(&GRIDS, &|vertex, _| alike(vertex), &progress).unwrap();
        assert_eq!((small.surface.sources.len(), small.triangle_count()), (100, 162));
        let (poses, triangles) = square(340);
        let finest = Model::new(poses, &triangles).fitting(&[FINEST], &|vertex, _| alike(vertex), &progress);
        assert!(finest.is_none(), "too much to collapse edges of");
        let whole = full.surface.poses[0].clone();
        let fitting = full.fitting(&GRIDS, &|vertex, _| alike(vertex), &progress).unwrap();
        assert!(fitting.triangle_count() > 2000 && fitting.triangle_count() <= MAX_TRIANGLES);
        let [a, b] = &fitting.surface.poses;
        let max = a.iter().fold(Vec3::ZERO, |max, p| max.max(*p));
        assert!(max.x > 335.0 && max.y > 335.0, "{max}");
        for ((a, b), &source) in a.iter().zip(b).zip(&fitting.surface.sources) {
            assert!((*b - *a).abs_diff_eq(Vec3::Z, 1e-5), "both sides keep the same vertices");
            assert_eq!(*a, whole[source as usize]);
        }
    }

    #[test]
    fn of_triangles_with_the_same_corners_the_first_is_kept() {
        let triangle = |vertices: [u32; 3], wedge: u32| Triangle { vertices, wedges: [wedge; 3] };
        let mut triangles = vec![
            triangle([3, 1, 2], 0),
            triangle([1, 2, 4], 1),
            triangle([2, 1, 3], 2),
            triangle([1, 2, 3], 3),
            triangle([1, 3, 4], 4),
        ];
        remove_duplicate_triangles(&mut triangles, 5);
        assert_eq!(triangles.iter().map(|triangle| triangle.wedges[0]).collect::<Vec<_>>(), [0, 1, 4]);
    }

    fn loose(side: u32) -> Model {
        let (poses, triangles) = square(side);
        let corners = triangles.as_flattened();
        let own: Vec<[u32; 3]> = (0..triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        Model::new(poses.map(|pose| corners.iter().map(|&v| pose[v as usize]).collect()), &own)
    }

    #[test]
    fn a_surface_of_nothing_but_seams_fits_once_they_are_given_up() {
        let progress = Progress::default();
        let seams = |vertex, _| (vertex as usize, IVec2::ZERO, None);
        assert!(loose(150).fitting(&GRIDS[..1], &seams, &progress).is_none());
        let without = loose(150).fitting(&GRIDS_WITHOUT_SEAMS, &|vertex, _| alike(vertex), &progress);
        let count = without.unwrap().triangle_count();
        assert!((MAX_TRIANGLES - 1..=MAX_TRIANGLES).contains(&count), "{count}");
    }

    #[test]
    fn corners_in_one_place_are_one_vertex_and_one_wedge_where_they_look_alike() {
        let wedges =
            |surface: &TwoPoseSurface| surface.triangles.iter().flat_map(|t| t.wedges).collect::<HashSet<_>>().len();
        let joined = |look: &dyn Fn(u32) -> WedgeKey| {
            let mut model = loose(10);
            model.join(GRIDS[0], look);
            model.surface
        };
        let one = joined(&alike);
        assert_eq!((one.sources.len(), wedges(&one)), (100, 100));
        let two = joined(&|vertex| (vertex as usize / 3 % 2, IVec2::ZERO, None));
        assert_eq!(two.sources.len(), 100);
        assert!(wedges(&two) > 190, "{}", wedges(&two));
    }
}
