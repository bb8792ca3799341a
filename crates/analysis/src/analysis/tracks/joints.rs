//! Rotation of individual joints over a clip.

use glam::Quat;

use super::{Line, LineOwner, Sampling, Track, TrackKind};
use crate::analysis::motion::Frames;
use crate::analysis::rotation_keys::{flipped_keys, jumping_keys};
use rigscope_core::jobs::Progress;
use rigscope_core::rig::{Channel, NodeIndex, Property, Rig};

/// Maximum number of key times to sample in addition to frames.
const MAX_KEYS: usize = 1 << 16;

/// Minimum time between samples, seconds. Smaller differences arise when channels round the same time differently.
const SAME_TIME: f32 = 1e-4;

/// Rotations of some joints relative to their parents over one clip, ignoring the user's pose.
#[derive(Clone, Debug, PartialEq)]
pub struct JointTracks {
    /// Sample times, seconds, ascending: all frames, and the rotation keys of the joints.
    pub times_secs: Vec<f32>,
    /// Angular speed, degrees per second, averaged over each step; exact for linearly interpolated keys.
    pub speed: Track,
    /// Angle from rest, degrees, 0 to 180.
    pub rotation: Track,
    /// Keys that are probably wrong, in order of time.
    pub marks: Vec<KeyMark>,
}

/// Rotation key whose value doesn't fit its neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyMark {
    /// Joint that the key rotates.
    pub joint: NodeIndex,
    /// Time of the key, seconds.
    pub time_secs: f32,
    /// Why the key is probably wrong.
    pub odd: OddKey,
}

/// Kind of error in a rotation key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OddKey {
    /// The joint rotates to the key and immediately back.
    Jump,
    /// The quaternion is in the opposite hemisphere from the previous key's quaternion.
    SignFlip,
}

impl JointTracks {
    /// Returns the track of a joint measure; `None` for skin measures.
    pub fn track(&self, kind: TrackKind) -> Option<&Track> {
        [&self.speed, &self.rotation].into_iter().find(|track| track.kind == kind)
    }

    /// Returns how a joint measure is sampled.
    pub fn sampling(kind: TrackKind) -> Sampling {
        if kind == TrackKind::AngularSpeed { Sampling::OverSteps } else { Sampling::AtFrames }
    }
}

/// Samples the rotation of joints over a clip; returns `None` if cancelled.
pub fn joint_tracks(rig: &Rig, clip: usize, joints: &[NodeIndex], progress: &Progress) -> Option<JointTracks> {
    let channels: Vec<Option<&Channel>> = joints.iter().map(|joint| rotation_channel(rig, clip, *joint)).collect();
    let times_secs = times(rig, clip, &channels);
    let (mut speeds, mut rotations) = (Vec::new(), Vec::new());
    for (&joint, channel) in joints.iter().zip(&channels) {
        progress.check_cancelled()?;
        let rest = rig.hierarchy.rest(joint).rotation;
        let turned: Vec<Quat> = times_secs.iter().map(|&time| channel.map_or(rest, |c| at(c, time))).collect();
        let speed = turned.windows(2).zip(times_secs.windows(2));
        let speed = speed.map(|(turned, times)| degrees(turned[0], turned[1]) / (times[1] - times[0])).collect();
        let angle = turned.iter().map(|turned| degrees(rest, *turned)).collect();
        let line = |kind, values| Line::new(kind, LineOwner::Joint(joint), values, Vec::new(), 1.0);
        speeds.push(line(TrackKind::AngularSpeed, speed));
        rotations.push(line(TrackKind::Rotation, angle));
    }
    let track = |kind, lines| Track { kind, lines, off: None };
    let mut marks: Vec<KeyMark> = channels.iter().flatten().flat_map(|channel| odd_keys(channel)).collect();
    marks.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
    let (speed, rotation) = (track(TrackKind::AngularSpeed, speeds), track(TrackKind::Rotation, rotations));
    Some(JointTracks { times_secs, speed, rotation, marks })
}

/// Returns a node's rotation channel. If there are several, the last one wins, as in playback.
fn rotation_channel(rig: &Rig, clip: usize, node: NodeIndex) -> Option<&Channel> {
    let channels = &rig.clips.get(clip)?.channels;
    channels.iter().rev().find(|channel| channel.node == node && channel.property == Property::Rotation)
}

fn times(rig: &Rig, clip: usize, channels: &[Option<&Channel>]) -> Vec<f32> {
    let frames = Frames::of_clips(rig, &[clip], None, usize::MAX);
    let mut times: Vec<f32> = frames.iter().flat_map(|frames| frames.times_secs()).collect();
    let end = times.last().copied().unwrap_or_default();
    let keys = channels.iter().flatten().flat_map(|channel| channel.times_secs.iter().copied());
    let keys: Vec<f32> = keys.filter(|time| (0.0..=end).contains(time)).take(MAX_KEYS).collect();
    times.extend(keys);
    times.sort_unstable_by(f32::total_cmp);
    times.dedup_by(|next, time| *next - *time < SAME_TIME);
    times
}

