//! Times at which clips are sampled, and the skin at these times.

use crate::analysis::deform_positions_into;
use rigscope_core::actor::{PoseEvaluator, SharedPose};
use rigscope_core::rig::{Clip, ClipMoment, FrameRate, Pose, Rig};
use rigscope_core::skinning::{Deformed, Skinner};

/// Maximum number of frames to measure, summed over all clips.
const MAX_FRAMES: usize = 1 << 16;

/// Maximum number of vertices and nodes to transform, summed over all frames.
const MAX_PLACED: usize = 1 << 32;
/// Number of nodes that a joint of a skin counts as, for [`MAX_PLACED`].
const OF_PALETTE: usize = 4;

/// Frames of a clip; every `step`-th frame is measured.
#[derive(Clone, Copy, Debug)]
pub(in crate::analysis) struct Frames {
    pub clip: usize,
    pub rate: FrameRate,
    pub duration_secs: f32,
    /// Interval between measured frames, in frames; above 1 if there are too many frames to measure them all.
    pub step: usize,
}

impl Frames {
    pub(in crate::analysis) fn of_clips(
        rig: &Rig,
        clips: &[usize],
        per_sec: Option<f32>,
        max_frames: usize,
    ) -> Vec<Self> {
        let given = per_sec.map(FrameRate::new);
        let rates = clips.iter().map(|&clip| (clip, given.unwrap_or_else(|| rig.frame_rate(clip))));
        Self::limited(rig, rates, max_frames)
    }

    /// Returns the frames of clips, about `max_frames` in total: every `step`-th frame of long clips, all frames of short
    /// clips.
    pub(in crate::analysis) fn limited(
        rig: &Rig,
        clips: impl Iterator<Item = (usize, FrameRate)>,
        max_frames: usize,
    ) -> Vec<Self> {
        let duration_secs = |clip| rig.clips.get(clip).map_or(0.0, |clip: &Clip| clip.duration_secs);
        let mut frames: Vec<Self> =
            clips.map(|(clip, rate)| Self { clip, rate, duration_secs: duration_secs(clip), step: 1 }).collect();
        let max_frames = max_frames.min(MAX_FRAMES).min(MAX_PLACED / placed(rig).max(1));
        let limit = fair_limit(frames.iter().map(|frames| frames.count()).collect(), max_frames).max(2);
        for frames in &mut frames {
            frames.step = frames.count().div_ceil(limit);
        }
        frames
    }

    fn count(self) -> usize {
        self.rate.frame(self.duration_secs) as usize + 1
    }

    /// Returns the times of the measured frames and of the clip's end, in seconds.
    pub(in crate::analysis) fn times_secs(self) -> Vec<f32> {
        self.rate.times_secs(self.duration_secs, self.step)
    }
}

fn placed(rig: &Rig) -> usize {
    let palettes: usize = rig.skins.iter().map(|skin| skin.joints.len()).sum();
    rig.vertex_count() + rig.hierarchy.len() + OF_PALETTE * palettes
}

/// Returns the largest limit such that the sizes, clamped to this limit, sum to at most `total`.
fn fair_limit(mut sizes: Vec<usize>, total: usize) -> usize {
    sizes.sort_unstable();
    let mut left = total;
    for (at, &size) in sizes.iter().enumerate() {
        let share = left / (sizes.len() - at);
        if size > share {
            return share;
        }
        left -= size;
    }
    usize::MAX
}

/// A rig posed only by clips, skinned frame by frame into the same buffers.
pub(in crate::analysis) struct ClipSkin<'a> {
    skinner: &'a Skinner,
    rest: Pose,
    poser: PoseEvaluator,
    pub pose: SharedPose,
    /// Current positions by mesh instance and primitive, world space, metres.
    pub surfaces: Vec<Vec<Deformed>>,
}

impl<'a> ClipSkin<'a> {
    pub(in crate::analysis) fn new(skinner: &'a Skinner) -> Self {
        let rest = Pose::rest(&skinner.rig().hierarchy);
        Self { skinner, rest, poser: PoseEvaluator::default(), pose: SharedPose::default(), surfaces: Vec::new() }
    }

    pub(in crate::analysis) fn go_to(&mut self, moment: ClipMoment) {
        self.poser.pose_into(self.skinner.rig(), Some(moment), &self.rest, &mut self.pose);
        deform_positions_into(self.skinner, self.pose.skin_pose(), &mut self.surfaces);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::rig::RigData;

    fn times(duration_secs: f32, per_sec: f32, step: usize) -> Vec<f32> {
        Frames { clip: 0, rate: FrameRate::new(per_sec), duration_secs, step }.times_secs()
    }

    #[test]
    fn frames_begin_at_0_and_end_with_the_clip() {
        assert_eq!(times(0.0, 30.0, 1), [0.0]);
        assert_eq!(times(1.0, 4.0, 1), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(times(1.1, 4.0, 1), [0.0, 0.25, 0.5, 0.75, 1.0, 1.1]);
        assert_eq!(times(1.0, 4.0, 3), [0.0, 0.75, 1.0]);
        // With times rounded to milliseconds, the end is the last frame and not an extra one.
        assert_eq!(times(1.667, 30.0, 1).len(), 51);
        assert_eq!(times(1.667, 30.0, 1)[50], 50.0 / 30.0);
    }

    #[test]
    fn small_sizes_stay_whole_and_large_ones_share_the_rest() {
        assert_eq!(fair_limit(Vec::new(), 0), usize::MAX);
        assert_eq!(fair_limit(vec![3, 4], 7), usize::MAX);
        assert_eq!(fair_limit(vec![100, 3, 200], 23), 10);
        assert_eq!(fair_limit(vec![usize::MAX; 3], 30), 10);
        assert_eq!(fair_limit(vec![1; 10], 5), 0);
    }

    #[test]
    fn clips_of_any_length_have_few_frames_and_short_ones_all() {
        let clip = |duration_secs| Clip { duration_secs, ..Clip::default() };
        let lengths = [2.0, 1e6, f32::MAX, f32::INFINITY, f32::NAN, -1.0, 0.0, 1e-45];
        let rig = Rig::new(RigData { clips: lengths.map(clip).into(), ..RigData::default() });
        let all: Vec<usize> = (0..lengths.len()).collect();
        for rate in [None, Some(0.1), Some(1000.0)] {
            let frames = Frames::of_clips(&rig, &all, rate, usize::MAX);
            let counts: Vec<usize> = frames.iter().map(|frames| frames.times_secs().len()).collect();
            assert!(counts.iter().sum::<usize>() <= MAX_FRAMES + 2 * lengths.len(), "{counts:?}");
            assert_eq!(frames[0].step, 1, "a short clip beside endless ones has all its frames");
        }
        let frames = Frames::of_clips(&rig, &[0, 1], None, 200);
        assert_eq!([frames[0].times_secs().len(), frames[0].step], [61, 1]);
        assert!((137..=141).contains(&frames[1].times_secs().len()), "{}", frames[1].times_secs().len());
        assert_eq!(frames[1].times_secs().last(), Some(&1e6));
    }
}
