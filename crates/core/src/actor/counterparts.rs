use std::sync::OnceLock;

use crate::matching::{Humanoid, NodeMatch, morph_match};
use crate::rig::{ExpressionIndex, Limbs, MorphIndex, NodeIndex, Pose, Rig};

/// Counterparts of the open character's nodes, morphs and expressions in another character.
#[derive(Clone, Debug, Default)]
pub struct Counterparts {
    nodes: NodeMatch,
    morphs: Vec<Option<MorphIndex>>,
    expressions: Vec<Option<ExpressionIndex>>,
    /// Limbs of the other character, computed when pins are first transferred.
    limbs: OnceLock<Limbs>,
}

impl Counterparts {
    /// Finds the counterparts of `open` in `other`.
    pub fn between(open: &Rig, other: &Rig) -> Self {
        let morphs = morph_match(open, other);
        let morph = |number| morphs.new_for(number).map(|other| MorphIndex(other as u32));
        let expressions = open.expressions.iter().map(|expression| other.expression_named(&expression.name));
        Self {
            nodes: NodeMatch::between(open, other),
            morphs: (0..open.morphs().len()).map(morph).collect(),
            expressions: expressions.collect(),
            limbs: OnceLock::new(),
        }
    }

    /// Creates counterparts for nodes only; morphs and expressions have none.
    pub fn from_nodes(nodes: NodeMatch) -> Self {
        Self { nodes, ..Self::default() }
    }

    /// Returns the counterpart of a node of the open character.
    pub fn node(&self, open: NodeIndex) -> Option<NodeIndex> {
        self.nodes.new_for(open)
    }

    /// Returns the open character's node that corresponds to a node of the other character.
    pub fn open_node(&self, other: NodeIndex) -> Option<NodeIndex> {
        self.nodes.old_for(other)
    }

    /// Returns the counterpart of a morph of the open character.
    pub fn morph(&self, open: MorphIndex) -> Option<MorphIndex> {
        self.morphs.get(open.index()).copied().flatten()
    }

    /// Returns the counterpart of an expression of the open character.
    pub fn expression(&self, open: ExpressionIndex) -> Option<ExpressionIndex> {
        self.expressions.get(open.index()).copied().flatten()
    }

    /// Returns the counterparts of the open character's nodes.
    pub fn nodes(&self) -> &[Option<NodeIndex>] {
        self.nodes.all()
    }

    /// Returns the counterparts of the open character's expressions.
    pub fn expressions(&self) -> &[Option<ExpressionIndex>] {
        &self.expressions
    }

    /// Returns the counterparts of the open character's morphs.
    pub fn morphs(&self) -> &[Option<MorphIndex>] {
        &self.morphs
    }

    /// Transfers a pose of the open character to `other`, dropping values without a counterpart.
    pub fn pose(&self, pose: &Pose, other: &Rig) -> Pose {
        let mut carried =
            Pose::rest(&other.hierarchy).without(pose.disabled_behaviours()).driven(pose.spring_settings());
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
        carried.set_pins(pose.pins().and_then(|pins| {
            let limbs = self.limbs.get_or_init(|| Humanoid::from_rig(other).limbs());
            pins.carried(other, limbs, self.nodes())
        }));
        carried
    }
}
