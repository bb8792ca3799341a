use std::collections::{BTreeMap, HashMap};

use glam::Affine3;

use super::decode::old_from_new;
use super::rig_match::{MeshAndSkin, RigMatch};
use super::space::SpaceMapping;
use super::surface::MatchSurface;
use super::vertices::VertexMatch;
use super::{IndexMatch, rounding_m};
use crate::jobs::Progress;
use crate::rig::{MeshInstance, NodeIndex, Primitive, Rig};

/// A mesh in both versions, with its vertices matched.
pub struct MeshPair<'a> {
    /// Index of the first instance that draws the mesh, in the old and in the new version.
    pub instances: [usize; 2],
    /// Transform from new to old mesh coordinates; `None` if both versions use the same coordinates.
    pub old_from_new: Option<Affine3>,
    /// Length of one world-space metre in old mesh coordinates.
    pub metre: f32,
    /// Largest quantization error of the positions, in metres in the old world space; 0 if positions are not quantized
    /// or the error is too large to ignore.
    pub grain_m: f32,
    /// Mesh of the old version.
    pub old: MatchSurface<'a>,
    /// Mesh of the new version.
    pub new: MatchSurface<'a>,
    /// Matched vertices.
    pub vertices: VertexMatch,
}

impl<'a> MeshPair<'a> {
    /// Matches the vertices of one mesh; `None` if cancelled. Vertices at most `reach_m` metres apart in the old world
    /// space count as equal.
    fn new(
        both: &RigMatch<'a>,
        drawn: [MeshAndSkin; 2],
        instances: &[(usize, usize)],
        reach_m: f32,
        progress: &Progress,
    ) -> Option<Self> {
        let &(first, other) = instances.first()?;
        let [from, to] = [&both.old.rig.instances[first], &both.new.rig.instances[other]];
        let old_from_new = old_from_new(both, drawn, instances);
        let metre = 1.0 / both.old.metres(from);
        let ids = |rig: &Rig, instance: &MeshInstance, id: &dyn Fn(NodeIndex) -> u32| -> Vec<u32> {
            let joints = instance.skin.and_then(|skin| rig.skins.get(skin)).map(|skin| &skin.joints);
            joints.into_iter().flatten().map(|&joint| id(joint)).collect()
        };
        let old_ids = ids(both.old.rig, from, &|joint| both.id_of_old(joint));
        let new_ids = ids(both.new.rig, to, &|joint| joint.0);
        let old = MatchSurface::new(both.old.rig, from, old_ids, None);
        let new = MatchSurface::new(both.new.rig, to, new_ids, old_from_new);
        let stretch = old_from_new.map_or(1.0, |map| map.matrix3.determinant().abs().cbrt());
        let max_grain_m = MAX_GRAIN * rounding_m(both.old.rig);
        let grains = [grain(old.primitives), grain(new.primitives) * stretch].map(|grain| grain / metre);
        let grain_m = grains.into_iter().filter(|grain_m| *grain_m <= max_grain_m).fold(0.0, f32::max);
        let vertices = VertexMatch::between(&old, &new, reach_m.max(grain_m) * metre, progress)?;
        Some(Self { instances: [first, other], old_from_new, metre, grain_m, old, new, vertices })
    }

    /// Returns the conversion of units and axes from old to new mesh coordinates; [`SpaceMapping::SAME`] if the
    /// coordinates differ in another way or not at all.
    pub fn space(&self) -> SpaceMapping {
        let new_from_old = self.old_from_new.map(|map| map.inverse());
        let pairs = |map: Affine3| self.old.positions.iter().map(|&p| (p, map.transform_point3(p))).collect::<Vec<_>>();
        new_from_old.map_or(SpaceMapping::SAME, |map| SpaceMapping::between(&pairs(map)))
    }
}

/// Possible numbers of quantization steps per unit length, for integers and for normalized signed and unsigned 8-bit
/// and 16-bit values.
const STEPS: [f32; 5] = [1.0, 127.0, 255.0, 32767.0, 65535.0];
/// Quantization errors up to this multiple of [`rounding_m`] count as no change.
const MAX_GRAIN: f32 = 2.0;

