use glam::Vec2;
use image::{Rgba, RgbaImage, imageops};

use crate::caption::{CaptionColors, CaptionRect, draw_lines};
use crate::fonts::Fonts;

/// Height of a line of a caption, in pixels.
const LINE: u32 = 24;
/// Scale of captions, in pixels per point.
const SCALE: f32 = 1.25;
/// Distance between images, and from the edge of the sheet, in pixels.
const GAP: u32 = 12;

/// Images of one size in rows, each with a caption below it.
pub struct ContactSheet {
    sheet: RgbaImage,
    /// Size of each image, in pixels.
    tile: [u32; 2],
    columns: u32,
    /// Number of lines of each caption.
    lines: u32,
    colors: CaptionColors,
    count: u32,
}

impl ContactSheet {
    /// Maximum side length of a sheet, in pixels.
    pub const MAX_SIDE: u32 = 16_384;

    /// Returns the size, in pixels, of a sheet with `columns` and `rows` of images with `lines` of caption each.
    pub fn size([width, height]: [u32; 2], [columns, rows]: [u32; 2], lines: u32) -> [u32; 2] {
        let side = |count: u32, length: u32| count.saturating_mul(length.saturating_add(GAP)).saturating_add(GAP);
        [side(columns, width), side(rows, height.saturating_add(lines * LINE))]
    }

    /// Creates an empty sheet.
    pub fn new(tile: [u32; 2], [columns, rows]: [u32; 2], lines: u32, colors: CaptionColors) -> Self {
        let [width, height] = Self::size(tile, [columns, rows], lines);
        let [red, green, blue] = colors.ground;
        let sheet = RgbaImage::from_pixel(width, height, Rgba([red, green, blue, u8::MAX]));
        Self { sheet, tile, columns, lines, colors, count: 0 }
    }

    /// Puts an image and its caption in the next place. The images fill the rows from the left.
    pub fn add(&mut self, image: &RgbaImage, caption: &[&str], fonts: &Fonts) {
        let [width, height] = [self.tile[0] + GAP, self.tile[1] + self.lines * LINE + GAP];
        let [left, top] = [self.count % self.columns * width + GAP, self.count / self.columns * height + GAP];
        self.count += 1;
        imageops::overlay(&mut self.sheet, image, left.into(), top.into());
        fonts.find(&caption.concat());
        let min = Vec2::new(left as f32, (top + self.tile[1] + 4) as f32);
        let size = Vec2::new(self.tile[0] as f32, (self.lines * LINE) as f32);
        let area = CaptionRect::new(min / SCALE, size / SCALE);
        draw_lines(&mut self.sheet, area, caption, (SCALE, self.colors), fonts);
    }

    /// Returns the sheet.
    pub fn into_image(self) -> RgbaImage {
        self.sheet
    }
}
