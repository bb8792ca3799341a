//! What makes a film of a picture.

use std::path::Path;

use clap::Args;

use crate::cli::numbers;
use crate::state::{AppState, FilmMotion};
use crate::studio::FilmTarget;

/// A film of the clip, of the character from all sides, or of both.
#[derive(Args, Debug)]
pub struct FilmArgs {
    /// A film of the clip from --time to its end, with so many pictures a second: one animated .png, or numbered files as in "f/%04d.png" [default: 30 for a film]
    #[arg(long, value_name = "N", value_parser = |text: &str| numbers::within(text, 0.1..=1000.0, "pictures a second"))]
    fps: Option<f32>,

    /// A film of N pictures in which the camera goes once round the character
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    turntable: Option<u32>,
}

/// Pictures a second where nobody says how many.
const USUAL_RATE: f32 = 30.0;

impl FilmArgs {
    /// True for a film; a single picture else.
    pub fn is_wanted(&self, output: &Path) -> bool {
        self.fps.is_some() || self.turntable.is_some() || FilmTarget::is_numbered(output)
    }

    /// What moves.
    ///
    /// *Errors*: in words for the user, where nothing does.
    pub fn motion(&self, state: &AppState) -> Result<FilmMotion, String> {
        let plays_clip = state.open.playback.clip.is_some();
        if !plays_clip && self.turntable.is_none() {
            return Err(
                "Nothing moves in this film: name a clip by --clip, or turn the camera by --turntable".to_owned()
            );
        }
        Ok(FilmMotion { plays_clip, turntable: self.turntable, rate: self.fps.unwrap_or(USUAL_RATE) })
    }
}
