use crate::matching::{HumanBone, Humanoid, NodeMatch};
use crate::rig::{NodeIndex, Rig};

/// Skeletons that share fewer humanoid bones are not treated as human.
const MIN_HUMAN_BONES: usize = 6;

pub(super) struct SkeletonPairs {
    pub partners: Vec<Option<NodeIndex>>,
    /// Unpaired target joints between paired joints of a spine or neck.
    pub spread: Vec<SpreadJoint>,
    /// Humanoid bones of both rigs; `None` if they share too few.
    pub humans: Option<[Humanoid; 2]>,
}

pub(super) struct SpreadJoint {
    pub joint: NodeIndex,
    pub ends: [NodeIndex; 2],
    /// Position between `ends`: 0 at the first, 1 at the second.
    pub fraction: f32,
}

impl SkeletonPairs {
    pub(super) fn new(from: &Rig, onto: &Rig) -> Self {
        let mut pairs =
            Self { partners: NodeMatch::between(from, onto).all().to_vec(), spread: Vec::new(), humans: None };
        let humans = [from, onto].map(|rig| Humanoid::from_rig(rig).only(|node| moves_joints(rig, node)));
        let shared: Vec<[NodeIndex; 2]> = humans[0]
            .bones()
            .filter_map(|(bone, node)| Some([node, humans[1].node(bone)?]))
            .filter(|[_, partner]| onto.counts_as_joint(*partner))
            .collect();
        if shared.len() >= MIN_HUMAN_BONES {
            pairs.join_human_bones([from, onto], &shared);
            pairs.part_holders([from, onto], &humans);
            pairs.join_spines([from, onto], &humans);
            pairs.humans = Some(humans);
        }
        pairs
    }

    /// Pairs the humanoid bones that [`NodeMatch`] leaves unpaired. If [`NodeMatch`] pairs most of them differently or
    /// not at all, pairs all of them anew.
    fn join_human_bones(&mut self, [from, onto]: [&Rig; 2], shared: &[[NodeIndex; 2]]) {
        let differing = shared.iter().filter(|[node, partner]| self.partners[node.index()] != Some(*partner)).count();
        let is_other_convention = 2 * differing > shared.len();
        if is_other_convention {
            // Across naming conventions, equal positions below the same parent don't identify a bone.
            for node in from.hierarchy.nodes() {
                let is_same =
                    |partner: &NodeIndex| from.hierarchy.name(node).eq_ignore_ascii_case(onto.hierarchy.name(*partner));
                self.partners[node.index()] = self.partners[node.index()].filter(is_same);
            }
        }
        for &[node, partner] in shared {
            // A counterpart is free if its partner moves no joints, such as the node that carries a head mesh.
            let holder =
                self.partners.iter().position(|other| *other == Some(partner)).map(|holder| NodeIndex(holder as u32));
            let are_free =
                || self.partners[node.index()].is_none() && holder.is_none_or(|holder| !moves_joints(from, holder));
            if is_other_convention || are_free() {
                self.join(node, partner);
            }
        }
    }

    /// Drops pairs in which only one node is above the hips. Such nodes have equal positions but different roles.
    fn part_holders(&mut self, [from, onto]: [&Rig; 2], humans: &[Humanoid; 2]) {
        let hips = |human: &Humanoid| human.node(HumanBone::named("hips")?);
        let [Some(theirs), Some(ours)] = humans.each_ref().map(hips) else { return };
        for node in from.hierarchy.nodes() {
            let carries = from.hierarchy.subtree(node).contains(&theirs.index());
            let is_same = |partner: &NodeIndex| onto.hierarchy.subtree(*partner).contains(&ours.index()) == carries;
            self.partners[node.index()] = self.partners[node.index()].filter(is_same);
        }
    }

    pub(super) fn are_half_of_humans(&self) -> bool {
        let Some(humans) = &self.humans else { return false };
        let paired = humans[0].bones().filter(|(_, node)| self.partners[node.index()].is_some()).count();
        2 * paired >= humans.iter().map(|human| human.bones().count()).min().unwrap_or(0)
    }

