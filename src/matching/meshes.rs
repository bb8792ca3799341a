//! Matches mesh instances of two rigs.

use std::collections::HashMap;
use std::hash::Hash;

use glam::Vec3;
use rayon::prelude::*;

use super::nodes::NodeMatch;
use super::space::Space;
use super::version::Version;
use crate::rig::{NodeIndex, Pose, bounds_of, evaluate};

const SEARCHED: usize = 256;
/// Tolerance of equal bounding boxes, as a fraction of the rig's size.
const SAME_BOX: f32 = 0.01;

/// Counterparts of mesh instances; no instance has two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeshMatch {
    new_of: Vec<Option<usize>>,
    old_of: Vec<Option<usize>>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Traits {
    name: Option<String>,
    /// Node that carries the mesh, or its parent if that node is unnamed and does nothing else, as a node of the new
    /// version.
    node: Option<NodeIndex>,
    is_skinned: bool,
    counts: [usize; 2],
    places: u64,
}

impl MeshMatch {
    /// Matches instances by name, node, counts and vertices: first by all of them, then by fewer, last by bounding box.
    pub(crate) fn between(old: &Version<'_>, new: &Version<'_>, joints: &NodeMatch, space: Space) -> Self {
        let from = traits(old, |node| joints.new_of(node));
        let to = traits(new, Some);
        let mut found = Self { new_of: vec![None; from.len()], old_of: vec![None; to.len()] };
        found.join(&from, &to, |t| Some(t.clone()));
        found.join(&from, &to, |t| Some((t.name.clone()?, t.places, t.counts)));
        found.join(&from, &to, |t| Some((t.name.clone()?, t.node?, t.counts)));
        found.join(&from, &to, |t| Some((t.name.clone()?, t.node?)));
        found.join(&from, &to, |t| Some((t.name.clone()?, t.counts)));
        found.join(&from, &to, |t| t.name.clone());
        found.join(&from, &to, |t| Some((t.places, t.counts)));
        found.join(&from, &to, |t| Some((t.node?, t.is_skinned)));
        found.join_boxed([old, new], space);
        found
    }

    fn join_boxed(&mut self, versions: [&Version<'_>; 2], space: Space) {
        let free = [&self.new_of, &self.old_of].map(|list| {
            (0..list.len()).filter(|&instance| list[instance].is_none()).take(SEARCHED).collect::<Vec<_>>()
        });
        if free.iter().any(Vec::is_empty) {
            return;
        }
        let boxes: [Vec<[Vec3; 2]>; 2] = [0, 1].map(|side| drawn_boxes(versions[side], &free[side]));
        let reach = SAME_BOX * versions[1].rig.size();
        let mut found: Vec<(f32, usize, usize)> = Vec::new();
        for (&from, was) in free[0].iter().zip(&boxes[0]) {
            let corners = was.map(|corner| space.point(corner));
            let was = [corners[0].min(corners[1]), corners[0].max(corners[1])];
            for (&to, now) in free[1].iter().zip(&boxes[1]) {
                let apart = was[0].distance(now[0]) + was[1].distance(now[1]);
                let is_skinned = |side: usize, at: usize| versions[side].rig.instances[at].skin.is_some();
                if apart <= reach && is_skinned(0, from) == is_skinned(1, to) {
                    found.push((apart, from, to));
                }
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, from, to) in found {
            if self.new_of[from].is_none() && self.old_of[to].is_none() {
                (self.new_of[from], self.old_of[to]) = (Some(to), Some(from));
            }
        }
    }

    /// Returns the new counterpart of an old instance.
    pub fn new_of(&self, old: usize) -> Option<usize> {
        self.new_of.get(old).copied().flatten()
    }

    /// Returns the old counterpart of a new instance.
    pub fn old_of(&self, new: usize) -> Option<usize> {
        self.old_of.get(new).copied().flatten()
    }

    /// Iterates over matched instances (old, new).
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.new_of.iter().enumerate().filter_map(|(old, new)| Some((old, (*new)?)))
    }

    /// Matches remaining meshes with equal keys, in order.
    fn join<K: Eq + Hash>(&mut self, from: &[Traits], to: &[Traits], key: impl Fn(&Traits) -> Option<K>) {
        let mut free: HashMap<K, Vec<usize>> = HashMap::new();
        for (new, traits) in to.iter().enumerate().rev().filter(|(new, _)| self.old_of[*new].is_none()) {
            if let Some(key) = key(traits) {
                free.entry(key).or_default().push(new);
            }
        }
        for (old, traits) in from.iter().enumerate() {
            if self.new_of[old].is_none()
                && let Some(new) = key(traits).and_then(|key| free.get_mut(&key)?.pop())
            {
                (self.new_of[old], self.old_of[new]) = (Some(new), Some(old));
            }
        }
    }
}

fn traits(version: &Version<'_>, node: impl Fn(NodeIndex) -> Option<NodeIndex>) -> Vec<Traits> {
    let of_mesh: Vec<([usize; 2], u64)> = version
        .rig
        .meshes
        .par_iter()
        .map(|mesh| {
            let counts =
                mesh.primitives.iter().map(|p| [p.positions.len(), p.indices.len() + p.lines.len() + p.points.len()]);
            let places =
                mesh.primitives.iter().flat_map(|p| &p.positions).map(|p| hash(p.to_array().map(f32::to_bits)));
            (counts.fold([0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]), places.fold(0, u64::wrapping_add))
        })
        .collect();
    let described = version.rig.instances.iter().enumerate().map(|(number, instance)| {
        let (counts, places) = of_mesh[instance.mesh];
        let name = version.has_mesh_name(number).then(|| version.mesh_name(number).to_owned());
        Traits { name, node: node(version.mesh_node(number)), is_skinned: instance.skin.is_some(), counts, places }
    });
    described.collect()
}

/// Bounding boxes of instances at rest, in file coordinates.
fn drawn_boxes(version: &Version<'_>, instances: &[usize]) -> Vec<[Vec3; 2]> {
    let rig = version.rig;
    let posed = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
    let anchor = rig.hierarchy.anchor().as_vec3();
    let corners = |&instance: &usize| {
        let corners = bounds_of(rig, &posed, |part| part.instance == instance).corners().map(|corner| corner + anchor);
        let (low, high) = (Vec3::splat(f32::INFINITY), Vec3::splat(f32::NEG_INFINITY));
        corners.into_iter().fold([low, high], |[low, high], corner| [low.min(corner), high.max(corner)])
    };
    instances.iter().map(corners).collect()
}

fn hash(bits: [u32; 3]) -> u64 {
    let mixed =
        bits.into_iter().fold(0_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29));
    mixed ^ (mixed >> 32)
}
