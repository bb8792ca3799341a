//! Mipmaps: an image halved again and again, colours averaged in linear light; made on another thread.

use std::sync::LazyLock;

use crate::rig::Image;

/// The image itself and its smaller levels, down to a single texel; `is_data` for numbers instead of colours.
pub(super) fn levels(image: Image, is_data: bool) -> impl Iterator<Item = Image> {
    let smaller = move |above: &Image| if is_data { half_data(above) } else { half(above) };
    std::iter::successors(Some(image), move |above| (above.width.max(above.height) > 1).then(|| smaller(above)))
}

/// Number of levels that [`levels`] makes.
pub(super) fn level_count(width: u32, height: u32) -> u32 {
    width.max(height).max(1).ilog2() + 1
}

/// Half of a colour image, averaged in linear light.
fn half(image: &Image) -> Image {
    let (to_linear, to_srgb) = (&*TO_LINEAR, &*TO_SRGB);
    halved(image, |four| {
        let mean = |channel: usize| four.iter().map(|t| to_linear[usize::from(t[channel])]).sum::<f32>() * 0.25;
        let color = [0, 1, 2].map(|c| to_srgb[(mean(c) * (STEPS - 1) as f32 + 0.5) as usize]);
        let alpha = four.iter().map(|t| u32::from(t[3])).sum::<u32>().div_ceil(4);
        [color[0], color[1], color[2], alpha as u8]
    })
}

/// Half of an image of numbers, averaged.
fn half_data(image: &Image) -> Image {
    halved(image, |four| [0, 1, 2, 3].map(|c| ((four.iter().map(|t| u32::from(t[c])).sum::<u32>() + 2) / 4) as u8))
}

/// Half of an image, each texel from two by two; an odd last row or column is left out, as OpenGL's own mipmaps do.
fn halved(image: &Image, texel: impl Fn([[u8; 4]; 4]) -> [u8; 4]) -> Image {
    let (width, height) = (image.width, image.height);
    let (half_width, half_height) = ((width / 2).max(1), (height / 2).max(1));
    let (texels, _) = image.rgba.as_chunks::<4>();
    let mut out = Vec::with_capacity(half_width as usize * half_height as usize * 4);
    for y in 0..half_height as usize {
        let rows = [2 * y, (2 * y + 1).min(height as usize - 1)].map(|y| y * width as usize);
        for x in 0..half_width as usize {
            let columns = [2 * x, (2 * x + 1).min(width as usize - 1)];
            out.extend(texel([(0, 0), (0, 1), (1, 0), (1, 1)].map(|(r, c)| texels[rows[r] + columns[c]])));
        }
    }
    Image { width: half_width, height: half_height, rgba: out.into() }
}

/// Steps of the encoding table: enough to keep the darkest step of 8-bit sRGB apart from its neighbours.
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
