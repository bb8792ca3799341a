//! Which node and morph target of one character is which of another.

use crate::rig::{MorphIndex, NodeIndex, Pose, Rig, same_morphs, same_nodes};

/// What the nodes and morph targets of the open character are in another one.
#[derive(Clone, Debug, Default)]
pub struct Counterparts {
    /// Of each node of the open character.
    nodes: Vec<Option<NodeIndex>>,
    /// Of each node of the other.
    open_nodes: Vec<Option<NodeIndex>>,
    /// Of each morph target of the open character.
    morphs: Vec<Option<MorphIndex>>,
}

impl Counterparts {
    /// By name and place in the tree.
    pub fn between(open: &Rig, other: &Rig) -> Self {
        Self::new(same_nodes(&open.hierarchy, &other.hierarchy), other.hierarchy.len(), same_morphs(open, other))
    }

    /// Of these nodes, of the open character's, where the other has so many; and of these morph targets.
    pub fn new(nodes: Vec<Option<NodeIndex>>, others: usize, morphs: Vec<Option<MorphIndex>>) -> Self {
        let mut open_nodes = vec![None; others];
        for (open, counterpart) in (0..).map(NodeIndex).zip(&nodes) {
            if let Some(slot) = counterpart.and_then(|counterpart| open_nodes.get_mut(counterpart.index())) {
                *slot = Some(open);
            }
        }
        Self { nodes, open_nodes, morphs }
    }

    /// The other's node that a node of the open character is.
    pub fn node(&self, open: NodeIndex) -> Option<NodeIndex> {
        self.nodes.get(open.index()).copied().flatten()
    }

    /// The open character's node that a node of the other is.
    pub fn open_node(&self, other: NodeIndex) -> Option<NodeIndex> {
        self.open_nodes.get(other.index()).copied().flatten()
    }

    /// The other's morph target that one of the open character is.
    pub fn morph(&self, open: MorphIndex) -> Option<MorphIndex> {
        self.morphs.get(open.index()).copied().flatten()
    }

    /// Of each node of the open character its counterpart.
    pub fn nodes(&self) -> &[Option<NodeIndex>] {
        &self.nodes
    }

    /// Of each morph target of the open character its counterpart.
    pub fn morphs(&self) -> &[Option<MorphIndex>] {
        &self.morphs
    }

    /// A pose of the open character for the other; what has no counterpart is left out.
    pub fn pose(&self, pose: &Pose, other: &Rig) -> Pose {
        let mut carried = Pose::rest(&other.hierarchy);
        for (node, counterpart) in (0..).map(NodeIndex).zip(&self.nodes) {
            if let Some(counterpart) = counterpart {
                carried.set_user_local(*counterpart, *pose.user_local(node));
            }
        }
        for (morph, weight) in pose.morph_weights() {
            if let Some(counterpart) = self.morph(morph) {
                carried.set_morph_weight(counterpart, weight);
            }
        }
        carried
    }
}
