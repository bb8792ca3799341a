//! How a primitive's surface is shaded, and the passes that its alpha needs.

use std::fmt::Write as _;

use glam::Vec3;
use three_d::{Blend, Cull, DepthTest, RenderStates, WriteMask};

use super::part_programs::Shading;
use super::side_look::SideLook;
use crate::render::color::{SIDE_B, linear, srgb};
use crate::render::gl::gpu_program::GpuProgram;
use crate::render::gl::gpu_texture::GpuTexture;
use crate::render::gl::program::SetUniform;
use crate::render::panes::pane::Cut;
use crate::render::rig::features::Features;
use crate::rig;
use crate::rig::Alpha;

/// LOOK.md: warm neutral.
const CLAY: u32 = 0xB9_B2_A9;
/// Blended fragments this opaque are drawn solid: many files call a closed, opaque body "blended", and it must hide its inside.
const SOLID_ALPHA: f32 = 0.98;
/// Diameter of points, points of the interface.
const POINT_SIZE: f32 = 5.0;
/// Away from the viewer in clip depth: where glass and what it lies over are the same but for rounding, it lies behind.
pub const GLASS_BIAS: f32 = -1e-5;
/// Towards the lights from the right, from above and from behind: they stand with the viewer.
const LIGHTS: [(&str, Vec3); 3] = [
    ("key", Vec3::new(-0.48, 0.66, 0.58)),
    ("fill", Vec3::new(0.86, 0.06, 0.50)),
    ("rim", Vec3::new(0.42, 0.55, -0.72)),
];
/// Beyond every alpha.
const ANY_ALPHA: f32 = 1e9;

/// Share of the glass that is seen through what hides it.
const HIDDEN_GLASS: f32 = 0.16;

/// Which fragments of a surface are drawn.
#[derive(Clone, Copy)]
pub enum Pass<'a> {
    /// Those that hide what is behind.
    Solid,
    /// Those that mix with it, drawn after everything solid.
    Blended,
    /// The solid ones as glass, times its alpha.
    Glass {
        /// How far away what may hide the glass is, in every pixel.
        solid_depth: &'a GpuTexture,
    },
    /// The solid ones in white.
    Mask,
}

/// One primitive's material for one draw.
pub struct DrawMaterial<'a> {
    /// Of the primitive as it is drawn.
    pub features: Features,
    /// Lines or points: nothing of them faces away.
    pub has_strokes: bool,
    /// Drawn round.
    pub has_points: bool,
    pub material: &'a rig::Material,
    pub texture: Option<&'a GpuTexture>,
    pub look: &'a SideLook<'a>,
    pub is_clay: bool,
    /// The instance mirrors somewhere: which side is outside is decided per vertex.
    pub mirrors: bool,
    pub pass: Pass<'a>,
    /// Instead of the side that the material leaves out.
    pub cull: Option<Cull>,
}

impl DrawMaterial<'_> {
    /// Where it is counts, not what it looks like.
    fn is_flat(&self) -> bool {
        matches!(self.pass, Pass::Mask)
    }

    /// Lines and points have no sides.
    fn is_double_sided(&self) -> bool {
        self.material.is_double_sided || self.has_strokes
    }

    /// Light needs a surface, or at least normals.
    fn is_unlit(&self) -> bool {
        let is_bare = self.has_strokes && !self.features.has(Features::NORMALS);
        is_bare || (self.material.is_unlit && !self.is_clay)
    }

    /// The texture, where a fragment depends on it.
    fn texture(&self) -> Option<&GpuTexture> {
        let hides_color = self.is_clay || self.is_flat() || matches!(self.pass, Pass::Glass { .. });
        self.texture.filter(|_| !hides_color || self.material.alpha != Alpha::Opaque)
    }

    /// What is constant in its program, apart from the features of the primitive.
    ///
    /// Without a discard the depth test comes before the shading.
    fn constants(&self) -> [(&'static str, bool); 9] {
        [
            ("isCut", self.look.cut != Cut::NONE),
            ("hidesBacks", self.mirrors && !self.is_double_sided()),
            ("hasAlpha", self.material.alpha != Alpha::Opaque),
            ("isClay", self.is_clay),
            ("isUnlit", self.is_unlit()),
            ("isRound", self.has_points),
            ("isBlended", matches!(self.pass, Pass::Blended)),
            ("isFlat", self.is_flat()),
            ("isGlass", matches!(self.pass, Pass::Glass { .. })),
        ]
    }

    /// Alpha from the first up to below the second is drawn.
    fn alpha_range(&self) -> [f32; 2] {
        match (self.material.alpha, self.pass) {
            (Alpha::Opaque, _) => [-ANY_ALPHA, ANY_ALPHA],
            (Alpha::Mask(cutoff), _) => [cutoff, ANY_ALPHA],
            (Alpha::Blend, Pass::Blended) => [1.0 / 255.0, SOLID_ALPHA],
            (Alpha::Blend, _) => [SOLID_ALPHA, ANY_ALPHA],
        }
    }
}

impl Shading for DrawMaterial<'_> {
    const NAME: &'static str = "surface";

    fn variant(&self) -> u16 {
        let switches = self.constants().map(|(_, is_on)| is_on).into_iter().chain([self.texture().is_some()]);
        switches.fold(0, |bits, is_on| bits << 1 | u16::from(is_on))
    }

    fn fragment_shader(&self) -> String {
        let mut source = self.features.defines();
        if self.texture().is_some() {
            source += "#define TEXTURED\n";
        }
        for (name, value) in self.constants() {
            _ = writeln!(source, "const bool {name} = {value};");
        }
        let shared = concat!(
            include_str!("../panes/eye.glsl"),
            include_str!("../panes/cut.glsl"),
            include_str!("../gl/picture.glsl")
        );
        source + shared + include_str!("surface.frag")
    }

    fn set_uniforms(&self, program: &GpuProgram) {
        let material = self.material;
        let look = self.look;
        look.eye.use_uniforms(program);
        look.cut.use_uniforms(program);
        for (name, light) in LIGHTS {
            program.set(name, look.eye.world_from_view * light.normalize_or_zero());
        }
        program.set("baseColor", material.base_color);
        program.set("clay", linear(srgb(CLAY)));
        program.set("pointSize", POINT_SIZE * look.eye.pixels_per_point);
        program.set("roughness", material.roughness);
        program.set("metallic", material.metallic);
        program.set("emission", material.emission);
        program.set("alphaRange", self.alpha_range());
        if let Pass::Glass { solid_depth } = self.pass {
            program.set_texture("solidDepth", solid_depth.id());
            program.set("hiddenShare", HIDDEN_GLASS);
            program.set("glassColor", linear(SIDE_B));
            // Against its surroundings.
            program.set("glassRim", linear(srgb(if look.view.display.is_dark { 0xB4_FF_F7 } else { 0x06_6A_62 })));
        }
        if let Some(texture) = self.texture() {
            program.set_texture("baseTexture", texture.id());
        }
    }

    fn states(&self) -> RenderStates {
        let own = if self.is_double_sided() || self.mirrors { Cull::None } else { Cull::Back };
        let cull = self.cull.unwrap_or(own);
        let solid = RenderStates { cull, depth_test: DepthTest::LessOrEqual, ..RenderStates::default() };
        match self.pass {
            Pass::Solid | Pass::Mask | Pass::Glass { .. } => solid,
            Pass::Blended => RenderStates { blend: Blend::TRANSPARENCY, write_mask: WriteMask::COLOR, ..solid },
        }
    }
}
