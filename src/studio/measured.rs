//! Values that must be found before a picture shows them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::analysis::sides::{MeasureError, measure};
use crate::import::Job;
use crate::jobs::Progress;
use crate::skinning::{Normals, Skinner};
use crate::stage::{Done, Stage};
use crate::view::{PerSide, Side, Topic};

/// Number of measurements so far: what is painted is uploaded anew where its version is another.
static MEASURED: AtomicU64 = AtomicU64::new(0);

/// Computes the overlays of the sides, and the centres of rotation and normals that their methods need, in the pose that the stage shows.
///
/// *Errors*: in words for the user: a method that cannot serve this rig, a rig too large to be measured.
pub fn measure_sides(stage: &mut Stage) -> Result<(), String> {
    stage.find_centers(&Job::default());
    let shown = &stage.view.sides;
    if !shown.iter().any(|side| side.overlay.is_some() || side.skinning.normals == Normals::Recomputed) {
        return Ok(());
    }
    let sides = Side::ALL.into_iter();
    sides.map(|side| &stage.actor(side).rig).try_for_each(|rig| MeasureError::check(rig)).map_err(|e| e.to_string())?;
    let progress = Progress::default();
    let is_painted = |subject| shown.iter().any(|side| side.overlay.is_some_and(|o| o.spec().topic == subject));
    if is_painted(Topic::Findings) && stage.lint.findings.is_none() {
        let rig = Arc::clone(stage.rig());
        let findings = stage.document.findings(&rig, &progress).unwrap_or_default();
        stage.take(Done::Findings(rig, Some(findings.into())));
    }
    let skinner =
        |side| Skinner::new(&stage.actor(side).rig, &stage.skinning_on(side)).map(Arc::new).map_err(|e| e.to_string());
    let skinners = PerSide::try_from_fn(skinner)?;
    let plan = stage.measure_plan();
    let measured =
        measure(&plan.job(skinners, MEASURED.fetch_add(1, Ordering::Relaxed)), &progress).unwrap_or_default();
    stage.take_measured(plan, Ok(measured));
    Ok(())
}
