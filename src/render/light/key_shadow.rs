//! The shadow map of the key light: the distance from the light to the nearest surface.

use glam::{Mat4, Vec2, Vec3, Vec3Swizzles as _};
use three_d::context::Texture;
use three_d::{Context, Program};

use crate::render::RenderError;
use crate::render::gl::framebuffer::{Framebuffer, Kept};
use crate::render::gl::gpu_program::GpuProgram;
use crate::render::gl::gpu_texture::GpuTexture;
use crate::render::gl::program::{SetUniform, use_texture};
use crate::render::panes::eye::Eye;
use crate::rig::Bounds;

/// Half the width of the light as seen from the character, tangent.
const SOFTNESS: f32 = 0.03;
/// Texels per side of the map.
const SIDE: u32 = 512;

/// The shadow map, created when it is first drawn, and the transform that it was drawn with.
#[derive(Default)]
pub(crate) struct KeyShadow {
    map: Option<Map>,
    /// Transform from world space to map coordinates, 0 to 1, while there is a shadow.
    map_from_world: Option<Mat4>,
    /// Side of a texel in the world, metres.
    texel: f32,
    /// Growth of the half-width of a border on the ground, in the map, for each metre along it.
    softening: Vec2,
}

struct Map {
    target: Framebuffer,
    depth: GpuTexture,
}

impl Map {
    fn new(context: &Context) -> Result<Self, RenderError> {
        let depth = GpuTexture::of_shadow(context, [SIDE; 2]);
        Ok(Self { target: Framebuffer::new(context, [SIDE; 2], Kept::No, Kept::In(&depth))?, depth })
    }
}

impl KeyShadow {
    /// Redraws the map from what lies within bounds; `draw` renders it with the given eye.
    ///
    /// *Errors*: those of `draw`, a driver that cannot create another framebuffer.
    pub(crate) fn update(
        &mut self,
        context: &Context,
        bounds: Bounds,
        towards_key: Vec3,
        draw: impl FnOnce(&Eye) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        self.map_from_world = None;
        // The bounds are approximate, so the radius has a margin.
        let radius = (0.55 * bounds.diagonal()).max(1e-6);
        let eye = Eye::from_afar(bounds.center(), towards_key, radius, SIDE);
        let map = match self.map.take() {
            Some(known) => self.map.insert(known),
            None => self.map.insert(Map::new(context)?),
        };
        map.target.clear(None);
        map.target.write(|| draw(&eye))?;
        let half = Mat4::from_translation(Vec3::splat(0.5)) * Mat4::from_scale(Vec3::splat(0.5));
        self.map_from_world = Some(half * eye.clip_from_world());
        self.texel = 2.0 * radius / SIDE as f32;
        let along = -towards_key.xz();
        // The light's way over a metre of ground is one over the length of `along`.
        self.softening = along * SOFTNESS / (along.length_squared().max(0.01) * 2.0 * radius);
        Ok(())
    }

    /// Leaves everything lit.
    pub(crate) fn clear(&mut self) {
        self.map_from_world = None;
    }

    /// Texture of the map.
    pub(crate) fn texture(&self) -> Option<Texture> {
        self.map.as_ref()?.depth.id()
    }

    /// Sets the uniforms of `ground.frag`.
    pub(crate) fn use_on_ground(&self, program: &Program) {
        program.set("isShadowed", self.map_from_world.is_some());
        program.set("shadowFromWorld", self.map_from_world.unwrap_or_default());
        program.set("softening", self.softening);
        if let Some(map) = &self.map {
            use_texture(program, "keyShadow", map.depth.texture());
        }
    }

    /// Sets the shadow uniforms of `lights.glsl`.
    pub(crate) fn use_uniforms(&self, program: &GpuProgram) {
        program.set("isShadowed", self.map_from_world.is_some());
        program.set("shadowFromWorld", self.map_from_world.unwrap_or_default());
        program.set("shadowTexel", self.texel);
    }
}
