//! Tracks of both sides over a clip.

use std::sync::Arc;

use super::{Line, LineOwner, Track, TrackKind};
use crate::analysis::motion::{ClipMotion, MotionJob, Motions};
use rigscope_core::rig::{NodeIndex, Rig};
use rigscope_core::view::{PerSide, Side};

/// Measures of both sides over one clip.
#[derive(Clone, Debug)]
pub struct SkinTracks {
    /// Index into `Rig::clips` of the open character.
    pub clip: usize,
    /// Interval between measured frames, in frames; above 1 if there are too many frames to measure them all.
    pub step: usize,
    /// Time of each frame, seconds, ascending from 0 to the end of the clip.
    pub times_secs: Vec<f32>,
    rigs: PerSide<Arc<Rig>>,
    tracks: Vec<Track>,
}

impl SkinTracks {
    /// Returns the tracks of the first measured clip, if any.
    pub fn new(job: &MotionJob, motions: &Motions) -> Option<Self> {
        let clip = motions.clips.first()?;
        let rigs = job.sides.each_ref().map(|side| Arc::clone(side.skinner.rig()));
        let kinds = TrackKind::ALL.into_iter().filter(|kind| !kind.is_of_joints());
        Some(Self {
            clip: clip.clip,
            step: clip.step,
            times_secs: clip.times_secs.clone(),
            tracks: kinds.map(|kind| track(kind, motions, clip, rigs.a.size())).collect(),
            rigs,
        })
    }

    /// Returns the track of a skin measure; `None` for joint measures.
    pub fn track(&self, kind: TrackKind) -> Option<&Track> {
        self.tracks.iter().find(|track| track.kind == kind)
    }

    /// Returns the name of a joint that belongs to a value of the line `of`.
    pub fn joint_name(&self, owner: LineOwner, joint: NodeIndex) -> &str {
        let side = if let LineOwner::Side(side) = owner { side } else { Side::A };
        self.rigs[side].hierarchy.name(joint)
    }
}

fn track(kind: TrackKind, motions: &Motions, clip: &ClipMotion, size: f32) -> Track {
    let (of_each, off): (Vec<LineOwner>, _) = match kind {
        TrackKind::WorstDistance | TrackKind::MeanDistance => {
            (vec![LineOwner::Both], motions.unmatched.as_ref().map(ToString::to_string))
        }
        TrackKind::Loss => {
            let has_regions = |side: &Side| !motions.joints[*side].is_empty();
            let why = motions.region_errors.iter().flatten().next().map(ToString::to_string);
            let sides: Vec<LineOwner> = Side::ALL.into_iter().filter(has_regions).map(LineOwner::Side).collect();
            let nothing = || "No joint has a region with a volume".to_owned();
            let off = sides.is_empty().then(|| why.unwrap_or_else(nothing));
            (sides, off)
        }
        _ => (Side::ALL.map(LineOwner::Side).to_vec(), None),
    };
    let line = |owner: LineOwner| {
        let found = (0..clip.times_secs.len()).map(|frame| value(kind, owner, motions, clip, frame));
        let (values, joints): (Vec<f32>, Vec<Option<NodeIndex>>) = found.unzip();
        let is_of_joints = joints.iter().any(Option::is_some);
        Line::new(kind, owner, values, if is_of_joints { joints } else { Vec::new() }, size)
    };
    let lines = if off.is_none() { of_each.into_iter().map(line).collect() } else { Vec::new() };
    Track { kind, lines, off }
}

fn value(
    kind: TrackKind,
    owner: LineOwner,
    motions: &Motions,
    clip: &ClipMotion,
    frame: usize,
) -> (f32, Option<NodeIndex>) {
    let distance = &clip.distances[frame];
    let side = if let LineOwner::Side(side) = owner { side } else { Side::A };
    let measured = &clip.sides[side];
    match kind {
        TrackKind::Volume => ((measured.volume[frame] / motions.rest_volume[side]) as f32, None),
        TrackKind::WorstDistance => (distance.max as f32, distance.joint),
        TrackKind::MeanDistance => (distance.mean as f32, None),
        TrackKind::LeastArea => (measured.min_area_ratio[frame], None),
        TrackKind::Flipped => (measured.flipped[frame] as f32, None),
        TrackKind::Loss => measured
            .worst_joint(frame)
            .map_or((f32::NAN, None), |worst| (worst.loss, motions.joints[side].get(worst.joint).copied())),
        TrackKind::AngularSpeed | TrackKind::Rotation => (f32::NAN, None),
    }
}
