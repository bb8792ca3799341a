use glam::{Vec2, Vec3, Vec4};
use serde_json::{Map, Value, json};

use super::buffer::{GlbBuffer, ViewContent};
use crate::export::export_file::left_out;
use crate::export::posed_meshes::finite;
use rigscope_core::rig::{CoordSet, Primitive, VertexStream};

#[derive(Clone, Copy)]
pub(super) struct Vertices<'a> {
    /// Finite positions, in metres.
    pub positions: &'a [Vec3],
    pub normals: Option<&'a [Vec3]>,
    pub tangents: Option<&'a [Vec4]>,
    pub source: &'a Primitive,
}

impl Vertices<'_> {
    pub(super) fn attributes(&self, buffer: &mut GlbBuffer) -> Map<String, Value> {
        let mut attributes = Map::new();
        let mut add = |name: &str, accessor: usize| _ = attributes.insert(name.to_owned(), json!(accessor));
        add("POSITION", buffer.positions(self.positions));
        if let Some(normals) = self.normals {
            // A collapsed surface has no defined normal, so any unit vector is valid.
            let units = normals.iter().map(|n| unit(*n, Vec3::Y).to_array());
            add("NORMAL", buffer.rows(units, ViewContent::Vertices));
        }
        if let Some(tangents) = self.tangents {
            let side = |t: &Vec4| if t.w < 0.0 { -1.0 } else { 1.0 };
            let units = tangents.iter().map(|t| unit(t.truncate(), Vec3::X).extend(side(t)).to_array());
            add("TANGENT", buffer.rows(units, ViewContent::Vertices));
        }
        for (number, set) in coord_sets(self.source).into_iter().enumerate() {
            let accessor = match set {
                WrittenSet::Drawn(_, uvs) => {
                    buffer.rows(uvs.iter().map(|uv| uv.to_array().map(finite)), ViewContent::Vertices)
                }
                WrittenSet::Spare(stream) => stream_accessor(stream, buffer),
            };
            add(&format!("TEXCOORD_{number}"), accessor);
        }
        let mut colors = 0..;
        if let Some(drawn) = &self.source.colors {
            let accessor = buffer.rows(drawn.iter().map(|c| clamped(*c).to_array()), ViewContent::Vertices);
            add(&color_name(&mut colors), accessor);
        }
        for stream in self.source.streams.iter().filter(|stream| stream.tex_coord_number().is_none()) {
            let is_color = stream.name.starts_with("COLOR_");
            let name = if is_color { color_name(&mut colors) } else { stream.name.clone() };
            add(&name, stream_accessor(stream, buffer));
        }
        attributes
    }
}

fn color_name(numbers: &mut impl Iterator<Item = u32>) -> String {
    format!("COLOR_{}", numbers.next().unwrap_or_default())
}

fn stream_accessor(stream: &VertexStream, buffer: &mut GlbBuffer) -> usize {
    fn rows<const N: usize>(values: &[f32], buffer: &mut GlbBuffer) -> usize {
        buffer.rows(values.as_chunks::<N>().0.iter().map(|row| row.map(finite)), ViewContent::Vertices)
    }
    match stream.width {
        1 => rows::<1>(&stream.values, buffer),
        2 => rows::<2>(&stream.values, buffer),
        3 => rows::<3>(&stream.values, buffer),
        _ => rows::<4>(&stream.values, buffer),
    }
}

pub(super) enum WrittenSet<'a> {
    Drawn(CoordSet, &'a [Vec2]),
    Spare(&'a VertexStream),
}

/// Returns the UV sets of a primitive in file order, because engines identify sets by number.
pub(super) fn coord_sets(primitive: &Primitive) -> Vec<WrittenSet<'_>> {
    let [first, second] = primitive.coord_numbers;
    let drawn =
        [(first, CoordSet::First, &primitive.tex_coords), (second, CoordSet::Second, &primitive.second_tex_coords)];
    let drawn =
        drawn.into_iter().filter_map(|(number, set, uvs)| Some((number, WrittenSet::Drawn(set, uvs.as_ref()?))));
    let spare =
        primitive.streams.iter().filter_map(|stream| Some((stream.tex_coord_number()?, WrittenSet::Spare(stream))));
    let mut sets: Vec<(u32, WrittenSet<'_>)> = drawn.chain(spare).collect();
    sets.sort_by_key(|(number, _)| *number);
    sets.into_iter().map(|(_, set)| set).collect()
}

/// Returns the glTF `mode` of a primitive, and its point or line indices (`None` for triangles).
pub(super) fn mode(primitive: &Primitive) -> (u32, Option<&[u32]>) {
    match (primitive.points.is_empty(), primitive.lines.is_empty()) {
        (false, _) => (0, Some(&primitive.points)),
        (_, false) => (1, Some(&primitive.lines)),
        _ => (4, None),
    }
}

/// Lengths that differ from 1 by no more than this are left as they are. glTF's own sample models have rounding errors
/// of this size.
pub(super) const OFF_UNIT: f32 = 0.005;

/// Normalizes a direction unless its length is already near 1. Returns `any` if the vector cannot be normalized.
fn unit(direction: Vec3, any: Vec3) -> Vec3 {
    if (direction.length() - 1.0).abs() <= OFF_UNIT { direction } else { direction.try_normalize().unwrap_or(any) }
}

pub(super) fn clamped_colors(is_clamped: bool) -> Option<String> {
    let reason = "glTF limits colours to 0 to 1; others were clamped";
    left_out(usize::from(is_clamped), "range of colours", "", reason)
}

pub(super) fn is_out_of_range(color: &Vec4) -> bool {
    *color != clamped(*color)
}

pub(super) fn clamped(color: Vec4) -> Vec4 {
    Vec4::from_array(color.to_array().map(|x| if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) }))
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
