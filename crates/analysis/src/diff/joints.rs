use std::collections::{HashMap, HashSet};

use glam::Affine3;

use super::Tolerances;
use super::change::{Change, ChangeKind, ChangeMeasure, ChangedObject};
use super::drawn::DrawnComparison;
use super::motion::TransformDifference;
use rigscope_core::matching::{IndexMatch, RigAtRest, RigMatch};
use rigscope_core::rig::NodeIndex;

/// Name to display as the parent of a root.
const NOTHING: &str = "the scene";

/// Returns changes in hierarchy and rest pose. Nodes that only hold a mesh in both versions are compared as meshes
/// instead.
pub(super) fn joint_changes(
    both: &RigMatch<'_>,
    meshes: &IndexMatch,
    rest: &RestComparison<'_>,
    tolerances: &Tolerances,
) -> Vec<Change> {
    let RigMatch { old, new, joints, .. } = both;
    let carriers = |(from, to): (usize, usize)| {
        let [from, to] = [&old.rig.instances[from], &new.rig.instances[to]];
        (from.skin.is_none() && to.skin.is_none()).then_some((from.node, to.node))
    };
    let mut held = HashSet::new();
    let mut nameless = [HashSet::new(), HashSet::new()];
    for (from, to) in meshes.pairs().filter_map(carriers) {
        if old.is_holder(from) && new.is_holder(to) {
            held.insert((from, to));
        }
        if old.named_holder(from) != from {
            nameless[0].insert(from);
        }
        if new.named_holder(to) != to {
            nameless[1].insert(to);
        }
    }
    let (mut changes, mut otherwise) = (Vec::new(), Vec::new());
    for node in old
        .rig
        .hierarchy
        .nodes()
        .filter(|&n| old.is_visible(n) && joints.new_for(n).is_none() && !nameless[0].contains(&n))
        .filter(|&n| !is_camera_moved(n, [old, new], |above| joints.new_for(above)))
    {
        let kind = if old.rig.is_joint(node) { ChangeKind::JointRemoved } else { ChangeKind::NodeRemoved };
        changes.push(
            Change::new(kind, old.name(node))
                .was(format!("below {}", parent(old, node)))
                .at_old(ChangedObject::Node(node)),
        );
    }
    for node in new
        .rig
        .hierarchy
        .nodes()
        .filter(|&n| new.is_visible(n) && joints.old_for(n).is_none() && !nameless[1].contains(&n))
        .filter(|&n| !is_camera_moved(n, [new, old], |above| joints.old_for(above)))
    {
        let kind = if new.rig.is_joint(node) { ChangeKind::JointAdded } else { ChangeKind::NodeAdded };
        changes.push(
            Change::new(kind, new.name(node))
                .now(format!("below {}", parent(new, node)))
                .at_new(ChangedObject::Node(node)),
        );
    }
    for pair in joints.pairs().filter(|(from, to)| old.is_visible(*from) && new.is_visible(*to)) {
        changes.extend(pair_changes(both, pair));
        let Some(motion) = rest_motion(both, pair, tolerances).filter(|_| !held.contains(&pair)) else { continue };
        if rest.is_alike(both, pair.0) {
            otherwise.push((pair.0, motion));
        } else {
            let change = Change::new(ChangeKind::RestMoved, old.name(pair.0)).at_old(ChangedObject::Node(pair.0));
            changes.push(motion.describe(change, tolerances));
        }
    }
    changes.extend(local_transforms(both, &otherwise, tolerances));
    changes
}

