//! Both sides over whole clips, as arrays, and how clips loop.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{NameOrNumber, check_finite};
use crate::detached::detached_or_refused;
use crate::errors::refused;
use crate::numbers::as_python;
use crate::pose::clip_of;
use crate::rig::{SharedRig, method};
use rigscope::analysis::feet::{FeetTable, clip_feet, feet as find_feet};
use rigscope::analysis::motion::{MotionJob, MotionTable, MovedSide, motions};
use rigscope::analysis::seams::{SeamTable, seams as find_seams};
use rigscope::analysis::sides::MeasureError;
use rigscope::jobs::Progress;
use rigscope::rig::Pose;
use rigscope::view::PerSide;

/// Lists of numbers that become arrays, and their types.
const ARRAYS: [(&str, &str); 8] = [
    ("time_s", "float32"),
    ("volume_m3", "float64"),
    ("max_distance_m", "float64"),
    ("mean_distance_m", "float64"),
    ("least_area_ratio", "float32"),
    ("flipped_triangles", "uint32"),
    ("volume_loss", "float32"),
    ("volume_loss_uncertainty", "float32"),
];

/// Clips measured over time by two methods: all of them, or one.
///
/// *Errors*: a clip or a method that there is not, frames per second that make no sense, a rig that is too large.
pub(crate) fn motion<'py>(
    py: Python<'py>,
    shared: &SharedRig,
    clip: Option<&NameOrNumber>,
    fps: Option<f32>,
    [a, b]: [&str; 2],
) -> PyResult<Bound<'py, PyAny>> {
    let rig = shared.rig();
    let clips = clips_of(shared, clip, fps)?;
    let side = |name: &str| -> PyResult<MovedSide> {
        let clips = (0..rig.clips.len()).map(Some).collect();
        Ok(MovedSide { skinner: shared.skinner(py, method(Some(name))?)?, pose: Pose::rest(&rig.hierarchy), clips })
    };
    let sides = PerSide { a: side(a)?, b: side(b)? };
    let names = [&sides.a, &sides.b].map(|side| side.skinner.skinning().method.to_string());
    let job = MotionJob { rig: Arc::clone(rig), clips, rate: fps, sides, versions: None };
    let found = detached_or_refused(py, "Measuring was cancelled", |progress| motions(&job, progress))?;
    let found = as_python(py, &MotionTable::new(&job, &found).json(names))?;
    for clip in found.get_item("clips")?.try_iter()? {
        make_arrays(&clip?.cast_into::<PyDict>()?)?;
    }
    to_array(&found, "rest_volume_m3", "float64")?;
    Ok(found)
}

/// How clips loop by a method: all of them, or one.
///
/// *Errors*: as [`motion`].
pub(crate) fn seams<'py>(
    py: Python<'py>,
    shared: &SharedRig,
    clip: Option<&NameOrNumber>,
    fps: Option<f32>,
    named: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let clips = clips_of(shared, clip, fps)?;
    let skinner = shared.skinner(py, method(Some(named))?)?;
    let measured = |progress: &Arc<Progress>| find_seams(&skinner, &clips, fps, progress);
    let found = detached_or_refused(py, "Measuring was cancelled", measured)?;
    as_python(py, &SeamTable::new(shared.rig(), &found).json())
}

/// How feet stand on the floor in clips by a method: all of them, or one.
///
/// *Errors*: as [`motion`]; a joint that there is not, and a rig without feet where none are named.
pub(crate) fn feet<'py>(
    py: Python<'py>,
    shared: &SharedRig,
    clip: Option<&NameOrNumber>,
    (named_feet, fps, named): (&[String], Option<f32>, &str),
) -> PyResult<Bound<'py, PyAny>> {
    let clips = clips_of(shared, clip, fps)?;
    let skinner = shared.skinner(py, method(Some(named))?)?;
    let chosen = named_feet.iter().map(|name| shared.node(name)).collect::<PyResult<Vec<_>>>()?;
    let feet = if chosen.is_empty() { find_feet(shared.rig()) } else { chosen };
    if feet.is_empty() {
        return Err(refused("No joint looks like a foot by its name; name the feet by feet=[...]"));
    }
    let measured = |progress: &Arc<Progress>| clip_feet(&skinner, &feet, &clips, fps, progress);
    let found = detached_or_refused(py, "Measuring was cancelled", measured)?;
    as_python(py, &FeetTable::new(shared.rig(), &found).json())
}

/// The clips that are asked for.
fn clips_of(shared: &SharedRig, clip: Option<&NameOrNumber>, fps: Option<f32>) -> PyResult<Vec<usize>> {
    let rig = shared.rig();
    MeasureError::check(rig).map_err(refused)?;
    check_finite("fps", fps.as_slice())?;
    if fps.is_some_and(|fps| !(0.1..=1000.0).contains(&fps)) {
        return Err(refused("fps must be from 0.1 to 1000 frames per second"));
    }
    clip.map_or_else(|| Ok((0..rig.clips.len()).collect()), |clip| Ok(vec![clip_of(rig, clip)?]))
}

fn make_arrays(clip: &Bound<'_, PyDict>) -> PyResult<()> {
    ARRAYS.iter().try_for_each(|(key, kind)| to_array(clip.as_any(), key, kind))
}

/// Puts an array in place of a list of numbers.
fn to_array(of: &Bound<'_, PyAny>, key: &str, kind: &str) -> PyResult<()> {
    let list = of.get_item(key)?;
    if !list.is_none() {
        of.set_item(key, of.py().import("numpy")?.call_method1("array", (list, kind))?)?;
    }
    Ok(())
}
