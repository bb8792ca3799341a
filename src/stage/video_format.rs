use serde::{Deserialize, Serialize};

use crate::export::FfmpegFormat;

/// File format of a video or image sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum VideoFormat {
    /// One animated PNG.
    #[default]
    Animated,
    /// One numbered PNG per frame.
    Numbered,
    /// A video encoded by ffmpeg.
    Video(FfmpegFormat),
}

impl VideoFormat {
    /// All formats, in menu order.
    pub const ALL: [Self; 5] = [
        Self::Video(FfmpegFormat::Mp4),
        Self::Video(FfmpegFormat::WebM),
        Self::Video(FfmpegFormat::Gif),
        Self::Animated,
        Self::Numbered,
    ];

    /// Returns the label, the end of the suggested file name and the title of the dialog that asks for a path.
    fn texts(self) -> [&'static str; 3] {
        match self {
            Self::Animated => ["Animated PNG", "png", "Save the video, animated .png"],
            Self::Numbered => ["PNG sequence", "%04d.png", "Save an image sequence, such as f%04d.png"],
            Self::Video(FfmpegFormat::Mp4) => ["MP4 video", "mp4", "Save the video, .mp4"],
            Self::Video(FfmpegFormat::WebM) => ["WebM video", "webm", "Save the video, .webm"],
            Self::Video(FfmpegFormat::Gif) => ["GIF", "gif", "Save the video, .gif"],
        }
    }

    /// Returns the label for the user.
    pub fn name(self) -> &'static str {
        self.texts()[0]
    }

    /// Returns the end of the suggested file name.
    pub fn ending(self) -> &'static str {
        self.texts()[1]
    }

    /// Returns the title of the dialog that asks for a path.
    pub fn title(self) -> &'static str {
        self.texts()[2]
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::export::VideoTarget;

    #[test]
    fn a_suggested_name_is_of_its_format() {
        for format in VideoFormat::ALL {
            let target = VideoTarget::from_path(Path::new(&format!("a.{}", format.ending()))).unwrap();
            let found = match target {
                VideoTarget::Animated(_) => VideoFormat::Animated,
                VideoTarget::Numbered { .. } => VideoFormat::Numbered,
                VideoTarget::Video(_, video) => VideoFormat::Video(video),
                VideoTarget::Stream => unreachable!(),
            };
            assert_eq!(found, format);
        }
    }
}
