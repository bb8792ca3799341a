use std::path::PathBuf;

use egui::ColorImage;
use image::RgbaImage;

use super::App;
use super::exports::ImageExport;
use crate::jobs::{JobKind, Outcome, Task};
use crate::state::NoticeKind;

const COPY: JobKind = JobKind::new("copy image", "Copying the image", "The clipboard is as it was; try Save image.");

/// An image that is drawn for the clipboard.
pub(super) type CopiedPicture = Task<Result<RgbaImage, String>>;

impl App {
    fn picture(&self) -> ImageExport {
        let headless = &self.headless;
        let stage = headless.state.open.stage.pictured();
        ImageExport::new(stage, self.viewport, &headless.state.settings, headless.scenes.clone())
    }

    /// Saves an image of the viewport. The file's extension selects the format.
    pub(super) fn save_image(&self, path: PathBuf) {
        self.headless.export(self.picture(), path);
    }

    /// Starts drawing an image of the viewport for the clipboard.
    pub(super) fn copy_image(&mut self) {
        let picture = self.picture();
        self.copied = Some(Task::start(&self.headless.jobs, COPY, move |_| picture.copied()));
    }

    /// Puts an image on the clipboard once it is drawn.
    pub(super) fn receive_picture(&mut self, ctx: &egui::Context) {
        let drawn = match self.copied.as_ref().map(Task::poll) {
            None | Some(Outcome::Pending) => return,
            Some(Outcome::Died) => None,
            Some(Outcome::Done(drawn)) => Some(drawn),
        };
        self.copied = None;
        match drawn {
            Some(Ok(picture)) => {
                let size = [picture.width() as usize, picture.height() as usize];
                ctx.copy_image(ColorImage::from_rgba_unmultiplied(size, &picture));
                let text = format!("The image is on the clipboard ({} x {} pixels).", size[0], size[1]);
                self.headless.tell(NoticeKind::Done, text);
            }
            Some(Err(problem)) => {
                self.headless.tell(NoticeKind::Error, format!("The image was not copied: {problem}"));
            }
            None => {}
        }
    }
}
