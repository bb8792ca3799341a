//! A contact shadow: what touches the ground darkens it, what is high above does not.

use glam::Vec2;
use three_d::{
    ClearState, Context, CoreError, DepthTest, DepthTexture2D, EffectMaterialId, Interpolation, Light, Material,
    MaterialType, Program, RenderStates, RenderTarget, Texture2D, Viewer, Viewport, Wrapping, WriteMask, f24,
};

use super::RenderError;
use super::eye::Eye;
use super::program::{SetUniform, program, use_texture};
use super::quad::Quad;
use crate::rig::Bounds;

/// Texels a side.
const SIDE: u32 = 256;
/// Falloffs above the ground from which on nothing is left of the shadow, in eight bits: ln 512.
const HIGHEST: f32 = 6.25;

/// The ground from below, darkened by the nearness of what stands on it and blurred.
pub(super) struct ContactShadow {
    near: Texture2D,
    blurred: Texture2D,
    depth: DepthTexture2D,
    blur: Program,
    centre: Vec2,
    radius: f32,
}

impl ContactShadow {
    pub fn new(context: &Context) -> Result<Self, RenderError> {
        let (linear, clamp) = (Interpolation::Linear, Wrapping::ClampToEdge);
        let texture = || Texture2D::new_empty::<[u8; 4]>(context, SIDE, SIDE, linear, linear, None, clamp, clamp);
        Ok(Self {
            near: texture(),
            blurred: texture(),
            depth: DepthTexture2D::new::<f24>(context, SIDE, SIDE, clamp, clamp),
            blur: program(context, "shadow", include_str!("background.vert"), include_str!("shadow.frag"))?,
            centre: Vec2::ZERO,
            radius: 1.0,
        })
    }

    /// Draws the map anew; `draw` renders the character with the eye and material that it is given.
    pub fn update(
        &mut self,
        quad: &Quad,
        bounds: Bounds,
        draw: impl FnOnce(&Eye, &HeightAboveGround) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        let size = bounds.diagonal().max(1e-6);
        let half = (bounds.max - bounds.min) * 0.5;
        let middle = bounds.center();
        self.centre = Vec2::new(middle.x, middle.z);
        self.radius = half.x.max(half.z) * 1.1 + 0.15 * size;
        let falloff = 0.09 * size;
        let eye = Eye::from_below(self.centre, self.radius, [-0.04 * size, HIGHEST * falloff], SIDE);
        let material = HeightAboveGround { falloff };
        RenderTarget::new(self.near.as_color_target(None), self.depth.as_depth_target())
            .clear(ClearState::color_and_depth(0.0, 0.0, 0.0, 1.0, 1.0))
            .write(|| draw(&eye, &material))?;
        // Wide enough to be soft, narrow enough to say where the feet are.
        let step = (0.026 * size / self.radius * 0.5) / 3.0;
        self.blur(quad, &self.near, &self.blurred, Vec2::new(step, 0.0))?;
        self.blur(quad, &self.blurred, &self.near, Vec2::new(0.0, step))
    }

    fn blur(&self, quad: &Quad, from: &Texture2D, to: &Texture2D, step: Vec2) -> Result<(), RenderError> {
        to.as_color_target(None).write::<RenderError>(|| {
            use_texture(&self.blur, "shadowMap", from);
            self.blur.set("stepSize", step);
            self.blur.set("texel", 1.0 / SIDE as f32);
            let states =
                RenderStates { depth_test: DepthTest::Always, write_mask: WriteMask::COLOR, ..RenderStates::default() };
            quad.draw(&self.blur, states, Viewport::new_at_origo(SIDE, SIDE));
            Ok(())
        })?;
        Ok(())
    }

    /// On the ground, x and z.
    pub fn centre(&self) -> Vec2 {
        self.centre
    }

    /// Half the side of the square of the ground that the map covers.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// `shadowMap`, `shadowCentre`, `shadowRadius`.
    pub fn use_uniforms(&self, program: &Program) {
        use_texture(program, "shadowMap", &self.near);
        program.set("shadowCentre", self.centre);
        program.set("shadowRadius", self.radius);
    }
}

const FRAGMENT: &str = "
in vec3 pos;
uniform float falloff; // metres above the ground at which the shadow has lost two thirds
out vec4 outColor;
void main() { outColor = vec4(vec3(exp(-max(pos.y, 0.0) / falloff)), 1.0); }
";

/// Bright where the surface is near the ground.
pub(super) struct HeightAboveGround {
    falloff: f32,
}

impl Material for HeightAboveGround {
    fn fragment_shader_source(&self, _lights: &[&dyn Light]) -> String {
        FRAGMENT.to_owned()
    }

    fn id(&self) -> EffectMaterialId {
        EffectMaterialId(0x2002)
    }

    fn use_uniforms(&self, program: &Program, _viewer: &dyn Viewer, _lights: &[&dyn Light]) {
        program.set("falloff", self.falloff);
    }

    fn render_states(&self) -> RenderStates {
        RenderStates::default()
    }

    fn material_type(&self) -> MaterialType {
        MaterialType::Opaque
    }
}

impl From<CoreError> for RenderError {
    fn from(source: CoreError) -> Self {
        Self::Drawing(source)
    }
}
