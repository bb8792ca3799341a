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
//! | elsewhere | area of skin that follows the joint and lies much farther from it than from other joints, or at its partner on the other side, divided by the area of all skin | fraction |
//! | abrupt | length of the boundary between the skin of a bending joint and the skin above it along which weights change abruptly, divided by the boundary's length; see `abrupt` | fraction |
//!
//! Two triangles *cross* if they share a point in the pose, share none at rest, and are not connected by two edges or
//! fewer. The test is exact for the posed positions in single precision. Crossing surfaces of distant joints are
//! contacts: the pose brings them together, such as an arm and the chest, and they are reported but no fault.
//!
//! *Spaces*: positions are in world space, metres. *Sources*: see `human_ranges` for each range of motion, `intersect` for the
//! test of triangles, and Teschner et al. 2005, *Collision detection for deformable objects*, for hierarchies that are
//! refitted instead of rebuilt.

mod abrupt;
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

use super::measurable;
use super::motion::Frames;
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
use rigscope_core::jobs::{Progress, try_map_with};
use rigscope_core::rig::{ClipMoment, NodeIndex, Rig};
use rigscope_core::skinning::{Method, Skinner, Skinning};

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
    /// Most severe value of each measure; `None` if it can't be measured.
    pub measures: PerMeasure<Option<Measured>>,
    /// Measurements.
    pub measurements: FlexMeasurements,
}

impl FlexResult {
    /// Returns true if a measure exceeds its limit.
    pub fn is_fault(&self) -> bool {
        self.severity > 1.0
    }

    /// Returns the worst measure with its value; `None` if nothing is measured.
    pub fn worst_value(&self) -> Option<(FlexMeasure, Measured)> {
        let measure = self.worst?;
        Some((measure, self.measures[measure as usize]?))
    }

    /// Describes the worst measure, such as "stretch 9.3 times, limit 8.0 times (RIG193)". The code is left out of
    /// results that are no fault.
    pub fn summary(&self, rig: &Rig, limits: &FlexLimits) -> String {
        let Some((measure, Measured { value, joint, .. })) = self.worst_value() else {
            return "no deformation".to_owned();
        };
        let limit = limits.limit(joint.map(|joint| rig.hierarchy.name(joint)), measure);
        let text = format!("{} {}, limit {}", measure.label(), measure.text(value), measure.text(limit));
        if self.is_fault() { format!("{text} ({})", measure.code()) } else { text }
    }
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
    progress.enter("Bend test", 0, plan.poses.len());
    let prepared = FlexRest::new(skinner);
    let bench = FlexBench::new(skinner, &prepared, &plan, progress)?;
    if options.has_clips {
        plan.poses.extend(clip_poses(&bench, progress)?);
        progress.enter("Bend test", 0, plan.poses.len());
    }
    let measured = |buffers: &mut FlexBuffers, pose: &FlexPose| {
        let measured = bench.measure(pose, buffers, progress)?;
        progress.add(1);
        Some(measured)
    };
    let found: Vec<FlexMeasurements> = try_map_with(&plan.poses, progress, FlexBuffers::default, measured)?;
    let mut at_rest = bench.elsewhere(prepared.bones(), progress)?;
    at_rest.extend(bench.abrupt(&plan, progress)?.into_iter().map(|measured| (FlexMeasure::Abrupt, measured)));
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
    report.joints = joints(rig, &report.poses, &at_rest, &options.limits);
    report.joints.retain(|joint| is_chosen(&joint.joint));
    Some(report)
}

fn result(rig: &Rig, pose: FlexPose, measurements: FlexMeasurements, limits: &FlexLimits) -> FlexResult {
    let severity = |measure: FlexMeasure, measured: &Measured| {
        limits.severity(measured.joint.map(|joint| rig.hierarchy.name(joint)), measure, measured.value)
    };
    let (mut measures, mut worst) = (PerMeasure::default(), (0.0, None));
    for measure in FlexMeasure::ALL {
        let values =
            measurements.measures[measure as usize].iter().map(|measured| (severity(measure, measured), measured));
        // Of joints without a limit, the one with the largest value counts.
        let key = |(severity, measured): &(f32, &Measured)| (*severity, measured.value);
        let most = values.reduce(|a, b| if key(&b) > key(&a) { b } else { a });
        measures[measure as usize] = most.map(|(_, measured)| *measured);
        if let Some((severity, _)) = most.filter(|(severity, _)| *severity > worst.0) {
            worst = (severity, Some(measure));
        }
    }
    FlexResult { pose, severity: worst.0, worst: worst.1, measures, measurements }
}

/// `at_rest` lists values that don't depend on the pose.
fn joints(rig: &Rig, poses: &[FlexResult], at_rest: &[(FlexMeasure, Measured)], limits: &FlexLimits) -> Vec<FlexJoint> {
    let mut worst: Vec<PerMeasure<Option<JointWorst>>> = vec![PerMeasure::default(); rig.hierarchy.len()];
    let of_poses = poses.iter().enumerate().flat_map(|(pose, result)| {
        let measures = FlexMeasure::ALL.into_iter().zip(&result.measurements.measures);
        measures.flat_map(move |(measure, values)| values.iter().map(move |measured| (Some(pose), measure, *measured)))
    });
    let of_rest = at_rest.iter().map(|(measure, measured)| (None, *measure, *measured));
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

/// Returns the worst frame of each clip: the frame with the largest volume loss of a joint's region, or the middle of the
/// clip if no loss is reliable.
fn clip_poses(bench: &FlexBench<'_>, progress: &Progress) -> Option<Vec<FlexPose>> {
    let rig = bench.rig();
    let clips: Vec<usize> = (0..rig.clips.len()).collect();
    let moments = |frames: Frames| {
        let times = frames.times_secs().into_iter();
        times.map(|time_secs| ClipMoment::new(frames.clip, time_secs)).collect()
    };
    let all: Vec<Vec<ClipMoment>> = Frames::of_clips(rig, &clips, None, usize::MAX).into_iter().map(moments).collect();
    progress.enter("Clips", 0, all.iter().map(Vec::len).sum());
    let measured = |buffers: &mut FlexBuffers, moment: &ClipMoment| {
        let loss = bench.loss_at(*moment, buffers);
        progress.add(1);
        Some(loss)
    };
    let worst = |moments: Vec<ClipMoment>| {
        let losses: Vec<Option<f32>> = try_map_with(&moments, progress, FlexBuffers::default, measured)?;
        let known = losses.into_iter().enumerate().filter_map(|(frame, loss)| Some((frame, loss?)));
        let worst = known.reduce(|worst, next| if next.1 > worst.1 { next } else { worst });
        let frame = worst.map_or(moments.len() / 2, |(frame, _)| frame);
        Some(moments.get(frame).map(|moment| clip_pose(rig, *moment)))
    };
    let poses: Vec<Option<FlexPose>> = all.into_iter().map(worst).collect::<Option<_>>()?;
    Some(poses.into_iter().flatten().collect())
}

fn clip_pose(rig: &Rig, moment: ClipMoment) -> FlexPose {
    FlexPose {
        name: format!("{} at {:.2} s", rig.clip_name(moment.clip), moment.time_secs),
        kind: FlexPoseKind::Clip,
        joint: None,
        axis: None,
        angle: 0.0,
        source: None,
        turns: Vec::new(),
        moment: Some(moment),
    }
}
