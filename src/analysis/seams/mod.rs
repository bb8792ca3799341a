//! Seams of clips: whether a clip that is played round and round goes on where it ends, and where it jerks on the way; measured on the skin.
//!
//! | measure | unit | is |
//! | --- | --- | --- |
//! | gap | m, radians | how far each joint and each vertex is at the end from where it began |
//! | jump | m/s, radians/s | by how much the first step of the clip differs from the last one, of a vertex and of a joint. Not the way from the end to the start, which is nothing in a closed loop |
//! | ratio | – | the largest jump of a vertex over the median, over all frames, of the largest change of a vertex's velocity from one step to the next: 1 for a seam that is like any other frame |
//! | spike | m, radians, – | a frame that a vertex goes to and comes back from, or a joint beside the node that carries it, against the clip's own spread |
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
use crate::rig::Clip;
use crate::skinning::Skinner;
pub use keys::KeyCounts;
use seam::Strip;
pub use seam::{Seam, Spike, TurnSpike, VertexJump};
pub use table::SeamTable;
pub use travel::Travel;
pub(super) use travel::{heading, height, least_way, root, rotation};

/// The seams of some clips, `None` for a clip of fewer than three frames; `None` for all where the job was cancelled and beyond [`super::MOST_VERTICES`].
///
/// *Cost*: skins every frame once; all cores share the clips.
pub fn seams(skinner: &Skinner, clips: &[usize], rate: Option<f32>, progress: &Progress) -> Option<Vec<Option<Seam>>> {
    let rig = skinner.rig();
    measurable(rig)?;
    let clips: Vec<(Frames, Vec<f32>)> = Frames::of_clips(rig, clips, rate, usize::MAX)
        .into_iter()
        .map(|frames| (frames, without_dead_time(rig.clips.get(frames.clip), frames)))
        .collect();
    progress.begin(clips.iter().map(|(_, times)| times.len()).sum());
    let seam = |(frames, times): &(Frames, Vec<f32>)| {
        if times.len() < 3 {
            return progress.go_on().map(|()| None);
        }
        let strip = Strip::new(skinner, frames.clip, times, progress)?;
        let keys = rig.clips.get(frames.clip).map_or_else(KeyCounts::default, KeyCounts::of);
        Some(Some(strip.seam(*frames, keys)))
    };
    clips.par_iter().map(seam).collect()
}

/// The frames of a clip from its first key on: before it the clip stands still because it has no keys there, not because it is to stand still.
fn without_dead_time(clip: Option<&Clip>, frames: Frames) -> Vec<f32> {
    let start = clip.and_then(Clip::first_key_secs).unwrap_or(0.0);
    let mut times = frames.times_secs();
    times.retain(|time| *time > start - 0.5 / frames.rate.per_sec);
    times
}
