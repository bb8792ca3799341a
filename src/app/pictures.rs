use std::path::PathBuf;

use egui::ColorImage;
use image::RgbaImage;

use super::App;
use super::exports::PictureExport;
use crate::caption::draw_captions;
use crate::jobs::lock;
use crate::render::RenderError;
use crate::state::{NoticeKind, Smoothing};

impl App {
    /// Renders the viewport with the user's transparency and caption settings.
    fn picture(&self) -> Result<RgbaImage, RenderError> {
        let mut scene = lock(&self.scene);
        let scene = scene.as_mut().ok_or(RenderError::NoPicture)?;
        scene.set_samples(Smoothing::default().samples());
        let (state, frame) = (&self.headless.state, self.frame());
        let mut picture = scene.picture(&frame, state.settings.transparent_pictures)?;
        if state.settings.captioned_pictures {
            let height = picture.height();
            draw_captions(&mut picture, (0, height), &state.open.stage, frame.pixels_per_point, &self.letters.fonts);
        }
        Ok(picture)
    }

    /// Saves an image of the viewport. The file's extension selects the format.
    pub(super) fn save_picture(&self, path: PathBuf) {
        let pixels = self.picture().map_err(|problem| problem.to_string());
        let is_transparent = self.headless.state.settings.transparent_pictures;
        self.headless.export(PictureExport { pixels, is_transparent }, path);
    }

    pub(super) fn copy_picture(&mut self, ctx: &egui::Context) {
        match self.picture() {
            Ok(picture) => {
                let size = [picture.width() as usize, picture.height() as usize];
                ctx.copy_image(ColorImage::from_rgba_unmultiplied(size, &picture));
                let text = format!("The picture is on the clipboard ({} x {} pixels).", size[0], size[1]);
                self.headless.tell(NoticeKind::Done, text);
            }
            Err(problem) => self.headless.tell(NoticeKind::Error, format!("The picture was not copied: {problem}")),
        }
    }
}
