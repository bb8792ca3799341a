//! A recipe applied to a rig.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::body::{Body, BodyPart};
use super::helpers::helpers;
use super::recipe::Recipe;
use super::shares::Shares;
use super::spec::{MadeShares, WeightingTask};
use crate::jobs::Progress;
use crate::rig::{Influences, NodeIndex, Rig, WeightSet};

/// What came of a recipe.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Computed {
    /// Of every skinned primitive that is drawn.
    pub weights: WeightSet,
    /// What could not be done as asked, and what was done in its place: a sentence each.
    pub notes: Vec<String>,
}

/// Makes weights for all that skins move, on all cores; the same on every machine.
///
/// Every vertex gets weights >= 0 that sum to 1. `None` where the job was cancelled.
pub fn compute(rig: &Rig, recipe: &Recipe, progress: &Progress) -> Option<Computed> {
    let left_out = left_out(rig, recipe);
    let mut computed = Computed { weights: WeightSet::unchanged(rig), notes: Vec::new() };
    for body in Body::of(rig, |joint| left_out.contains(&joint)) {
        if body.bones.is_empty() {
            continue;
        }
        let task = WeightingTask { body: &body, cells: recipe.cells, progress };
        let MadeShares { shares, notes } = (recipe.weighting.spec().make)(task)?;
        computed.notes.extend(notes);
        for part in &body.parts {
            let influences =
                influences(rig, (&body, part), &shares, recipe.refinement.most.map_or(usize::MAX, usize::from));
            computed.weights.set(part.mesh, part.primitive, influences);
        }
    }
    Some(computed)
}

fn left_out(rig: &Rig, recipe: &Recipe) -> Vec<NodeIndex> {
    let Some(names) = &recipe.left_out else { return helpers(rig).into_iter().map(|helper| helper.node).collect() };
    rig.hierarchy.nodes().filter(|node| names.iter().any(|name| name == rig.hierarchy.name(*node))).collect()
}

/// The heaviest shares of each vertex by the numbers of its skin. Joints that the skin does not list are left out; where nothing
/// is left, the nearest joint that it has.
fn influences(rig: &Rig, (body, part): (&Body, &BodyPart), shares: &Shares, most: usize) -> Influences {
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
        kept.truncate(most.max(1));
        if kept.is_empty() {
            let near =
                body.distances(body.points[point as usize]).filter_map(|(b, d)| Some((slots[usize::from(b)]?, d)));
            kept.push((near.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(slot, _)| slot), 1.0));
        }
        let sum: f32 = kept.iter().map(|(_, share)| share).sum();
        kept.into_iter().map(|(slot, share)| (slot, share / sum)).collect()
    };
    let of_vertices: Vec<Vec<(u16, f32)>> = part.points.par_iter().map(of_point).collect();
    let per_vertex = of_vertices.iter().map(Vec::len).max().unwrap_or(1);
    let padded = |kept: &Vec<(u16, f32)>| {
        let mut slots = kept.clone();
        slots.resize(per_vertex, (0, 0.0));
        slots
    };
    let (joints, weights) = of_vertices.iter().flat_map(padded).unzip();
    Influences::new(per_vertex, joints, weights)
}
