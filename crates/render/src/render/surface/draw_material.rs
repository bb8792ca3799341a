use std::fmt::Write as _;

use glam::Vec3;
use three_d::{Blend, Cull, DepthTest, RenderStates, WriteMask};

use super::maps::{MapsShader, set_moved_coords};
use super::posed_primitive::DepthOffset;
use super::primitive_programs::{PrimitivePrograms, Shading};
use crate::render::color::{SIDE_B, linear, srgb};
use crate::render::gl::gpu_program::GpuProgram;
use crate::render::gl::gpu_texture::GpuTexture;
use crate::render::gl::program::SetUniform;
use crate::render::light::lights::Lights;
use crate::render::panes::eye::PaneCamera;
use crate::render::panes::pane::ClipHalfPlane;
use crate::render::rig::features::{Features, defines};
use crate::render::rig::gpu_rig::{MaterialMap, PrimitiveTextures};
use rigscope_core::rig;
use rigscope_core::rig::{Alpha, MapKind};
use rigscope_core::view::{ShadingMode, View};

#[derive(Clone, Copy)]
pub(crate) struct ActorDraw<'a> {
    pub programs: &'a PrimitivePrograms,
    /// `None` if no lit material is shown.
    pub lights: Option<&'a Lights>,
    pub eye: &'a PaneCamera,
    pub view: &'a View,
    pub actor: usize,
    pub cut: ClipHalfPlane,
    /// True if fragments blend in linear light and the driver encodes the result.
    pub blends_light: bool,
    pub samples: u32,
}

/// Clay colour: the warm neutral tone described in LOOK.md.
const CLAY: u32 = 0xB9_B2_A9;
/// Minimum alpha at which blended fragments are drawn as solid, because files often mark closed, opaque bodies as
/// blended.
const SOLID_ALPHA: f32 = 0.98;
/// Size of point primitives, in points.
const POINT_SIZE: f32 = 5.0;
/// Depth offset that keeps glass behind a coincident surface despite rounding errors.
pub(crate) const GLASS_NEARER: DepthOffset = DepthOffset { pixels: -0.25, per_slope: 0.0 };
/// Directions from the character towards the lights (right, up, back), fixed to the camera.
const LIGHTS: [(&str, Vec3); 3] = [
    ("key", Vec3::new(-0.48, 0.66, 0.58)),
    ("fill", Vec3::new(0.86, 0.06, 0.50)),
    ("rim", Vec3::new(0.42, 0.55, -0.72)),
];
const ANY_ALPHA: f32 = 1e9;

/// Factor for the opacity of glass behind a surface.
const HIDDEN_GLASS: f32 = 0.16;

const COLOR_AND_DEPTH: WriteMask = WriteMask { red: true, green: true, blue: true, alpha: false, depth: true };

#[derive(Clone, Copy)]
pub(crate) enum Pass<'a> {
    Solid,
    /// Translucent fragments, drawn after everything solid.
    Blended,
    /// Solid fragments as glass, with premultiplied alpha.
    Glass {
        /// Depth of solid surfaces that may hide the glass.
        solid_depth: &'a GpuTexture,
    },
    /// Solid fragments in plain white.
    Mask,
}

/// Fragment shading, numbered as in `surface.frag`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FragmentShading {
    Lit,
    Unlit,
    Clay,
    /// Lines and points in clay.
    BareClay,
    Normals,
    UvChecker,
    Matcap,
}

pub(crate) struct DrawMaterial<'a> {
    pub features: Features,
    /// True if the primitive has lines or points, which have no back faces.
    pub has_strokes: bool,
    pub has_points: bool,
    pub material: &'a rig::Material,
    pub textures: PrimitiveTextures<'a>,
    pub look: &'a ActorDraw<'a>,
    pub shown: ShadingMode,
    /// True if some joint mirrors, in which case facing is decided per vertex.
    pub mirrors: bool,
    /// True if per-vertex lighting looks the same as per-pixel lighting.
    pub is_fine: bool,
    pub pass: Pass<'a>,
    pub cull: Option<Cull>,
}

