//! Vertex attributes, as both posed meshes and rigs write them.

use glam::{Vec2, Vec3, Vec4};
use serde_json::{Map, Value, json};

use super::buffer::{Content, GlbBuffer};
use super::colors::clamped;
use crate::export::posed_meshes::finite;
use crate::rig::Primitive;

/// The vertices of a primitive to write.
#[derive(Clone, Copy)]
pub(super) struct Vertices<'a> {
    /// Positions, metres, finite.
    pub positions: &'a [Vec3],
    pub normals: Option<&'a [Vec3]>,
    pub tangents: Option<&'a [Vec4]>,
    /// Texture coordinates for `TEXCOORD_0` and `TEXCOORD_1`, where there are any.
    pub tex_coords: [&'a Option<Vec<Vec2>>; 2],
    /// Vertex colours, linear RGBA.
    pub colors: Option<&'a [Vec4]>,
}

impl Vertices<'_> {
    /// The accessors of the attributes that exist, by their names in glTF.
    pub(super) fn attributes(&self, buffer: &mut GlbBuffer) -> Map<String, Value> {
        let mut attributes = Map::new();
        let mut add = |name: &str, accessor: usize| _ = attributes.insert(name.to_owned(), json!(accessor));
        add("POSITION", buffer.positions(self.positions));
        if let Some(normals) = self.normals {
            // Where the skin has collapsed, any direction will do.
            let units = normals.iter().map(|n| unit(*n, Vec3::Y).to_array());
            add("NORMAL", buffer.rows(units, Content::Vertices));
        }
        if let Some(tangents) = self.tangents {
            let side = |t: &Vec4| if t.w < 0.0 { -1.0 } else { 1.0 };
            let units = tangents.iter().map(|t| unit(t.truncate(), Vec3::X).extend(side(t)).to_array());
            add("TANGENT", buffer.rows(units, Content::Vertices));
        }
        for (number, tex_coords) in self.tex_coords.into_iter().flatten().enumerate() {
            let uvs = tex_coords.iter().map(|uv| uv.to_array().map(finite));
            add(&format!("TEXCOORD_{number}"), buffer.rows(uvs, Content::Vertices));
        }
        if let Some(colors) = self.colors {
            add("COLOR_0", buffer.rows(colors.iter().map(|c| clamped(*c).to_array()), Content::Vertices));
        }
        attributes
    }
}

/// The primitive's `mode` in glTF, and its vertex numbers if it is not made of triangles.
pub(super) fn mode(primitive: &Primitive) -> (u32, Option<&[u32]>) {
    match (primitive.points.is_empty(), primitive.lines.is_empty()) {
        (false, _) => (0, Some(&primitive.points)),
        (_, false) => (1, Some(&primitive.lines)),
        _ => (4, None),
    }
}

/// Deviation from unit length that is kept; glTF's own examples are rounded as much.
pub(super) const OFF_UNIT: f32 = 0.005;

/// The direction at unit length. A length near 1 is kept as it is; `any` replaces a direction without length.
fn unit(direction: Vec3, any: Vec3) -> Vec3 {
    if (direction.length() - 1.0).abs() <= OFF_UNIT { direction } else { direction.try_normalize().unwrap_or(any) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_become_units_unless_they_nearly_are() {
        let rounded = Vec3::new(0.0, 0.999, 0.0);
        assert_eq!(unit(rounded, Vec3::X), rounded);
        assert_eq!(unit(Vec3::new(0.0, 3.0, 0.0), Vec3::X), Vec3::Y);
        assert_eq!(unit(Vec3::ZERO, Vec3::X), Vec3::X);
    }
}
