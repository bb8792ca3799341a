//! `diff`: changes between two versions of a rig.

use pyo3::prelude::*;

use crate::arguments::check_finite;
use crate::detached::detached_or_refused;
use crate::numbers::as_python;
use crate::rig::Rig;
use rigscope::diff::{ChangeJson, Tolerances, diff as compared};

/// Lists the changes from one version of a rig to another, by kind, largest first. Returns ``"changes"`` of ``rigscope
/// diff --json``; the list is empty if nothing changed.
///
/// Joints are matched by name or position; vertices are matched by position, in any order. Tolerances: `distance` in
/// metres (by default 1/20000 of the size of `old`), `angle` in degrees, `fraction` of weights, scale factors and colours,
/// `time` in seconds.
#[pyfunction]
#[pyo3(signature = (old, new, *, distance=None, angle=None, fraction=None, time=None))]
pub(crate) fn diff<'py>(
    py: Python<'py>,
    old: &Bound<'py, Rig>,
    new: &Bound<'py, Rig>,
    distance: Option<f32>,
    angle: Option<f32>,
    fraction: Option<f32>,
    time: Option<f32>,
) -> PyResult<Bound<'py, PyAny>> {
    let [old, new] = [old, new].map(|rig| rig.get().shared.rig());
    for (name, tolerance) in [("distance", distance), ("angle", angle), ("fraction", fraction), ("time", time)] {
        check_finite(name, tolerance.as_slice())?;
    }
    let usual = Tolerances::for_rig(old);
    let tolerances = Tolerances {
        distance_m: distance.unwrap_or(usual.distance_m),
        angle_deg: angle.unwrap_or(usual.angle_deg),
        fraction: fraction.unwrap_or(usual.fraction),
        time_secs: time.unwrap_or(usual.time_secs),
    };
    let found =
        detached_or_refused(py, "Comparing was cancelled", |progress| compared(old, new, &tolerances, progress))?;
    as_python(py, &found.changes.iter().map(ChangeJson::from).collect::<Vec<_>>())
}
