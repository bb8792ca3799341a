use std::path::Path;

use clap::Args;

use crate::cli::numbers;
use crate::export::{FfmpegFormat, VideoTarget};
use crate::stage::Stage;
use crate::stage::VideoMotion;

#[derive(Args, Clone, Debug)]
pub(super) struct VideoArgs {
    /// Render the clip as a video at FPS frames per second, from --time to its end, or the session's range
    ///
    /// .mp4, .webm and .gif need ffmpeg; .png is animated; "f/%04d.png" is an image sequence. The default
    /// rate is that of the clip, or 30.
    #[arg(long, value_name = "FPS", value_parser = numbers::frame_rate())]
    fps: Option<f32>,

    /// Render a video of N frames in which the camera circles the character once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    turntable: Option<u32>,
}

impl VideoArgs {
    pub(super) fn is_wanted(&self, output: &Path) -> bool {
        self.fps.is_some()
            || self.turntable.is_some()
            || VideoTarget::is_numbered(output)
            || FfmpegFormat::from_path(output).is_some()
    }

    /// Returns the motion of the video. Fails if neither the clip nor the camera moves.
    pub(super) fn motion(&self, stage: &Stage) -> Result<VideoMotion, String> {
        let playback = &stage.playback;
        let to_end = [playback.time_secs, playback.duration_secs(stage.rig())];
        let clip_secs = playback.clip.map(|_| playback.range().unwrap_or(to_end));
        if clip_secs.is_none() && self.turntable.is_none() {
            return Err(
                "Nothing moves in this video: there is no clip. Name one with --clip, or turn the camera with --turntable.".to_owned()
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

    use crate::rig::{Clip, Rig};
    use crate::stage::{BuiltIn, Document};

    #[test]
    fn a_video_is_from_the_time_that_is_named_to_the_end_or_of_the_part_that_a_session_plays() {
        let tube = Document::built_in(BuiltIn::Tube);
        let mut parts = (**tube.rig).clone();
        parts.clips = vec![Clip { duration_secs: 1.0, ..Clip::default() }];
        let mut stage = Stage::new(Document { rig: Arc::new(Rig::new(parts)), ..tube });
        let video = VideoArgs { fps: None, turntable: None };
        assert!(video.motion(&stage).is_err());
        stage.set_clip(Some(0));
        stage.playback.pause_at(0.25, &stage.document.rig);
        assert_eq!(video.motion(&stage).unwrap().clip_secs, Some([0.25, 1.0]));
        stage.playback.set_range(Some([0.5, 0.75]), &stage.document.rig);
        assert_eq!(video.motion(&stage).unwrap().clip_secs, Some([0.5, 0.75]));
    }

    #[test]
    fn a_video_has_the_rate_of_its_clip_unless_another_one_is_named() {
        let tube = Document::built_in(BuiltIn::Tube);
        let mut parts = (**tube.rig).clone();
        parts.clips = vec![Clip { duration_secs: 1.0, authored_rate: Some(24.0), ..Clip::default() }];
        let mut stage = Stage::new(Document { rig: Arc::new(Rig::new(parts)), ..tube });
        let rate = |stage: &Stage, fps| VideoArgs { fps, turntable: Some(4) }.motion(stage).unwrap().rate;
        assert_eq!(rate(&stage, None), 30.0);
        stage.set_clip(Some(0));
        assert_eq!((rate(&stage, None), rate(&stage, Some(60.0))), (24.0, 60.0));
    }
}
