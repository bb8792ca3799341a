//! The times at which a clip is measured, and the skin at such a time.

use crate::actor::{Poser, SharedPose};
use crate::analysis::deform_positions_into;
use crate::rig::{ClipMoment, FrameRate, Pose, Rig};
use crate::skinning::{Deformed, Skinner};

/// Share of the time between two frames below which the clip's end is its last frame.
const AT_END: f32 = 0.03;

/// Frames of a clip, of which every `step`th is measured.
#[derive(Clone, Copy, Debug)]
pub(in crate::analysis) struct Frames {
    pub rate: FrameRate,
    pub duration_secs: f32,
}

impl Frames {
    /// Frames of a clip, at its own rate or at another one.
    pub(in crate::analysis) fn of(rig: &Rig, clip: usize, per_sec: Option<f32>) -> Self {
        let given = per_sec.map(FrameRate::new);
        let duration_secs = rig.clips.get(clip).map_or(0.0, |clip| clip.duration_secs);
        Self { rate: given.unwrap_or_else(|| rig.frame_rate(clip)), duration_secs }
    }

    /// Number of frames, the first and the last included.
    pub(in crate::analysis) fn count(self) -> usize {
        self.rate.frame(self.duration_secs) as usize + 1
    }

    /// Times of every `step`th frame, seconds, and of the clip's end.
    pub(in crate::analysis) fn times_secs(self, step: usize) -> Vec<f32> {
        let end = self.duration_secs.max(0.0);
        let frames = (0..self.count()).step_by(step.max(1));
        let mut times: Vec<f32> = frames.map(|frame| self.rate.time_secs(frame as u32).min(end)).collect();
        if times.last().is_none_or(|last| end - last > AT_END / self.rate.per_sec) {
            times.push(end);
        }
        times
    }
}

/// A rig in clips alone, without a pose of the user, skinned frame after frame in the same memory.
pub(in crate::analysis) struct ClipSkin<'a> {
    skinner: &'a Skinner,
    rest: Pose,
    poser: Poser,
    /// Pose of the last moment.
    pub pose: SharedPose,
    /// Skin of the last moment, by mesh instance and primitive; positions only, metres in world space.
    pub surfaces: Vec<Vec<Deformed>>,
}

impl<'a> ClipSkin<'a> {
    pub(in crate::analysis) fn new(skinner: &'a Skinner) -> Self {
        let rest = Pose::rest(&skinner.rig().hierarchy);
        Self { skinner, rest, poser: Poser::default(), pose: SharedPose::default(), surfaces: Vec::new() }
    }

    /// Poses and skins the rig at a moment of a clip.
    pub(in crate::analysis) fn go_to(&mut self, moment: ClipMoment) {
        self.poser.pose_into(self.skinner.rig(), Some(moment), &self.rest, &mut self.pose);
        deform_positions_into(self.skinner, self.pose.skin_pose(), &mut self.surfaces);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(duration_secs: f32, per_sec: f32, step: usize) -> Vec<f32> {
        Frames { rate: FrameRate::new(per_sec), duration_secs }.times_secs(step)
    }

    #[test]
    fn frames_begin_at_0_and_end_with_the_clip() {
        assert_eq!(times(0.0, 30.0, 1), [0.0]);
        assert_eq!(times(1.0, 4.0, 1), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(times(1.1, 4.0, 1), [0.0, 0.25, 0.5, 0.75, 1.0, 1.1]);
        assert_eq!(times(1.0, 4.0, 3), [0.0, 0.75, 1.0]);
        // Rounded to a thousandth of a second, the end is the last frame and no further one.
        assert_eq!(times(1.667, 30.0, 1).len(), 51);
        assert_eq!(times(1.667, 30.0, 1)[50], 50.0 / 30.0);
    }
}
