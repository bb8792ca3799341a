/// A small square image.
#[derive(Debug, Default, PartialEq)]
pub struct Thumbnail {
    /// Width and height of the image, pixels.
    pub side: u32,
    /// sRGB with alpha, top row first.
    pub rgba: Vec<u8>,
}

impl Thumbnail {
    /// Width and height of a thumbnail in the window, points.
    pub const SIDE: u32 = 160;

    /// Returns the width and height in pixels: [`Self::SIDE`], or twice that above 1.2 pixels per point.
    pub fn side_on(pixels_per_point: f32) -> u32 {
        if pixels_per_point > 1.2 { 2 * Self::SIDE } else { Self::SIDE }
    }
}
