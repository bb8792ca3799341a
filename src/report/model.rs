//! The compared surfaces with few vertices and in whole numbers, so that a page of them stays small.

use std::collections::{HashMap, HashSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use glam::Vec3;

use super::measures::Measures;
use crate::jobs::Progress;
use crate::rig::Bounds;

/// Fewer are kept as they are; 13 bytes each.
const MOST_VERTICES: usize = 10_000;
/// 6 bytes each.
const MOST_TRIANGLES: usize = 16_000;
/// Cells along the longest side of a grid, from fine to coarse.
const GRIDS: [f32; 8] = [512.0, 256.0, 160.0, 110.0, 80.0, 56.0, 40.0, 24.0];

/// Both sides, vertex by vertex, and the triangles between them.
pub(super) struct Model {
    sides: [Vec<Vec3>; 2],
    triangles: Vec<[u16; 3]>,
    bounds: Bounds,
}

/// All triangles of a rig: vertices of both sides, the first decides where they are.
struct Full {
    sides: [Vec<Vec3>; 2],
    triangles: Vec<[u32; 3]>,
    bounds: Bounds,
}

impl Model {
    /// `None` where there is no surface, or where nobody wants it any more.
    pub fn of(measures: &Measures, progress: &Progress) -> Option<Self> {
        let full = Full::of(measures)?;
        GRIDS.into_iter().find_map(|cells| {
            progress.go_on()?;
            full.simplified(cells)
        })
    }

    /// Positions of A and B as 16-bit whole numbers and triangles as 16-bit numbers of vertices, little endian, each as base64; with what makes
    /// metres of them.
    pub fn json(&self) -> String {
        let (center, reach) = (self.bounds.center(), self.reach());
        let whole = |x: f32| ((x / reach).clamp(-1.0, 1.0) * 32767.0).round() as i16;
        let side = |positions: &[Vec3]| {
            let numbers = positions.iter().flat_map(|p| (*p - center).to_array());
            STANDARD.encode(numbers.flat_map(|x| whole(x).to_le_bytes()).collect::<Vec<u8>>())
        };
        let triangles: Vec<u8> = self.triangles.as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect();
        let [a, b] = &self.sides;
        let most = a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        // Base64 has no character that would end a script.
        format!(
            "{{\"reach\":{reach},\"most\":{most},\"a\":\"{}\",\"b\":\"{}\",\"triangles\":\"{}\"}}",
            side(a),
            side(b),
            STANDARD.encode(triangles)
        )
    }

    /// From the middle to the farthest side of a box around both sides, metres.
    fn reach(&self) -> f32 {
        ((self.bounds.max - self.bounds.min).max_element() * 0.5).max(1e-6)
    }

    /// Triangles that it has.
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }
}

impl Full {
    fn of(measures: &Measures) -> Option<Self> {
        let surfaces = measures.surfaces.as_ref()?;
        let rig = &measures.rig;
        let mut full = Self { sides: [Vec::new(), Vec::new()], triangles: Vec::new(), bounds: Bounds::default() };
        for part in rig.parts() {
            let primitive = &rig.meshes[rig.instances[part.instance].mesh].primitives[part.primitive];
            let first = u32::try_from(full.sides[0].len()).ok()?;
            for (all, surfaces) in full.sides.iter_mut().zip(surfaces) {
                all.extend(surfaces[part.instance][part.primitive].positions.iter().map(|p| finite(*p)));
            }
            full.triangles
                .extend(primitive.indices.as_chunks().0.iter().map(|&[a, b, c]| [a + first, b + first, c + first]));
        }
        full.sides.iter().flatten().for_each(|p| full.bounds.add(*p));
        (!full.triangles.is_empty()).then_some(full)
    }

    /// Vertices of one cell become the first of them; triangles that become lines go. `None` where that leaves too much.
    ///
    /// *Source*: Rossignac and Borrel 1993, "Multi-resolution 3D approximations for rendering complex scenes".
    fn simplified(&self, cells: f32) -> Option<Model> {
        let cell = (self.bounds.max - self.bounds.min).max_element().max(1e-6) / cells;
        let key = |v: u32| self.sides.each_ref().map(|side| ((side[v as usize] - self.bounds.min) / cell).as_ivec3());
        let mut numbers: HashMap<[glam::IVec3; 2], u16> = HashMap::new();
        let mut kept: Vec<u32> = Vec::new();
        let mut triangles = HashSet::new();
        let mut model = Vec::new();
        for corners in &self.triangles {
            let mut small = [0; 3];
            for (small, &corner) in small.iter_mut().zip(corners) {
                *small = *numbers.entry(key(corner)).or_insert_with(|| {
                    kept.push(corner);
                    (kept.len() - 1) as u16
                });
            }
            if kept.len() > MOST_VERTICES || model.len() > MOST_TRIANGLES {
                return None;
            }
            let [a, b, c] = small;
            let mut sorted = small;
            sorted.sort_unstable();
            if a != b && b != c && c != a && triangles.insert(sorted) {
                model.push(small);
            }
        }
        let sides = self.sides.each_ref().map(|side| kept.iter().map(|&v| side[v as usize]).collect());
        Some(Model { sides, triangles: model, bounds: Bounds { ..self.bounds } })
    }
}

fn finite(point: Vec3) -> Vec3 {
    if point.is_finite() { point } else { Vec3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of so many vertices a side; B lies a metre above A.
    fn square(side: u32) -> Full {
        let at = |i: u32, z: f32| Vec3::new((i % side) as f32, (i / side) as f32, z);
        let cell = |i: u32| [[i, i + 1, i + side], [i + 1, i + side + 1, i + side]];
        let cells = (0..side * (side - 1)).filter(|i| i % side != side - 1);
        let sides = [0.0, 1.0].map(|z| (0..side * side).map(|i| at(i, z)).collect::<Vec<_>>());
        let mut full = Full { triangles: cells.flat_map(cell).collect(), sides, bounds: Bounds::default() };
        full.sides.iter().flatten().for_each(|p| full.bounds.add(*p));
        full
    }

    #[test]
    fn a_small_surface_stays_as_it_is_and_a_large_one_keeps_its_extent() {
        let small = square(10).simplified(512.0).unwrap();
        assert_eq!((small.sides[0].len(), small.triangles.len()), (100, 162));
        let full = square(300);
        assert!(full.simplified(512.0).is_none());
        let fitting = GRIDS.into_iter().find_map(|cells| full.simplified(cells)).unwrap();
        assert!(fitting.triangle_count() > 2000 && fitting.triangle_count() <= MOST_TRIANGLES);
        let most = fitting.sides[0].iter().fold(Vec3::ZERO, |most, p| most.max(*p));
        assert!(most.min_element() >= 0.0 && most.x > 280.0 && most.y > 280.0, "{most}");
        for (a, b) in fitting.sides[0].iter().zip(&fitting.sides[1]) {
            assert_eq!(*b - *a, Vec3::Z, "both sides keep the same vertices");
        }
        assert!(fitting.json().len() < 300_000, "{}", fitting.json().len());
    }
}