/// Returns the largest quantization error in mesh coordinates, half the diagonal of a quantization cell; 0 if positions
/// are not quantized.
fn grain(primitives: &[Primitive]) -> f32 {
    let numbers = || primitives.iter().flat_map(|p| &p.positions).flat_map(glam::Vec3::to_array);
    let is_whole = |steps: f32, number: f32| (number * steps - (number * steps).round()).abs() < 0.02;
    let found = STEPS.into_iter().find(|&steps| numbers().all(|number| is_whole(steps, number)));
    found.map_or(0.0, |steps| 1.05 * 0.5 * 3.0_f32.sqrt() / steps)
}

type InstancePairs = ([MeshAndSkin; 2], Vec<(usize, usize)>);

/// Matches the vertices of matched meshes. Vertices at most `reach_m` metres apart in the old world space count as
/// equal. `None` if cancelled.
pub fn mesh_pairs<'a>(
    both: &RigMatch<'a>,
    meshes: &IndexMatch,
    reach_m: f32,
    progress: &Progress,
) -> Option<Vec<MeshPair<'a>>> {
    let mut placed: Vec<InstancePairs> = Vec::new();
    let mut known: HashMap<[MeshAndSkin; 2], usize> = HashMap::new();
    for pair in meshes.pairs() {
        let drawn = both.drawn(pair);
        let at = *known.entry(drawn).or_insert(placed.len());
        if at == placed.len() {
            placed.push((drawn, Vec::new()));
        }
        placed[at].1.push(pair);
    }
    progress.enter("Comparing meshes", 0, placed.len());
    let mut found = Vec::with_capacity(placed.len());
    for (drawn, instances) in placed {
        found.push(MeshPair::new(both, drawn, &instances, reach_m, progress)?);
        progress.add(1);
    }
    Some(found)
}

impl RigMatch<'_> {
    /// Returns the shared ID of an old joint: the index of its counterpart in the new version. Removed joints get IDs
    /// after all new nodes.
    pub(crate) fn id_of_old(&self, joint: NodeIndex) -> u32 {
        let gone = || self.new.rig.hierarchy.len() as u32 + joint.0;
        self.joints.new_for(joint).map_or_else(gone, |joint| joint.0)
    }

    /// Returns the old and the new node with a shared ID.
    pub fn nodes_of_id(&self, id: u32) -> [Option<NodeIndex>; 2] {
        let count = self.new.rig.hierarchy.len() as u32;
        let gone = || [Some(NodeIndex(id - count)), None];
        if id >= count { gone() } else { [self.joints.old_for(NodeIndex(id)), Some(NodeIndex(id))] }
    }

    /// Returns the name of the joint with a shared ID, and whether both versions have this joint.
    pub fn joint_of_id(&self, id: u32) -> (&str, bool) {
        let count = self.new.rig.hierarchy.len() as u32;
        if id >= count {
            return (self.old.name(NodeIndex(id - count)), false);
        }
        let old = self.joints.old_for(NodeIndex(id));
        (old.map_or_else(|| self.new.name(NodeIndex(id)), |old| self.old.name(old)), old.is_some())
    }

    /// Returns the mesh and skin of a matched instance in each version.
    pub fn drawn(&self, (old, new): (usize, usize)) -> [MeshAndSkin; 2] {
        [&self.old.rig.instances[old], &self.new.rig.instances[new]].map(|instance| (instance.mesh, instance.skin))
    }

    /// Returns the old and the new bind matrix of each joint that both skins contain, keyed by new node. Old matrices
    /// are converted to the new joint scale.
    pub fn binds(&self, drawn: [MeshAndSkin; 2]) -> BTreeMap<NodeIndex, [Affine3; 2]> {
        let old = binds(self.old.rig, drawn[0].1, |joint| self.joints.new_for(joint));
        let new = binds(self.new.rig, drawn[1].1, Some);
        let pairs =
            new.into_iter().filter_map(|(joint, now)| Some((joint, [self.in_new_lengths(*old.get(&joint)?), now])));
        pairs.collect()
    }
}

fn binds(rig: &Rig, skin: Option<usize>, id: impl Fn(NodeIndex) -> Option<NodeIndex>) -> BTreeMap<NodeIndex, Affine3> {
    let skin = skin.and_then(|skin| rig.skins.get(skin));
    let binds = skin.into_iter().flat_map(|skin| skin.joints.iter().zip(&skin.inverse_bind));
    let bound = binds.filter_map(|(&joint, bind)| Some((id(joint)?, bind.inverse())));
    bound.filter(|(_, bind)| bind.is_finite()).collect()
}
