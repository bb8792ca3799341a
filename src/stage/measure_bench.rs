use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::MeasurePlan;
use crate::analysis::sides::{MeasureError, SideComparison, SideMeasurer};
use crate::jobs::Progress;
use crate::skinning::{SkinnedRig, Skinner, UnsupportedSkinning};
use crate::view::{PerSide, Side};

/// Number of measurements since program start. Serves as the version of overlay values, which the renderer compares to
/// decide when to upload them.
static MEASURED: AtomicU64 = AtomicU64::new(1);

/// Runs measurements, reusing topology, rest surfaces and skinners.
#[derive(Default)]
pub struct MeasureBench {
    measurer: SideMeasurer,
    skinners: PerSide<Option<(SkinnedRig, Arc<Skinner>)>>,
}

impl MeasureBench {
    /// Measures both sides; `None` if cancelled. *Errors*: a side has too many vertices, or its method does not support
    /// the rig.
    pub fn measure(&mut self, plan: &MeasurePlan, progress: &Progress) -> Option<Result<SideComparison, MeasureError>> {
        if let Err(problem) = plan.sides.iter().try_for_each(|side| MeasureError::check(&side.skinned.rig)) {
            return Some(Err(problem));
        }
        let skinners = match PerSide::try_from_fn(|side| self.skinner(plan, side)) {
            Ok(skinners) => skinners,
            Err(problem) => return Some(Err(problem.into())),
        };
        let version = MEASURED.fetch_add(1, Ordering::Relaxed);
        self.measurer.measure(&plan.job(skinners, version), progress).map(Ok)
    }

    fn skinner(&mut self, plan: &MeasurePlan, side: Side) -> Result<Arc<Skinner>, UnsupportedSkinning> {
        let (skinned, known) = (&plan.sides[side].skinned, &mut self.skinners[side]);
        if let Some((_, skinner)) = known.as_ref().filter(|(of, _)| of == skinned) {
            return Ok(Arc::clone(skinner));
        }
        let skinner = Arc::new(skinned.skinner()?);
        *known = Some((skinned.clone(), Arc::clone(&skinner)));
        Ok(skinner)
    }
}
