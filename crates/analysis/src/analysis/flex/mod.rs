//! Bend test: poses every joint through its natural range, and measures whether the skin deforms well.
//!
//! The poses ([`FlexPlan`]) are single joints at angles of their range, about ten whole-body poses, and, if requested,
//! the worst frame of each clip. The ranges of humanoid joints are published anatomical ranges, measured from the
//! anatomical position (standing, arms hanging, all joints straight), so that an A-pose and a T-pose at rest lead to the
//! same tests. Other joints move by ±45° about their natural axes. Nothing is random. [`seeded_poses`] creates poses within
//! the same ranges for test kits.
//!
//! # Measures
//! All measures compare a pose with the file's rest pose. A *region* is the skin that mostly follows a joint; in a
//! humanoid, skin of twist helpers counts to the bone above them. Regions smaller than 1 % of the surface count as 1 %.
//!
//! | measure | definition | unit |
//! | --- | --- | --- |
//! | volume loss | 1 minus the volume of the joint's closed region, see [`super::twist`] | fraction |
//! | pinched | area at rest of triangles that keep less than a tenth of their area, divided by the region's area | fraction |
//! | flipped | area at rest of triangles that face away from their normal at rest as turned by their joint, divided by the region's area | fraction |
//! | stretch | length of the most stretched edge divided by its length at rest, among edges that grow by more than 1.5 % of the rig's size | ratio |
//! | folds | area at rest of triangles that cross other triangles of the same surface, of the same joint or of its parent, divided by the area of both regions | fraction |
//! | layers | area of surface that passes through another one that it is over or under at rest, deeper than 0.5 % of the rig's size, divided by the region's area | fraction |
//! | elsewhere | area of skin that follows the joint and lies much farther from it than from other joints, divided by the whole area | fraction |
//!
//! Two triangles *cross* if they share a point in the pose, share none at rest, and are not connected by two edges or
//! fewer. The test is exact for the posed positions in single precision. Crossing surfaces of distant joints are
//! contacts: the pose brings them together, such as an arm and the chest, and they are reported but no fault.
//!
//! *Spaces*: positions are in world space, metres. *Sources*: see `ranges` for each range of motion, `intersect` for the
//! test of triangles, and Teschner et al. 2005, *Collision detection for deformable objects*, for hierarchies that are
//! refitted instead of rebuilt.

mod anatomy;
mod bench;
mod contacts;
mod findings;
mod intersect;
mod limits;
mod plan;
mod ranges;
mod seeded;
mod table;
mod tree;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use rayon::prelude::*;

use super::measurable;
use super::motion::{MotionJob, MovedSide, motions};
use super::sides::MeasureError;
use bench::{FlexBench, FlexBuffers, FlexRest};
pub use bench::{FlexMeasurements, Measured};
pub use contacts::{Contact, ContactKind};
pub use findings::{FlexRecord, flex_findings, worse_than};
pub use limits::{FlexLimits, FlexMeasure, FlexPreset, JointLimitOverride, PerMeasure};
pub use plan::{FlexPlan, FlexPose, FlexPoseKind, RangeOverride};
pub use ranges::FlexAxis;
pub use seeded::{MAX_SEEDED_POSES, seeded_poses};
pub use table::{FlexContactJson, FlexJointJson, FlexJson, FlexPoseJson, FlexValueJson};

use super::lint::rules::Pattern;
use rigscope_core::jobs::Progress;
use rigscope_core::rig::{ClipMoment, NodeIndex, Pose, Rig};
use rigscope_core::skinning::{Method, Skinner, Skinning};
use rigscope_core::view::PerSide;

/// What to test.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlexOptions {
    /// Ranges that replace natural ranges.
    pub ranges: Vec<RangeOverride>,
    /// Limits, which determine the order of the results.
    pub limits: FlexLimits,
    /// Joints to pose one by one; `None` for all joints and the whole-body poses.
    pub joints: Option<Pattern>,
    /// Whether to test the worst frame of each clip too.
    pub has_clips: bool,
}

