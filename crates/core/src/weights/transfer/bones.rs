use crate::matching::NodeMatch;
use crate::rig::{NodeIndex, Rig};
use crate::text::listed;
use crate::weights::body::Body;
use crate::weights::bone_weights::{PointWeights, normalize};

const MAX_NAMED: usize = 8;

pub(super) struct BoneMatch {
    /// Matching bone in the other body: the bone of the same name or, if there is none, the match of the nearest
    /// matched ancestor.
    there: Vec<Option<u16>>,
    unmatched: Vec<usize>,
    /// Number of bones with a counterpart.
    pub count: usize,
}

impl BoneMatch {
    pub(super) fn between((from, source): (&Rig, &Body), (rig, body): (&Rig, &Body)) -> Self {
        let partners = NodeMatch::between(from, rig);
        let number = body.bones_by_node();
        let by_name = |node: NodeIndex| partners.new_for(node).and_then(|partner| number.get(&partner).copied());
        let there = |node: NodeIndex| by_name(node).or_else(|| from.hierarchy.ancestors(node).find_map(by_name));
        let unmatched: Vec<usize> =
            (0..source.bones.len()).filter(|&bone| by_name(source.bones[bone].node).is_none()).collect();
        Self {
            there: source.bones.iter().map(|bone| there(bone.node)).collect(),
            count: source.bones.len() - unmatched.len(),
            unmatched,
        }
    }

    /// Converts weights to the other body's bones; rows sum to 1, or are empty if no bone has a counterpart.
    pub(super) fn renamed(&self, shares: &PointWeights) -> PointWeights {
        PointWeights::from_rows(shares.rows().map(|row| {
            let there = row.filter_map(|(bone, share)| Some((self.there[usize::from(bone)]?, share)));
            let mut row = PointWeights::mixed(std::iter::once((there, 1.0)));
            normalize(&mut row);
            row
        }))
    }

    pub(super) fn note(&self, from: &Rig, source: &Body) -> Option<String> {
        let name = |&bone: &usize| from.hierarchy.name(source.bones[bone].node);
        let names = listed(self.unmatched.iter().map(name), MAX_NAMED);
        (!names.is_empty())
            .then(|| format!("Joints that are not here, whose weights go to the next above that is: {names}."))
    }
}
