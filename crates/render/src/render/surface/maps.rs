use std::fmt::Write as _;

use glam::{Affine2, Mat3};

use crate::render::gl::gpu_program::GpuProgram;
use crate::render::gl::program::SetUniform;
use crate::render::rig::gpu_rig::MaterialMap;
use rigscope_core::rig::{CoordSet, MapKind};

pub(super) struct MapsShader<'a>(Vec<MaterialMap<'a>>);

impl<'a> MapsShader<'a> {
    /// Number of bits in [`Self::variant`]: three per kind of map.
    pub(super) const VARIANT_BITS: u32 = 3 * MapKind::ALL.len() as u32;

    pub(super) fn new(maps: Vec<MaterialMap<'a>>) -> Self {
        Self(maps)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn variant(&self) -> u64 {
        let bits = |map: &MaterialMap<'_>| {
            let is_second = u64::from(map.texture.coords == CoordSet::Second);
            let is_moved = u64::from(map.texture.transform.is_some());
            (1 | is_second << 1 | is_moved << 2) << (3 * map.kind as u32)
        };
        self.0.iter().map(bits).fold(0, |all, bits| all | bits)
    }

    /// Declares, for each texture, a switch, a sampler and a coordinate function, such as `NORMAL_MAP`, `normalMap`,
    /// `normalMapAt()`.
    pub(super) fn source(&self) -> String {
        let mut source = String::new();
        for map in &self.0 {
            let (switch, name) = names(map.kind);
            let coords = if map.texture.coords == CoordSet::Second { "secondUvs" } else { "uvs" };
            let (uniform, at) = if map.texture.transform.is_some() {
                (format!("uniform mat3 {name}FromUv;\n"), format!("({name}FromUv * vec3({coords}, 1.0)).xy"))
            } else {
                (String::new(), coords.to_owned())
            };
            _ = writeln!(source, "#define {switch}\nuniform sampler2D {name};\n{uniform}#define {name}At() ({at})");
        }
        source
    }

    pub(super) fn set_uniforms(&self, program: &GpuProgram) {
        for map in &self.0 {
            let (_, name) = names(map.kind);
            program.set_texture(name, map.image.id());
            if let Some(transform) = map.texture.transform {
                program.set(&format!("{name}FromUv"), matrix(transform));
            }
        }
    }
}

pub(super) fn set_moved_coords(program: &GpuProgram, moved: Option<Affine2>) {
    program.set("movedCoords", matrix(moved.unwrap_or(Affine2::IDENTITY)));
}

fn matrix(transform: Affine2) -> Mat3 {
    Mat3::from_cols(
        transform.matrix2.x_axis.extend(0.0),
        transform.matrix2.y_axis.extend(0.0),
        transform.translation.extend(1.0),
    )
}

fn names(kind: MapKind) -> (&'static str, &'static str) {
    match kind {
        MapKind::Normal => ("NORMAL_MAP", "normalMap"),
        MapKind::MetallicRoughness => ("METALLIC_ROUGHNESS_MAP", "metallicRoughnessMap"),
        MapKind::SpecularGlossiness => ("SPECULAR_GLOSSINESS_MAP", "specularGlossinessMap"),
        MapKind::Occlusion => ("OCCLUSION_MAP", "occlusionMap"),
        MapKind::Emission => ("EMISSION_MAP", "emissionMap"),
        MapKind::Coat => ("COAT_MAP", "coatMap"),
        MapKind::CoatRoughness => ("COAT_ROUGHNESS_MAP", "coatRoughnessMap"),
        MapKind::CoatNormal => ("COAT_NORMAL_MAP", "coatNormalMap"),
        MapKind::Sheen => ("SHEEN_MAP", "sheenMap"),
        MapKind::SheenRoughness => ("SHEEN_ROUGHNESS_MAP", "sheenRoughnessMap"),
        MapKind::Specular => ("SPECULAR_MAP", "specularMap"),
        MapKind::SpecularColor => ("SPECULAR_COLOR_MAP", "specularColorMap"),
        MapKind::Transmission => ("TRANSMISSION_MAP", "transmissionMap"),
    }
}
