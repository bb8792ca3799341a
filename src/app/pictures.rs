//! Pictures of the viewport: into files and onto the clipboard.

use std::path::PathBuf;
use std::sync::PoisonError;

use egui::ColorImage;
use image::RgbaImage;

use super::App;
use super::exports::PictureExport;
use crate::caption::write_over;
use crate::render::RenderError;
use crate::state::{NoticeKind, Smoothing};

impl App {
    /// Picture of what is in the window, with as many samples as all pictures that are kept; without its background and with captions where the user
    /// wants that.
    fn picture(&self) -> Result<RgbaImage, RenderError> {
        let mut scene = self.scene.lock().unwrap_or_else(PoisonError::into_inner);
        let scene = scene.as_mut().ok_or(RenderError::NoPicture)?;
        scene.set_samples(Smoothing::default().samples());
        let (state, frame) = (&self.engine.state, self.frame());
        let mut picture = scene.picture(&frame, state.settings.transparent_pictures)?;
        if state.settings.captioned_pictures {
            let height = picture.height();
            write_over(&mut picture, (0, height), &state.open, frame.pixels_per_point, &self.letters.fonts);
        }
        Ok(picture)
    }

    /// Writes the picture to a file, in the format that its name tells.
    pub(super) fn save_picture(&self, path: PathBuf) {
        let pixels = self.picture().map_err(|problem| problem.to_string());
        let is_transparent = self.engine.state.settings.transparent_pictures;
        self.engine.export(PictureExport { pixels, is_transparent }, path);
    }

    /// Puts the picture on the clipboard.
    pub(super) fn copy_picture(&mut self, ctx: &egui::Context) {
        match self.picture() {
            Ok(picture) => {
                let size = [picture.width() as usize, picture.height() as usize];
                ctx.copy_image(ColorImage::from_rgba_unmultiplied(size, &picture));
                let text = format!("The picture is on the clipboard ({} x {} pixels).", size[0], size[1]);
                self.engine.tell(NoticeKind::Done, text);
            }
            Err(problem) => self.engine.tell(NoticeKind::Error, format!("The picture was not copied: {problem}")),
        }
    }
}
