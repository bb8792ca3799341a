use super::{Stage, VideoFormat};

/// The user's video settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VideoPlan {
    /// True to play the clip within its playback range.
    pub plays_clip: bool,
    /// True to rotate the camera around the character.
    pub turns: bool,
    /// Duration of one revolution, seconds.
    pub turn_secs: f32,
    /// Frames per second.
    pub rate: f32,
    /// Image height, pixels.
    pub height: u32,
    /// Suggested file format.
    pub format: VideoFormat,
}

impl Default for VideoPlan {
    fn default() -> Self {
        Self { plays_clip: true, turns: false, turn_secs: 6.0, rate: 30.0, height: 720, format: VideoFormat::default() }
    }
}

impl VideoPlan {
    /// Heights to choose from, pixels.
    pub const HEIGHTS: [u32; 5] = [480, 720, 1080, 1440, 2160];

    /// Returns the default settings: the chosen clip at its frame rate or, without a clip, a turntable.
    pub(crate) fn for_stage(stage: &Stage) -> Self {
        let has_clip = stage.playback.clip.is_some();
        let rate = stage.playback.frame_rate(stage.rig()).per_sec;
        Self { plays_clip: has_clip, turns: !has_clip, rate, ..Self::default() }
    }

    /// Returns the image size in pixels for the viewport's aspect ratio. The width is even, as video formats require.
    pub fn size(&self, aspect: f32) -> [u32; 2] {
        let half = (self.height as f32 * aspect * 0.5).round().clamp(1.0, 4096.0);
        [2 * half as u32, self.height]
    }

    /// Returns the motion over the clip's playback range.
    pub fn motion(&self, stage: &Stage) -> VideoMotion {
        let pictures = (self.turn_secs * self.rate).round().max(2.0) as u32;
        let clip_secs = self.plays_clip.then(|| stage.playback.played_secs(stage.rig()));
        VideoMotion { clip_secs, turntable: self.turns.then_some(pictures), rate: self.rate }
    }

    /// True if the clip or the camera moves.
    pub fn moves(&self) -> bool {
        self.plays_clip || self.turns
    }
}

/// Clip and camera motion over the frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VideoMotion {
    /// Start and end of the playback range, seconds; `None` if the clip does not play.
    pub clip_secs: Option<[f32; 2]>,
    /// Frames per camera revolution; `None` without rotation.
    pub turntable: Option<u32>,
    /// Frames per second.
    pub rate: f32,
}

/// Clip time and camera rotation of one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VideoMoment {
    /// Clip time, seconds; `None` if the clip does not play.
    pub time_secs: Option<f32>,
    /// Camera rotation about the vertical, radians.
    pub turn: f32,
}

impl VideoMotion {
    /// Returns the number of frames, at least 1. With a turntable, the frames cover one revolution, otherwise the
    /// playback range. The frame at the end of the range is left out, because it would repeat the first frame of a
    /// loop.
    /// ```
    /// use rigscope::stage::VideoMotion;
    ///
    /// let video = |end| VideoMotion { clip_secs: Some([0.5, end]), turntable: None, rate: 30.0 };
    /// assert_eq!([video(1.5).count(), video(1.51).count(), video(0.5).count()], [30, 31, 1]);
    /// ```
    pub fn count(&self) -> u32 {
        let [from, to] = self.clip_secs.unwrap_or_default().map(f64::from);
        // Rounding may turn 2 s at 30 frames per second into 60.000004 frames, which must count as 60, not 61.
        let of_clip = ((to - from) * f64::from(self.rate) - 1e-3).ceil();
        self.turntable.unwrap_or(of_clip as u32).max(1)
    }

    /// Returns the clip time and rotation of a frame, counted from 0.
    pub fn moment(&self, picture: u32) -> VideoMoment {
        let time_secs = self.clip_secs.map(|[from, to]| (from + picture as f32 / self.rate).min(to));
        let turn = self.turntable.map_or(0.0, |all| std::f32::consts::TAU * picture as f32 / all as f32);
        VideoMoment { time_secs, turn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turntable_goes_round_once_and_ends_before_where_it_began() {
        let video = VideoMotion { clip_secs: None, turntable: Some(4), rate: 10.0 };
        assert_eq!(video.count(), 4);
        let turns: Vec<f32> = (0..4).map(|picture| video.moment(picture).turn.to_degrees().round()).collect();
        assert_eq!(turns, [0.0, 90.0, 180.0, 270.0]);
        assert_eq!(video.moment(3).time_secs, None);
    }

    #[test]
    fn a_clip_goes_on_by_real_time_while_the_camera_turns() {
        let video = VideoMotion { clip_secs: Some([0.25, 1.25]), turntable: Some(36), rate: 24.0 };
        assert_eq!((video.count(), video.moment(12).time_secs), (36, Some(0.75)));
        assert_eq!(video.moment(35).time_secs, Some(1.25), "the clip's end is kept while the camera goes on");
    }
}
