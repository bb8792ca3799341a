//! The icon: the outline of a tube twisted by half a turn (two strands that cross once) on a dark rounded square.

use std::io::Cursor;

use glam::DVec3;
use image::{ImageFormat, Rgba, RgbaImage};

use super::math::{length, mix, smoothstep, v};
use super::sdf::segment;

/// Side length of the square in whose units the icon is described.
const UNIT: f64 = 256.0;
const STEPS: usize = 48;
const DARK: [f64; 3] = [36.0, 38.0, 43.0];
const ORANGE: [f64; 3] = [242.0, 153.0, 74.0];
const TEAL: [f64; 3] = [46.0, 196.0, 182.0];
const LIGHT: [f64; 3] = [240.0, 238.0, 232.0];

/// Returns the PNG of the icon with `size` pixels per side.
pub fn icon(size: u32) -> Vec<u8> {
    let mark = Mark { over: strand(1.0), under: strand(-1.0), pixels: f64::from(size) / UNIT };
    let middle = |pixel: u32| (f64::from(pixel) + 0.5) / mark.pixels;
    let image = RgbaImage::from_fn(size, size, |x, y| mark.pixel(v(middle(x), middle(y), 0.0)));
    let mut bytes = Cursor::new(Vec::new());
    // Writing to memory can't fail. If it did, the test of the assets would report the empty file.
    match image.write_to(&mut bytes, ImageFormat::Png) {
        Ok(()) => bytes.into_inner(),
        Err(_) => Vec::new(),
    }
}

/// Returns the centre line of a strand: half a cosine from the left to the right edge.
fn strand(sign: f64) -> Vec<DVec3> {
    let point = |i: usize| {
        let t = i as f64 / STEPS as f64;
        // Blends two smoothsteps, so that the line is steep in the middle and level at the ends.
        let s = mix(smoothstep(0.0, 1.0, t), smoothstep(0.22, 0.78, t), 0.6);
        v(mix(56.0, 200.0, t), 128.0 + sign * 54.0 * (1.0 - 2.0 * s), 0.0)
    };
    (0..=STEPS).map(point).collect()
}

fn distance(p: DVec3, line: &[DVec3]) -> f64 {
    line.windows(2).fold(f64::INFINITY, |near, ends| near.min(segment(p, ends[0], ends[1]).0))
}

struct Mark {
    over: Vec<DVec3>,
    under: Vec<DVec3>,
    /// Pixels per unit.
    pixels: f64,
}

impl Mark {
    fn pixel(&self, p: DVec3) -> Rgba<u8> {
        let mut color = DARK;
        // Adds a little light from above to the square.
        color = blend(color, LIGHT, 0.06 * (1.0 - p.y / UNIT));
        let (a, b) = (distance(p, &self.over), distance(p, &self.under));
        color = blend(color, shaded(TEAL, b), self.cover(b - 18.0));
        color = blend(color, DARK, self.cover(a - 27.0) * smoothstep(46.0, 30.0, length(p - v(128.0, 128.0, 0.0))));
        color = blend(color, shaded(ORANGE, a), self.cover(a - 18.0));
        for end in [&self.over, &self.under].into_iter().flat_map(|strand| [strand[0], strand[STEPS]]) {
            color = blend(color, DARK, self.cover(length(p - end) - 8.5));
        }
        let [r, g, b] = color.map(|c| c.round().clamp(0.0, 255.0) as u8);
        Rgba([r, g, b, (255.0 * self.cover(square(p))).round() as u8])
    }

    /// Returns the coverage of a pixel by a shape, for the signed distance of its centre.
    fn cover(&self, distance: f64) -> f64 {
        (0.5 - distance * self.pixels).clamp(0.0, 1.0)
    }
}

/// Returns the colour of a round strand, brighter along its centre.
fn shaded(color: [f64; 3], distance: f64) -> [f64; 3] {
    let light = blend(color, LIGHT, 0.16 * (1.0 - distance / 18.0).clamp(0.0, 1.0));
    blend(light, DARK, 0.22 * smoothstep(8.0, 19.0, distance))
}

fn square(p: DVec3) -> f64 {
    let half = UNIT * 0.5;
    let (x, y) = ((p.x - half).abs() - half + 60.0, (p.y - half).abs() - half + 60.0);
    length(v(x.max(0.0), y.max(0.0), 0.0)) + x.max(y).min(0.0) - 56.0
}

fn blend(a: [f64; 3], b: [f64; 3], amount: f64) -> [f64; 3] {
    [mix(a[0], b[0], amount), mix(a[1], b[1], amount), mix(a[2], b[2], amount)]
}
