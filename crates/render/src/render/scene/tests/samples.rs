use std::collections::BTreeSet;

use three_d::Viewport;

use super::*;
use crate::render::gl::driver::is_software;
use crate::render::gl::picture::OffscreenImage;
use crate::render::gl::program::program;
use crate::render::gl::quad::{Quad, REPLACE};

const SIZE: [u32; 2] = [40, 30];
const SLANTED: &str = "
    in vec2 corner;
    void main() { gl_Position = vec4(mat2(0.6, 0.35, -0.35, 0.6) * corner, 0.0, 1.0); }";
const ORANGE: &str = "void main() { outColor = vec4(1.0, 0.5, 0.0, 1.0); }";

#[test]
fn the_mean_by_a_program_is_that_of_the_drivers_copy() {
    let headless = Headless::new().unwrap();
    let scene = headless.scene().unwrap();
    let context = &scene.context;
    let slanted = program(context, "slanted", SLANTED, ORANGE).unwrap();
    let quad = Quad::new(context);
    for (samples, is_light) in [(4, true), (4, false), (1, true)] {
        let make = if is_light { OffscreenImage::with_linear_blending } else { OffscreenImage::new };
        let picture = make(context, SIZE, samples).unwrap();
        picture.drawn.clear(Some([0.1, 0.2, 0.8, 1.0]));
        picture.drawn.write(|| quad.draw(&slanted, REPLACE, Viewport::new_at_origo(SIZE[0], SIZE[1])));
        picture.resolve();
        let resolved = picture.pixels();
        let is_by_program = picture.resolve_by_driver();
        assert_eq!(is_by_program, samples > 1 && is_software(context));
        let farthest = resolved.iter().zip(picture.pixels().iter()).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(farthest <= Some(1), "{farthest:?} with {samples} samples, light: {is_light}");
        let colors: BTreeSet<[u8; 4]> = resolved.pixels().map(|pixel| pixel.0).collect();
        // Drivers may round half a step up or down.
        let is_there =
            |color: [u8; 4]| colors.iter().any(|seen| seen.iter().zip(color).all(|(a, b)| a.abs_diff(b) <= 1));
        assert!([[26, 51, 204, 255], [255, 128, 0, 255]].into_iter().all(is_there), "{colors:?}");
        assert_eq!(colors.len() > 2, samples > 1, "in between only where there are samples");
    }
}
