use std::path::{Path, PathBuf};

use super::{FfmpegFormat, ImageKind, find_ffmpeg};
use rigscope_core::files::is_standard;

/// Where rendered frames are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VideoTarget {
    /// Image sequence: one file per frame, with the frame number in the name.
    Numbered {
        /// Path up to the number.
        before: String,
        /// Minimum number of digits, zero-padded.
        digits: usize,
        /// Rest of the path after the number, with the extension.
        after: String,
        /// Image format, from the extension.
        format: ImageKind,
    },
    /// Animated PNG.
    Animated(PathBuf),
    /// Video, encoded by ffmpeg.
    Video(PathBuf, FfmpegFormat),
    /// Standard output: concatenated PNGs, which video encoders can read.
    Stream,
}

impl VideoTarget {
    /// Returns the target for a path. A placeholder in the name, such as `%04d`, stands for the frame number, here with
    /// four digits. *Errors*: a message for the user if the name has two placeholders or an unknown extension, or if
    /// the format cannot be animated.
    /// ```
    /// use std::path::Path;
    /// use rigscope_io::export::VideoTarget;
    ///
    /// let numbered = VideoTarget::from_path(Path::new("f/%03d.png")).unwrap();
    /// assert_eq!(numbered.path(7), Path::new("f/007.png"));
    /// assert_eq!(VideoTarget::from_path(Path::new("f.png")), Ok(VideoTarget::Animated("f.png".into())));
    /// assert!(VideoTarget::from_path(Path::new("f.jpg")).unwrap_err().contains("%04d"));
    /// ```
    pub fn from_path(path: &Path) -> Result<Self, String> {
        if is_standard(path) {
            return Ok(Self::Stream);
        }
        let text = path.to_str().unwrap_or_default();
        if let Some((before, digits, after)) = numbered(text) {
            if numbered(after).is_some() {
                return Err(format!("{text} has two placeholders for the frame number; leave one"));
            }
            let format = ImageKind::from_path(path).map_err(|e| e.to_string())?;
            return Ok(Self::Numbered { before: before.to_owned(), digits, after: after.to_owned(), format });
        }
        let ending = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("png" | "apng") => Ok(Self::Animated(path.to_owned())),
            _ => FfmpegFormat::from_path(path).map(|format| Self::Video(path.to_owned(), format)).ok_or_else(|| {
                format!(
                    "{}: choose a video (.mp4, .webm or .gif), an animated .png or .apng, or an image sequence, as in f/%04d.jpg",
                    path.display()
                )
            }),
        }
    }

    /// Checks that the target supports the size in pixels and, if requested, transparency, and that ffmpeg is installed
    /// if the target needs it. *Errors*: a message for the user.
    pub fn check(&self, size: [u32; 2], is_transparent: bool) -> Result<(), String> {
        match self {
            Self::Numbered { format, .. } if is_transparent => format.check_transparency(),
            Self::Video(_, format) => {
                format.check_size(size)?;
                if is_transparent {
                    format.check_transparency()?;
                }
                find_ffmpeg().map(drop)
            }
            Self::Numbered { .. } | Self::Animated(_) | Self::Stream => Ok(()),
        }
    }

    /// Returns whether the name has a placeholder such as `%04d` for the frame number.
    pub fn is_numbered(path: &Path) -> bool {
        path.to_str().is_some_and(|text| numbered(text).is_some())
    }

    /// Returns the path of a frame, counted from 0.
    pub fn path(&self, picture: u32) -> PathBuf {
        match self {
            Self::Numbered { before, digits, after, .. } => format!("{before}{picture:0digits$}{after}").into(),
            Self::Animated(path) | Self::Video(path, _) => path.clone(),
            Self::Stream => "-".into(),
        }
    }
}

fn numbered(text: &str) -> Option<(&str, usize, &str)> {
    let mut candidates = text.match_indices('%').map(|(at, _)| text.split_at(at));
    let parsed = |(before, rest): (&'_ str, &'_ str)| -> Option<(usize, usize, usize)> {
        let (digits, after) = rest.strip_prefix('%')?.split_once('d')?;
        let is_number = digits.len() <= 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        let count = if digits.is_empty() { 1 } else { digits.parse().ok()? };
        is_number.then_some((before.len(), count, text.len() - after.len()))
    };
    let (before, digits, after) = candidates.find_map(parsed)?;
    Some((&text[..before], digits, &text[after..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_in_the_name_is_a_place_for_pictures() {
        let place = |text: &str, picture| VideoTarget::from_path(Path::new(text)).unwrap().path(picture);
        assert_eq!(place("100%/a%d.png", 12), Path::new("100%/a12.png"));
        assert_eq!(place("%02d.webp", 123), Path::new("123.webp"));
        assert!(!VideoTarget::is_numbered(Path::new("50%.png")));
        assert_eq!(place("a.webm", 3), Path::new("a.webm"));
    }

    #[test]
    fn file_names_without_a_video_format_are_rejected() {
        for (bad, told) in
            [("%d/%d.png", "two placeholders"), ("%d.gif", ".png"), ("video", ".mp4"), ("video.webp", "%04d")]
        {
            let problem = VideoTarget::from_path(Path::new(bad)).unwrap_err();
            assert!(problem.contains(told), "{bad}: {problem}");
        }
    }
}
