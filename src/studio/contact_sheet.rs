use glam::Vec2;
use image::{Rgba, RgbaImage, imageops};

use super::{ImageOptions, Studio};
use crate::caption::{CaptionColors, CaptionRect, draw_lines};
use crate::stage::Stage;
use crate::view::{Display, Layout, Side};

/// Size of the image of a pose, in pixels. Each side has half of it.
const TILE: [u32; 2] = [520, 320];
/// Height of the caption below an image, in pixels.
const CAPTION: u32 = 48;
/// Scale of captions, in pixels per point.
const SCALE: f32 = 1.25;
/// Distance between tiles, and from the edge of the sheet, in pixels.
const GAP: u32 = 12;

/// Images of poses in rows, each with two lines below.
pub(super) struct ContactSheet {
    image: RgbaImage,
    columns: u32,
    next: u32,
}

impl ContactSheet {
    pub(super) fn new(count: usize) -> Self {
        let count = count.max(1) as u32;
        let columns = count.min(if count > 12 { 4 } else { 3 });
        let rows = count.div_ceil(columns);
        let [red, green, blue] = CaptionColors::LIGHT.ground;
        let ground = Rgba([red, green, blue, u8::MAX]);
        let [width, height] = Self::cell();
        let image = RgbaImage::from_pixel(columns * width + GAP, rows * height + GAP, ground);
        Self { image, columns, next: 0 }
    }

    /// Returns the distance between the corners of neighbouring images, in pixels.
    fn cell() -> [u32; 2] {
        [TILE[0] + GAP, TILE[1] + CAPTION + GAP]
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
        let [width, height] = Self::cell();
        let [left, top] = [self.next % self.columns * width + GAP, self.next / self.columns * height + GAP];
        let tile = studio.picture(shot, ImageOptions { has_captions: true, ..TILE.into() })?;
        imageops::replace(&mut self.image, &tile, left.into(), top.into());
        let fonts = studio.fonts();
        fonts.find(&lines.concat());
        let min = Vec2::new(left as f32, (top + TILE[1] + 4) as f32);
        let area = CaptionRect::new(min / SCALE, Vec2::new(TILE[0] as f32, CAPTION as f32) / SCALE);
        draw_lines(&mut self.image, area, lines, (SCALE, CaptionColors::LIGHT), fonts);
        self.next += 1;
        Ok(())
    }

    pub(super) fn into_image(self) -> RgbaImage {
        self.image
    }
}
