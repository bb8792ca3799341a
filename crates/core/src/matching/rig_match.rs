use glam::Affine3;

use super::nodes::NodeMatch;
use super::rig_at_rest::RigAtRest;
use super::space::{SpaceMapping, median};
use crate::rig::{NodeIndex, Rig};

const ROUNDING: f32 = 1e-3;

/// Mesh index and skin index of an instance.
pub type MeshAndSkin = (usize, Option<usize>);

/// Two versions of a rig with their nodes matched.
pub struct RigMatch<'a> {
    /// The old version.
    pub old: RigAtRest<'a>,
    /// The new version.
    pub new: RigAtRest<'a>,
    /// Matched nodes.
    pub joints: NodeMatch,
    /// Mapping from old to new world space.
    pub space: SpaceMapping,
    /// Ratio of new to old joint translations if most joints share it and node scales compensate for it; otherwise 1.
    pub joint_factor: f32,
    old_from_above: Vec<RelativeTransform>,
    new_from_above: Vec<RelativeTransform>,
}

/// A node's transform relative to its nearest matched ancestor.
#[derive(Clone, Copy)]
pub struct RelativeTransform {
    /// The ancestor; `None` for the world.
    pub above: Option<NodeIndex>,
    /// Transform from the node to the ancestor.
    pub transform: Affine3,
}

impl<'a> RigMatch<'a> {
    /// Matches the nodes of two versions.
    pub fn new(old: &'a Rig, new: &'a Rig) -> Self {
        let (old, new) = (RigAtRest::new(old), RigAtRest::new(new));
        let (joints, space) = NodeMatch::from_versions(&old, &new);
        let old_from_above = seen(old.rig, |node| joints.new_for(node).is_some());
        let new_from_above = seen(new.rig, |node| joints.old_for(node).is_some());
        let mut found = Self { old, new, joints, space, joint_factor: 1.0, old_from_above, new_from_above };
        let lengths: Vec<f32> = found.joints.pairs().filter_map(|pair| found.lengths(pair)).collect();
        let factor = median(lengths.clone());
        let agreeing = lengths.iter().filter(|length| (*length / factor - 1.0).abs() < ROUNDING).count();
        let is_common = factor.is_normal() && (factor - 1.0).abs() > ROUNDING && agreeing > lengths.len() / 2;
        if is_common && (found.scales() * factor / found.space.factor - 1.0).abs() < 10.0 * ROUNDING {
            found.joint_factor = factor;
        }
        found
    }

    /// Returns the median ratio of new to old world scale of the matched nodes. A changed scale may compensate for
    /// changed joint lengths.
    fn scales(&self) -> f32 {
        let size = |world: &Affine3| world.matrix3.determinant().abs().cbrt();
        let scale = |(old, new): (NodeIndex, NodeIndex)| {
            size(&self.new.world[new.index()]) / size(&self.old.world[old.index()])
        };
        median(self.joints.pairs().map(scale).collect())
    }

    /// Returns the ratio of new to old bone length; `None` unless both nodes have the same nearest matched ancestor.
    fn lengths(&self, (old, new): (NodeIndex, NodeIndex)) -> Option<f32> {
        let (from, to) = (self.old_from_ancestor(old), self.seen_new(new));
        let is_same = from.above.is_some() && !self.is_reparented(old, new);
        let place = |seen: RelativeTransform, mark| seen.transform.transform_point3(mark).length();
        let [from, to] = [place(from, self.old.mark(old)), place(to, self.new.mark(new))];
        (is_same && from > 0.0).then_some(to / from)
    }

    /// Returns the transform of an old node relative to its nearest matched ancestor.
    pub fn old_from_ancestor(&self, node: NodeIndex) -> RelativeTransform {
        self.old_from_above[node.index()]
    }

    /// Returns the transform of a new node relative to its nearest matched ancestor.
    pub fn seen_new(&self, node: NodeIndex) -> RelativeTransform {
        self.new_from_above[node.index()]
    }

    /// Returns whether two matched nodes have different nearest matched ancestors.
    pub fn is_reparented(&self, old: NodeIndex, new: NodeIndex) -> bool {
        let (from, to) = (self.old_from_ancestor(old).above, self.seen_new(new).above);
        from.and_then(|node| self.joints.new_for(node)) != to
    }

    /// Converts a world transform from the old version to the new version.
    pub fn in_new_world(&self, world_from_joint: Affine3) -> Affine3 {
        self.space.affine() * self.in_new_lengths(world_from_joint)
    }

    pub(crate) fn in_new_lengths(&self, from_joint: Affine3) -> Affine3 {
        Affine3 { matrix3: from_joint.matrix3 * (1.0 / self.joint_factor), ..from_joint }
    }
}

fn seen(rig: &Rig, is_in_both: impl Fn(NodeIndex) -> bool) -> Vec<RelativeTransform> {
    let mut all: Vec<RelativeTransform> = Vec::with_capacity(rig.hierarchy.len());
    for node in rig.hierarchy.nodes() {
        let local = *rig.hierarchy.rest_local(node);
        all.push(match rig.hierarchy.parent(node) {
            Some(parent) if is_in_both(parent) => RelativeTransform { above: Some(parent), transform: local },
            Some(parent) => {
                let RelativeTransform { above, transform } = all[parent.index()];
                RelativeTransform { above, transform: transform * local }
            }
            None => RelativeTransform { above: None, transform: local },
        });
    }
    all
}
