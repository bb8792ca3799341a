use std::cell::Cell;
use std::sync::Arc;

use bytemuck::allocation::zeroed_arc_slice;
use image::{ColorType, ImageDecoder, ImageError};

use rigscope_core::rig::Image;

/// Maximum side length, in pixels. Larger images are downscaled by an integer factor.
const MAX_SIDE: u32 = 8192;

pub(super) struct DownscalePlan {
    pub size: [u32; 2],
    /// Size after downscaling, in pixels.
    pub kept: [u32; 2],
    factor: u32,
}

impl DownscalePlan {
    pub(super) fn new(size: [u32; 2]) -> Self {
        let [width, height] = size;
        let factor = width.max(height).div_ceil(MAX_SIDE).max(1);
        Self { size, kept: size.map(|side| side.div_ceil(factor)), factor }
    }

    /// Returns the size, in bytes, of the downscaled pixels and their mipmaps, which add a third.
    pub(super) fn kept_bytes(&self) -> u64 {
        let pixels = bytes_of(self.kept);
        pixels.saturating_add(pixels.div_euclid(3))
    }

    /// Returns the size, in bytes, of the temporary pixels that decoding needs; 0 if the pixels need no conversion.
    pub(super) fn bytes_meanwhile(&self, color: ColorType) -> u64 {
        let [width, height] = self.size.map(u64::from);
        let pixels = width.saturating_mul(height);
        if self.is_in_place(color) { 0 } else { pixels.saturating_mul(color.bytes_per_pixel().into()) }
    }

    fn is_in_place(&self, color: ColorType) -> bool {
        self.factor == 1 && matches!(color, ColorType::Rgba8 | ColorType::Rgb8)
    }

    pub(super) fn decode(&self, decoder: impl ImageDecoder) -> Result<Image, ImageError> {
        let color = decoder.color_type();
        if !self.is_in_place(color) {
            let mut pixels = vec![0; usize::try_from(decoder.total_bytes()).unwrap_or(usize::MAX)];
            decoder.read_image(&mut pixels)?;
            return Ok(self.converted(color, &pixels));
        }
        let size = bytes_of(self.size) as usize;
        let mut rgba: Arc<[u8]> = zeroed_arc_slice(size);
        let place = Arc::get_mut(&mut rgba).unwrap_or_default();
        if color == ColorType::Rgba8 {
            decoder.read_image(place)?;
        } else {
            let pixels = size.div_euclid(4);
            decoder.read_image(place.get_mut(pixels..).unwrap_or_default())?;
            spread(place, pixels);
        }
        let [width, height] = self.size;
        Ok(Image { width, height, rgba })
    }

    pub(super) fn converted(&self, color: ColorType, pixels: &[u8]) -> Image {
        let [width, height] = self.kept;
        let mut rgba: Arc<[u8]> = zeroed_arc_slice(bytes_of(self.kept) as usize);
        let place = Arc::get_mut(&mut rgba).unwrap_or_default();
        if self.factor == 1 {
            convert(color, pixels, place.as_chunks_mut().0);
        } else {
            self.shrink(color, pixels, place);
        }
        Image { width, height, rgba }
    }

    fn shrink(&self, color: ColorType, pixels: &[u8], place: &mut [u8]) {
        let [width, _] = self.kept;
        let [pixel, factor] = [usize::from(color.bytes_per_pixel()), self.factor as usize].map(|n| n.max(1));
        let row = pixel.saturating_mul(self.size.map(|side| side as usize)[0]).max(1);
        let mut sums = vec![[0_u32; 5]; width as usize];
        let kept_rows = place.chunks_mut((width as usize).saturating_mul(4).max(1));
        for (kept, rows) in kept_rows.zip(pixels.chunks(row.saturating_mul(factor))) {
            sums.fill([0; 5]);
            for row in rows.chunks(row) {
                for (sum, block) in sums.iter_mut().zip(row.chunks(pixel.saturating_mul(factor))) {
                    add(sum, color, block.chunks(pixel));
                }
            }
            for (kept, [r, g, b, a, count]) in kept.as_chunks_mut::<4>().0.iter_mut().zip(&sums) {
                let mean = |sum: &u32| sum.saturating_add(count.div_euclid(2)).checked_div(*count).unwrap_or(0) as u8;
                *kept = [r, g, b, a].map(mean);
            }
        }
    }
}

