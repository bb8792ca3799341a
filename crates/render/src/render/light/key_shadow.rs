use glam::{Mat4, Vec2, Vec3, Vec3Swizzles as _};
use three_d::context::Texture;
use three_d::{Context, Program};

use super::ground_shadow::{BORDER, GroundInMap, GroundShadow};
use crate::render::RenderError;
use crate::render::gl::framebuffer::{Attachment, Framebuffer};
use crate::render::gl::get_or_create;
use crate::render::gl::gpu_program::GpuProgram;
use crate::render::gl::gpu_texture::GpuTexture;
use crate::render::gl::program::{SetUniform, use_texture};
use crate::render::gl::quad::Quad;
use crate::render::panes::eye::PaneCamera;
use rigscope_core::rig::Bounds;

const SIDE: u32 = 512;
/// Margin on each side of the approximate bounds, as a fraction of their diagonal.
const MARGIN: f32 = 0.05;

#[derive(Default)]
pub(crate) struct KeyShadow {
    map: Option<ShadowMap>,
    drawn: Option<ShadowMapContent>,
    ground: Option<GroundShadow>,
}

struct ShadowMap {
    target: Framebuffer,
    depth: GpuTexture,
}

#[derive(Clone, Copy)]
struct ShadowMapContent {
    bounds: Bounds,
    towards_key: Vec3,
    radius: f32,
    /// Transform from world space to shadow-map coordinates (0 to 1).
    map_from_world: Mat4,
    is_on_ground: bool,
}

impl ShadowMapContent {
    /// Returns the corners of the map rectangle that contains all shadows.
    fn part(&self) -> [Vec2; 2] {
        let margin = MARGIN * self.bounds.diagonal() / (2.0 * self.radius) + BORDER;
        let places = self.bounds.corners().map(|corner| self.map_from_world.transform_point3(corner).xy());
        let low = places.iter().copied().fold(Vec2::INFINITY, Vec2::min) - margin;
        let high = places.iter().copied().fold(Vec2::NEG_INFINITY, Vec2::max) + margin;
        [low, high].map(|place| place.clamp(Vec2::ZERO, Vec2::ONE))
    }
}

impl ShadowMap {
    fn new(context: &Context) -> Result<Self, RenderError> {
        let depth = GpuTexture::for_shadow(context, [SIDE; 2]);
        Ok(Self { target: Framebuffer::new(context, [SIDE; 2], Attachment::None, Attachment::Texture(&depth))?, depth })
    }
}

impl KeyShadow {
    /// Redraws the shadow map from everything within `bounds`. The ground stays lit until [`Self::cast_on_ground`] is
    /// called.
    pub(crate) fn update(
        &mut self,
        context: &Context,
        bounds: Bounds,
        towards_key: Vec3,
        draw: impl FnOnce(&PaneCamera) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        self.clear();
        if bounds.is_empty() {
            return Ok(());
        }
        let radius = ((0.5 + MARGIN) * bounds.diagonal()).max(1e-6);
        let eye = PaneCamera::from_afar(bounds.center(), towards_key, radius, SIDE);
        let map = get_or_create(&mut self.map, || ShadowMap::new(context))?;
        map.target.clear(None);
        map.target.write(|| draw(&eye))?;
        let half = Mat4::from_translation(Vec3::splat(0.5)) * Mat4::from_scale(Vec3::splat(0.5));
        let map_from_world = half * eye.clip_from_world();
        self.drawn = Some(ShadowMapContent { bounds, towards_key, radius, map_from_world, is_on_ground: false });
        Ok(())
    }

    /// Draws the shadow on the ground, whose height is `ground` (metres). `program` must come from
    /// [`ground_shadow_program`](super::ground_shadow::ground_shadow_program).
    pub(crate) fn cast_on_ground(
        &mut self,
        context: &Context,
        (program, quad): (&Program, &Quad),
        ground: f32,
    ) -> Result<(), RenderError> {
        let Some((map, drawn)) = self.map.as_ref().zip(self.drawn.as_mut()) else { return Ok(()) };
        let centre = drawn.bounds.center().xz();
        let in_map = GroundInMap::new(drawn.map_from_world, drawn.towards_key, centre, (ground, drawn.radius));
        let Some(in_map) = in_map else { return Ok(()) };
        let shadow = get_or_create(&mut self.ground, || GroundShadow::new(context))?;
        shadow.update((program, quad), &map.depth, in_map, drawn.part());
        drawn.is_on_ground = true;
        Ok(())
    }

    pub(crate) fn clear(&mut self) {
        self.drawn = None;
    }

    pub(crate) fn texture(&self) -> Option<Texture> {
        self.map.as_ref()?.depth.id()
    }

    pub(crate) fn is_on_ground(&self) -> bool {
        self.drawn.is_some_and(|drawn| drawn.is_on_ground)
    }

    pub(crate) fn use_on_ground(&self, program: &Program) {
        program.set("shadowFromWorld", self.map_from_world());
        if let Some(shadow) = &self.ground {
            use_texture(program, "castMap", shadow.texture().texture());
        }
    }

    pub(crate) fn use_uniforms(&self, program: &GpuProgram) {
        program.set("isShadowed", self.drawn.is_some());
        program.set("shadowFromWorld", self.map_from_world());
        program.set("shadowTexel", self.drawn.map_or(0.0, |drawn| 2.0 * drawn.radius / SIDE as f32));
    }

    fn map_from_world(&self) -> Mat4 {
        self.drawn.map_or(Mat4::IDENTITY, |drawn| drawn.map_from_world)
    }
}
