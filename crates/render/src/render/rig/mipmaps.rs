use std::sync::{Arc, LazyLock};

use bytemuck::allocation::zeroed_arc_slice;

use rigscope_core::rig::Image;

/// Returns the image, followed by its smaller mipmap levels. Averages colours in linear light. If `is_data`, the texels
/// aren't colours and are averaged without decoding.
pub(super) fn levels(image: Image, is_data: bool) -> impl Iterator<Item = Image> {
    let smaller = move |above: &Image| if is_data { half_data(above) } else { half(above) };
    std::iter::successors(Some(image), move |above| (above.width.max(above.height) > 1).then(|| smaller(above)))
}

pub(super) fn level_count(width: u32, height: u32) -> u32 {
    width.max(height).max(1).ilog2() + 1
}

fn half(image: &Image) -> Image {
    let (to_linear, to_srgb) = (&*TO_LINEAR, &*TO_SRGB);
    let light = |value: u8| to_linear[usize::from(value)];
    let mean = |[a, b, c, d]: [u8; 4]| {
        let mean = (light(a) + light(b) + light(c) + light(d)) * 0.25;
        to_srgb[(mean * (STEPS - 1) as f32 + 0.5) as usize]
    };
    halved(image, |red, green, blue, alpha| [mean(red), mean(green), mean(blue), sum(alpha).div_ceil(4) as u8])
}

fn half_data(image: &Image) -> Image {
    let mean = |values: [u8; 4]| ((sum(values) + 2) / 4) as u8;
    halved(image, |red, green, blue, alpha| [mean(red), mean(green), mean(blue), mean(alpha)])
}

fn sum([a, b, c, d]: [u8; 4]) -> u32 {
    u32::from(a) + u32::from(b) + u32::from(c) + u32::from(d)
}

/// Halves an image. `texel` combines the four values of each channel in a block of 2x2 texels. Drops the last row or
/// column of an odd size, as OpenGL's own mipmaps do. Avoids iterators within a row, because tests run this unoptimised
/// over every texture of a file.
fn halved(image: &Image, texel: impl Fn([u8; 4], [u8; 4], [u8; 4], [u8; 4]) -> [u8; 4]) -> Image {
    let [width, height] = [image.width, image.height].map(|side| side as usize);
    let [half_width, half_height] = [width, height].map(|side| (side / 2).max(1));
    let (texels, _) = image.rgba.as_chunks::<4>();
    let mut rgba: Arc<[u8]> = zeroed_arc_slice(half_width * half_height * 4);
    let place = Arc::get_mut(&mut rgba).unwrap_or_default().as_chunks_mut::<4>().0;
    for (y, to) in place.chunks_exact_mut(half_width).enumerate() {
        let [above, below] = [2 * y, (2 * y + 1).min(height - 1)].map(|y| &texels[y * width..][..width]);
        for (x, to) in to.iter_mut().enumerate() {
            let (left, right) = (2 * x, (2 * x + 1).min(width - 1));
            let (a, b, c, d) = (above[left], above[right], below[left], below[right]);
            *to = texel(
                [a[0], b[0], c[0], d[0]],
                [a[1], b[1], c[1], d[1]],
                [a[2], b[2], c[2], d[2]],
                [a[3], b[3], c[3], d[3]],
            );
        }
    }
    Image { width: half_width as u32, height: half_height as u32, rgba }
}

/// Number of entries in the encoding table, enough to distinguish the darkest levels of 8-bit sRGB.
const STEPS: usize = 1 << 13;

static TO_LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|value| {
        let v = value as f32 / 255.0;
        if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
    })
});

static TO_SRGB: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let encoded = |step: usize| {
        let v = step as f32 / (STEPS - 1) as f32;
        let srgb = if v <= 0.003_130_8 { v * 12.92 } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 };
        (srgb * 255.0 + 0.5) as u8
    };
    (0..STEPS).map(encoded).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: u32, height: u32, texel: impl Fn(u32, u32) -> [u8; 4]) -> Image {
        let rgba = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| texel(x, y)).collect();
        Image { width, height, rgba }
    }

    #[test]
    fn levels_halve_down_to_one_texel() {
        let sizes =
            |w, h| levels(image(w, h, |_, _| [9; 4]), false).skip(1).map(|l| (l.width, l.height)).collect::<Vec<_>>();
        assert_eq!(sizes(8, 4), [(4, 2), (2, 1), (1, 1)]);
        assert_eq!(sizes(5, 3), [(2, 1), (1, 1)]);
        assert_eq!(sizes(1, 3), [(1, 1)]);
        assert_eq!(sizes(1, 1), []);
        assert_eq!((level_count(8, 4), level_count(5, 3), level_count(1, 1)), (4, 3, 1));
    }

    #[test]
    fn a_plain_colour_stays_and_black_and_white_make_the_grey_of_half_the_light() {
        for value in 0..=255 {
            let level = levels(image(2, 2, |_, _| [value, 0, 255, value]), false).last().unwrap();
            assert_eq!(*level.rgba, [value, 0, 255, value]);
        }
        let checker = image(2, 2, |x, y| if x == y { [255; 4] } else { [0, 0, 0, 255] });
        assert_eq!(*levels(checker.clone(), false).last().unwrap().rgba, [188, 188, 188, 255]);
        assert_eq!(*levels(checker, true).last().unwrap().rgba, [128, 128, 128, 255], "of numbers the mean itself");
    }
}
