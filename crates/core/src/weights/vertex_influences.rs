use std::collections::BTreeMap;

use rayon::prelude::*;

use super::body::{Body, BodyPrimitive};
use super::bone_weights::{PointWeights, normalize};
use crate::rig::{Influences, NodeIndex, Rig};

/// Converts the weights of points to vertex influences by the skin's joints, heaviest first. Ignores joints that
/// the skin lacks; if none remains, uses the nearest joint of the skin.
pub(super) fn vertex_influences(rig: &Rig, (body, part): (&Body, &BodyPrimitive), shares: &PointWeights) -> Influences {
    let skin = &rig.skins[part.skin];
    let mut slot_of: BTreeMap<NodeIndex, u16> = BTreeMap::new();
    for (slot, &joint) in skin.joints.iter().enumerate() {
        slot_of.entry(joint).or_insert(slot as u16);
    }
    let slots: Vec<Option<u16>> = body.bones.iter().map(|bone| slot_of.get(&bone.node).copied()).collect();
    let of_point = |&point: &u32| {
        let row = shares.row(point as usize);
        let mut kept: Vec<(u16, f32)> =
            row.filter_map(|(bone, share)| Some((slots[usize::from(bone)]?, share))).collect();
        kept.sort_by(|a, b| b.1.total_cmp(&a.1));
        if kept.is_empty() {
            let near =
                body.distances(body.points[point as usize]).filter_map(|(b, d)| Some((slots[usize::from(b)]?, d)));
            kept.push((near.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(slot, _)| slot), 1.0));
        }
        normalize(&mut kept);
        kept
    };
    Influences::from_rows(&part.points.par_iter().map(of_point).collect::<Vec<_>>())
}
