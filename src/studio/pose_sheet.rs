use image::RgbaImage;

use super::{ContactSheet, ImageOptions, Studio};
use crate::caption::CaptionColors;
use crate::stage::Stage;
use crate::view::{Display, Layout, Side};

/// Size of the image of a pose, in pixels. Each side has half of it.
const TILE: [u32; 2] = [520, 320];

/// Contact sheet of poses with two sides, each with two lines below.
pub(super) struct PoseSheet(ContactSheet);

impl PoseSheet {
    pub(super) fn new(count: usize) -> Self {
        let count = count.max(1) as u32;
        let columns = count.min(if count > 12 { 4 } else { 3 });
        Self(ContactSheet::new(TILE, [columns, count.div_ceil(columns)], 2, CaptionColors::LIGHT))
    }

    /// Returns a copy of a stage without overlays, for images with half the width for each side.
    pub(super) fn prepared(stage: &Stage) -> Stage {
        let mut shot = stage.clone();
        let bones = shot.rig().instances.is_empty();
        shot.view.display = Display { bones, is_dark: false, ..Display::default() };
        shot.set_layout(Layout::Single);
        for side in Side::ALL {
            shot.view.sides[side].paint(None);
        }
        shot.aspect = TILE[0] as f32 / TILE[1] as f32;
        shot
    }

    /// Draws the next image. *Errors*: rendering fails.
    pub(super) fn add(&mut self, studio: &mut Studio, shot: &Stage, lines: &[&str; 2]) -> Result<(), String> {
        let tile = studio.picture(shot, ImageOptions { has_captions: true, ..TILE.into() })?;
        self.0.add(&tile, lines, studio.fonts());
        Ok(())
    }

    pub(super) fn into_image(self) -> RgbaImage {
        self.0.into_image()
    }
}
