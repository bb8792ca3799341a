use std::collections::BTreeMap;

use super::body::Body;
use super::helpers::{Helper, helpers};
use super::islands::without_islands;
use super::owned_components::with_owned_components;
use super::refine::refined;
use super::spec::{WeightResult, WeightingResult, WeightingTask};
use super::twists::{divided, twist_helpers};
use super::vertex_influences::vertex_influences;
use super::weighting::{Recipe, Weighting};
use crate::jobs::Progress;
use crate::rig::{NodeIndex, Rig, WeightSet};

/// Computes weights for all skinned primitives, on all cores; results are the same on every machine. Every vertex gets
/// weights >= 0 that sum to 1. `None` if cancelled.
pub fn compute(rig: &Rig, recipe: &Recipe, progress: &Progress) -> Option<WeightResult> {
    let helpers = helpers(rig);
    let left_out = left_out(rig, recipe, &helpers);
    let is_automatic = recipe.weighting == Weighting::Auto;
    let is_owner = |helper: &&Helper| is_automatic && helper.owns_pieces && left_out.contains(&helper.node);
    let owners: Vec<NodeIndex> = helpers.iter().filter(is_owner).map(|helper| helper.node).collect();
    let mut twists = BTreeMap::new();
    if is_automatic {
        twists = twist_helpers(rig, |joint| left_out.contains(&joint));
    }
    let mut computed = WeightResult { weights: WeightSet::unchanged(rig), notes: Vec::new() };
    for mut body in Body::from_rig(rig, |joint| left_out.contains(&joint) || twists.contains_key(&joint)) {
        if body.bones.is_empty() {
            continue;
        }
        let task = WeightingTask { body: &body, cells: recipe.cells, progress };
        let WeightingResult { mut shares, notes } = (recipe.weighting.spec().make)(task)?;
        computed.notes.extend(notes);
        if !owners.is_empty() {
            shares = with_owned_components(rig, &mut body, shares, &owners, &mut computed.notes);
        }
        shares = divided(rig, &mut body, shares, &twists, &mut computed.notes, progress)?;
        let evens_halves = is_automatic && !recipe.is_asymmetric;
        let WeightingResult { mut shares, notes } =
            refined(rig, &body, shares, recipe.refinement, evens_halves, progress)?;
        computed.notes.extend(notes);
        if is_automatic {
            shares = without_islands(&body, shares, progress)?;
        }
        for part in &body.parts {
            computed.weights.set(part.mesh, part.primitive, vertex_influences(rig, (&body, part), &shares));
        }
    }
    Some(computed)
}

fn left_out(rig: &Rig, recipe: &Recipe, helpers: &[Helper]) -> Vec<NodeIndex> {
    match &recipe.left_out {
        Some(names) => {
            rig.hierarchy.nodes().filter(|node| names.iter().any(|name| name == rig.hierarchy.name(*node))).collect()
        }
        None => helpers.iter().filter(|helper| recipe.weighting.leaves_out(helper)).map(|helper| helper.node).collect(),
    }
}