    fn join(&mut self, node: NodeIndex, partner: NodeIndex) {
        self.partners.iter_mut().filter(|other| **other == Some(partner)).for_each(|other| *other = None);
        self.partners[node.index()] = Some(partner);
    }

    fn join_spines(&mut self, rigs: [&Rig; 2], humans: &[Humanoid; 2]) {
        for [top, end] in [["hips", "neck"], ["neck", "head"]] {
            let spines = [0, 1].map(|side| spine(rigs[side], &humans[side], top, end));
            if let [Some(theirs), Some(ours)] = spines {
                self.join_spine(&theirs, &ours);
            }
        }
    }

    fn join_spine(&mut self, theirs: &[NodeIndex], ours: &[NodeIndex]) {
        let [their_inner, our_inner] = [theirs, ours].map(|spine| &spine[1..spine.len() - 1]);
        let count = their_inner.len().min(our_inner.len());
        for node in their_inner {
            self.partners[node.index()] = None;
        }
        let is_inner = |partner: &NodeIndex| our_inner.contains(partner);
        self.partners.iter_mut().for_each(|partner| *partner = partner.filter(|partner| !is_inner(partner)));
        let at = |spine: &[NodeIndex], number: usize| spine[(number * spine.len()).div_ceil(count) - 1];
        for number in 1..=count {
            self.join(at(their_inner, number), at(our_inner, number));
        }
        let paired: Vec<usize> = (0..ours.len()).filter(|&n| self.partners.contains(&Some(ours[n]))).collect();
        for pair in paired.windows(2) {
            let inner = (pair[0] + 1..pair[1]).map(|number| SpreadJoint {
                joint: ours[number],
                ends: [ours[pair[0]], ours[pair[1]]],
                fraction: (number - pair[0]) as f32 / (pair[1] - pair[0]) as f32,
            });
            self.spread.extend(inner);
        }
    }
}

/// Returns the trunk, leg, arm and finger chains, from the hips outwards. Each joint's bone points to the next joint of
/// the chain.
pub(super) fn chains(rig: &Rig, human: &Humanoid) -> Vec<Vec<NodeIndex>> {
    let chain = |side: &str, bones: &[&str]| -> Vec<NodeIndex> {
        let nodes = bones.iter().filter_map(|bone| human.node(HumanBone::named(&format!("{side}{bone}"))?));
        nodes.collect()
    };
    let mut chains = vec![spine(rig, human, "hips", "head").unwrap_or_default()];
    for side in ["left", "right"] {
        chains.push(chain(side, &["UpperLeg", "LowerLeg", "Foot", "Toes"]));
        chains.push(chain(side, &["Shoulder", "UpperArm", "LowerArm", "Hand", "MiddleProximal"]));
        chains.push(chain(side, &["ThumbMetacarpal", "ThumbProximal", "ThumbDistal"]));
        for finger in ["Index", "Middle", "Ring", "Little"] {
            let joints = ["Proximal", "Intermediate", "Distal"].map(|joint| format!("{finger}{joint}"));
            chains.push(chain(side, &joints.each_ref().map(String::as_str)));
        }
    }
    chains
}

/// Returns whether a node is a joint or has joints below it; always true if the rig has no skins.
fn moves_joints(rig: &Rig, node: NodeIndex) -> bool {
    let mut below = rig.hierarchy.subtree(node).map(|below| NodeIndex(below as u32));
    rig.skins.is_empty() || below.any(|below| rig.is_joint(below))
}

pub(super) fn spine(rig: &Rig, human: &Humanoid, top: &str, end: &str) -> Option<Vec<NodeIndex>> {
    let node = |name: &str| human.node(HumanBone::named(name)?);
    let top = node(top)?;
    let end = node(end).or_else(|| node("head"))?;
    let mut joints = vec![end];
    for above in rig.hierarchy.ancestors(end) {
        if above == top || rig.counts_as_joint(above) {
            joints.push(above);
        }
        if above == top {
            joints.reverse();
            return Some(joints);
        }
    }
    None
}
