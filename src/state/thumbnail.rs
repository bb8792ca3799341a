//! Small pictures of characters.

/// A small square picture.
#[derive(Debug, Default, PartialEq)]
pub struct Thumbnail {
    /// Width and height, pixels.
    pub side: u32,
    /// sRGB with alpha, top row first.
    pub rgba: Vec<u8>,
}

impl Thumbnail {
    /// Width and height where a point is a pixel.
    pub const SIDE: u32 = 160;

    /// Width and height on a screen of some pixels a point: the usual, or twice that, so that few sizes are drawn.
    pub fn side_on(pixels_per_point: f32) -> u32 {
        if pixels_per_point > 1.2 { 2 * Self::SIDE } else { Self::SIDE }
    }
}
