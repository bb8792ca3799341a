//! Computes weights by a recipe.

use std::collections::BTreeMap;

use super::body::Body;
use super::crumbs::without_crumbs;
use super::helpers::{Helper, helpers};
use super::of_vertices::of_vertices;
use super::pieces::owned;
use super::refine::refined;
use super::spec::{MadeShares, WeightingTask};
use super::twists::{divided, twist_helpers};
use super::weighting::{Recipe, Weighting};
use crate::jobs::Progress;
use crate::rig::{NodeIndex, Rig, WeightSet};

/// Result of a recipe, a refinement or a transfer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Computed {
    /// Weights of every drawn, skinned primitive.
    pub weights: WeightSet,
    /// Notes, as sentences, on what could not be done as requested and was done instead.
    pub notes: Vec<String>,
}

/// Computes weights for everything that skins move, on all cores; the result is the same on every machine.
///
/// Every vertex gets weights >= 0 that sum to 1. `None` if cancelled.
pub fn compute(rig: &Rig, recipe: &Recipe, progress: &Progress) -> Option<Computed> {
    let helpers = helpers(rig);
    let left_out = left_out(rig, recipe, &helpers);
    let is_automatic = recipe.weighting == Weighting::Auto;
    let is_owner = |helper: &&Helper| is_automatic && helper.owns_pieces && left_out.contains(&helper.node);
    let owners: Vec<NodeIndex> = helpers.iter().filter(is_owner).map(|helper| helper.node).collect();
    let mut twists = BTreeMap::new();
    if is_automatic {
        twists = twist_helpers(rig, |joint| left_out.contains(&joint));
    }
    let mut computed = Computed { weights: WeightSet::unchanged(rig), notes: Vec::new() };
    for mut body in Body::of(rig, |joint| left_out.contains(&joint) || twists.contains_key(&joint)) {
        if body.bones.is_empty() {
            continue;
        }
        let task = WeightingTask { body: &body, cells: recipe.cells, progress };
        let MadeShares { mut shares, notes } = (recipe.weighting.spec().make)(task)?;
        computed.notes.extend(notes);
        if !owners.is_empty() {
            shares = owned(rig, &mut body, shares, &owners, &mut computed.notes);
        }
        shares = divided(rig, &mut body, shares, &twists, &mut computed.notes, progress)?;
        let evens_halves = is_automatic && !recipe.is_asymmetric;
        let MadeShares { mut shares, notes } = refined(rig, &body, shares, recipe.refinement, evens_halves, progress)?;
        computed.notes.extend(notes);
        if is_automatic {
            shares = without_crumbs(&body, shares, progress)?;
        }
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
