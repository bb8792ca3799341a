//! Optimized centres of rotation, one per vertex.
//!
//! A vertex's centre is the mean of all surface points, weighted by the similarity of their skin weights to the
//! vertex's own. Points with a similar mix of two joints form a slice across the limb, and the centre of the slice is
//! inside the limb.
//!
//! ```text
//! p_i = sum_t s(w_i, w_t) a_t c_t / sum_t s(w_i, w_t) a_t
//! s(w, u) = sum_(j != k) w_j w_k u_j u_k exp(-((w_j u_k - w_k u_j) / σ)²)
//! ```
//! Here `a_t` is the area of triangle t, `c_t` its centroid, `w_t` the mean weights of its corners; σ = 0.1. Centres
//! depend only on the bound mesh. `s` is a sum over pairs of joints. For each pair, triangles whose weights for the two
//! joints agree to 1/64 are merged into one slice, so a vertex reads a few hundred slices instead of all triangles. The
//! error is second-order in slice width / σ: below 1/1000 of the mesh size in tests.
//!
//! *Source*: Le and Hodgins 2016, *Real-time skeletal skinning with optimized centers of rotation*, equations 3 and 4.

use std::collections::BTreeMap;

use glam::{DVec2, DVec3, Vec3};

use crate::jobs::{Progress, try_ranges};
use crate::rig::{Influences, Mesh, Primitive, Rig};

/// Width `σ` of the similarity falloff.
const SIGMA: f64 = 0.1;

const SLICES: f64 = 64.0;

const CHUNK: usize = 4096;

/// Centres of rotation of a rig's vertices; independent of the pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Centers {
    /// Centres of rotation by mesh, primitive and vertex, in skin space.
    meshes: Vec<Vec<Vec<Vec3>>>,
}

impl Centers {
    /// Computes the centres on the current `rayon` pool; `None` if cancelled. *Cost*: seconds for a million vertices.
    pub fn new(rig: &Rig, progress: &Progress) -> Option<Self> {
        let work = rig.meshes.iter().flat_map(|m| &m.primitives).map(|p| p.positions.len() + p.indices.len() / 3).sum();
        progress.begin(work);
        let meshes = rig.meshes.iter().map(|mesh| centers_of_mesh(mesh, progress)).collect::<Option<_>>()?;
        Some(Self { meshes })
    }

    /// Returns one centre per vertex, skin space; empty without influences. For a vertex without a defined centre, such
    /// as a vertex with a single joint, returns the vertex position.
    pub fn primitive(&self, mesh: usize, primitive: usize) -> &[Vec3] {
        self.meshes.get(mesh).and_then(|primitives| primitives.get(primitive)).map_or(&[], Vec::as_slice)
    }
}

fn add(progress: &Progress, count: usize) -> Option<()> {
    progress.add(count);
    progress.check_cancelled()
}

fn centers_of_mesh(mesh: &Mesh, progress: &Progress) -> Option<Vec<Vec<Vec3>>> {
    let mut slices = Slices::new();
    for primitive in &mesh.primitives {
        add_triangles(&mut slices, primitive, progress)?;
    }
    let pairs = by_pair(slices);
    mesh.primitives.iter().map(|primitive| centers_of_primitive(primitive, &pairs, progress)).collect()
}

type Pair = (u16, u16);

/// Slices, keyed by joint pair and quantized weights.
type Slices = BTreeMap<(Pair, [u8; 2]), Slice>;

/// Sum over triangles with similar weights for two joints.
#[derive(Clone, Copy, Default)]
struct Slice {
    /// `sum_t u_j u_k a_t`.
    mass: f64,
    /// Mass times the weights of the two joints.
    weights: DVec2,
    /// Mass times the centroid.
    centroid: DVec3,
}

impl Slice {
    fn add(&mut self, other: &Self) {
        self.mass += other.mass;
        self.weights += other.weights;
        self.centroid += other.centroid;
    }
}

