use std::borrow::Cow;
use std::collections::HashMap;

use glam::Vec3;

use super::IndexMatch;
use super::named::bare_name;
use super::rig_at_rest::{Offsets, RigAtRest};
use super::space::{SpaceMapping, median};
use crate::rig::{Hierarchy, NodeIndex, Rig};

/// Match between the nodes of two rigs. Each step matches nodes that the previous steps left unmatched:
///
/// | step | matches |
/// | --- | --- |
/// | names | unique names; among equal names, the nearest node below the same parent |
/// | humanoid bones | nodes declared to be the same humanoid bone |
/// | bare names | like names, ignoring namespace, case and copy number |
/// | positions | equal positions below the same parent, in rest and bind pose, better-matching pose first |
/// | neighbours | joints with the same parent and children |
pub type NodeMatch = IndexMatch<NodeIndex>;

const SEARCHED: usize = 512;
/// Maximum distance between nodes that are matched by position, as a fraction of the rig's size.
const SAME_PLACE: f32 = 1e-3;

impl IndexMatch<NodeIndex> {
    /// Matches the nodes of two rigs. *Cost*: linear in nodes; siblings with the same name are compared pairwise, up to
    /// 512 of them.
    pub fn between(old: &Rig, new: &Rig) -> Self {
        Self::from_versions(&RigAtRest::new(old), &RigAtRest::new(new)).0
    }

    /// Returns the match and the transform from old to new rest-pose coordinates.
    pub(crate) fn from_versions(old: &RigAtRest<'_>, new: &RigAtRest<'_>) -> (Self, SpaceMapping) {
        let mut search = NodeMatcher::new(old, new);
        let exact =
            |rig: &'_ Rig| rig.hierarchy.nodes().map(|node| node_name(&rig.hierarchy, node).to_owned()).collect();
        let names = [exact(old.rig), exact(new.rig)];
        search.join_named(&names, &NodeOffsets::at_rest(old, new, SpaceMapping::SAME), JoinRule::Within(f32::INFINITY));
        // Matches the remaining equal names in tree order, below any parent.
        search.found.join_equal(|node| some(&names[0][node.index()]), |node| some(&names[1][node.index()]));
        let space = SpaceMapping::between(&places(old, new, &search.found));
        if search.is_any_left() {
            search.join_human_bones();
            let [stand, other_stand] = search.stands();
            let bare =
                |rig: &Rig| rig.hierarchy.nodes().map(|node| bare_name(node_name(&rig.hierarchy, node))).collect();
            search.join_named(&[bare(old.rig), bare(new.rig)], &stand, JoinRule::Only);
            for stand in [&stand, &other_stand] {
                search.join_placed(stand);
            }
            if search.join_neighbours() {
                search.join_placed(&stand);
            }
        }
        (search.found, space)
    }
}

type Names = [Vec<String>; 2];

#[derive(Clone, Copy)]
enum JoinRule {
    /// Matches the nearest node within this distance, in units of the new rig.
    Within(f32),
    /// Matches a node only if it is the sole candidate in both rigs.
    Only,
}

struct NodeOffsets<'a> {
    offsets: [Cow<'a, Offsets>; 2],
    space: SpaceMapping,
}

impl<'a> NodeOffsets<'a> {
    fn at_rest(old: &'a RigAtRest<'_>, new: &'a RigAtRest<'_>, space: SpaceMapping) -> Self {
        Self { offsets: [old, new].map(|version| Cow::Borrowed(&version.offsets)), space }
    }

    /// Returns how much the offsets of two nodes from their parents differ, in units of the new rig.
    fn apart(&self, old: NodeIndex, new: NodeIndex) -> f32 {
        self.space.point(self.offsets[0][old.index()]).distance(self.offsets[1][new.index()])
    }
}

struct NodeMatcher<'a, 'b> {
    old: &'a RigAtRest<'b>,
    new: &'a RigAtRest<'b>,
    found: NodeMatch,
}

impl<'a, 'b> NodeMatcher<'a, 'b> {
    fn new(old: &'a RigAtRest<'b>, new: &'a RigAtRest<'b>) -> Self {
        let found = NodeMatch::new(old.rig.hierarchy.len(), new.rig.hierarchy.len());
        Self { old, new, found }
    }

    fn is_any_left(&self) -> bool {
        self.found.unmatched_old().next().is_some() && self.found.unmatched_new().next().is_some()
    }

    /// Returns the node offsets in the rest and the bind pose; the pose in which matched nodes agree better comes
    /// first.
    fn stands(&self) -> [NodeOffsets<'a>; 2] {
        let fitted = |offsets: [Cow<'a, Offsets>; 2]| {
            let pairs: Vec<(Vec3, Vec3)> =
                self.found.pairs().map(|(old, new)| (offsets[0][old.index()], offsets[1][new.index()])).collect();
            let stand = NodeOffsets { space: SpaceMapping::between(&pairs), offsets };
            (median(self.found.pairs().map(|(old, new)| stand.apart(old, new)).collect()), stand)
        };
        let (miss, at_rest) = fitted([self.old, self.new].map(|version| Cow::Borrowed(&version.offsets)));
        let (miss_bound, bound) = fitted([self.old, self.new].map(|version| Cow::Owned(version.bound_offsets())));
        if miss > self.reach() && miss_bound < miss { [bound, at_rest] } else { [at_rest, bound] }
    }

    fn reach(&self) -> f32 {
        SAME_PLACE * self.new.rig.size()
    }