impl DrawMaterial<'_> {
    fn is_flat(&self) -> bool {
        matches!(self.pass, Pass::Mask)
    }

    fn is_double_sided(&self) -> bool {
        self.material.is_double_sided || self.has_strokes
    }

    fn transmits(&self) -> bool {
        self.finish() == FragmentShading::Lit && self.material.transmission > 0.0
    }

    /// Returns the fragment shading. Lighting needs a surface, or at least normals.
    fn finish(&self) -> FragmentShading {
        let is_bare = self.has_strokes && !self.features.has(Features::NORMALS);
        match self.shown {
            ShadingMode::Clay if is_bare => FragmentShading::BareClay,
            ShadingMode::Clay => FragmentShading::Clay,
            ShadingMode::Flat => FragmentShading::Unlit,
            ShadingMode::Normals => FragmentShading::Normals,
            ShadingMode::UvChecker => FragmentShading::UvChecker,
            _ if is_bare || self.material.is_unlit => FragmentShading::Unlit,
            ShadingMode::Matcap => FragmentShading::Matcap,
            ShadingMode::Textured => FragmentShading::Lit,
        }
    }

    fn is_colorless(&self) -> bool {
        self.is_flat() || matches!(self.pass, Pass::Glass { .. })
    }

    fn texture(&self) -> Option<&GpuTexture> {
        let has_color = !self.is_colorless() && matches!(self.finish(), FragmentShading::Lit | FragmentShading::Unlit);
        self.textures.base().filter(|_| has_color || self.material.alpha != Alpha::Opaque)
    }

    fn maps(&self) -> MapsShader<'_> {
        let is_wanted = |map: &MaterialMap<'_>| match self.finish() {
            FragmentShading::Lit => true,
            FragmentShading::Normals | FragmentShading::Matcap => map.kind == MapKind::Normal,
            _ => false,
        };
        let all = if self.is_colorless() { Vec::new() } else { self.textures.maps() };
        MapsShader::new(all.into_iter().filter(is_wanted).collect())
    }

    fn is_covering(&self) -> bool {
        matches!((self.material.alpha, self.pass), (Alpha::Mask(_), Pass::Solid)) && self.look.samples > 1
    }

    /// Returns true if lighting is computed per vertex, from vertex normals and uniform material parameters only.
    fn is_lit_by_vertex(&self) -> bool {
        self.is_fine
            && matches!(self.finish(), FragmentShading::Lit | FragmentShading::Clay)
            && self.features.has(Features::NORMALS)
            && !self.features.has(Features::OVERLAID)
            && matches!(self.pass, Pass::Solid)
            && !self.transmits()
            && self.maps().is_empty()
    }

    fn layers(&self) -> [(&'static str, bool); 4] {
        let material = self.material;
        let is_lit = self.finish() == FragmentShading::Lit && !self.is_colorless();
        [
            ("COATED", is_lit && material.coat.strength > 0.0),
            ("SHEEN", is_lit && material.sheen.color != Vec3::ZERO),
            ("TRANSMITS", is_lit && self.transmits()),
            ("LIT", is_lit),
        ]
    }

    fn lit(&self) -> &'static str {
        if !self.layers().contains(&("LIT", true)) {
            return "";
        }
        concat!(
            include_str!("../light/environment.glsl"),
            include_str!("../light/lights.glsl"),
            include_str!("lit.glsl")
        )
    }

    /// Returns preprocessor switches. They apply to the fragment shader and, with per-vertex lighting, also to the
    /// vertex shader.
    fn switches(&self) -> [(&'static str, bool); 3] {
        let is_on = self.is_lit_by_vertex();
        let is_textured = self.texture().is_some();
        [("LIT_BY_VERTEX", is_on), ("TWO_SIDED", is_on && self.is_double_sided()), ("TEXTURED", is_textured)]
    }

    /// Returns shader constants besides the primitive's features. They aren't uniforms, because the depth test can run
    /// before shading only if the compiled shader contains no `discard`.
    fn constants(&self) -> [(&'static str, bool); 9] {
        [
            ("isCut", self.look.cut != ClipHalfPlane::NONE),
            ("hidesBacks", self.mirrors && !self.is_double_sided()),
            ("hasAlpha", self.material.alpha != Alpha::Opaque || self.transmits()),
            ("isCovering", self.is_covering()),
            ("isRound", self.has_points),
            ("isBlended", matches!(self.pass, Pass::Blended)),
            ("blendsLight", matches!(self.pass, Pass::Blended) && self.look.blends_light),
            ("isFlat", self.is_flat()),
            ("isGlass", matches!(self.pass, Pass::Glass { .. })),
        ]
    }

    fn set_reflection(&self, program: &GpuProgram) {
        let material = self.material;
        program.set("roughness", material.roughness);
        program.set("metallic", material.metallic);
        program.set("emission", material.emission);
        program.set("normalScale", material.normal_scale);
        program.set("occlusionStrength", material.occlusion_strength);
        program.set("frontSpecular", material.specular.at_normal);
        program.set("specularStrength", material.specular.strength);
        program.set("coat", material.coat.strength);
        program.set("coatRoughness", material.coat.roughness);
        program.set("coatNormalScale", material.coat.normal_scale);
        program.set("sheenColor", material.sheen.color);
        program.set("sheenRoughness", material.sheen.roughness);
        program.set("transmission", material.transmission);
    }

    /// Returns the range of alpha values that are drawn. The minimum is inclusive, the maximum exclusive.
    fn alpha_range(&self) -> [f32; 2] {
        match (self.material.alpha, self.pass) {
            (Alpha::Opaque | Alpha::Blend, Pass::Blended) if self.transmits() => [1.0 / 255.0, ANY_ALPHA],
            (Alpha::Opaque | Alpha::Blend, Pass::Solid) if self.transmits() => [ANY_ALPHA; 2],
            (Alpha::Opaque, _) => [-ANY_ALPHA, ANY_ALPHA],
            // With sample coverage, low alpha needs no cutoff.
            (Alpha::Mask(cutoff), _) => [if self.is_covering() { 0.0 } else { cutoff }, ANY_ALPHA],
            (Alpha::Blend, Pass::Blended) => [1.0 / 255.0, SOLID_ALPHA],
            (Alpha::Blend, _) => [SOLID_ALPHA, ANY_ALPHA],
        }
    }
}

impl Shading for DrawMaterial<'_> {
    const NAME: &'static str = "surface";

    fn variant(&self) -> u64 {
        let switches = self.constants().into_iter().chain(self.layers()).chain(self.switches()).map(|(_, is_on)| is_on);
        let bits = switches.fold(self.finish() as u64, |bits, is_on| bits << 1 | u64::from(is_on));
        bits << MapsShader::VARIANT_BITS | self.maps().variant()
    }

    fn fragment_shader(&self) -> String {
        let is_lit_by_vertex = self.is_lit_by_vertex();
        let mut source = self.features.defines() + &defines(self.switches());
        if !is_lit_by_vertex {
            source += &defines(self.layers());
        }
        for (name, value) in self.constants() {
            _ = writeln!(source, "const bool {name} = {value};");
        }
        _ = writeln!(source, "const int finish = {};", self.finish() as u64);
        source += concat!(
            include_str!("inputs.glsl"),
            include_str!("../panes/eye.glsl"),
            include_str!("../panes/cut.glsl"),
            include_str!("../gl/srgb.glsl"),
            include_str!("../gl/picture.glsl"),
            include_str!("tone.glsl"),
            include_str!("clay.glsl"),
        );
        source += &self.maps().source();
        if !is_lit_by_vertex {
            source += self.lit();
        }
        source + include_str!("surface.frag")
    }

    fn vertex_light(&self) -> String {
        if !self.is_lit_by_vertex() {
            return String::new();
        }
        let switches = defines(self.switches()) + &defines(self.layers());
        switches
            + concat!(include_str!("../gl/srgb.glsl"), include_str!("tone.glsl"), include_str!("clay.glsl"))
            + self.lit()
            + include_str!("vertex_light.glsl")
    }

    fn set_uniforms(&self, program: &GpuProgram) {
        let (material, look) = (self.material, self.look);
        look.eye.use_uniforms(program);
        look.cut.use_uniforms(program);
        for (name, light) in LIGHTS {
            program.set(name, look.eye.world_from_view * light.normalize_or_zero());
        }
        program.set("clay", linear(srgb(CLAY)));
        program.set("pointSize", POINT_SIZE * look.eye.pixels_per_point);
        program.set("viewFromWorld", look.eye.world_from_view.transpose());
        if let Some(lights) = look.lights.filter(|_| self.finish() == FragmentShading::Lit) {
            lights.use_uniforms(program, look.actor);
        }
        set_moved_coords(program, material.moved_coords);
        program.set("baseColor", material.base_color);
        program.set("alphaRange", self.alpha_range());
        program.set("cutoff", if let Alpha::Mask(cutoff) = material.alpha { cutoff } else { 0.0 });
        self.set_reflection(program);
        self.maps().set_uniforms(program);
        if let Pass::Glass { solid_depth } = self.pass {
            program.set_texture("solidDepth", solid_depth.id());
            program.set("hiddenShare", HIDDEN_GLASS);
            program.set("glassColor", linear(SIDE_B));
            // The rim colour contrasts with the background.
            program.set("glassRim", linear(srgb(if look.view.display.is_dark { 0xB4_FF_F7 } else { 0x06_6A_62 })));
        }
        if let Some(texture) = self.texture() {
            program.set_texture("baseTexture", texture.id());
        }
    }

    fn covers_by_alpha(&self) -> bool {
        self.is_covering()
    }

    fn states(&self) -> RenderStates {
        let own = if self.is_double_sided() || self.mirrors { Cull::None } else { Cull::Back };
        let cull = self.cull.unwrap_or(own);
        let solid = RenderStates { cull, depth_test: DepthTest::LessOrEqual, ..RenderStates::default() };
        match self.pass {
            // The alpha of sample coverage must not be written to the image.
            Pass::Solid if self.is_covering() => RenderStates { write_mask: COLOR_AND_DEPTH, ..solid },
            Pass::Solid | Pass::Mask | Pass::Glass { .. } => solid,
            Pass::Blended => RenderStates { blend: Blend::TRANSPARENCY, write_mask: WriteMask::COLOR, ..solid },
        }
    }
}
