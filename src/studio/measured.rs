//! What must be found before a picture shows it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::analysis::sides::{MeasureError, measure};
use crate::jobs::Progress;
use crate::skinning::{Normals, Skinner};
use crate::state::{AppState, Arrived};
use crate::view::{PerSide, Side, Topic};

/// How often something was measured: what is painted is uploaded anew where its version is another.
static MEASURED: AtomicU64 = AtomicU64::new(0);

/// Finds what is to be painted over the sides, and the normals that they ask for, in the pose that the state shows.
///
/// *Errors*: in words for the user: a method that cannot serve this rig, a rig too large to be measured.
pub fn measure_sides(state: &mut AppState) -> Result<(), String> {
    let shown = &state.open.view.sides;
    if !shown.iter().any(|side| side.overlay.is_some() || side.skinning.normals == Normals::Recomputed) {
        return Ok(());
    }
    let sides = Side::ALL.into_iter();
    sides.map(|side| &state.actor(side).rig).try_for_each(|rig| MeasureError::check(rig)).map_err(|e| e.to_string())?;
    let progress = Progress::default();
    let is_painted = |subject| shown.iter().any(|side| side.overlay.is_some_and(|o| o.spec().topic == subject));
    if is_painted(Topic::Findings) && state.open.lint.findings.is_none() {
        let rig = Arc::clone(state.rig());
        let findings = state.open.document.findings(&rig, &progress).unwrap_or_default();
        state.receive(Arrived::Findings(rig, Some(findings)));
    }
    let skinner =
        |side| Skinner::new(&state.actor(side).rig, &state.skinning_on(side)).map(Arc::new).map_err(|e| e.to_string());
    let skinners = PerSide::try_from_fn(skinner)?;
    let plan = state.measure_plan();
    let measured =
        measure(&plan.job(skinners, MEASURED.fetch_add(1, Ordering::Relaxed)), &progress).unwrap_or_default();
    state.receive(Arrived::Measured(Box::new(plan), Box::new(Ok(measured))));
    Ok(())
}
