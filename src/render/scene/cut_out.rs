//! Pictures without a background.

use image::RgbaImage;

use super::Scene;
use crate::render::RenderError;
use crate::render::backdrop::cut_out::cut_out;
use crate::render::frame::FrameInput;
use crate::view::{Backdrop, View};

impl Scene {
    /// What the frame shows, cut out: colours and straight alpha, top row first. Of the ground only the shadow is there.
    ///
    /// *Errors*: as [`Self::draw`].
    pub fn cut_out(&mut self, frame: &FrameInput<'_>) -> Result<RgbaImage, RenderError> {
        let over_black = self.picture_over(frame, Backdrop::Black)?;
        let over_white = self.picture_over(frame, Backdrop::White)?;
        let mixes_light = self.pictures.current().is_some_and(|picture| picture.encodes_light());
        Ok(cut_out(&over_black, &over_white, mixes_light))
    }

    fn picture_over(&mut self, frame: &FrameInput<'_>, backdrop: Backdrop) -> Result<RgbaImage, RenderError> {
        let view = View { backdrop, ..frame.view.clone() };
        let frame = FrameInput { view: &view, ..*frame };
        self.draw(&frame)?;
        self.refine(&frame)?;
        self.pixels()
    }
}
