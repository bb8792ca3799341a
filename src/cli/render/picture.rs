//! One picture, drawn and written.

use std::io::Error;
use std::path::Path;

use crate::cli::output;
use crate::export::{PictureFormat, write_png};
use crate::jobs::Progress;
use crate::stage::Stage;
use crate::studio::{Picture, Studio};

/// Draws what the stage shows and writes it; a PNG is written while it is drawn.
///
/// *Errors*: in words for the user, those of the studio and of the file; whatever was at the path is unchanged.
pub(super) fn save(
    picture: Picture,
    studio: &mut Studio,
    stage: &Stage,
    (path, format): (&Path, PictureFormat),
    progress: &Progress,
) -> Result<(), String> {
    let saved = match format {
        PictureFormat::Png => output::write_by(path, |to| {
            write_png(to, picture.size, |add| {
                let add = |rows| add(&rows).map_err(|e| e.to_string());
                studio.by_rows(stage, picture, progress, add).map_err(Error::other)
            })
        }),
        PictureFormat::Jpeg | PictureFormat::WebP => {
            let drawn = studio.picture(stage, picture)?;
            format.encode(&drawn).and_then(|bytes| output::write(path, &bytes))
        }
    };
    saved.map_err(|e| format!("The picture was not saved: {e} ({})", path.display()))
}
