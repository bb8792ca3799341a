//! A mesh of both versions, vertex by vertex.

use std::collections::{HashMap, HashSet};

use glam::{Affine3, Vec3};

use super::Tolerances;
use super::mesh_match::MeshMatch;
use super::rig_match::RigMatch;
use super::space::Space;
use super::surface::Surface;
use super::vertex_match::VertexMatch;
use crate::jobs::Progress;
use crate::rig::{MeshInstance, NodeIndex, Rig};

/// One mesh instance of both versions.
pub(super) struct MeshPair<'a> {
    /// Indices into `Rig::instances`, old and new.
    pub instances: [usize; 2],
    /// Of the mesh's own coordinates.
    pub space: Space,
    /// The length in the new version's mesh that was a metre of the old version's world.
    pub metre: f32,
    /// With the positions of the new version's coordinates.
    pub old: Surface<'a>,
    pub new: Surface<'a>,
    pub vertices: VertexMatch,
}

impl<'a> MeshPair<'a> {
    /// Finds the vertices of one mesh in the other. `None` where the job was cancelled.
    pub fn new(
        both: &RigMatch<'a>,
        instances: [usize; 2],
        tolerances: &Tolerances,
        progress: &Progress,
    ) -> Option<Self> {
        let [from, to] = [&both.old.rig.instances[instances[0]], &both.new.rig.instances[instances[1]]];
        let space = mesh_space(both, from, to);
        let metre = space.factor / both.old.metres(from);
        let ids = |rig: &Rig, instance: &MeshInstance, id: &dyn Fn(NodeIndex) -> u32| -> Vec<u32> {
            let joints = instance.skin.and_then(|skin| rig.skins.get(skin)).map(|skin| &skin.joints);
            joints.into_iter().flatten().map(|&joint| id(joint)).collect()
        };
        let old_ids = ids(both.old.rig, from, &|joint| both.id_of_old(joint));
        let new_ids = ids(both.new.rig, to, &|joint| joint.0);
        let old = Surface::new(both.old.rig, from, old_ids, |p| if space.is_same() { p } else { space.point(p) });
        let new = Surface::new(both.new.rig, to, new_ids, |p| p);
        let vertices = VertexMatch::between(&old, &new, tolerances.distance_m * metre, progress)?;
        Some(Self { instances, space, metre, old, new, vertices })
    }
}

/// Meshes of both versions with their vertices, each once however often it is placed.
pub(super) fn mesh_pairs<'a>(
    both: &RigMatch<'a>,
    meshes: &MeshMatch,
    tolerances: &Tolerances,
    progress: &Progress,
) -> Option<Vec<MeshPair<'a>>> {
    let geometry = |rig: &Rig, instance: usize| {
        let placed = &rig.instances[instance];
        (placed.mesh, placed.skin)
    };
    let mut seen = HashSet::new();
    let pairs =
        meshes.pairs().filter(|&(old, new)| seen.insert((geometry(both.old.rig, old), geometry(both.new.rig, new))));
    let pairs: Vec<(usize, usize)> = pairs.collect();
    progress.enter("Comparing meshes", 0, pairs.len());
    let mut found = Vec::with_capacity(pairs.len());
    for (old, new) in pairs {
        found.push(MeshPair::new(both, [old, new], tolerances, progress)?);
        progress.add(1);
    }
    Some(found)
}

impl RigMatch<'_> {
    /// A number of a joint that is the same in both versions: that of the new one, and behind those what is not there any more.
    pub fn id_of_old(&self, joint: NodeIndex) -> u32 {
        let gone = || self.new.rig.hierarchy.len() as u32 + joint.0;
        self.joints.new_of(joint).map_or_else(gone, |joint| joint.0)
    }

    /// The name of a joint by such a number, and whether both versions have it.
    pub fn joint_of_id(&self, id: u32) -> (&str, bool) {
        let count = self.new.rig.hierarchy.len() as u32;
        if id >= count {
            return (self.old.name(NodeIndex(id - count)), false);
        }
        let old = self.joints.old_of(NodeIndex(id));
        (old.map_or_else(|| self.new.name(NodeIndex(id)), |old| self.old.name(old)), old.is_some())
    }
}

/// Where the joints of a skin stood when it was bound, by their numbers of both versions.
pub(super) fn binds(rig: &Rig, skin: Option<usize>, id: impl Fn(NodeIndex) -> u32) -> HashMap<u32, Affine3> {
    let skin = skin.and_then(|skin| rig.skins.get(skin));
    let binds = skin.into_iter().flat_map(|skin| skin.joints.iter().zip(&skin.inverse_bind));
    let bound = binds.map(|(&joint, bind)| (id(joint), bind.inverse()));
    bound.filter(|(_, bind)| bind.is_finite()).collect()
}

/// By where joints were bound, or where that says nothing by vertices of the same numbers.
fn mesh_space(both: &RigMatch<'_>, from: &MeshInstance, to: &MeshInstance) -> Space {
    let old = binds(both.old.rig, from.skin, |joint| both.id_of_old(joint));
    let new = binds(both.new.rig, to.skin, |joint| joint.0);
    let mut pairs: Vec<(u32, (Vec3, Vec3))> =
        old.iter().filter_map(|(id, bind)| Some((*id, (bind.translation, new.get(id)?.translation)))).collect();
    pairs.sort_unstable_by_key(|(id, _)| *id);
    let bound: Vec<(Vec3, Vec3)> = pairs.into_iter().map(|(_, places)| places).collect();
    if bound.iter().any(|(from, _)| *from != Vec3::ZERO) {
        return Space::between(&bound);
    }
    let [old, new] =
        [(both.old.rig, from), (both.new.rig, to)].map(|(rig, instance)| &rig.meshes[instance.mesh].primitives);
    let is_same_count =
        old.len() == new.len() && old.iter().zip(new).all(|(a, b)| a.positions.len() == b.positions.len());
    if !is_same_count {
        return Space::SAME;
    }
    let all = old.iter().zip(new).flat_map(|(a, b)| a.positions.iter().copied().zip(b.positions.iter().copied()));
    Space::between(&all.collect::<Vec<_>>())
}