impl FlexOptions {
    /// Default number of listed poses.
    pub const WORST: usize = 20;
}

/// Result of one pose.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexResult {
    /// The pose.
    pub pose: FlexPose,
    /// The largest measure relative to its limit; above 1 if it is a fault.
    pub severity: f32,
    /// The measure that determines the severity; `None` if nothing is measured.
    pub worst: Option<FlexMeasure>,
    /// Measurements.
    pub measurements: FlexMeasurements,
}

/// Worst value of a measure for a joint over all poses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointWorst {
    /// Value and vertex.
    pub measured: Measured,
    /// Index into [`FlexReport::poses`]; `None` for measures that don't depend on the pose.
    pub pose: Option<usize>,
}

/// Results of a joint over all poses.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexJoint {
    /// The joint.
    pub joint: NodeIndex,
    /// Worst value of each measure.
    pub worst: PerMeasure<Option<JointWorst>>,
    /// The largest measure relative to its limit; above 1 if it is a fault.
    pub severity: f32,
}

/// Result of a bend test.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexReport {
    /// Results by severity, worst first.
    pub poses: Vec<FlexResult>,
    /// Joints that were measured, by severity, worst first.
    pub joints: Vec<FlexJoint>,
    /// Joints that move no skin although their names promise it.
    pub inert: Vec<NodeIndex>,
}

/// Prepares a rig for a bend test with a method, or with the method that the file was made for. *Errors*: a message for
/// the user.
pub fn flex_skinner(rig: &Arc<Rig>, method: Option<Method>) -> Result<Arc<Skinner>, String> {
    MeasureError::check(rig).map_err(|problem| problem.to_string())?;
    let method = method.or_else(|| Method::authored(rig)).unwrap_or_default();
    Skinner::new(rig, &Skinning::new(method)).map(Arc::new).map_err(|problem| problem.to_string())
}

/// Runs the bend test, in parallel over poses. Returns `None` if cancelled or if the rig exceeds
/// [`super::MAX_VERTICES`].
///
/// *Cost*: linear in triangles times poses; in a pose of a single joint, mostly in the triangles that the joint moves.
/// Results don't depend on the number of cores.
pub fn flex(skinner: &Arc<Skinner>, options: &FlexOptions, progress: &Progress) -> Option<FlexReport> {
    let rig = skinner.rig();
    measurable(rig)?;
    progress.check_cancelled()?;
    let mut plan = FlexPlan::new(rig, &options.ranges);
    if let Some(joints) = &options.joints {
        plan.poses.retain(|pose| pose.joint.is_some_and(|joint| joints.fits(rig.hierarchy.name(joint))));
    }
    if options.has_clips {
        plan.poses.extend(clip_poses(skinner, progress)?);
    }
    progress.enter("Bend test", 0, plan.poses.len());
    let prepared = FlexRest::new(skinner);
    let bench = FlexBench::new(skinner, &prepared, &plan, progress)?;
    let measured = |buffers: &mut FlexBuffers, pose: &FlexPose| {
        progress.check_cancelled()?;
        let measured = bench.measure(pose, buffers, progress)?;
        progress.add(1);
        Some(measured)
    };
    let found: Vec<FlexMeasurements> =
        plan.poses.par_iter().map_init(FlexBuffers::default, measured).collect::<Option<_>>()?;
    let elsewhere = bench.elsewhere(prepared.bones(), progress)?;
    let inert = bench.inert(&plan.bones);
    let is_chosen = |joint: &NodeIndex| options.joints.as_ref().is_none_or(|j| j.fits(rig.hierarchy.name(*joint)));
    let mut report = FlexReport {
        poses: plan
            .poses
            .into_iter()
            .zip(found)
            .map(|(pose, found)| result(rig, pose, found, &options.limits))
            .collect(),
        joints: Vec::new(),
        inert: inert.into_iter().filter(is_chosen).collect(),
    };
    // The sort is stable: equally severe poses keep the order of the plan.
    report.poses.sort_by(|a, b| b.severity.total_cmp(&a.severity));
    report.joints = joints(rig, &report.poses, &elsewhere, &options.limits);
    report.joints.retain(|joint| is_chosen(&joint.joint));
    Some(report)
}

