//! One picture, drawn and written.

use std::io::Error;
use std::path::Path;

use crate::cli::output;
use crate::export::{PictureFormat, write_png};
use crate::jobs::Progress;
use crate::state::AppState;
use crate::studio::Studio;

/// What a picture is besides what it shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picture {
    /// Pixels.
    pub size: [u32; 2],
    /// The character is cut out, before a transparent background.
    pub is_transparent: bool,
}

impl Picture {
    /// Draws what the state shows and writes it; a PNG while it is drawn.
    ///
    /// *Errors*: in words for the user: as the studio's and the file's. Then what was at the path still is.
    pub fn save(
        self,
        studio: &mut Studio,
        state: &AppState,
        (path, format): (&Path, PictureFormat),
        progress: &Progress,
    ) -> Result<(), String> {
        let saved = match format {
            PictureFormat::Png => output::write_by(path, |to| {
                write_png(to, self.size, |add| {
                    let add = |rows| add(&rows).map_err(|e| e.to_string());
                    studio.by_rows(state, (self.size, self.is_transparent), progress, add).map_err(Error::other)
                })
            }),
            PictureFormat::Jpeg | PictureFormat::WebP => {
                let shown = if self.is_transparent { Studio::cut_out } else { Studio::picture };
                let picture = shown(studio, state, self.size)?;
                format.encode(&picture).and_then(|bytes| output::write(path, &bytes))
            }
        };
        saved.map_err(|e| format!("The picture was not saved: {e} ({})", path.display()))
    }
}
