mod encoder;

use std::path::{Path, PathBuf};

use rigscope_core::files::is_executable;

pub use encoder::{VideoEncoder, VideoError};

/// Video format, encoded by ffmpeg.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum FfmpegFormat {
    /// H.264 in MP4, which every player supports. Has no transparency; width and height must be even.
    Mp4,
    /// VP9 in `WebM`, for the web. Supports transparency.
    WebM,
    /// GIF: 256 colours per frame, at most 50 fps, binary transparency.
    Gif,
}

/// Maximum frame rate of a GIF, in fps. Browsers play GIFs with a higher rate too slowly.
const MAX_OF_GIF: f32 = 50.0;

/// Converts to BT.709 colours, which players assume for HD. ffmpeg's default is BT.601.
const HIGH_DEFINITION: &str = "scale=out_color_matrix=bt709:out_range=tv";
const COLOR_TAGS: &str = "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv";

impl FfmpegFormat {
    /// All formats, the most common first.
    pub const ALL: [Self; 3] = [Self::Mp4, Self::WebM, Self::Gif];

    /// Returns the format for a file name extension.
    pub fn from_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?;
        Self::ALL.into_iter().find(|format| ending.eq_ignore_ascii_case(format.extension()))
    }

    /// Returns the file name extension without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Mp4 => "mp4",
            Self::WebM => "webm",
            Self::Gif => "gif",
        }
    }

    /// Checks that the format supports transparency. *Errors*: a message for the user.
    pub fn check_transparency(self) -> Result<(), String> {
        match self {
            Self::WebM | Self::Gif => Ok(()),
            Self::Mp4 => {
                Err("An MP4 has no transparent background; choose a name that ends in .webm, .gif or .png".to_owned())
            }
        }
    }

    /// Checks that the format supports a width and height in pixels. *Errors*: a message for the user.
    pub fn check_size(self, size: [u32; 2]) -> Result<(), String> {
        let [width, height] = size;
        let is_possible = self != Self::Mp4 || size.iter().all(|side| side % 2 == 0);
        let odd = || format!("The sides of an MP4 have even numbers of pixels, not {width} x {height}");
        if is_possible { Ok(()) } else { Err(odd()) }
    }

    fn arguments(self, is_transparent: bool, rate: f32) -> Vec<String> {
        let with_alpha = if is_transparent { "yuva420p" } else { "yuv420p" };
        let text = match self {
            Self::Mp4 => format!(
                "-vf {HIGH_DEFINITION},format=yuv420p -c:v libx264 -preset medium -crf 18 {COLOR_TAGS} -movflags +faststart -f mp4"
            ),
            Self::WebM => format!(
                "-vf {HIGH_DEFINITION},format={with_alpha} -c:v libvpx-vp9 -crf 20 -b:v 0 -deadline good -cpu-used 4 -row-mt 1 \
                 -auto-alt-ref 0 {COLOR_TAGS} -f webm"
            ),
            Self::Gif => {
                let fewer = if rate > MAX_OF_GIF { format!("fps={MAX_OF_GIF},") } else { String::new() };
                let reserve = u8::from(is_transparent);
                format!(
                    "-filter_complex {fewer}split[a][b];[a]palettegen=stats_mode=single:reserve_transparent={reserve}[p];\
                     [b][p]paletteuse=new=1:dither=bayer:bayer_scale=3:alpha_threshold=128 -loop 0 -f gif"
                )
            }
        };
        text.split(' ').map(str::to_owned).collect()
    }
}

const PROGRAM: &str = "ffmpeg";

/// Searches for ffmpeg in the folders of `PATH`. *Errors*: a message for the user.
pub fn find_ffmpeg() -> Result<PathBuf, String> {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let folders = std::env::var_os("PATH").unwrap_or_default();
    // Ignores relative entries, because a program in the working folder does not count as installed.
    let mut places = std::env::split_paths(&folders).filter(|folder| folder.is_absolute()).map(|f| f.join(&name));
    places.find(|place| place.metadata().is_ok_and(|found| is_executable(&found))).ok_or_else(|| {
        "ffmpeg, needed for videos, is not on the PATH: install it, or choose a name that ends in .png".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_stands_for_a_format_in_any_case() {
        let format = |name: &str| FfmpegFormat::from_path(Path::new(name));
        assert_eq!([format("a.MP4"), format("b/a.webm"), format("a.gif")], FfmpegFormat::ALL.map(Some));
        assert_eq!([format("a.png"), format("mp4"), format("a.mp4.png")], [None; 3]);
    }

    #[test]
    fn options_unsupported_by_a_format_are_rejected() {
        assert!(FfmpegFormat::Mp4.check_size([64, 47]).unwrap_err().contains("64 x 47"));
        assert_eq!(FfmpegFormat::Mp4.check_size([64, 48]), Ok(()));
        assert_eq!(FfmpegFormat::WebM.check_size([63, 47]), Ok(()));
        assert!(FfmpegFormat::Mp4.check_transparency().unwrap_err().contains(".webm"));
    }
}
