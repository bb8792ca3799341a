//! Options that render a video instead of one image.

use std::path::Path;

use clap::Args;

use crate::cli::numbers;
use crate::export::{FfmpegFormat, VideoTarget};
use crate::stage::Stage;
use crate::stage::VideoMotion;

/// A video of the clip, a turntable, or both.
#[derive(Args, Debug)]
pub(super) struct VideoArgs {
    /// Render the clip as a video at N frames per second, from --time to its end, or the range that --session plays: .mp4, .webm or .gif by ffmpeg, one animated .png, or an image sequence as in "f/%04d.png" [default: the rate of the clip for a video, or 30]
    #[arg(long, value_name = "N", value_parser = |text: &str| numbers::within(text, 0.1..=1000.0, "frames per second"))]
    fps: Option<f32>,

    /// Render a video of N frames in which the camera circles the character once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    turntable: Option<u32>,
}

impl VideoArgs {
    /// True if the options or the output path ask for a video, false for a single image.
    pub(super) fn is_wanted(&self, output: &Path) -> bool {
        self.fps.is_some()
            || self.turntable.is_some()
            || VideoTarget::is_numbered(output)
            || FfmpegFormat::from_path(output).is_some()
    }

    /// Returns the motion that the options ask for.
    ///
    /// *Errors*: a message for the user if nothing moves.
    pub(super) fn motion(&self, stage: &Stage) -> Result<VideoMotion, String> {
        let playback = &stage.playback;
        let to_end = [playback.time_secs, playback.duration_secs(stage.rig())];
        let clip_secs = playback.clip.map(|_| playback.range().unwrap_or(to_end));
        if clip_secs.is_none() && self.turntable.is_none() {
            return Err(
                "Nothing moves in this video: name a clip by --clip, or turn the camera by --turntable".to_owned()
            );
        }
        let rate = self.fps.unwrap_or_else(|| playback.frame_rate(stage.rig()).per_sec);
        Ok(VideoMotion { clip_secs, turntable: self.turntable, rate })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::import::Job;
    use crate::rig::{Clip, Rig};
    use crate::stage::{BuiltIn, Document, Source};

    #[test]
    fn a_video_is_from_the_time_that_is_named_to_the_end_or_of_the_part_that_a_session_plays() {
        let tube = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
        let mut parts = (**tube.rig).clone();
        parts.clips = vec![Clip { duration_secs: 1.0, ..Clip::default() }];
        let mut stage = Stage::new(Document { rig: Arc::new(Rig::new(parts)), ..tube });
        let video = VideoArgs { fps: None, turntable: None };
        assert!(video.motion(&stage).is_err());
        stage.set_clip(Some(0));
        stage.seek(0.25);
        assert_eq!(video.motion(&stage).unwrap().clip_secs, Some([0.25, 1.0]));
        stage.playback.set_range(Some([0.5, 0.75]), &stage.document.rig);
        assert_eq!(video.motion(&stage).unwrap().clip_secs, Some([0.5, 0.75]));
    }

    #[test]
    fn a_video_has_the_rate_of_its_clip_unless_another_one_is_named() {
        let tube = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
        let mut parts = (**tube.rig).clone();
        parts.clips = vec![Clip { duration_secs: 1.0, authored_rate: Some(24.0), ..Clip::default() }];
        let mut stage = Stage::new(Document { rig: Arc::new(Rig::new(parts)), ..tube });
        let rate = |stage: &Stage, fps| VideoArgs { fps, turntable: Some(4) }.motion(stage).unwrap().rate;
        assert_eq!(rate(&stage, None), 30.0);
        stage.set_clip(Some(0));
        assert_eq!((rate(&stage, None), rate(&stage, Some(60.0))), (24.0, 60.0));
    }
}
