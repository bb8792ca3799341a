use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;

use super::Deformed;
use crate::rig::{Primitive, position_bits};

/// Groups of vertices that share a normal because their positions and normals are equal at rest, as along a texture
/// seam.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weld {
    /// First vertex of each vertex's group.
    first: Vec<u32>,
}

impl Weld {
    /// Groups the vertices of the bound mesh; without normals, by position only.
    pub fn new(primitive: &Primitive) -> Self {
        let mut known = BTreeMap::new();
        let normal = |vertex: usize| primitive.normals.as_ref().map(|normals| position_bits(normals[vertex]));
        let keys = primitive
            .positions
            .iter()
            .enumerate()
            .map(|(vertex, &p)| (vertex as u32, (position_bits(p), normal(vertex))));
        Self { first: keys.map(|(vertex, key)| *known.entry(key).or_insert(vertex)).collect() }
    }

    /// Computes area-weighted vertex normals; unit length, or zero if all adjacent triangles are degenerate. *Shapes*:
    /// `triangles` has three vertex indices each, counter-clockwise from outside; `positions` has one per vertex.
    /// ```
    /// use glam::Vec3;
    /// use rigscope_core::rig::Primitive;
    /// use rigscope_core::skinning::Weld;
    ///
    /// let triangle = Primitive { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], indices: vec![0, 1, 2], ..Primitive::default() };
    /// assert_eq!(Weld::new(&triangle).normals(&triangle.indices, &triangle.positions), [Vec3::Z; 3]);
    /// ```
    pub fn normals(&self, triangles: &[u32], positions: &[Vec3]) -> Vec<Vec3> {
        let mut sums = vec![Vec3::ZERO; positions.len()];
        let (triangles, _) = triangles.as_chunks();
        for corners in triangles {
            let [a, b, c] = corners.map(|v| positions[v as usize]);
            // The length of the cross product is twice the area.
            let normal = (b - a).cross(c - a);
            for vertex in corners.map(|v: u32| self.first[v as usize]) {
                sums[vertex as usize] += normal;
            }
        }
        self.first.iter().map(|&first| unit_or_zero(sums[first as usize])).collect()
    }
}

/// Recomputed normals of a deformed rig, which replace the normals computed on the GPU.
#[derive(Clone, Debug)]
pub struct RecomputedNormals {
    /// World space, one per vertex; listed by primitive as in [`crate::rig::Rig::primitives`], empty for primitives
    /// without normals.
    pub parts: Arc<[Vec<Vec3>]>,
    /// Changes with the normals, for fast comparison.
    pub version: u64,
}

impl RecomputedNormals {
    /// Collects the normals of surfaces that a [`super::Skinner`] deformed, listed by mesh instance and primitive.
    pub fn new(surfaces: &[Vec<Deformed>], version: u64) -> Self {
        let parts = surfaces.iter().flatten().map(|part| part.normals.clone().unwrap_or_default());
        Self { parts: parts.collect(), version }
    }
}

impl PartialEq for RecomputedNormals {
    fn eq(&self, other: &Self) -> bool {
        self.version == other.version
    }
}

/// Normalizes after scaling, because squares of tiny areas underflow.
fn unit_or_zero(v: Vec3) -> Vec3 {
    let largest = v.abs().max_element();
    if largest > 0.0 { (v / largest).normalize_or_zero() } else { Vec3::ZERO }
}
