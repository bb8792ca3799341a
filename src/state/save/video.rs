//! The video dialog: its first settings, and what is kept for the next video.

use crate::export::FfmpegFormat;
use crate::stage::{Stage, VideoFormat, VideoPlan};
use crate::state::Settings;

/// The video dialog.
#[derive(Clone, Copy, Debug, Default)]
pub struct VideoDialog {
    /// Settings in the dialog; `None` while it is closed.
    pub plan: Option<VideoPlan>,
    /// True if ffmpeg, which encodes videos, is installed; `None` until this is known.
    pub has_ffmpeg: Option<bool>,
}

impl VideoDialog {
    /// Opens the dialog with the size and format of the last video.
    pub(in crate::state) fn open(&mut self, stage: &Stage, settings: &Settings) {
        let (height, format) = (settings.video.height, self.usual_format(settings));
        self.plan = Some(VideoPlan { height, format, ..VideoPlan::for_stage(stage) });
    }

    /// Changes the settings in the dialog, and keeps size and format; `None` closes the dialog.
    pub(in crate::state) fn set(&mut self, plan: Option<VideoPlan>, settings: &mut Settings) {
        if let Some((before, plan)) = self.plan.zip(plan) {
            let kept = &mut settings.video;
            kept.height = plan.height;
            // A format that only stands in for an unavailable one is not a choice.
            if plan.format != before.format {
                kept.format = Some(plan.format);
            }
        }
        self.plan = plan;
    }

    pub(in crate::state) fn ffmpeg_sought(&mut self, is_found: bool, settings: &Settings) {
        self.has_ffmpeg = Some(is_found);
        let format = self.usual_format(settings);
        self.plan = self.plan.map(|plan| VideoPlan { format, ..plan });
    }

    /// Returns why a video format is unavailable, as a message for the user.
    pub fn obstacle(&self, format: VideoFormat, settings: &Settings) -> Option<&'static str> {
        let VideoFormat::Video(video) = format else { return None };
        match self.has_ffmpeg {
            None => Some("Searching for ffmpeg"),
            Some(false) => Some("Needs ffmpeg on the PATH: install it, then reopen this dialog"),
            Some(true) if settings.transparent_images && video.check_transparency().is_err() => {
                Some("This format has no transparency: switch off File > Images > Transparent images")
            }
            Some(true) => None,
        }
    }

    /// Returns the first available format: the last chosen one, MP4, animated PNG.
    fn usual_format(&self, settings: &Settings) -> VideoFormat {
        let wanted = settings.video.format.into_iter().chain([VideoFormat::Video(FfmpegFormat::Mp4)]);
        wanted.into_iter().find(|format| self.obstacle(*format, settings).is_none()).unwrap_or_default()
    }
}
