//! Rotation of single joints over a clip.

use glam::Quat;

use super::{Line, LineOf, Sampling, Track, TrackKind};
use crate::analysis::motion::Frames;
use crate::analysis::rotation_keys::{flipped_keys, jumping_keys};
use crate::jobs::Progress;
use crate::rig::{Channel, NodeIndex, Property, Rig};

/// Most times at which joints are sampled: of clips with more frames, every second is, or every third and so on.
const MOST_TIMES: usize = 1 << 16;

/// Times closer together are one, seconds: each channel rounds its own.
const SAME_TIME: f32 = 1e-4;

/// Rotation of some joints over one clip, as the clip alone turns them, in their parents.
#[derive(Clone, Debug, PartialEq)]
pub struct JointTracks {
    /// Times at which joints were sampled, seconds, rising: all frames, and the rotation keys of the joints.
    pub times_secs: Vec<f32>,
    /// Angular speed, degrees a second: of each step from one time to the next the mean, which is that at any moment where keys are interpolated linearly.
    pub speed: Track,
    /// Angle from rest, degrees, 0 to 180.
    pub rotation: Track,
    /// Keys that are odd, by rising time.
    pub marks: Vec<KeyMark>,
}

/// A rotation key that is odd beside its neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyMark {
    /// The joint that has the key.
    pub joint: NodeIndex,
    /// Time of the key, seconds.
    pub time_secs: f32,
    /// What is odd about the key.
    pub odd: OddKey,
}

/// What is odd about a rotation key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OddKey {
    /// The joint turns to the key and at once back.
    Jump,
    /// The quaternion has the opposite sign of the key before.
    SignFlip,
}

impl JointTracks {
    /// The track of a measure; `None` for one of the skin.
    pub fn track(&self, kind: TrackKind) -> Option<&Track> {
        [&self.speed, &self.rotation].into_iter().find(|track| track.kind == kind)
    }

    /// What the values of a measure of joints belong to.
    pub fn sampling(kind: TrackKind) -> Sampling {
        if kind == TrackKind::AngularSpeed { Sampling::OverSteps } else { Sampling::AtFrames }
    }
}

/// Samples the rotation of some joints over a clip; `None` where it was cancelled.
pub fn joint_tracks(rig: &Rig, clip: usize, joints: &[NodeIndex], progress: &Progress) -> Option<JointTracks> {
    let channels: Vec<Option<&Channel>> = joints.iter().map(|joint| rotation_channel(rig, clip, *joint)).collect();
    let times_secs = times(rig, clip, &channels);
    let (mut speeds, mut rotations) = (Vec::new(), Vec::new());
    for (&joint, channel) in joints.iter().zip(&channels) {
        progress.go_on()?;
        let rest = rig.hierarchy.rest(joint).rotation;
        let turned: Vec<Quat> = times_secs.iter().map(|&time| channel.map_or(rest, |c| at(c, time))).collect();
        let speed = turned.windows(2).zip(times_secs.windows(2));
        let speed = speed.map(|(turned, times)| degrees(turned[0], turned[1]) / (times[1] - times[0])).collect();
        let angle = turned.iter().map(|turned| degrees(rest, *turned)).collect();
        let line = |kind, values| Line::new(kind, LineOf::Joint(joint), values, Vec::new(), 1.0);
        speeds.push(line(TrackKind::AngularSpeed, speed));
        rotations.push(line(TrackKind::Rotation, angle));
    }
    let track = |kind, lines| Track { kind, lines, off: None };
    let mut marks: Vec<KeyMark> = channels.iter().flatten().flat_map(|channel| odd_keys(channel)).collect();
    marks.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
    let (speed, rotation) = (track(TrackKind::AngularSpeed, speeds), track(TrackKind::Rotation, rotations));
    Some(JointTracks { times_secs, speed, rotation, marks })
}

/// The channel that turns a node; of several the last, as clips are played.
fn rotation_channel(rig: &Rig, clip: usize, node: NodeIndex) -> Option<&Channel> {
    let channels = &rig.clips.get(clip)?.channels;
    channels.iter().rev().find(|channel| channel.node == node && channel.property == Property::Rotation)
}

fn times(rig: &Rig, clip: usize, channels: &[Option<&Channel>]) -> Vec<f32> {
    let frames = Frames::of(rig, clip, None);
    let mut times = frames.times_secs(frames.count().div_ceil(MOST_TIMES).max(1));
    let end = times.last().copied().unwrap_or_default();
    let keys = channels.iter().flatten().flat_map(|channel| channel.times_secs.iter().copied());
    let keys: Vec<f32> = keys.filter(|time| (0.0..=end).contains(time)).take(MOST_TIMES).collect();
    times.extend(keys);
    times.sort_unstable_by(f32::total_cmp);
    times.dedup_by(|next, time| *next - *time < SAME_TIME);
    times
}

/// Rotation of a channel at a time, as clips are played.
fn at(channel: &Channel, time_secs: f32) -> Quat {
    let mut value = [0.0; 4];
    channel.sample(time_secs, &mut value);
    let rotation = Quat::from_array(value);
    let length = rotation.length();
    if length > 1e-12 { rotation * length.recip() } else { Quat::IDENTITY }
}

/// Angle between two rotations, degrees, 0 to 180.
fn degrees(from: Quat, to: Quat) -> f32 {
    let turn = to * from.inverse();
    (2.0 * turn.xyz().length().atan2(turn.w.abs())).to_degrees()
}

fn odd_keys(channel: &Channel) -> impl Iterator<Item = KeyMark> {
    let mark = |odd| move |key: usize| KeyMark { joint: channel.node, time_secs: channel.times_secs[key], odd };
    let jumps = jumping_keys(channel).into_iter().map(mark(OddKey::Jump));
    jumps.chain(flipped_keys(channel).into_iter().map(mark(OddKey::SignFlip)))
}
