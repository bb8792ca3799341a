use std::io::{Error, Result, Write};

use image::{Rgba, RgbaImage, imageops};
use png::{BlendOp, ColorType, Compression, Writer};

use super::png_rows::encoder;

/// Encoder for animated PNGs. Each frame stores only the rectangle that changed, and unchanged pixels in it are
/// transparent. Viewers without APNG support show the first frame. *Source*: PNG specification, third edition, section
/// 11.3.5.
pub struct AnimatedPng<'a> {
    writer: Writer<Box<dyn Write + 'a>>,
    shown: Option<RgbaImage>,
}

/// Left, top, width and height in pixels.
type Rectangle = [u32; 4];

impl<'a> AnimatedPng<'a> {
    /// Starts a file that loops forever. `pictures`: number of frames; `rate`: frames per second. *Errors*: the writer
    /// fails; the size or the frame count is 0.
    pub fn new(to: impl Write + 'a, size: [u32; 2], pictures: u32, rate: f32) -> Result<Self> {
        Self::start(Box::new(to), size, pictures, rate)
    }

    fn start(to: Box<dyn Write + 'a>, size: [u32; 2], pictures: u32, rate: f32) -> Result<Self> {
        let mut encoder = encoder(to, size, ColorType::Rgba, Compression::Balanced);
        encoder.set_animated(pictures, 0)?;
        encoder.validate_sequence(true);
        let [numerator, denominator] = delay(rate);
        encoder.set_frame_delay(numerator, denominator)?;
        Ok(Self { writer: encoder.write_header()?, shown: None })
    }

    /// Adds a frame. *Errors*: the writer fails; the frame has a different size or exceeds the frame count.
    pub fn add(&mut self, picture: RgbaImage) -> Result<()> {
        let (width, height) = picture.dimensions();
        let whole = [0, 0, width, height];
        let [left, top, width, height] = self.shown.as_ref().map_or(whole, |shown| changed(shown, &picture));
        let mut part = imageops::crop_imm(&picture, left, top, width, height).to_image();
        if let Some(shown) = &self.shown {
            self.writer.reset_frame_position()?;
            self.writer.set_frame_dimension(width, height)?;
            self.writer.set_frame_position(left, top)?;
            let before = imageops::crop_imm(shown, left, top, width, height).to_image();
            let keeps = leave_out(&before, &mut part);
            self.writer.set_blend_op(if keeps { BlendOp::Over } else { BlendOp::Source })?;
        }
        self.writer.write_image_data(&part)?;
        self.shown = Some(picture);
        Ok(())
    }

    /// Finishes the file. *Errors*: the writer fails; fewer than `pictures` frames were added.
    pub fn finish(self) -> Result<()> {
        self.writer.finish().map_err(Error::from)
    }
}

/// Returns the frame duration in seconds as a fraction. It is exact for integer rates and for video rates such as
/// 23.976 fps.
fn delay(rate: f32) -> [u16; 2] {
    if (rate - rate.round()).abs() < 1e-4 {
        [1, rate.round() as u16]
    } else {
        [1000, (rate * 1000.0).round().min(65535.0) as u16]
    }
}

fn changed(before: &RgbaImage, after: &RgbaImage) -> Rectangle {
    let width = after.width() as usize * 4;
    let rows = before.chunks_exact(width).zip(after.chunks_exact(width)).enumerate().filter(|(_, (a, b))| a != b);
    let mut bounds: Option<[usize; 4]> = None;
    for (y, (a, b)) in rows {
        let differs = |x: &usize| a[*x] != b[*x];
        let (Some(first), Some(last)) = ((0..width).find(differs), (0..width).rev().find(differs)) else { continue };
        let [left, top, right, _] = bounds.unwrap_or([first, y, last, y]);
        bounds = Some([left.min(first), top, right.max(last), y]);
    }
    bounds.map_or([0, 0, 1, 1], |[left, top, right, bottom]| {
        let [left, right] = [left / 4, right / 4];
        [left, top, right - left + 1, bottom - top + 1].map(|pixels| pixels as u32)
    })
}

