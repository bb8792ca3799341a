//! Measurements over whole clips.

use std::sync::Arc;

use pyo3::prelude::*;

use crate::arguments::{NameOrNumber, check_finite};
use crate::detached::detached_or_refused;
use crate::errors::refused;
use crate::numbers::rows_as_python;
use crate::pose::find_clip;
use crate::rig::{SharedRig, method};
use rigscope::analysis::motion::{MotionJob, MotionJson, MovedSide, motions};
use rigscope::analysis::sides::MeasureError;
use rigscope::jobs::Progress;
use rigscope::rig::Pose;
use rigscope::skinning::Skinner;
use rigscope::view::PerSide;

/// Clips to measure: all clips or one clip, at their own frame rate or at `fps`.
pub(crate) struct Clips {
    pub clip: Option<NameOrNumber>,
    pub fps: Option<f32>,
}

impl Clips {
    /// Returns the indices of the clips. *Errors*: an unknown clip; a frame rate outside 0.1 to 1000; a rig that is too large to measure.
    fn numbers(&self, shared: &SharedRig) -> PyResult<Vec<usize>> {
        let rig = shared.rig();
        MeasureError::check(rig).map_err(refused)?;
        check_finite("fps", self.fps.as_slice())?;
        if self.fps.is_some_and(|fps| !(0.1..=1000.0).contains(&fps)) {
            return Err(refused("fps must be from 0.1 to 1000 frames per second"));
        }
        self.clip.as_ref().map_or_else(|| Ok((0..rig.clips.len()).collect()), |clip| Ok(vec![find_clip(rig, clip)?]))
    }

    /// Measures the clips with the method called `named`. *Errors*: as [`Self::numbers`]; an unknown method.
    pub(crate) fn measured<T: Send>(
        &self,
        py: Python<'_>,
        shared: &SharedRig,
        named: &str,
        measure: impl FnOnce(&Skinner, &[usize], Option<f32>, &Progress) -> Option<T> + Send,
    ) -> PyResult<T> {
        let clips = self.numbers(shared)?;
        let skinner = shared.skinner(py, method(Some(named))?)?;
        let measured = |progress: &Arc<Progress>| measure(&skinner, &clips, self.fps, progress);
        detached_or_refused(py, "Measuring was cancelled", measured)
    }

    /// Measures the clips with both methods, frame by frame. *Errors*: as [`Self::measured`].
    pub(crate) fn motion<'py>(
        &self,
        py: Python<'py>,
        shared: &SharedRig,
        [a, b]: [&str; 2],
    ) -> PyResult<Bound<'py, PyAny>> {
        let rig = shared.rig();
        let clips = self.numbers(shared)?;
        let side = |name: &str| -> PyResult<MovedSide> {
            let clips = (0..rig.clips.len()).map(Some).collect();
            Ok(MovedSide { skinner: shared.skinner(py, method(Some(name))?)?, pose: Pose::rest(&rig.hierarchy), clips })
        };
        let sides = PerSide { a: side(a)?, b: side(b)? };
        let names = [&sides.a, &sides.b].map(|side| side.skinner.skinning().method.to_string());
        let job = MotionJob { rig: Arc::clone(rig), clips, rate: self.fps, sides, versions: None };
        let found = detached_or_refused(py, "Measuring was cancelled", |progress| motions(&job, progress))?;
        rows_as_python(py, &MotionJson::new(&job, &found, names))
    }
}