/// Returns true if a leaf only holds the camera that its parent holds in the other version.
fn is_camera_moved(
    node: NodeIndex,
    [here, there]: [&RigAtRest<'_>; 2],
    counterpart: impl Fn(NodeIndex) -> Option<NodeIndex>,
) -> bool {
    let carries = |version: &RigAtRest<'_>, node| version.rig.cameras.iter().any(|camera| camera.node == node);
    let above = here.rig.hierarchy.parent(node).and_then(counterpart);
    here.rig.hierarchy.children(node).is_empty()
        && carries(here, node)
        && above.is_some_and(|above| carries(there, above))
}

fn parent<'a>(version: &'a RigAtRest<'_>, node: NodeIndex) -> &'a str {
    version.rig.hierarchy.parent(node).map_or(NOTHING, |parent| version.name(parent))
}

fn pair_changes(both: &RigMatch<'_>, (from, to): (NodeIndex, NodeIndex)) -> Vec<Change> {
    let RigMatch { old, new, .. } = both;
    let mut changes: Vec<Change> = Vec::new();
    let (was_joint, is_joint) = (old.rig.is_joint(from), new.rig.is_joint(to));
    let of = old.name(from);
    let (was, now) = (old.rig.hierarchy.name(from), new.rig.hierarchy.name(to));
    let is_named = !old.rig.hierarchy.is_unnamed(from) || !new.rig.hierarchy.is_unnamed(to);
    if was != now && is_named {
        let kind = if is_joint { ChangeKind::JointRenamed } else { ChangeKind::NodeRenamed };
        changes.push(Change::new(kind, of).now(new.name(to)));
    }
    if both.is_reparented(from, to) {
        let kind = if is_joint { ChangeKind::JointReparented } else { ChangeKind::NodeReparented };
        changes.push(
            Change::new(kind, of).was(format!("below {}", parent(old, from))).now(format!("below {}", parent(new, to))),
        );
    }
    if was_joint != is_joint {
        let word = |is_joint| if is_joint { "a joint" } else { "no joint" };
        changes.push(Change::new(ChangeKind::JointListed, of).was(word(was_joint)).now(word(is_joint)));
    }
    changes.into_iter().map(|change| change.at_old(ChangedObject::Node(from))).collect()
}

/// Returns how a node's rest pose moved relative to its parent, so that motion of the parent is reported only once. If
/// the parent differs, the motion is relative to the world.
fn rest_motion(
    both: &RigMatch<'_>,
    (from, to): (NodeIndex, NodeIndex),
    tolerances: &Tolerances,
) -> Option<TransformDifference> {
    let RigMatch { old, new, .. } = both;
    let (was, now) = (both.old_from_ancestor(from), both.seen_new(to));
    let (expected, found) = if both.is_reparented(from, to) {
        (both.in_new_world(old.world[from.index()]), new.world[to.index()])
    } else if let Some(above) = now.above {
        let local = Affine3 { translation: was.transform.translation * both.joint_factor, ..was.transform };
        (new.world[above.index()] * local, new.world[above.index()] * now.transform)
    } else {
        (both.in_new_world(was.transform), now.transform)
    };
    let motion = TransformDifference::between(&expected, &found, both.space.factor);
    motion.is_beyond(tolerances).then_some(motion)
}

fn local_transforms(
    both: &RigMatch<'_>,
    nodes: &[(NodeIndex, TransformDifference)],
    tolerances: &Tolerances,
) -> Option<Change> {
    let &(first, _) = nodes.first()?;
    let of = match nodes.len() {
        1 => both.old.name(first).to_owned(),
        count => format!("{} and {} more", both.old.name(first), count - 1),
    };
    let largest =
        |value: fn(&TransformDifference) -> f32| nodes.iter().map(|(_, motion)| value(motion)).fold(0.0, f32::max);
    let change = Change::new(ChangeKind::LocalTransforms, of).now("drawn the same").at_old(ChangedObject::Node(first));
    let amounts = [
        (ChangeMeasure::Angle, largest(|motion| motion.angle).to_degrees()),
        (ChangeMeasure::Stretch, largest(|motion| motion.stretch)),
    ];
    Some(change.with_beyond(amounts, tolerances))
}

pub(super) struct RestComparison<'a> {
    drawn: &'a DrawnComparison<'a>,
    alike: Vec<bool>,
    by_node: HashMap<NodeIndex, Vec<usize>>,
}

impl<'a> RestComparison<'a> {
    pub(super) fn new(both: &RigMatch<'_>, drawn: &'a DrawnComparison<'a>, tolerances: &Tolerances) -> Self {
        let palettes = drawn.palettes([&both.old.world, &both.new.world]);
        let alike = (0..drawn.limbs.len()).map(|limb| drawn.is_alike(limb, &palettes, tolerances)).collect();
        let mut by_node: HashMap<NodeIndex, Vec<usize>> = HashMap::new();
        for (number, limb) in drawn.limbs.iter().enumerate() {
            by_node.entry(limb.nodes[0]).or_default().push(number);
        }
        Self { drawn, alike, by_node }
    }

    pub(super) fn is_all_alike(&self) -> bool {
        !self.alike.contains(&false)
    }

    pub(super) fn is_joint_alike(&self, old: NodeIndex) -> bool {
        self.by_node.get(&old).is_some_and(|limbs| limbs.iter().all(|&limb| self.alike[limb]))
    }

    /// Returns true if a change in a node's rest pose is invisible: the limbs of the node, or of its nearest
    /// descendants that have limbs, are drawn the same. Returns false for a leaf without limbs.
    fn is_alike(&self, both: &RigMatch<'_>, old: NodeIndex) -> bool {
        if let Some(limbs) = self.by_node.get(&old) {
            return limbs.iter().all(|&limb| self.alike[limb] && !self.drawn.is_socket(limb));
        }
        let children = both.old.rig.hierarchy.children(old);
        !children.is_empty() && children.iter().all(|&child| self.is_below_alike(both, child))
    }

    /// Like [`Self::is_alike`], but for a descendant. Returns true for a leaf without limbs.
    fn is_below_alike(&self, both: &RigMatch<'_>, old: NodeIndex) -> bool {
        match self.by_node.get(&old) {
            Some(limbs) => limbs.iter().all(|&limb| self.alike[limb]),
            None => both.old.rig.hierarchy.children(old).iter().all(|&child| self.is_below_alike(both, child)),
        }
    }
}