    /// Matches nodes by name. A name that is unique in each rig matches anywhere; other names match the nearest node
    /// below the same parent.
    fn join_named(&mut self, names: &Names, stand: &NodeOffsets<'_>, last: JoinRule) {
        self.found.join_unique(|node| some(&names[0][node.index()]), |node| some(&names[1][node.index()]));
        let is_joint = [self.old, self.new].map(|version| move |node| version.rig.is_joint(node));
        self.found.join_unique(
            |node| Some((some(&names[0][node.index()])?, is_joint[0](node))),
            |node| Some((some(&names[1][node.index()])?, is_joint[1](node))),
        );
        for choice in [JoinRule::Within(self.reach()), last] {
            self.join_below(|node| &names[0][node.index()], |node| &names[1][node.index()], stand, choice);
        }
    }

    fn join_human_bones(&mut self) {
        let (old, new) = (self.old.rig, self.new.rig);
        self.found.join_unique(|node| old.human_bone(node), |node| new.human_bone(node));
    }

    fn join_placed(&mut self, stand: &NodeOffsets<'_>) {
        self.join_below(|_| "", |_| "", stand, JoinRule::Within(self.reach()));
    }

    /// Matches nodes with equal keys below matched parents, parents first. Candidates are ranked by distance, then by
    /// similarity of names.
    fn join_below<'k>(
        &mut self,
        old_key: impl Fn(NodeIndex) -> &'k str,
        new_key: impl Fn(NodeIndex) -> &'k str,
        stand: &NodeOffsets<'_>,
        choice: JoinRule,
    ) {
        let (old, new) = (self.old.rig, self.new.rig);
        let (from, to) = (&old.hierarchy, &new.hierarchy);
        let mut siblings: HashMap<(Option<NodeIndex>, &str), usize> = HashMap::new();
        self.found
            .unmatched_old()
            .for_each(|node| *siblings.entry((from.parent(node), old_key(node))).or_default() += 1);
        let mut free: HashMap<(Option<NodeIndex>, &str), Vec<NodeIndex>> = HashMap::new();
        // Reversed, because nodes are searched in file order from the end of the list.
        for node in self.found.unmatched_new().rev() {
            free.entry((to.parent(node), new_key(node))).or_default().push(node);
        }
        for node in from.nodes() {
            let parent = from.parent(node).map(|parent| self.found.new_for(parent));
            if self.found.new_for(node).is_some() || parent == Some(None) {
                continue;
            }
            let Some(free) = free.get_mut(&(parent.flatten(), old_key(node))) else { continue };
            let is_only = free.len() == 1 && siblings.get(&(from.parent(node), old_key(node))) == Some(&1);
            let reach = match choice {
                JoinRule::Within(reach) => reach,
                JoinRule::Only if is_only => f32::INFINITY,
                JoinRule::Only => continue,
            };
            let begin = free.len().saturating_sub(SEARCHED);
            let is_same_kind = |at: NodeIndex| old.is_joint(node) == new.is_joint(at);
            // The first nodes of the file are at the end, so nodes with equal position and name keep their order.
            let near =
                (begin..free.len()).rev().filter(|&i| is_same_kind(free[i]) && stand.apart(node, free[i]) <= reach);
            let rank = |&i: &usize| {
                (stand.apart(node, free[i]).to_bits(), usize::MAX - alike(from.name(node), to.name(free[i])))
            };
            if let Some(nearest) = near.min_by_key(rank) {
                self.found.join(node, free.remove(nearest));
            }
        }
    }

    /// Matches joints with the same parent and children. Returns true if any joint was matched.
    fn join_neighbours(&mut self) -> bool {
        let is_joint = Rig::counts_as_joint;
        let above = |rig: &Rig, node: NodeIndex| rig.hierarchy.parent(node).filter(|&parent| is_joint(rig, parent));
        let (old, new) = (self.old.rig, self.new.rig);
        let mut is_any = false;
        for node in self.found.unmatched_old().filter(|&node| is_joint(old, node)).collect::<Vec<_>>() {
            let below = old.hierarchy.children(node).iter().filter_map(|child| self.found.new_for(*child));
            let mut holders = below.map(|partner| above(new, partner));
            let Some(holder) = holders.next().flatten() else { continue };
            let is_one = holders.all(|other| other == Some(holder));
            let hangs_alike = match (above(old, node), above(new, holder)) {
                (Some(theirs), Some(ours)) => self.found.new_for(theirs) == Some(ours),
                (theirs, ours) => theirs.is_none() && ours.is_none(),
            };
            if is_one && hangs_alike && self.found.old_for(holder).is_none() {
                self.found.join(node, holder);
                is_any = true;
            }
        }
        is_any
    }
}

fn node_name(hierarchy: &Hierarchy, node: NodeIndex) -> &str {
    if hierarchy.is_unnamed(node) { "" } else { hierarchy.name(node) }
}

fn some(name: &str) -> Option<&str> {
    (!name.is_empty()).then_some(name)
}

fn alike(a: &str, b: &str) -> usize {
    let begin = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let end = a.bytes().rev().zip(b.bytes().rev()).take_while(|(a, b)| a == b).count();
    (begin + end).min(a.len()).min(b.len())
}

fn places(old: &RigAtRest<'_>, new: &RigAtRest<'_>, nodes: &NodeMatch) -> Vec<(Vec3, Vec3)> {
    let told = nodes.pairs().filter(|(from, to)| old.is_visible(*from) && new.is_visible(*to));
    told.map(|(from, to)| (old.place(from), new.place(to))).collect()
}
