use three_d::RenderStates;

use super::maps::set_moved_coords;
use super::primitive_programs::Shading;
use crate::render::gl::gpu_program::GpuProgram;
use crate::render::gl::gpu_texture::GpuTexture;
use crate::render::gl::program::SetUniform;
use crate::render::rig::features::{Features, defines};
use rigscope_core::rig::{Alpha, Material};

/// Minimum alpha at which a blended surface casts a shadow.
const CASTS_FROM: f32 = 0.5;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CastMap {
    /// Proximity to the ground, as brightness.
    Heights {
        /// Height above the ground at which the shadow has lost two thirds of its strength, in metres.
        falloff: f32,
        /// Height of the ground in world space, in metres.
        ground: f32,
    },
    /// Distance from the light, as depth only.
    Distances,
}

/// A shadow-casting primitive. Its transparent parts are cut out of the shadow.
pub(crate) struct Cast<'a> {
    pub features: Features,
    pub map: CastMap,
    pub material: &'a Material,
    pub texture: Option<&'a GpuTexture>,
}

impl Cast<'_> {
    /// Returns the minimum alpha that casts a shadow, or `None` if the whole surface casts one.
    fn casts_from(&self) -> Option<f32> {
        match self.material.alpha {
            Alpha::Opaque => None,
            Alpha::Mask(cutoff) => Some(cutoff),
            Alpha::Blend => Some(CASTS_FROM),
        }
    }

    fn texture(&self) -> Option<&GpuTexture> {
        self.texture.filter(|_| self.casts_from().is_some())
    }

    fn switches(&self) -> [(&'static str, bool); 3] {
        [
            ("HEIGHTS", self.map != CastMap::Distances),
            ("HAS_ALPHA", self.casts_from().is_some()),
            ("TEXTURED", self.texture().is_some()),
        ]
    }
}

impl Shading for Cast<'_> {
    const NAME: &'static str = "shadow";

    fn variant(&self) -> u64 {
        self.switches().iter().fold(0, |bits, (_, is_on)| bits << 1 | u64::from(*is_on))
    }

    fn fragment_shader(&self) -> String {
        self.features.defines() + &defines(self.switches()) + include_str!("cast.frag")
    }

    fn set_uniforms(&self, program: &GpuProgram) {
        if let CastMap::Heights { falloff, ground } = self.map {
            program.set("falloff", falloff);
            program.set("groundHeight", ground);
        }
        set_moved_coords(program, self.material.moved_coords);
        program.set("castsFrom", self.casts_from().unwrap_or_default());
        program.set("baseAlpha", self.material.base_color.w);
        if let Some(texture) = self.texture() {
            program.set_texture("baseTexture", texture.id());
        }
    }

    fn states(&self) -> RenderStates {
        RenderStates::default()
    }
}
