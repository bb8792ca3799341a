//! Kinds of files that films are offered as.

use crate::export::VideoFormat;

/// Kind of file that a film becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FilmFormat {
    /// One animated PNG.
    #[default]
    Animated,
    /// One PNG for each picture, with its number in the name.
    Numbered,
    /// A video, by ffmpeg.
    Video(VideoFormat),
}

impl FilmFormat {
    /// All formats, in the order of menus.
    pub const ALL: [Self; 5] = [
        Self::Animated,
        Self::Numbered,
        Self::Video(VideoFormat::Mp4),
        Self::Video(VideoFormat::WebM),
        Self::Video(VideoFormat::Gif),
    ];

    /// Name for the user.
    pub fn name(self) -> &'static str {
        match self {
            Self::Animated => "Animated PNG",
            Self::Numbered => "Numbered PNGs",
            Self::Video(VideoFormat::Mp4) => "MP4 video",
            Self::Video(VideoFormat::WebM) => "WebM video",
            Self::Video(VideoFormat::Gif) => "GIF",
        }
    }

    /// End of a suggested file name.
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
