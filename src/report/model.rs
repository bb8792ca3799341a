//! The compared surfaces with few vertices and in whole numbers, so that a page of them stays small.

use std::collections::{HashMap, HashSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use glam::Vec3;

use super::measures::Measures;
use super::simplify::Surface;
use crate::jobs::Progress;
use crate::rig::Bounds;

/// Most vertices on a page, 12 bytes each.
const MOST_VERTICES: usize = 10_000;
/// Most triangles on a page, 6 bytes each.
const MOST_TRIANGLES: usize = 16_000;
/// Surfaces with more triangles are made coarser by a grid first, which is faster than to collapse edges.
const MOST_TO_COLLAPSE: usize = 200_000;
/// Cells along the longest side of a grid, from so fine that it only joins what lies in one place, to coarse.
const GRIDS: [f32; 8] = [16_384.0, 1024.0, 512.0, 256.0, 128.0, 64.0, 32.0, 16.0];

/// Surfaces in both poses, in a box.
pub(super) struct Model {
    surface: Surface,
    bounds: Bounds,
    /// Largest distance of a vertex from the surface, in either pose, metres.
    pub farthest: f32,
    /// True where edges were collapsed, so that fewer triangles stand for the same surface.
    pub is_collapsed: bool,
}

impl Model {
    /// A model for which a page has room; `None` where there is no surface, or where the job was cancelled.
    pub(super) fn of(measures: &Measures, progress: &Progress) -> Option<Self> {
        let full = Self::full(measures)?;
        GRIDS.into_iter().find_map(|cells| {
            progress.go_on()?;
            full.simplified(cells, progress)
        })
    }

    /// Positions of A and B as 16-bit whole numbers, 32767 at the farthest side of a box around them, and triangles as 16-bit numbers of
    /// vertices, little endian, each as base64. In the same unit, how far apart the sides are at most and from the middle to a corner.
    pub(super) fn json(&self) -> String {
        let (center, reach) = (self.bounds.center(), self.reach());
        let whole = |x: f32| ((x / reach).clamp(-1.0, 1.0) * 32767.0).round() as i16;
        let side = |positions: &[Vec3]| {
            let numbers = positions.iter().flat_map(|p| (*p - center).to_array());
            STANDARD.encode(numbers.flat_map(|x| whole(x).to_le_bytes()).collect::<Vec<u8>>())
        };
        let corners = self.surface.triangles.as_flattened().iter();
        let triangles: Vec<u8> = corners.flat_map(|&v| (v as u16).to_le_bytes()).collect();
        let [a, b] = &self.surface.poses;
        let most = a.iter().zip(b).map(|(a, b)| (*a / reach).distance(*b / reach)).fold(0.0, f32::max);
        let radius = (self.bounds.max / reach - self.bounds.min / reach).length() * 0.5;
        format!(
            "{{\"radius\":{radius},\"most\":{most},\"a\":\"{}\",\"b\":\"{}\",\"triangles\":\"{}\"}}",
            side(a),
            side(b),
            STANDARD.encode(triangles)
        )
    }

    /// Distance from the middle to the farthest side of a box around both sides, metres.
    fn reach(&self) -> f32 {
        (self.bounds.max * 0.5 - self.bounds.min * 0.5).max_element().max(1e-6)
    }

    /// Number of triangles of the model.
    pub(super) fn triangle_count(&self) -> usize {
        self.surface.triangles.len()
    }

    /// Model of all triangles of a rig.
    fn full(measures: &Measures) -> Option<Self> {
        let surfaces = measures.surfaces.as_ref()?;
        let rig = &measures.rig;
        let (mut poses, mut triangles) = ([Vec::new(), Vec::new()], Vec::new());
        for part in rig.parts() {
            let primitive = &rig.meshes[rig.instances[part.instance].mesh].primitives[part.primitive];
            let first = u32::try_from(poses[0].len()).ok()?;
            for (all, surfaces) in poses.iter_mut().zip(surfaces) {
                all.extend(surfaces[part.instance][part.primitive].positions.iter().map(|p| finite(*p)));
            }
            triangles
                .extend(primitive.indices.as_chunks().0.iter().map(|&[a, b, c]| [a + first, b + first, c + first]));
        }
        (!triangles.is_empty()).then(|| Self::new(Surface { poses, triangles }))
    }

    fn new(surface: Surface) -> Self {
        let mut bounds = Bounds::default();
        surface.poses.iter().flatten().for_each(|p| bounds.add(*p));
        Self { surface, bounds, farthest: 0.0, is_collapsed: false }
    }

    /// Model simplified on a grid with this many cells along its longest side, at most as much as fits on a page; `None` where that leaves too much.
    fn simplified(&self, cells: f32, progress: &Progress) -> Option<Self> {
        let joined = self.joined(cells);
        if joined.triangles.len() > MOST_TO_COLLAPSE {
            return None;
        }
        let (surface, collapsed) = joined.simplified(MOST_TRIANGLES, progress)?;
        let whole = Self { surface, bounds: self.bounds, farthest: 0.0, is_collapsed: collapsed.is_some() };
        // Joined within a cell, then collapsed, then rounded to whole numbers of 16 bits.
        let joint = self.cell(cells) + whole.reach() / 65534.0;
        let farthest = joint * 3_f32.sqrt() + collapsed.unwrap_or(0.0) as f32;
        (whole.surface.poses[0].len() <= MOST_VERTICES).then_some(Self { farthest, ..whole })
    }

    /// Side of a cell, metres.
    fn cell(&self, cells: f32) -> f32 {
        (self.bounds.max - self.bounds.min).max_element().max(1e-6) / cells
    }

    /// Vertices of one cell, in both poses, become the first of them; triangles that become lines go.
    ///
    /// *Source*: Rossignac and Borrel 1993, "Multi-resolution 3D approximations for rendering complex scenes".
    fn joined(&self, cells: f32) -> Surface {
        let Self { surface: Surface { poses, triangles }, bounds, .. } = self;
        let cell = self.cell(cells);
        let mut firsts: HashMap<[glam::IVec3; 2], u32> = HashMap::new();
        let mut first = |v: u32| {
            let key = poses.each_ref().map(|pose| ((pose[v as usize] - bounds.min) / cell).as_ivec3());
            *firsts.entry(key).or_insert(v)
        };
        let firsts: Vec<u32> = (0..poses[0].len() as u32).map(&mut first).collect();
        let mut seen = HashSet::new();
        let corners = triangles.iter().map(|corners| corners.map(|v| firsts[v as usize]));
        let kept = corners.filter(|&[a, b, c]| {
            let mut sorted = [a, b, c];
            sorted.sort_unstable();
            a != b && b != c && c != a && seen.insert(sorted)
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

    /// A wavy square of so many vertices a side; B lies a metre above A.
    fn square(side: u32) -> Model {
        let wave = |i: u32| ((i % side) as f32 * 0.1).sin() * ((i / side) as f32 * 0.1).sin();
        let at = |i: u32, z: f32| Vec3::new((i % side) as f32, (i / side) as f32, wave(i) + z);
        let cell = |i: u32| [[i, i + 1, i + side], [i + 1, i + side + 1, i + side]];
        let cells = (0..side * (side - 1)).filter(|i| i % side != side - 1);
        let poses = [0.0, 1.0].map(|z| (0..side * side).map(|i| at(i, z)).collect::<Vec<_>>());
        Model::new(Surface { triangles: cells.flat_map(cell).collect(), poses })
    }

    #[test]
    fn a_small_surface_stays_as_it_is_and_a_large_one_keeps_its_extent() {
        let progress = Progress::default();
        let small = square(10).simplified(16_384.0, &progress).unwrap();
        assert_eq!((small.surface.poses[0].len(), small.triangle_count()), (100, 162));
        let full = square(340);
        assert!(full.simplified(16_384.0, &progress).is_none(), "too much to collapse edges of");
        let fitting = full.simplified(128.0, &progress).unwrap();
        assert!(fitting.triangle_count() > 2000 && fitting.triangle_count() <= MOST_TRIANGLES);
        let [a, b] = &fitting.surface.poses;
        let most = a.iter().fold(Vec3::ZERO, |most, p| most.max(*p));
        assert!(most.x > 335.0 && most.y > 335.0, "{most}");
        for (a, b) in a.iter().zip(b) {
            assert!((*b - *a).abs_diff_eq(Vec3::Z, 1e-5), "both sides keep the same vertices");
        }
        assert!(fitting.json().len() < 300_000, "{}", fitting.json().len());
    }

    #[test]
    fn seams_are_joined() {
        let mut full = square(10);
        // Every triangle has its own corners.
        let corners = full.surface.triangles.as_flattened().to_vec();
        full.surface.poses = full.surface.poses.map(|pose| corners.iter().map(|&v| pose[v as usize]).collect());
        full.surface.triangles = (0..corners.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        assert_eq!(full.joined(16_384.0).poses[0].len(), 100);
    }
}
