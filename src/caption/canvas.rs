use std::sync::Arc;

use glam::Vec2;
use image::RgbaImage;

use super::CaptionRect;
use super::text_layout::TextLayout;
use crate::fonts::Face;
use crate::fonts::drawn;
use crate::view::Ramp;

/// Padding around the text of a label, in points.
pub const PILL_PADDING: Vec2 = Vec2::new(9.0, 3.0);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptionColors {
    /// Background colour behind text.
    pub ground: [u8; 3],
    pub text: [u8; 3],
    pub strong: [u8; 3],
}

impl CaptionColors {
    /// Colour of text on a background in a side's colour.
    pub const ON_COLOR: [u8; 3] = [0x10, 0x12, 0x16];
    pub const DARK: Self = Self { ground: [0x20, 0x22, 0x26], text: [0xD8, 0xDA, 0xE0], strong: [0xF4, 0xF5, 0xF7] };
    pub const LIGHT: Self = Self { ground: [0xF4, 0xF5, 0xF7], text: [0x2A, 0x2D, 0x33], strong: [0x10, 0x12, 0x16] };
}

/// A band of image rows. Positions are relative to the whole image.
pub(super) struct Canvas<'a> {
    rows: &'a mut RgbaImage,
    /// Number of rows above the band.
    top: u32,
    scale: f32,
    lettering: TextLayout<'a>,
}

impl<'a> Canvas<'a> {
    /// Creates a canvas. `faces` supplement the built-in font. Returns `None` if the built-in font cannot be read.
    pub(super) fn new(rows: &'a mut RgbaImage, top: u32, scale: f32, faces: &'a [Arc<Face>]) -> Option<Self> {
        Some(Self { rows, top, scale, lettering: TextLayout::new(faces)? })
    }

    /// Prepares text with [`drawn`] and, if it is wider than `width`, truncates it with an ellipsis. `size` and `width`
    /// are in points.
    pub(super) fn shortened(&self, text: &str, size: f32, width: f32) -> String {
        let text = drawn(text);
        if self.text_size(&text, size).x <= width {
            return text.into_owned();
        }
        let room = width - self.text_size("…", size).x;
        let ends: Vec<usize> = text.char_indices().map(|(at, letter)| at + letter.len_utf8()).collect();
        let kept = ends.partition_point(|end| self.text_size(&text[..*end], size).x <= room);
        let end = kept.checked_sub(1).map_or(0, |last| ends[last]);
        format!("{}…", &text[..end])
    }

    /// Wraps text into at most two lines, each truncated by [`Self::shortened`].
    pub(super) fn lines(&self, text: &str, size: f32, width: f32) -> Vec<String> {
        let ends = text.match_indices(' ').map(|(at, _)| at).chain([text.len()]);
        let fitting = ends.take_while(|end| self.text_size(&text[..*end], size).x <= width).last();
        let (first, rest) = text.split_at(fitting.unwrap_or(text.len()));
        let lines = [first, rest.trim_start()].into_iter().filter(|line| !line.is_empty());
        lines.map(|line| self.shortened(line, size, width)).collect()
    }

    pub(super) fn text_size(&self, text: &str, size: f32) -> Vec2 {
        let pixels = size * self.scale;
        let (_, width) = self.lettering.line(text, pixels);
        Vec2::new(width, self.lettering.height(pixels)) / self.scale
    }

    /// Draws a line of text that [`Self::shortened`] has prepared. `at` is the upper left corner; `at` and `size` are
    /// in points.
    pub(super) fn text(&mut self, at: Vec2, text: &str, size: f32, color: [u8; 3]) {
        let pixels = size * self.scale;
        let (glyphs, _) = self.lettering.line(text, pixels);
        // Snap to whole pixels for sharp letters.
        let origin = (at * self.scale).round();
        let baseline = self.lettering.ascent(pixels).round();
        for glyph in glyphs {
            let Some(outline) = self.lettering.outline(glyph) else { continue };
            let corner = outline.px_bounds().min;
            let [left, top] = [origin.x + corner.x, origin.y + baseline + corner.y].map(|edge| edge as i64);
            outline.draw(|x, y, coverage| self.blend([left + i64::from(x), top + i64::from(y)], color, coverage));
        }
    }