fn at(channel: &Channel, time_secs: f32) -> Quat {
    let mut value = [0.0; 4];
    channel.sample(time_secs, &mut value);
    let rotation = Quat::from_array(value);
    let length = rotation.length();
    if length > 1e-12 { rotation * length.recip() } else { Quat::IDENTITY }
}

fn degrees(from: Quat, to: Quat) -> f32 {
    let turn = to * from.inverse();
    (2.0 * turn.xyz().length().atan2(turn.w.abs())).to_degrees()
}

fn odd_keys(channel: &Channel) -> impl Iterator<Item = KeyMark> {
    let mark = |odd| move |key: usize| KeyMark { joint: channel.node, time_secs: channel.times_secs[key], odd };
    let jumps = jumping_keys(channel).into_iter().map(mark(OddKey::Jump));
    jumps.chain(flipped_keys(channel).into_iter().map(mark(OddKey::SignFlip)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::rig::testing::chain;
    use rigscope_core::rig::{Clip, Interpolation, RigData, Trs};

    /// Returns a chain of two nodes. The second node rotates about Y by the angles in `keys`, in degrees, at `per_sec`
    /// keys per second.
    fn rig(keys: &[f32], per_sec: f32, interpolation: Interpolation) -> Rig {
        let rotation = |degrees: &f32| Quat::from_rotation_y(degrees.to_radians()).to_array();
        let times: Vec<f32> = (0..keys.len()).map(|key| key as f32 / per_sec).collect();
        let values = keys.iter().flat_map(rotation).collect();
        let channel = Channel::new(NodeIndex(1), Property::Rotation, interpolation, times, values);
        let duration_secs = (keys.len() - 1) as f32 / per_sec;
        let clip = Clip { channels: vec![channel], duration_secs, ..Clip::default() };
        Rig::new(RigData { hierarchy: chain(2, Trs::IDENTITY), clips: vec![clip], ..RigData::default() })
    }

    fn tracks(rig: &Rig) -> JointTracks {
        joint_tracks(rig, 0, &[NodeIndex(1), NodeIndex(0)], &Progress::default()).unwrap()
    }

    #[test]
    fn a_joint_that_turns_evenly_has_one_speed_and_an_angle_that_rises_with_time() {
        let tracks = tracks(&rig(&[0.0, 15.0, 30.0, 45.0, 60.0], 6.0, Interpolation::Linear));
        let [turned, still] = [0, 1].map(|line| (&tracks.speed.lines[line], &tracks.rotation.lines[line]));
        assert!(turned.0.values.iter().all(|speed| (speed - 90.0).abs() < 0.1), "{:?}", turned.0.values);
        assert_eq!(turned.0.values.len() + 1, tracks.times_secs.len());
        let angles = turned.1.values.iter().zip(&tracks.times_secs);
        assert!(angles.clone().all(|(angle, time)| (angle - 90.0 * time).abs() < 1e-2));
        assert_eq!(turned.1.worst, Some(tracks.times_secs.len() - 1));
        assert!(still.0.values.iter().chain(&still.1.values).all(|value| *value == 0.0), "the clip does not turn it");
        assert_eq!((still.1.worst, tracks.marks.len()), (None, 0));
    }

    #[test]
    fn a_held_rotation_stands_still_and_then_jumps_within_a_frame() {
        let tracks = tracks(&rig(&[0.0, 90.0], 2.0, Interpolation::Step));
        let speeds = &tracks.speed.lines[0].values;
        let moving: Vec<f32> = speeds.iter().copied().filter(|speed| *speed > 0.0).collect();
        assert_eq!(moving.len(), 1);
        assert!(moving[0] >= 90.0 * 30.0 - 1.0, "{}", moving[0]);
    }

    #[test]
    fn keys_off_the_frames_are_sampled_too_and_odd_ones_are_marked() {
        let mut degrees: Vec<f32> = (0..20).map(|key| key as f32).collect();
        degrees[7] += 40.0;
        let mut rig = RigData::clone(&rig(&degrees, 30.0, Interpolation::Linear));
        let channel = &mut rig.clips[0].channels[0];
        channel.values[4 * 12..].iter_mut().for_each(|x| *x = -*x);
        let mut times = channel.times_secs.to_vec();
        times[7] += 0.004;
        channel.times_secs = times.clone().into();
        let tracks = tracks(&Rig::new(rig));
        assert!(tracks.times_secs.contains(&times[7]));
        let at = tracks.times_secs.iter().position(|time| *time == times[7]).unwrap();
        assert!((tracks.rotation.lines[0].values[at] - 47.0).abs() < 1e-3, "the key itself");
        let found: Vec<(f32, OddKey)> = tracks.marks.iter().map(|mark| (mark.time_secs, mark.odd)).collect();
        assert_eq!(found, [(times[7], OddKey::Jump), (times[12], OddKey::SignFlip)]);
    }
}
