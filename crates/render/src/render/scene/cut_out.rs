use image::RgbaImage;

use super::Scene;
use crate::render::RenderError;
use crate::render::background::cut_out::cut_out;
use crate::render::frame::FrameInput;
use crate::render::gl::picture::OffscreenImage;
use rigscope_core::view::{Backdrop, View};

impl Scene {
    /// Renders a frame with all samples and returns it, top row first. Transparent images have straight alpha and show
    /// only the shadow on the ground. *Errors*: see [`Self::draw`].
    pub fn picture(&mut self, frame: &FrameInput<'_>, is_transparent: bool) -> Result<RgbaImage, RenderError> {
        if !is_transparent {
            return self.picture_over(frame, frame.view.backdrop);
        }
        let over_black = self.picture_over(frame, Backdrop::Black)?;
        let over_white = self.picture_over(frame, Backdrop::White)?;
        let blends_linearly = self.pictures.current().is_some_and(OffscreenImage::encodes_light);
        Ok(cut_out(&over_black, &over_white, blends_linearly))
    }

    fn picture_over(&mut self, frame: &FrameInput<'_>, backdrop: Backdrop) -> Result<RgbaImage, RenderError> {
        let view = View { backdrop, ..frame.view.clone() };
        let frame = FrameInput { view: &view, ..frame.clone() };
        self.draw(&frame)?;
        self.refine(&frame)?;
        self.pixels()
    }
}