fn add_triangles(slices: &mut Slices, primitive: &Primitive, progress: &Progress) -> Option<()> {
    let (triangles, _) = primitive.indices.as_chunks();
    let Some(influences) = &primitive.influences else { return add(progress, triangles.len()) };
    let chunks = try_ranges((triangles.len(), CHUNK), progress, |range| {
        add(progress, range.len())?;
        let mut slices = Slices::new();
        for triangle in &triangles[range] {
            add_triangle(&mut slices, &primitive.positions, influences, *triangle);
        }
        Some(slices)
    })?;
    // Added in order, so rounding doesn't depend on thread timing.
    for chunk in chunks {
        for (key, slice) in chunk {
            slices.entry(key).or_default().add(&slice);
        }
    }
    Some(())
}

fn add_triangle(slices: &mut Slices, positions: &[Vec3], influences: &Influences, corners: [u32; 3]) {
    let corners = corners.map(|v| v as usize);
    let weights = merged(corners.iter().flat_map(|&v| influences.vertex(v)), 3.0);
    let [a, b, c] = corners.map(|v| positions[v].as_dvec3());
    let area = (b - a).cross(c - a).length() * 0.5;
    let centroid = (a + b + c) / 3.0;
    for (pair, weights) in pairs(&weights) {
        let mass = weights.x * weights.y * area;
        let number = weights.to_array().map(|w| (w * SLICES).min(SLICES) as u8);
        let slice = Slice { mass, weights: weights * mass, centroid: centroid * mass };
        slices.entry((pair, number)).or_default().add(&slice);
    }
}

/// Sums the weights of duplicate joints, divides them by `divisor` and drops zeros; sorted by joint.
fn merged(influences: impl Iterator<Item = (usize, f32)>, divisor: f64) -> Vec<(u16, f64)> {
    let mut joints: Vec<(u16, f64)> = influences
        .filter(|(_, weight)| *weight > 0.0)
        .map(|(joint, weight)| (joint as u16, f64::from(weight) / divisor))
        .collect();
    joints.sort_by_key(|(joint, _)| *joint);
    joints.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        kept.1 += if is_same { next.1 } else { 0.0 };
        is_same
    });
    joints
}

fn pairs(joints: &[(u16, f64)]) -> impl Iterator<Item = (Pair, DVec2)> {
    let with_later = |(first, &(j, w)): (usize, &(u16, f64))| {
        joints[first + 1..].iter().map(move |&(k, u)| ((j, k), DVec2::new(w, u)))
    };
    joints.iter().enumerate().flat_map(with_later)
}

fn by_pair(slices: Slices) -> BTreeMap<Pair, Vec<Slice>> {
    let mut pairs = BTreeMap::<Pair, Vec<Slice>>::new();
    for ((pair, _), Slice { mass, weights, centroid }) in slices.into_iter().filter(|(_, slice)| slice.mass > 0.0) {
        pairs.entry(pair).or_default().push(Slice { mass, weights: weights / mass, centroid: centroid / mass });
    }
    pairs
}

fn centers_of_primitive(
    primitive: &Primitive,
    slices: &BTreeMap<Pair, Vec<Slice>>,
    progress: &Progress,
) -> Option<Vec<Vec3>> {
    let count = primitive.positions.len();
    let Some(influences) = &primitive.influences else {
        add(progress, count)?;
        return Some(Vec::new());
    };
    let chunks = try_ranges((count, CHUNK), progress, |vertices| {
        add(progress, vertices.len())?;
        let center = |v: usize| center(slices, &merged(influences.vertex(v), 1.0)).unwrap_or(primitive.positions[v]);
        Some(vertices.map(center).collect::<Vec<_>>())
    })?;
    Some(chunks.concat())
}

/// Computes the centre for the given weights; `None` if no triangle of the mesh has similar weights.
fn center(slices: &BTreeMap<Pair, Vec<Slice>>, weights: &[(u16, f64)]) -> Option<Vec3> {
    let (mut similarity, mut sum) = (0.0, DVec3::ZERO);
    for (pair, weights) in pairs(weights) {
        for slice in slices.get(&pair).into_iter().flatten() {
            let difference = weights.perp_dot(slice.weights) / SIGMA;
            let share = weights.x * weights.y * slice.mass * (-difference * difference).exp();
            similarity += share;
            sum += slice.centroid * share;
        }
    }
    let center = (sum / similarity).as_vec3();
    (similarity > 0.0 && center.is_finite()).then_some(center)
}
