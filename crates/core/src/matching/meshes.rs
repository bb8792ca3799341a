use std::hash::Hash;

use glam::Vec3;
use rayon::prelude::*;

use super::IndexMatch;
use super::rig_at_rest::RigAtRest;
use super::rig_match::RigMatch;
use crate::rig::{NodeIndex, Pose, bounds_of, evaluate, hash_bits};

const SEARCHED: usize = 256;
/// Bounding boxes count as equal if their minimum and maximum corners are in total at most this far apart, as a
/// fraction of the rig's size.
const SAME_BOX: f32 = 0.01;

#[derive(Clone, PartialEq, Eq, Hash)]
struct MeshTraits {
    name: Option<String>,
    /// Node of the new version that carries the mesh, or the node's parent if the node is unnamed and does nothing
    /// else.
    node: Option<NodeIndex>,
    is_skinned: bool,
    counts: [usize; 2],
    places: u64,
}

impl RigMatch<'_> {
    /// Matches mesh instances by name, node, vertex and index counts, and vertex positions: first by all of these, then
    /// by fewer, and finally by bounding box.
    pub fn mesh_match(&self) -> IndexMatch {
        let from = traits(&self.old, |node| self.joints.new_for(node));
        let to = traits(&self.new, Some);
        let mut found = IndexMatch::new(from.len(), to.len());
        join(&mut found, &from, &to, |t| Some(t.clone()));
        join(&mut found, &from, &to, |t| Some((t.name.clone()?, t.places, t.counts)));
        join(&mut found, &from, &to, |t| Some((t.name.clone()?, t.node?, t.counts)));
        join(&mut found, &from, &to, |t| Some((t.name.clone()?, t.node?)));
        join(&mut found, &from, &to, |t| Some((t.name.clone()?, t.counts)));
        join(&mut found, &from, &to, |t| t.name.clone());
        join(&mut found, &from, &to, |t| Some((t.places, t.counts)));
        join(&mut found, &from, &to, |t| Some((t.node?, t.is_skinned)));
        self.join_boxed(&mut found);
        found
    }

    fn join_boxed(&self, found: &mut IndexMatch) {
        let old: Vec<usize> = found.unmatched_old().take(SEARCHED).collect();
        let new: Vec<usize> = found.unmatched_new().take(SEARCHED).collect();
        if old.is_empty() || new.is_empty() {
            return;
        }
        let (old_boxes, new_boxes) = (drawn_boxes(&self.old, &old), drawn_boxes(&self.new, &new));
        let reach = SAME_BOX * self.new.rig.size();
        let is_skinned = |version: &RigAtRest<'_>, at: usize| version.rig.instances[at].skin.is_some();
        let mut candidates = Vec::new();
        for (&from, was) in old.iter().zip(&old_boxes) {
            let corners = was.map(|corner| self.space.point(corner));
            let was = [corners[0].min(corners[1]), corners[0].max(corners[1])];
            for (&to, now) in new.iter().zip(&new_boxes) {
                let apart = was[0].distance(now[0]) + was[1].distance(now[1]);
                if apart <= reach && is_skinned(&self.old, from) == is_skinned(&self.new, to) {
                    candidates.push((apart, from, to));
                }
            }
        }
        found.join_nearest(candidates);
    }
}

fn join<K: Eq + Hash>(
    found: &mut IndexMatch,
    from: &[MeshTraits],
    to: &[MeshTraits],
    key: impl Fn(&MeshTraits) -> Option<K>,
) {
    found.join_equal(|old| key(&from[old]), |new| key(&to[new]));
}

fn traits(version: &RigAtRest<'_>, node: impl Fn(NodeIndex) -> Option<NodeIndex>) -> Vec<MeshTraits> {
    let of_mesh: Vec<([usize; 2], u64)> = version
        .rig
        .meshes
        .par_iter()
        .map(|mesh| {
            let counts =
                mesh.primitives.iter().map(|p| [p.positions.len(), p.indices.len() + p.lines.len() + p.points.len()]);
            let places =
                mesh.primitives.iter().flat_map(|p| &p.positions).map(|p| hash_bits(p.to_array().map(f32::to_bits)));
            (counts.fold([0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]), places.fold(0, u64::wrapping_add))
        })
        .collect();
    let described = version.rig.instances.iter().enumerate().map(|(number, instance)| {
        let (counts, places) = of_mesh[instance.mesh];
        let name = version.has_mesh_name(number).then(|| version.mesh_name(number).to_owned());
        MeshTraits { name, node: node(version.mesh_node(number)), is_skinned: instance.skin.is_some(), counts, places }
    });
    described.collect()
}

fn drawn_boxes(version: &RigAtRest<'_>, instances: &[usize]) -> Vec<[Vec3; 2]> {
    let rig = version.rig;
    let posed = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
    let anchor = rig.hierarchy.anchor().as_vec3();
    let corners = |&instance: &usize| {
        let corners = bounds_of(rig, &posed, &|part| part.instance == instance).corners().map(|corner| corner + anchor);
        let (low, high) = (Vec3::splat(f32::INFINITY), Vec3::splat(f32::NEG_INFINITY));
        corners.into_iter().fold([low, high], |[low, high], corner| [low.min(corner), high.max(corner)])
    };
    instances.iter().map(corners).collect()
}
