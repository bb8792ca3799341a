//! Seams and spikes of clips, measured on the skin: how smoothly a clip loops, and where it jerks.
//!
//! | measure | unit | is |
//! | --- | --- | --- |
//! | gap | m, radians | distance of each joint and each vertex between start and end |
//! | jump | m/s, radians/s | change of a vertex's velocity, or a joint's angular velocity, from the last to the first step of the clip. The step from end to start is left out: it is 0 in a closed loop |
//! | ratio | – | largest jump of a vertex, divided by the typical change: the median over all frames of the largest change of a vertex's velocity. 1 for a seam like any other frame |
//! | spike | m, radians, – | a frame at the clip's own keys to which a vertex jumps and from which it returns, or a joint relative to its parent node; its change of velocity relative to the typical change |
//!
//! If a clip travels, the root's travel over the floor and rotation about the vertical are removed before the start and
//! the end are compared.
//!
//! *Source*: M. Gleicher ("Motion path editing", 2001) and L. Kovar and others ("Motion graphs", 2002) compare frames
//! after aligning them by a motion over the floor and a rotation about the vertical; A. Lyard and N. Magnenat-Thalmann
//! (2007) correct feet by the skin, which is also what this module measures.

mod keys;
mod seam;
mod table;
mod travel;

use super::measurable;
use super::motion::Frames;
pub use keys::KeyCounts;
use rigscope_core::jobs::{Progress, try_map};
use rigscope_core::rig::{Clip, FrameRate, Rig};
use rigscope_core::skinning::Skinner;
use seam::ClipStrip;
pub use seam::{RotationSpike, Seam, Spike, VertexJump};
pub use table::{
    RotationSpikeJson, SeamGapJson, SeamJson, SeamJumpJson, SeamRotationJson, SeamSpinJson, SeamTravelJson,
    SkinGapJson, SpikeJson,
};
pub use travel::Travel;
pub(super) use travel::{heading, height, min_travel, rotation};

struct SeamTimes {
    frames: Frames,
    /// Sample times for the seam, seconds.
    of_seam: Vec<f32>,
    /// Sample times for spikes, seconds.
    of_spikes: Vec<f32>,
}

impl SeamTimes {
    fn of_clips(rig: &Rig, clips: &[usize], rate: Option<f32>) -> Vec<Self> {
        let key_rates =
            clips.iter().map(|&clip| (clip, rig.clips.get(clip).map_or_else(FrameRate::default, Clip::key_rate)));
        let at_keys = Frames::limited(rig, key_rates, usize::MAX);
        let frames = Frames::of_clips(rig, clips, rate, usize::MAX);
        let times = frames.into_iter().zip(at_keys).map(|(frames, at_keys)| {
            let clip = rig.clips.get(frames.clip);
            let of_spikes = clip.map(|clip| spike_times(clip, at_keys)).unwrap_or_default();
            Self { frames, of_seam: without_dead_time(clip, frames), of_spikes }
        });
        times.collect()
    }

    /// Returns true if the spikes need a separate pass over the clip.
    fn differ(&self) -> bool {
        self.of_spikes.len() >= 3 && self.of_spikes != self.of_seam
    }

    fn count(&self) -> usize {
        self.of_seam.len() + if self.differ() { self.of_spikes.len() } else { 0 }
    }
}

/// Returns the times of frames at the clip's keys, or the densest channel's key times if the keys have no common rate.
/// If frames fell between keys, a spike would spread over several frames, and none would stand out.
fn spike_times(clip: &Clip, at_keys: Frames) -> Vec<f32> {
    if at_keys.rate.is_of_keys {
        return without_dead_time(Some(clip), at_keys);
    }
    let longest = clip.channels.iter().map(|channel| &channel.times_secs[..]).max_by_key(|times| times.len());
    let key_times = longest.unwrap_or_default().iter().copied().filter(|time| *time >= 0.0);
    let mut times: Vec<f32> = key_times.take(at_keys.times_secs().len().max(3)).collect();
    times.dedup_by(|next, time| *next <= *time);
    times
}

/// Measures the seam of each clip. Clips with fewer than three frames get a `None` entry. Returns `None` if cancelled
/// or if the rig exceeds [`super::MAX_VERTICES`].
///
/// *Cost*: skins every frame once, and skins the frames at the clip's keys as well if `rate` differs from the keys'
/// rate. Runs in parallel.
pub fn seams(skinner: &Skinner, clips: &[usize], rate: Option<f32>, progress: &Progress) -> Option<Vec<Option<Seam>>> {
    let rig = skinner.rig();
    measurable(rig)?;
    let clips = SeamTimes::of_clips(rig, clips, rate);
    progress.begin(clips.iter().map(SeamTimes::count).sum());
    let seam = |times: &SeamTimes| {
        if times.of_seam.len() < 3 {
            return Some(None);
        }
        let clip = times.frames.clip;
        let strip = ClipStrip::new(skinner, clip, &times.of_seam, progress)?;
        let at_keys =
            if times.differ() { Some(ClipStrip::new(skinner, clip, &times.of_spikes, progress)?) } else { None };
        let keys = rig.clips.get(clip).map_or_else(KeyCounts::default, KeyCounts::from_clip);
        let seam = strip.seam(times.frames, keys);
        Some(Some(match at_keys {
            Some(at_keys) => Seam { spikes: at_keys.spikes(), rotation_spikes: at_keys.rotation_spikes(), ..seam },
            None => seam,
        }))
    };
    try_map(&clips, progress, seam)
}

/// Returns the times, in seconds, of the frames from the clip's first key onwards. Nothing moves before the first key.
fn without_dead_time(clip: Option<&Clip>, frames: Frames) -> Vec<f32> {
    let start = clip.and_then(Clip::first_key_secs).unwrap_or(0.0);
    let mut times = frames.times_secs();
    times.retain(|time| *time > start - 0.5 / frames.rate.per_sec);
    times
}
