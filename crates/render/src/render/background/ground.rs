use glam::{DVec2, DVec3, Vec2, Vec3Swizzles as _};
use three_d::{Blend, Context, DepthTest, Program};

use super::contact_shadow::ContactShadow;
use crate::render::RenderError;
use crate::render::color::{Rgb, srgb};
use crate::render::gl::program::{SetUniform, program};
use crate::render::gl::quad::Quad;
use crate::render::light::key_shadow::KeyShadow;
use crate::render::panes::eye::PaneCamera;
use rigscope_core::view::Camera;

const X_AXIS: Rgb = srgb(0xE5_48_4D);
const Z_AXIS: Rgb = srgb(0x3E_8E_F7);

/// Ground plane y = 0 (file coordinates) around the camera target, with grid, world axes and shadows.
pub(crate) struct Ground {
    shadow: Program,
    lit_shadow: Program,
    grid: Program,
}

impl Ground {
    pub(crate) fn new(context: &Context) -> Result<Self, RenderError> {
        let vertex = concat!(include_str!("../panes/eye.glsl"), "\n", include_str!("ground.vert"));
        let fragment = include_str!("ground.frag");
        let layer = |switches: &str| {
            program(context, "ground", &format!("{switches}{vertex}"), &format!("{switches}{fragment}"))
        };
        Ok(Self {
            shadow: layer("#define SHADOW\n")?,
            lit_shadow: layer("#define SHADOW\n#define KEY_SHADOW\n")?,
            grid: layer("")?,
        })
    }

    /// Draws the contact shadow and, if `key` is given, the key light's shadow. `key` includes the fraction of the
    /// ground's light that comes from the key light. Call this before drawing geometry, so that shadows never darken
    /// geometry below the ground.
    pub(crate) fn draw_shadow(
        &self,
        quad: &Quad,
        eye: &PaneCamera,
        (shadow, key): (&ContactShadow, Option<(&KeyShadow, f32)>),
        look: GroundStyle,
    ) {
        let radius = shadow.radius.max(look.pool_reach());
        let program = if key.is_some() { &self.lit_shadow } else { &self.shadow };
        if let Some((key, share)) = key {
            key.use_on_ground(program);
            program.set("castAlpha", share * if look.is_dark { 0.9 } else { 0.4 });
        }
        program.set("shadowAlpha", if look.is_dark { 0.75 } else { 0.34 });
        program.set("poolAlpha", if look.has_pool { look.pool_alpha() } else { 0.0 });
        program.set("poolRadius", look.pool_radius());
        shadow.use_uniforms(program);
        draw(program, quad, eye, (shadow.centre, radius), look);
    }

    pub(crate) fn draw_grid(&self, quad: &Quad, eye: &PaneCamera, camera: &Camera, look: GroundStyle) {
        let centre = Vec2::new(camera.target.x, camera.target.z);
        let radius = 4.0 * look.rig_size + 3.0 * camera.distance;
        let program = &self.grid;
        let spacing = spacing(look.rig_size);
        program.set("spacing", spacing);
        program.set("phase", phase(look.anchor.xz(), spacing));
        program.set("origin", (-look.anchor.xz()).as_vec2());
        program.set("pixelsPerPoint", eye.pixels_per_point);
        program.set("lineColor", if look.is_dark { [1.0; 3] } else { [0.0; 3] });
        program.set("lineAlpha", if look.is_dark { 0.30 } else { 0.32 });
        program.set("xColor", X_AXIS);
        program.set("zColor", Z_AXIS);
        draw(program, quad, eye, (centre, radius), look);
    }
}

/// Draws a square of the ground, given its centre (x, z) and half its side length.
fn draw(program: &Program, quad: &Quad, eye: &PaneCamera, (centre, radius): (Vec2, f32), look: GroundStyle) {
    eye.use_uniforms(program);
    program.set("viewProjection", eye.clip_from_world());
    program.set("centre", centre);
    program.set("radius", radius);
    program.set("height", look.height());
    quad.draw(program, (DepthTest::LessOrEqual, Blend::TRANSPARENCY), eye.viewport);
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct GroundStyle {
    pub rig_size: f32,
    /// World origin in file coordinates.
    pub anchor: DVec3,
    pub is_dark: bool,
    pub is_lit: bool,
    /// True to draw a pool of light around the character.
    pub has_pool: bool,
}

impl GroundStyle {
    pub(crate) fn height(self) -> f32 {
        ground_height(self.anchor)
    }

    fn pool_alpha(self) -> f32 {
        if self.is_dark { 0.055 } else { 0.5 }
    }

    /// Returns the radius, in metres, at which the pool's brightness falls to `exp(-2.5)` of its value at the centre.
    fn pool_radius(self) -> f32 {
        1.2 * self.rig_size
    }

    /// Returns the distance, in metres, beyond which the pool is invisible with eight bits per channel.
    fn pool_reach(self) -> f32 {
        self.pool_radius() * ((512.0 * self.pool_alpha()).ln() / 2.5).sqrt()
    }
}

pub(crate) fn ground_height(anchor: DVec3) -> f32 {
    (0.0 - anchor.y) as f32
}

/// Returns the distance, in metres along x and z, from the preceding grid lines of the coarsest level to the world
/// origin.
fn phase(anchor: DVec2, spacing: f32) -> Vec2 {
    let period = 10.0 * f64::from(spacing);
    (anchor - (anchor / period).floor() * period).as_vec2()
}

/// Returns the grid spacing in metres, a power of ten: 1 for people, 0.01 for a bug, 100 for a whale.
fn spacing(rig_size: f32) -> f32 {
    10_f32.powf((rig_size.log10() - 0.25).round())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grid_cells_are_powers_of_ten_near_the_size() {
        for (size, cell) in [(0.01, 0.01), (0.9, 1.0), (1.8, 1.0), (4.0, 1.0), (20.0, 10.0), (500.0, 100.0)] {
            assert!((spacing(size) / cell - 1.0).abs() < 1e-3, "{size}: {}", spacing(size));
        }
    }
}