/// Makes unchanged pixels transparent. Returns false and changes nothing if a changed pixel is not opaque, because the
/// previous frame would show through.
fn leave_out(before: &RgbaImage, after: &mut RgbaImage) -> bool {
    if before.pixels().zip(after.pixels()).any(|(before, after)| before != after && after[3] != u8::MAX) {
        return false;
    }
    for (_, after) in before.pixels().zip(after.pixels_mut()).filter(|(before, after)| before == after) {
        *after = Rgba([0; 4]);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{AnimationDecoder as _, codecs::png::PngDecoder};
    use std::io::Cursor;

    #[test]
    fn pictures_come_back_as_they_were_though_only_what_changed_is_kept() {
        let ground = RgbaImage::from_pixel(9, 7, Rgba([10, 20, 30, 255]));
        let mut dotted = ground.clone();
        dotted.put_pixel(3, 2, Rgba([1, 2, 3, 4]));
        dotted.put_pixel(8, 6, Rgba([5, 6, 7, 128]));
        let pictures = [ground.clone(), dotted.clone(), dotted, ground];
        let mut bytes = Vec::new();
        let mut video = AnimatedPng::new(&mut bytes, [9, 7], 4, 25.0).unwrap();
        for picture in &pictures {
            video.add(picture.clone()).unwrap();
        }
        video.finish().unwrap();
        let frames =
            PngDecoder::new(Cursor::new(&bytes)).unwrap().apng().unwrap().into_frames().collect_frames().unwrap();
        assert_eq!(frames.len(), 4);
        for (frame, picture) in frames.iter().zip(&pictures) {
            assert_eq!(frame.delay().numer_denom_ms(), (40, 1));
            assert_eq!(frame.buffer(), picture);
        }
    }

    #[test]
    fn a_grain_that_stays_is_packed_once() {
        let grain = RgbaImage::from_fn(64, 64, |x, y| {
            let mixed = (x * 64 + y).wrapping_mul(2_654_435_761);
            let noise = (mixed ^ (mixed >> 15)).wrapping_mul(2_246_822_519) >> 24;
            Rgba([noise as u8, noise as u8, noise as u8, 255])
        });
        let size = |pictures: &[RgbaImage]| {
            let mut bytes = Vec::new();
            let mut video = AnimatedPng::new(&mut bytes, [64, 64], pictures.len() as u32, 25.0).unwrap();
            for picture in pictures {
                video.add(picture.clone()).unwrap();
            }
            video.finish().unwrap();
            let frames = PngDecoder::new(Cursor::new(&bytes)).unwrap().apng().unwrap().into_frames();
            let back: Vec<RgbaImage> = frames.map(|frame| frame.unwrap().into_buffer()).collect();
            assert_eq!(back, pictures);
            bytes.len()
        };
        let mut corners = grain.clone();
        for corner in [0, 63] {
            corners.put_pixel(corner, corner, Rgba([255, 0, 0, 255]));
        }
        let alone = size(std::slice::from_ref(&grain));
        let both = size(&[grain, corners]);
        assert!(both < alone + alone / 4, "{both} bytes for two, {alone} for one");
    }

    #[test]
    fn only_the_changed_rectangle_is_reported() {
        let before = RgbaImage::new(8, 5);
        let mut after = before.clone();
        assert_eq!(changed(&before, &after), [0, 0, 1, 1]);
        after.put_pixel(6, 1, Rgba([1, 0, 0, 0]));
        after.put_pixel(2, 3, Rgba([0, 0, 0, 1]));
        assert_eq!(changed(&before, &after), [2, 1, 5, 3]);
    }

    #[test]
    fn rates_of_video_are_kept() {
        assert_eq!([delay(30.0), delay(23.976), delay(12.5)], [[1, 30], [1000, 23976], [1000, 12500]]);
    }

    #[test]
    fn a_video_with_too_few_pictures_is_not_ended() {
        let video = AnimatedPng::new(Vec::new(), [2, 2], 3, 30.0).unwrap();
        assert!(video.finish().is_err());
    }
}
