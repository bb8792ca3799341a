//! The video dialog: its first settings, and what is kept for the next video.

use crate::export::FfmpegFormat;
use crate::stage::{VideoFormat, VideoPlan};
use crate::state::AppState;

impl AppState {
    /// Opens the video dialog with the size and format of the last video.
    pub(in crate::state) fn start_video(&mut self) {
        let plan = VideoPlan::for_stage(&self.open.stage);
        let (height, format) = (self.settings.video.height, self.usual_format());
        self.video = Some(VideoPlan { height, format, ..plan });
    }

    /// Changes the settings in the dialog, and keeps size and format; `None` closes the dialog.
    pub(in crate::state) fn plan_video(&mut self, plan: Option<VideoPlan>) {
        if let Some((before, plan)) = self.video.zip(plan) {
            let kept = &mut self.settings.video;
            kept.height = plan.height;
            // A format that only stands in for an unavailable one is not a choice.
            if plan.format != before.format {
                kept.format = Some(plan.format);
            }
        }
        self.video = plan;
    }

    pub(in crate::state) fn ffmpeg_sought(&mut self, is_found: bool) {
        self.has_ffmpeg = Some(is_found);
        let format = self.usual_format();
        self.video = self.video.map(|plan| VideoPlan { format, ..plan });
    }

    /// Returns the first available format: the last chosen one, MP4, animated PNG.
    fn usual_format(&self) -> VideoFormat {
        let wanted = self.settings.video.format.into_iter().chain([VideoFormat::Video(FfmpegFormat::Mp4)]);
        wanted.into_iter().find(|format| self.video_obstacle(*format).is_none()).unwrap_or_default()
    }
}
