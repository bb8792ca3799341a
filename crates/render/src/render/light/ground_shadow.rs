use glam::{Mat4, UVec2, Vec2, Vec3, Vec3Swizzles as _};
use three_d::{Context, Program, Viewport};

use crate::render::RenderError;
use crate::render::gl::framebuffer::{Attachment, Framebuffer};
use crate::render::gl::gpu_texture::GpuTexture;
use crate::render::gl::program::{SetUniform, use_texture};
use crate::render::gl::quad::{Quad, REPLACE, quad_program};

const SIDE: u32 = 256;
/// Tangent of half the light's apparent angular size.
const SOFTNESS: f32 = 0.03;
/// Maximum half-width of the penumbra, in map coordinates. Wider penumbras would show sampling noise.
pub(super) const BORDER: f32 = 0.014;
/// Sine of the minimum elevation at which the light casts a ground shadow.
const LOWEST: f32 = 0.01;

/// Depth of the level ground, and half the width of the penumbra, in a shadow map. At map coordinates (u, v), each is
/// the dot product of the field and (u, v, 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GroundInMap {
    depth: Vec3,
    softening: Vec3,
}

impl GroundInMap {
    /// `radius` is half the map's side length in metres. Returns `None` if the light is too low.
    pub(super) fn new(
        map_from_world: Mat4,
        towards_key: Vec3,
        centre: Vec2,
        (ground, radius): (f32, f32),
    ) -> Option<Self> {
        if towards_key.y < LOWEST {
            return None;
        }
        let world_from_map = map_from_world.inverse();
        let along = -towards_key.xz();
        let growth = along * SOFTNESS / (along.length_squared().max(0.01) * 2.0 * radius);
        let at = |u: f32, v: f32| {
            let [near, far] = [0.0, 1.0].map(|z| world_from_map.transform_point3(Vec3::new(u, v, z)));
            let depth = (ground - near.y) / (far.y - near.y);
            (depth, growth.dot(near.lerp(far, depth).xz() - centre))
        };
        let [origin, right, top] = [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0)];
        let plane = |value: fn((f32, f32)) -> f32| {
            Vec3::new(value(right) - value(origin), value(top) - value(origin), value(origin))
        };
        Some(Self { depth: plane(|(depth, _)| depth), softening: plane(|(_, softening)| softening) })
    }
}

pub(super) struct GroundShadow {
    target: Framebuffer,
    texture: GpuTexture,
}

impl GroundShadow {
    pub(super) fn new(context: &Context) -> Result<Self, RenderError> {
        let texture = GpuTexture::drawn(context, [SIDE; 2], 1);
        Ok(Self {
            target: Framebuffer::new(context, [SIDE; 2], Attachment::Texture(&texture), Attachment::None)?,
            texture,
        })
    }

    pub(super) fn update(
        &self,
        (program, quad): (&Program, &Quad),
        map: &GpuTexture,
        ground: GroundInMap,
        [low, high]: [Vec2; 2],
    ) {
        let [low, high] = [(low * SIDE as f32).floor(), (high * SIDE as f32).ceil()].map(Vec2::as_uvec2);
        // Ground outside the map samples the border texels, so the border stays lit.
        let [low, high] = [low, high].map(|texel| texel.clamp(UVec2::ONE, UVec2::splat(SIDE - 1)));
        let size = high.saturating_sub(low);
        let part = Viewport { x: low.x.cast_signed(), y: low.y.cast_signed(), width: size.x, height: size.y };
        self.target.clear(Some([0.0, 0.0, 0.0, 1.0]));
        program.set("texel", 1.0 / SIDE as f32);
        use_texture(program, "keyShadow", map.texture());
        program.set("groundDepth", ground.depth);
        program.set("softening", ground.softening);
        program.set("widest", BORDER);
        self.target.write_in(part, || quad.draw(program, REPLACE, part));
    }

    pub(super) fn texture(&self) -> &GpuTexture {
        &self.texture
    }
}

pub(super) fn ground_shadow_program(context: &Context) -> Result<Program, RenderError> {
    quad_program(context, "ground shadow", include_str!("ground_shadow.frag"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::panes::eye::PaneCamera;

    #[test]
    fn each_place_of_the_ground_has_its_depth_in_the_map_and_the_width_of_its_borders() {
        let (centre, radius, ground) = (Vec3::new(3.0, -1.0, 2.0), 1.7, -1.9);
        let half = Mat4::from_translation(Vec3::splat(0.5)) * Mat4::from_scale(Vec3::splat(0.5));
        for towards in [[-0.5, 0.72, 0.62], [0.9, 0.1, 0.2], [0.0, 1.0, 0.0]].map(|t| Vec3::from(t).normalize_or_zero())
        {
            let map_from_world = half * PaneCamera::from_afar(centre, towards, radius, SIDE).clip_from_world();
            let in_map = GroundInMap::new(map_from_world, towards, centre.xz(), (ground, radius)).unwrap();
            for (x, z) in [(3.0, 2.0), (2.1, 3.4), (-4.0, 0.5)] {
                let place = map_from_world.transform_point3(Vec3::new(x, ground, z));
                let at = place.truncate().extend(1.0);
                let scale = 1.0 + place.length();
                assert!((in_map.depth.dot(at) - place.z).abs() < 1e-4 * scale, "{towards} {x} {z}");
                let along = -towards.xz();
                let metres = (Vec2::new(x, z) - centre.xz()).dot(along) / along.length_squared().max(0.01);
                let border = SOFTNESS * metres / (2.0 * radius);
                assert!((in_map.softening.dot(at) - border).abs() < 1e-4 * scale, "{towards} {x} {z}");
            }
        }
    }

    #[test]
    fn a_light_at_or_below_the_horizon_casts_no_shadow_on_the_ground() {
        for towards in [Vec3::X, Vec3::new(0.6, -0.8, 0.0), Vec3::NEG_Y] {
            let map_from_world = PaneCamera::from_afar(Vec3::ZERO, towards, 1.0, SIDE).clip_from_world();
            assert_eq!(GroundInMap::new(map_from_world, towards, Vec2::ZERO, (-1.0, 1.0)), None);
        }
    }
}
