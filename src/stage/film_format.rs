//! File formats of videos and image sequences.

use crate::export::VideoFormat;

/// File format of a video or image sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FilmFormat {
    /// One animated PNG.
    #[default]
    Animated,
    /// One numbered PNG per frame.
    Numbered,
    /// A video encoded by ffmpeg.
    Video(VideoFormat),
}

impl FilmFormat {
    /// All formats, in menu order.
    pub const ALL: [Self; 5] = [
        Self::Animated,
        Self::Numbered,
        Self::Video(VideoFormat::Mp4),
        Self::Video(VideoFormat::WebM),
        Self::Video(VideoFormat::Gif),
    ];

    /// Label for the user.
    pub fn name(self) -> &'static str {
        match self {
            Self::Animated => "Animated PNG",
            Self::Numbered => "Numbered PNGs",
            Self::Video(VideoFormat::Mp4) => "MP4 video",
            Self::Video(VideoFormat::WebM) => "WebM video",
            Self::Video(VideoFormat::Gif) => "GIF",
        }
    }

    /// Suggested file name suffix.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Animated => "film.png",
            Self::Numbered => "film.%04d.png",
            Self::Video(VideoFormat::Mp4) => "film.mp4",
            Self::Video(VideoFormat::WebM) => "film.webm",
            Self::Video(VideoFormat::Gif) => "film.gif",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::export::FilmTarget;

    #[test]
    fn a_suggested_name_is_of_its_format() {
        for format in FilmFormat::ALL {
            let target = FilmTarget::from_path(Path::new(format.ending())).unwrap();
            let found = match target {
                FilmTarget::Animated(_) => FilmFormat::Animated,
                FilmTarget::Numbered { .. } => FilmFormat::Numbered,
                FilmTarget::Video(_, video) => FilmFormat::Video(video),
                FilmTarget::Stream => unreachable!(),
            };
            assert_eq!(found, format);
        }
    }
}