    pub(super) fn rounded(&mut self, region: CaptionRect, radius: f32, color: [u8; 3], opacity: f32) {
        let CaptionRect { min, max } = CaptionRect { min: region.min * self.scale, max: region.max * self.scale };
        let (center, half, radius) = ((min + max) * 0.5, (max - min) * 0.5, radius * self.scale);
        self.each_pixel(min, max, |canvas, pixel, at| {
            let beyond = (at - center).abs() - (half - radius);
            let distance = beyond.max(Vec2::ZERO).length() + beyond.max_element().min(0.0) - radius;
            canvas.blend(pixel, color, (0.5 - distance).clamp(0.0, 1.0) * opacity);
        });
    }

    /// Draws a colour ramp from low to high. Each pixel has exactly one of the ramp's colours.
    pub(super) fn ramp(&mut self, region: CaptionRect, ramp: Ramp) {
        let [min, max] = [region.min, region.max].map(|corner| (corner * self.scale).round());
        let colors = ramp.colors();
        self.each_pixel(min, max, |canvas, pixel, at| {
            let step = (at.x - min.x) / (max.x - min.x) * colors.len() as f32;
            let inside = at.cmpge(min).all() && at.cmplt(max).all();
            if let Some(color) = colors.get(step as usize).filter(|_| inside) {
                canvas.blend(pixel, *color, 1.0);
            }
        });
    }

    /// Calls `draw` with the index and the centre of each pixel in a rectangle, including a margin of one pixel around
    /// it. `min` and `max` are the corners, in pixels.
    fn each_pixel(&mut self, min: Vec2, max: Vec2, mut draw: impl FnMut(&mut Self, [i64; 2], Vec2)) {
        let [min, max] = [min.floor() - 1.0, max.ceil() + 1.0];
        let first = min.y.max(self.top as f32) as i64;
        let last = max.y.min((self.top + self.rows.height()) as f32) as i64;
        for y in first..last {
            for x in min.x.max(0.0) as i64..max.x.min(self.rows.width() as f32) as i64 {
                draw(self, [x, y], Vec2::new(x as f32, y as f32) + 0.5);
            }
        }
    }

    /// Blends sRGB values without linearising them, as the window does. Ignores pixels outside the band.
    fn blend(&mut self, [x, y]: [i64; 2], color: [u8; 3], opacity: f32) {
        let place = |from: i64| u32::try_from(from).ok();
        let Some((x, y)) = place(x).zip(place(y - i64::from(self.top))) else { return };
        let Some(pixel) = self.rows.get_pixel_mut_checked(x, y) else { return };
        let below = f32::from(pixel.0[3]) / 255.0 * (1.0 - opacity);
        let alpha = opacity + below;
        if alpha <= 0.0 {
            return;
        }
        for (value, color) in pixel.0.iter_mut().zip(color) {
            *value = ((f32::from(color) * opacity + f32::from(*value) * below) / alpha).round() as u8;
        }
        pixel.0[3] = (alpha * 255.0).round() as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_shortened_to_what_fits_however_long_it_is() {
        let mut rows = RgbaImage::new(1, 1);
        let canvas = Canvas::new(&mut rows, 0, 2.0, &[]).unwrap();
        let long = "LeftHandMiddle".repeat(3_000);
        assert_eq!(canvas.shortened("LeftHand", 13.0, 200.0), "LeftHand");
        for width in [200.0, 30.0, 5.0] {
            let short = canvas.shortened(&long, 13.0, width);
            assert!(short.ends_with('…') && long.starts_with(short.trim_end_matches('…')), "{short}");
            assert!(canvas.text_size(&short, 13.0).x <= width.max(canvas.text_size("…", 13.0).x), "{short}");
        }
        assert!(canvas.shortened(&long, 13.0, 200.0).len() > 20, "and no more is cut than must be");
    }
}
