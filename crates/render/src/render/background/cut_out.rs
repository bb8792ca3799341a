use image::{Rgba, RgbaImage};

use crate::render::color::{Rgb, encoded, linear};

/// Computes an image with straight alpha from two renderings, over black and over white. `blends_linearly` is true if
/// edges were blended in linear light. Alpha is the least-squares fit to both images in encoded bytes, because viewers
/// blend encoded bytes.
pub(crate) fn cut_out(over_black: &RgbaImage, over_white: &RgbaImage, blends_linearly: bool) -> RgbaImage {
    let mut picture = over_black.clone();
    for (pixel, white) in picture.pixels_mut().zip(over_white.pixels()) {
        if pixel != white {
            *pixel = unmixed(bytes(*pixel), bytes(*white), blends_linearly);
        }
    }
    picture
}

fn bytes(pixel: Rgba<u8>) -> Rgb {
    let [red, green, blue, _] = pixel.0;
    [red, green, blue].map(|c| f32::from(c) / 255.0)
}

fn unmixed(black: Rgb, white: Rgb, blends_linearly: bool) -> Rgba<u8> {
    let mixed = |color| if blends_linearly { linear(color) } else { color };
    let (dark, bright) = (mixed(black), mixed(white));
    let cover = (0..3).map(|c| 1.0 - (bright[c] - dark[c])).sum::<f32>() / 3.0;
    let own = dark.map(|c| (c / cover.max(1e-4)).clamp(0.0, 1.0));
    let color = if blends_linearly { encoded(own) } else { own };
    // Least squares of `alpha * color = black` and `alpha * (1 - color) = 1 - white`.
    let found: f32 = (0..3).map(|c| color[c] * black[c] + (1.0 - color[c]) * (1.0 - white[c])).sum();
    let whole: f32 = (0..3).map(|c| color[c] * color[c] + (1.0 - color[c]) * (1.0 - color[c])).sum();
    let alpha = (255.0 * (found / whole).clamp(0.0, 1.0)).round();
    if alpha == 0.0 {
        return Rgba([0; 4]);
    }
    let [red, green, blue] = color.map(|c| (255.0 * c).round() as u8);
    Rgba([red, green, blue, alpha as u8])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blends a colour over black and over white, in linear light or as bytes.
    fn over(color: [u8; 3], share: f32, blends_linearly: bool) -> [Rgb; 2] {
        let to = |color| if blends_linearly { linear(color) } else { color };
        let back = |color| if blends_linearly { encoded(color) } else { color };
        let own = to(color.map(|c| f32::from(c) / 255.0));
        [0.0, 1.0].map(|ground| back(own.map(|c| c * share + ground * (1.0 - share))))
    }

    #[test]
    fn a_colour_is_found_whatever_share_of_the_pixel_it_covers() {
        for blends_linearly in [true, false] {
            for color in [[0, 0, 0], [255, 255, 255], [128, 128, 128], [230, 40, 10], [20, 90, 240]] {
                for share in [0.25, 0.5, 0.75] {
                    let [black, white] = over(color, share, blends_linearly);
                    let Rgba([red, green, blue, alpha]) = unmixed(black, white, blends_linearly);
                    let far = [red, green, blue].iter().zip(color).map(|(a, b)| a.abs_diff(b)).max().unwrap();
                    assert!(far <= 1 && alpha > 0 && alpha < 255, "{color:?} of {share}: {red} {green} {blue} {alpha}");
                }
            }
        }
    }

    #[test]
    fn black_and_white_mixed_by_a_viewer_are_as_over_black_and_over_white() {
        for color in [0, 255] {
            let [black, white] = over([color; 3], 0.5, true);
            let Rgba([grey, _, _, alpha]) = unmixed(black, white, true);
            let [grey, alpha] = [grey, alpha].map(|c| f32::from(c) / 255.0);
            let seen = [alpha * grey, alpha * grey + 1.0 - alpha];
            assert!((seen[0] - black[0]).abs() < 0.004 && (seen[1] - white[0]).abs() < 0.004, "{color}: {seen:?}");
        }
    }

    #[test]
    fn pixels_equal_on_black_and_white_are_opaque_and_background_is_clear() {
        let [black, white] = [[7, 8, 9, 255, 0, 0, 0, 255], [7, 8, 9, 255, 255, 255, 255, 255]];
        let [black, white] = [black, white].map(|bytes| RgbaImage::from_raw(2, 1, bytes.to_vec()).unwrap());
        assert_eq!(cut_out(&black, &white, true).into_raw(), [7, 8, 9, 255, 0, 0, 0, 0]);
    }
}