fn result(rig: &Rig, pose: FlexPose, measurements: FlexMeasurements, limits: &FlexLimits) -> FlexResult {
    let severities = FlexMeasure::ALL.into_iter().filter_map(|measure| {
        let Measured { value, joint, .. } = measurements.measures[measure as usize]?;
        Some((limits.severity(joint.map(|joint| rig.hierarchy.name(joint)), measure, value), measure))
    });
    let worst = severities.reduce(|a, b| if b.0 > a.0 { b } else { a });
    FlexResult {
        pose,
        severity: worst.map_or(0.0, |(severity, _)| severity),
        worst: worst.filter(|(severity, _)| *severity > 0.0).map(|(_, measure)| measure),
        measurements,
    }
}

fn joints(rig: &Rig, poses: &[FlexResult], elsewhere: &[Measured], limits: &FlexLimits) -> Vec<FlexJoint> {
    let mut worst: Vec<PerMeasure<Option<JointWorst>>> = vec![PerMeasure::default(); rig.hierarchy.len()];
    let of_poses = poses.iter().enumerate().flat_map(|(pose, result)| {
        let measures = FlexMeasure::ALL.into_iter().zip(result.measurements.measures);
        measures.filter_map(move |(measure, measured)| Some((Some(pose), measure, measured?)))
    });
    let of_rest = elsewhere.iter().map(|measured| (None, FlexMeasure::Elsewhere, *measured));
    for (pose, measure, measured) in of_poses.chain(of_rest) {
        let Some(joint) = measured.joint else { continue };
        let known = &mut worst[joint.index()][measure as usize];
        if known.is_none_or(|known| measured.value > known.measured.value) {
            *known = Some(JointWorst { measured, pose });
        }
    }
    let found = rig.hierarchy.nodes().zip(worst).filter(|(_, worst)| worst.iter().any(Option::is_some));
    let mut all: Vec<FlexJoint> = found
        .map(|(joint, worst)| {
            let name = rig.hierarchy.name(joint);
            let severities = FlexMeasure::ALL.into_iter().zip(&worst).filter_map(|(measure, worst)| {
                Some(limits.severity(Some(name), measure, worst.as_ref()?.measured.value))
            });
            FlexJoint { joint, severity: severities.fold(0.0, f32::max), worst }
        })
        .collect();
    all.sort_by(|a, b| b.severity.total_cmp(&a.severity));
    all
}

/// Returns the worst frame of each clip: the frame with the largest volume loss of a joint's region.
fn clip_poses(skinner: &Arc<Skinner>, progress: &Progress) -> Option<Vec<FlexPose>> {
    let rig = skinner.rig();
    let clips: Vec<usize> = (0..rig.clips.len()).collect();
    let side = MovedSide {
        skinner: Arc::clone(skinner),
        pose: Pose::rest(&rig.hierarchy),
        clips: clips.iter().copied().map(Some).collect(),
    };
    let job = MotionJob {
        rig: Arc::clone(rig),
        clips,
        rate: None,
        sides: PerSide { a: side.clone(), b: side },
        versions: None,
    };
    let measured = motions(&job, progress)?;
    let pose = |(number, motion): (usize, &super::motion::ClipMotion)| {
        let frame = measured.worst_frame(number).map_or(motion.times_secs.len() / 2, |worst| worst.frame);
        let time_secs = motion.times_secs.get(frame).copied().unwrap_or(0.0);
        FlexPose {
            name: format!("{} at {time_secs:.2} s", rig.clip_name(motion.clip)),
            kind: FlexPoseKind::Clip,
            joint: None,
            axis: None,
            angle: 0.0,
            source: None,
            turns: Vec::new(),
            moment: Some(ClipMoment::new(motion.clip, time_secs)),
        }
    };
    Some(measured.clips.iter().enumerate().map(pose).collect())
}
