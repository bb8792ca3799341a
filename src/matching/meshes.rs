//! Matches the placed meshes of two rigs.

use std::collections::HashMap;
use std::hash::Hash;

use rayon::prelude::*;

use super::nodes::NodeMatch;
use super::version::Version;
use crate::rig::NodeIndex;

/// Counterparts of one rig's mesh instances in another; no instance has two counterparts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeshMatch {
    new_of: Vec<Option<usize>>,
    old_of: Vec<Option<usize>>,
}

/// Traits that distinguish an instance from others.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Traits {
    name: String,
    /// The node that carries the mesh, as a node of the new version.
    node: Option<NodeIndex>,
    is_skinned: bool,
    counts: [usize; 2],
    /// A hash of the positions, whatever their order.
    places: u64,
}

impl MeshMatch {
    /// Matches instances by name, node, size and vertices: first those that agree in all, last those that agree in one.
    pub(crate) fn between(old: &Version<'_>, new: &Version<'_>, joints: &NodeMatch) -> Self {
        let from = traits(old, |node| joints.new_of(node));
        let to = traits(new, Some);
        let mut found = Self { new_of: vec![None; from.len()], old_of: vec![None; to.len()] };
        found.join(&from, &to, |t| Some(t.clone()));
        found.join(&from, &to, |t| Some((t.name.clone(), t.places, t.counts)));
        found.join(&from, &to, |t| Some((t.name.clone(), t.node?, t.counts)));
        found.join(&from, &to, |t| Some((t.name.clone(), t.node?)));
        found.join(&from, &to, |t| Some((t.name.clone(), t.counts)));
        found.join(&from, &to, |t| Some(t.name.clone()));
        found.join(&from, &to, |t| Some((t.places, t.counts)));
        found.join(&from, &to, |t| Some((t.node?, t.is_skinned)));
        found
    }

    /// Counterpart in the new rig of an old instance.
    pub fn new_of(&self, old: usize) -> Option<usize> {
        self.new_of.get(old).copied().flatten()
    }

    /// Counterpart in the old rig of a new instance.
    pub fn old_of(&self, new: usize) -> Option<usize> {
        self.old_of.get(new).copied().flatten()
    }

    /// Pairs (old, new) of all matched instances.
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
        let name = version.mesh_name(number).to_owned();
        Traits { name, node: node(instance.node), is_skinned: instance.skin.is_some(), counts, places }
    });
    described.collect()
}

fn hash(bits: [u32; 3]) -> u64 {
    let mixed =
        bits.into_iter().fold(0_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29));
    mixed ^ (mixed >> 32)
}
