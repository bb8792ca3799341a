//! Matches nodes, morph targets and expressions of one character with those of another.

use crate::matching::{NodeMatch, morph_match};
use crate::rig::{ExpressionIndex, MorphIndex, NodeIndex, Pose, Rig};

/// Counterparts of the open character's nodes and morph targets in another character.
#[derive(Clone, Debug, Default)]
pub struct Counterparts {
    nodes: NodeMatch,
    /// Counterpart of each morph target of the open character.
    morphs: Vec<Option<MorphIndex>>,
    /// Counterpart of each expression of the open character, by its name.
    expressions: Vec<Option<ExpressionIndex>>,
}

impl Counterparts {
    /// Finds the nodes and morph targets of the open character in another one.
    pub fn between(open: &Rig, other: &Rig) -> Self {
        let morphs = morph_match(open, other);
        let morph = |number| morphs.new_of(number).map(|other| MorphIndex(other as u32));
        let expressions = open.expressions.iter().map(|expression| other.expression_named(&expression.name));
        Self {
            nodes: NodeMatch::between(open, other),
            morphs: (0..open.morphs().len()).map(morph).collect(),
            expressions: expressions.collect(),
        }
    }

    /// Counterparts of nodes alone, given their match.
    pub fn of_nodes(nodes: NodeMatch) -> Self {
        Self { nodes, ..Self::default() }
    }

    /// Counterpart in the other character of a node of the open one.
    pub fn node(&self, open: NodeIndex) -> Option<NodeIndex> {
        self.nodes.new_of(open)
    }

    /// Counterpart in the open character of a node of the other one.
    pub fn open_node(&self, other: NodeIndex) -> Option<NodeIndex> {
        self.nodes.old_of(other)
    }

    /// Counterpart in the other character of a morph target of the open one.
    pub fn morph(&self, open: MorphIndex) -> Option<MorphIndex> {
        self.morphs.get(open.index()).copied().flatten()
    }

    /// Counterpart in the other character of an expression of the open one.
    pub fn expression(&self, open: ExpressionIndex) -> Option<ExpressionIndex> {
        self.expressions.get(open.index()).copied().flatten()
    }

    /// Counterpart of each node of the open character.
    pub fn nodes(&self) -> &[Option<NodeIndex>] {
        self.nodes.all()
    }

    /// Counterpart of each expression of the open character.
    pub fn expressions(&self) -> &[Option<ExpressionIndex>] {
        &self.expressions
    }

    /// Counterpart of each morph target of the open character.
    pub fn morphs(&self) -> &[Option<MorphIndex>] {
        &self.morphs
    }

    /// A pose of the open character for the other; what has no counterpart is left out.
    pub fn pose(&self, pose: &Pose, other: &Rig) -> Pose {
        let mut carried = Pose::rest(&other.hierarchy).without(pose.switched_off()).driven(pose.spring_drive());
        for (node, counterpart) in self.nodes.pairs() {
            carried.set_user_local(counterpart, *pose.user_local(node));
        }
        for (morph, weight) in pose.morph_weights() {
            if let Some(counterpart) = self.morph(morph) {
                carried.set_morph_weight(counterpart, weight);
            }
        }
        *carried.face_mut() = pose.face().carried(|expression| self.expression(expression));
        carried.set_camera(pose.camera());
        carried
    }
}
