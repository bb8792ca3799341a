//! Computes weights by a recipe.

use super::body::Body;
use super::computed::Computed;
use super::helpers::{Helper, helpers};
use super::of_vertices::of_vertices;
use super::pieces::owned;
use super::recipe::Recipe;
use super::refine::refined;
use super::spec::{MadeShares, WeightingTask};
use super::weighting::Weighting;
use crate::jobs::Progress;
use crate::rig::{NodeIndex, Rig, WeightSet};

/// Computes weights for everything that skins move, on all cores; the result is the same on every machine.
///
/// Every vertex gets weights >= 0 that sum to 1. `None` if cancelled.
pub fn compute(rig: &Rig, recipe: &Recipe, progress: &Progress) -> Option<Computed> {
    let helpers = helpers(rig);
    let left_out = left_out(rig, recipe, &helpers);
    let is_automatic = recipe.weighting == Weighting::Auto;
    let is_owner = |helper: &&Helper| is_automatic && helper.owns_pieces && left_out.contains(&helper.node);
    let owners: Vec<NodeIndex> = helpers.iter().filter(is_owner).map(|helper| helper.node).collect();
    let mut computed = Computed { weights: WeightSet::unchanged(rig), notes: Vec::new() };
    for mut body in Body::of(rig, |joint| left_out.contains(&joint)) {
        if body.bones.is_empty() {
            continue;
        }
        let task = WeightingTask { body: &body, cells: recipe.cells, progress };
        let MadeShares { mut shares, notes } = (recipe.weighting.spec().make)(task)?;
        computed.notes.extend(notes);
        if !owners.is_empty() {
            shares = owned(rig, &mut body, shares, &owners, &mut computed.notes);
        }
        let evens_halves = is_automatic && !recipe.is_asymmetric;
        let MadeShares { shares, notes } = refined(rig, &body, shares, recipe.refinement, evens_halves, progress)?;
        computed.notes.extend(notes);
        for part in &body.parts {
            computed.weights.set(part.mesh, part.primitive, of_vertices(rig, (&body, part), &shares));
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
