//! What a primitive has, as switches of its shaders.

use three_d::GeometryId;

use super::method_shader::skinned_by_method;
use crate::rig::{Influences, Primitive};

/// Switches of `skinning.glsl` and `primitive.vert`; each set is its own program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Features(u16);

impl Features {
    const NORMALS: u16 = 1;
    const TEX_COORDS: u16 = 1 << 1;
    const COLORS: u16 = 1 << 2;
    const SKINNED: u16 = 1 << 3;
    const MORE_INFLUENCES: u16 = 1 << 4;
    const MORPHED: u16 = 1 << 5;
    const NAMES: [(u16, &str); 6] = [
        (Self::NORMALS, "NORMALS"),
        (Self::TEX_COORDS, "TEX_COORDS"),
        (Self::COLORS, "COLORS"),
        (Self::SKINNED, "SKINNED"),
        (Self::MORE_INFLUENCES, "MORE_INFLUENCES"),
        (Self::MORPHED, "MORPHED"),
    ];
    /// Start of our range in three-d's numbers of shader variants; below 0x8000 they are free for use.
    const FIRST_GEOMETRY_ID: u16 = 0x0100;

    pub fn of(primitive: &Primitive, is_skinned: bool) -> Self {
        let per_vertex = if is_skinned { primitive.influences.as_ref().map_or(0, Influences::per_vertex) } else { 0 };
        let bit = |bit: u16, is_on: bool| if is_on { bit } else { 0 };
        Self(
            bit(Self::NORMALS, primitive.normals.is_some())
                | bit(Self::TEX_COORDS, primitive.tex_coords.is_some())
                | bit(Self::COLORS, primitive.colors.is_some())
                | bit(Self::SKINNED, per_vertex > 0)
                | bit(Self::MORE_INFLUENCES, per_vertex > 4)
                | bit(Self::MORPHED, !primitive.morph_targets.is_empty()),
        )
    }

    pub fn has_normals(self) -> bool {
        self.0 & Self::NORMALS != 0
    }

    pub fn geometry_id(self) -> GeometryId {
        GeometryId(Self::FIRST_GEOMETRY_ID + self.0)
    }

    /// The switches, the skinning functions and then `main`.
    pub fn vertex_shader(self, main: &str) -> String {
        let by_method = if self.0 & Self::SKINNED != 0 { skinned_by_method() } else { String::new() };
        format!("{}{}\n{by_method}{main}", self.defines(), include_str!("skinning.glsl"))
    }

    /// The switches and then `main`.
    pub fn fragment_shader(self, main: &str) -> String {
        format!("{}{main}", self.defines())
    }

    fn defines(self) -> String {
        let names = Self::NAMES.iter().filter(|(bit, _)| self.0 & bit != 0);
        names.fold(String::new(), |defines, (_, name)| defines + "#define " + name + "\n")
    }
}