/// Converts pixels to RGBA, with a separate loop for each pixel size.
fn convert(color: ColorType, pixels: &[u8], kept: &mut [[u8; 4]]) {
    fn convert<const SIZE: usize>(color: ColorType, pixels: &[u8], kept: &mut [[u8; 4]]) {
        for (kept, pixel) in kept.iter_mut().zip(pixels.as_chunks::<SIZE>().0) {
            *kept = rgba(color, pixel);
        }
    }
    match color.bytes_per_pixel() {
        1 => convert::<1>(color, pixels, kept),
        2 => convert::<2>(color, pixels, kept),
        3 => convert::<3>(color, pixels, kept),
        4 => convert::<4>(color, pixels, kept),
        6 => convert::<6>(color, pixels, kept),
        _ => convert::<8>(color, pixels, kept),
    }
}

fn bytes_of([width, height]: [u32; 2]) -> u64 {
    u64::from(width).saturating_mul(height.into()).saturating_mul(4)
}

/// Adds pixels to the sums of the four components and to a pixel count. Images that fit in memory do not overflow the
/// sums.
fn add<'a>(sum: &mut [u32; 5], color: ColorType, pixels: impl Iterator<Item = &'a [u8]>) {
    for pixel in pixels {
        let [r, g, b, a] = rgba(color, pixel);
        for (sum, value) in sum.iter_mut().zip([r, g, b, a, 1]) {
            *sum = sum.saturating_add(value.into());
        }
    }
}

#[inline]
fn rgba(color: ColorType, pixel: &[u8]) -> [u8; 4] {
    const OPAQUE: u8 = u8::MAX;
    match (color, pixel) {
        (ColorType::L8, &[l]) => [l, l, l, OPAQUE],
        (ColorType::La8, &[l, a]) => [l, l, l, a],
        (ColorType::Rgb8, &[r, g, b]) => [r, g, b, OPAQUE],
        (ColorType::Rgba8, &[r, g, b, a]) => [r, g, b, a],
        _ => {
            let mut values = pixel.as_chunks::<2>().0.iter().map(|bytes| rounded(u16::from_ne_bytes(*bytes)));
            let mut next = || values.next().unwrap_or(OPAQUE);
            let first = next();
            if color.has_color() { [first, next(), next(), next()] } else { [first, first, first, next()] }
        }
    }
}

fn rounded(value: u16) -> u8 {
    u32::from(value).saturating_add(128).div_euclid(257) as u8
}

/// Expands RGB pixels at the end of `place` to opaque RGBA within the same buffer. Works from front to back, so that no
/// pixel is overwritten before it is read.
fn spread(place: &mut [u8], pixels: usize) {
    let cells = Cell::from_mut(place).as_slice_of_cells();
    let from = cells.get(pixels..).unwrap_or_default();
    for ([r, g, b, a], [red, green, blue]) in cells.as_chunks::<4>().0.iter().zip(from.as_chunks::<3>().0) {
        let (red, green, blue) = (red.get(), green.get(), blue.get());
        r.set(red);
        g.set(green);
        b.set(blue);
        a.set(u8::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_bytes_a_pixel_become_four_in_place() {
        let mut place = vec![0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        spread(&mut place, 3);
        assert_eq!(place, [1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255]);
    }

    #[test]
    fn sixteen_bits_are_rounded_as_the_decoder_does() {
        for value in (0..=u16::MAX).step_by(7).chain([u16::MAX]) {
            let picture = image::ImageBuffer::<image::Luma<u16>, _>::from_raw(1, 1, vec![value]).unwrap();
            let wanted = image::DynamicImage::from(picture).into_luma8().into_raw();
            assert_eq!([rounded(value)], *wanted, "{value}");
        }
    }

    #[test]
    fn an_image_is_kept_no_larger_than_a_picture() {
        let kept = |size| DownscalePlan::new(size).kept;
        assert_eq!(
            [[8192, 1], [8193, 10], [16_384, 16_384], [1, 20_000]].map(kept),
            [[8192, 1], [4097, 5], [8192, 8192], [1, 6667]]
        );
        let plan = DownscalePlan::new([16_384, 2]);
        let row: Vec<u8> = (0..16_384).map(|x| if x < 16_382 { (x % 2) as u8 * 255 } else { 9 }).collect();
        let image = plan.converted(ColorType::L8, &[row.clone(), row].concat());
        assert_eq!((image.width, image.height), (8192, 1));
        assert_eq!((&image.rgba[..4], &image.rgba[4 * 8191..]), (&[128, 128, 128, 255][..], &[9, 9, 9, 255][..]));
        assert_eq!((plan.kept_bytes(), plan.bytes_meanwhile(ColorType::L8)), (32_768 + 10_922, 32_768));
        assert_eq!(DownscalePlan::new([9, 9]).bytes_meanwhile(ColorType::Rgb8), 0);
    }
}
