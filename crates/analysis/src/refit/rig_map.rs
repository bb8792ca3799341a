use glam::DAffine3;

use super::nodes::NodeMap;
use super::similarity::Similarity;
use rigscope_core::rig::{NodeIndex, Pose, Rig, Trs};

/// How the nodes of a new rig belong to those of an old one: `W'_n = G * W_n * D_n` for nodes in both.
#[derive(Clone, Debug, PartialEq)]
pub struct RigMap {
    /// New node of each old node.
    pub(super) nodes: NodeMap,
    /// `D_n` of each old node, old node from new node.
    pub(super) frames: Vec<Similarity>,
    /// `G`, new world from old world.
    pub(super) world: Similarity,
}

impl RigMap {
    pub(super) fn identity(rig: &Rig) -> Self {
        Self {
            nodes: rig.hierarchy.nodes().map(Some).collect(),
            frames: vec![Similarity::IDENTITY; rig.hierarchy.len()],
            world: Similarity::IDENTITY,
        }
    }

    /// Returns the new node of an old node; `None` if it was removed.
    pub fn node(&self, old: NodeIndex) -> Option<NodeIndex> {
        self.nodes[old.index()]
    }

    /// Returns the ratio of new to old lengths.
    pub fn scale(&self) -> f64 {
        self.world.scale
    }

    pub(super) fn then(&self, next: &Self) -> Self {
        let frame = |(node, frame): (&Option<NodeIndex>, &Similarity)| {
            node.map_or(*frame, |node| frame.then(next.frames[node.index()]))
        };
        Self {
            nodes: self.nodes.iter().map(|node| node.and_then(|node| next.node(node))).collect(),
            frames: self.nodes.iter().zip(&self.frames).map(frame).collect(),
            world: next.world.then(self.world),
        }
    }

    /// Converts a pose of the old rig, applied to its rest pose, to one that looks the same on the new rig.
    pub fn pose(&self, rigs: [&Rig; 2], pose: &Pose) -> Pose {
        let mut mapped = Pose::rest(&rigs[1].hierarchy);
        for (node, user_local) in self.user_locals(rigs, pose, false) {
            mapped.set_user_local(node, user_local);
        }
        pose.morph_weights().for_each(|(morph, weight)| mapped.set_morph_weight(morph, weight));
        *mapped.face_mut() = pose.face().clone();
        mapped
    }

    /// Returns the user transforms of the new rig that have the same effect as a pose of the old rig. A pose on top of a
    /// clip starts from the same joint transforms on both rigs, a pose on top of the rest pose does not.
    pub fn user_locals(
        &self,
        [old, new]: [&Rig; 2],
        pose: &Pose,
        is_in_clip: bool,
    ) -> impl Iterator<Item = (NodeIndex, Trs)> {
        let mut is_added = vec![true; new.hierarchy.len()];
        self.nodes.iter().flatten().for_each(|node| is_added[node.index()] = false);
        // Added nodes stay at rest.
        let added_above = move |node: NodeIndex| {
            let added = new.hierarchy.ancestors(node).take_while(|node| is_added[node.index()]);
            let locals = added.map(|node| new.hierarchy.rest_local(node).as_daffine3());
            locals.fold(DAffine3::IDENTITY, |below, local| local * below)
        };
        old.hierarchy.nodes().filter_map(move |node| {
            let counterpart = self.node(node)?;
            let user = pose.user_local(node);
            let above = old.hierarchy.parent(node).map_or(self.world, |parent| self.frames[parent.index()].inverse());
            let local = old.hierarchy.rest_local(node).as_daffine3() * user.to_affine().as_daffine3();
            let above_added = added_above(counterpart).inverse() * above.affine();
            let wanted = above_added * local * self.frames[node.index()].affine();
            let frame = self.frames[node.index()];
            let is_same_rest = old.hierarchy.rest_local(node) == new.hierarchy.rest_local(counterpart);
            if frame.is_identity() && (is_in_clip || is_same_rest && above_added == DAffine3::IDENTITY) {
                return Some((counterpart, *user));
            }
            let mapped = if is_in_clip {
                frame.affine().inverse() * user.to_affine().as_daffine3() * frame.affine()
            } else {
                new.hierarchy.rest_local(counterpart).as_daffine3().inverse() * wanted
            };
            Some((counterpart, Trs::from_affine(&mapped.as_affine3())))
        })
    }
}
