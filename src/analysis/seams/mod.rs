//! Seams of clips: whether a clip that is played round and round goes on where it ends, and where it jerks on the way; measured on the skin.
//!
//! | measure | unit | is |
//! | --- | --- | --- |
//! | gap | m, radians | how far each joint and each vertex is at the end from where it began |
//! | jump | m/s, radians/s | by how much the first step of the clip differs from the last one, of a vertex and of a joint. Not the way from the end to the start, which is nothing in a closed loop |
//! | ratio | – | the largest jump of a vertex over the median, over all frames, of the largest change of a vertex's velocity from one step to the next: 1 for a seam that is like any other frame |
//! | spike | m, radians, – | a frame of the clip's own keys that a vertex goes to and comes back from, or a joint beside the node that carries it, against the clip's own spread |
//!
//! Where a clip travels, its root's way over the floor and its turn about the vertical are taken out before its end is compared with its start.
//!
//! *Source*: closing a loop as M. Gleicher ("Motion path editing", 2001) and L. Kovar and others ("Motion graphs", 2002) compare frames: after a motion over
//! the floor and a turn about the vertical; but of the skin, as A. Lyard and N. Magnenat-Thalmann (2007) correct feet.

mod keys;
mod seam;
mod table;
mod travel;

use rayon::prelude::*;

use super::measurable;
use super::motion::Frames;
use crate::jobs::Progress;
use crate::rig::{Clip, Rig};
use crate::skinning::Skinner;
pub use keys::KeyCounts;
use seam::Strip;
pub use seam::{Seam, Spike, TurnSpike, VertexJump};
pub use table::SeamTable;
pub use travel::Travel;
pub(super) use travel::{heading, height, least_way, root, rotation};

/// Most frames of a clip that are looked at: of clips with more, every second, or every third and so on.
const MOST_FRAMES: usize = 100_000;

/// Times at which a clip is measured.
struct Times {
    clip: usize,
    /// Frames a second of `of_seam`.
    rate: f32,
    /// Frames for the seam, seconds.
    of_seam: Vec<f32>,
    /// Moments at which spikes are searched, seconds.
    of_spikes: Vec<f32>,
}

impl Times {
    fn new(rig: &Rig, clip: usize, rate: Option<f32>) -> Self {
        let frames = Frames::of(rig, clip, rate);
        let of_spikes = rig.clips.get(clip).map(spike_times).unwrap_or_default();
        Self { clip, rate: frames.rate.per_sec, of_seam: bounded(frames), of_spikes }
    }

    /// False where one pass over the frames does for both.
    fn differ(&self) -> bool {
        self.of_spikes.len() >= 3 && self.of_spikes != self.of_seam
    }

    /// Number of moments to skin.
    fn count(&self) -> usize {
        self.of_seam.len() + if self.differ() { self.of_spikes.len() } else { 0 }
    }
}

fn bounded(frames: Frames) -> Vec<f32> {
    frames.times_secs(frames.count().div_ceil(MOST_FRAMES).max(1))
}

/// Frames that the keys of a clip lie on; where they lie on those of no common rate, the keys of the channel that has most. Between keys a spike is spread over several frames, and none of them stands out.
fn spike_times(clip: &Clip) -> Vec<f32> {
    let rate = clip.key_rate();
    if rate.is_of_keys {
        return bounded(Frames { rate, duration_secs: clip.duration_secs });
    }
    let most = clip.channels.iter().map(|channel| &channel.times_secs[..]).max_by_key(|times| times.len());
    let mut times: Vec<f32> =
        most.unwrap_or_default().iter().copied().filter(|time| *time >= 0.0).take(MOST_FRAMES).collect();
    times.dedup_by(|next, time| *next <= *time);
    times
}

/// The seams of some clips, `None` for a clip of fewer than three frames; `None` for all where the job was cancelled and beyond [`super::MOST_VERTICES`].
///
/// *Cost*: skins every frame once, and once more at the clip's own keys where another rate is asked for; all cores share the clips.
pub fn seams(skinner: &Skinner, clips: &[usize], rate: Option<f32>, progress: &Progress) -> Option<Vec<Option<Seam>>> {
    let rig = skinner.rig();
    measurable(rig)?;
    let clips: Vec<Times> = clips.iter().map(|&clip| Times::new(rig, clip, rate)).collect();
    progress.begin(clips.iter().map(Times::count).sum());
    let seam = |times: &Times| {
        if times.of_seam.len() < 3 {
            return progress.go_on().map(|()| None);
        }
        let strip = Strip::new(skinner, times.clip, &times.of_seam, progress)?;
        let at_keys =
            if times.differ() { Some(Strip::new(skinner, times.clip, &times.of_spikes, progress)?) } else { None };
        let keys = rig.clips.get(times.clip).map_or_else(KeyCounts::default, KeyCounts::of);
        let seam = strip.seam(times.clip, times.rate, keys);
        Some(Some(match at_keys {
            Some(at_keys) => Seam { spikes: at_keys.spikes(), turn_spikes: at_keys.turn_spikes(), ..seam },
            None => seam,
        }))
    };
    clips.par_iter().map(seam).collect()
}
