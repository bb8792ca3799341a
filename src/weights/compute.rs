//! A recipe applied to a rig.

use super::body::Body;
use super::computed::Computed;
use super::helpers::helpers;
use super::of_vertices::of_vertices;
use super::recipe::Recipe;
use super::refine::refined;
use super::spec::{MadeShares, WeightingTask};
use crate::jobs::Progress;
use crate::rig::{NodeIndex, Rig, WeightSet};

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
        let MadeShares { shares, notes } = refined(rig, &body, shares, recipe.refinement, progress)?;
        computed.notes.extend(notes);
        for part in &body.parts {
            computed.weights.set(part.mesh, part.primitive, of_vertices(rig, (&body, part), &shares));
        }
    }
    Some(computed)
}

fn left_out(rig: &Rig, recipe: &Recipe) -> Vec<NodeIndex> {
    let Some(names) = &recipe.left_out else { return helpers(rig).into_iter().map(|helper| helper.node).collect() };
    rig.hierarchy.nodes().filter(|node| names.iter().any(|name| name == rig.hierarchy.name(*node))).collect()
}
