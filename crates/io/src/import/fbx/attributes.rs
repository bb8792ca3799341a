use glam::{Vec2, Vec3, Vec4};
use rayon::prelude::*;

use super::MIN_PARALLEL;
use super::from_ufbx::{vec2, vec3, vec4};
use rigscope_core::rig::VertexStream;

/// Corner attribute as ufbx stores it: a list of values, and an index into it for each corner.
#[derive(Clone, Copy)]
pub(super) struct CornerValues<'a, T> {
    indices: &'a [u32],
    values: &'a [T],
}

impl<'a, T> CornerValues<'a, T> {
    fn get(&self, corner: u32) -> Option<&'a T> {
        self.values.get(*self.indices.get(corner as usize)? as usize)
    }

    fn are_same(&self, a: u32, b: u32, are_equal: impl Fn(&T, &T) -> bool) -> bool {
        let is_one_value = self.indices.get(a as usize) == self.indices.get(b as usize);
        is_one_value || self.get(a).zip(self.get(b)).is_some_and(|(a, b)| are_equal(a, b))
    }
}

pub(super) struct Attributes<'a> {
    points: CornerValues<'a, ufbx::Vec3>,
    normals: Option<CornerValues<'a, ufbx::Vec3>>,
    tex_coords: Option<CornerValues<'a, ufbx::Vec2>>,
    colors: Option<CornerValues<'a, ufbx::Vec4>>,
    tangents: Option<[CornerValues<'a, ufbx::Vec3>; 2]>,
    /// UV sets that are not drawn, each with its glTF attribute name.
    spare_coords: Vec<(String, CornerValues<'a, ufbx::Vec2>)>,
    spare_colors: Vec<(String, CornerValues<'a, ufbx::Vec4>)>,
    /// Index of the drawn UV set among the UV sets of the mesh.
    coord_number: u32,
}

impl<'a> Attributes<'a> {
    /// Collects attributes; `tex_coords` is the drawn UV set. Without `has_colors`, the names of colour attributes
    /// start with `_`, so that other programs ignore them.
    pub(super) fn new(mesh: &'a ufbx::Mesh, tex_coords: Option<&'a ufbx::UvSet>, has_colors: bool) -> Self {
        let (normals, colors) = (&mesh.vertex_normal, &mesh.vertex_color);
        let has_colors = has_colors && colors.exists;
        let sets = (0_u32..).zip(mesh.uv_sets.iter()).filter(|(_, set)| set.vertex_uv.exists);
        let is_drawn = |set: &ufbx::UvSet| tex_coords.is_some_and(|drawn| std::ptr::eq(drawn, set));
        let spare_coords = sets.clone().filter(|(_, set)| !is_drawn(set)).map(|(number, set)| {
            let values = CornerValues { indices: &set.vertex_uv.indices, values: &set.vertex_uv.values };
            (format!("TEXCOORD_{number}"), values)
        });
        let prefix = if has_colors { "" } else { "_" };
        let further = mesh.color_sets.iter().enumerate().skip(usize::from(has_colors));
        let spare_colors = further.filter(|(_, set)| set.vertex_color.exists).map(|(number, set)| {
            let values = CornerValues { indices: &set.vertex_color.indices, values: &set.vertex_color.values };
            (format!("{prefix}COLOR_{number}"), values)
        });
        let directions = |v: &'a ufbx::VertexVec3| CornerValues { indices: &v.indices, values: &v.values };
        let tangents =
            tex_coords.filter(|set| has_normals(mesh) && set.vertex_tangent.exists && set.vertex_bitangent.exists);
        Self {
            coord_number: sets.clone().find(|(_, set)| is_drawn(set)).map_or(0, |(number, _)| number),
            tangents: tangents.map(|set| [&set.vertex_tangent, &set.vertex_bitangent].map(directions)),
            spare_coords: spare_coords.collect(),
            spare_colors: spare_colors.collect(),
            points: CornerValues { indices: &mesh.vertex_indices, values: &mesh.vertices },
            normals: has_normals(mesh).then(|| CornerValues { indices: &normals.indices, values: &normals.values }),
            tex_coords: tex_coords.map(|s| CornerValues { indices: &s.vertex_uv.indices, values: &s.vertex_uv.values }),
            colors: has_colors.then(|| CornerValues { indices: &colors.indices, values: &colors.values }),
        }
    }

    #[cfg(test)]
    pub(super) fn from_lists(
        points: &'a [u32],
        values: &'a [ufbx::Vec3],
        normals: Option<(&'a [u32], &'a [ufbx::Vec3])>,
    ) -> Self {
        let normals = normals.map(|(indices, values)| CornerValues { indices, values });
        Self {
            points: CornerValues { indices: points, values },
            normals,
            tex_coords: None,
            colors: None,
            tangents: None,
            spare_coords: Vec::new(),
            spare_colors: Vec::new(),
            coord_number: 0,
        }
    }

    pub(super) fn point(&self, corner: u32) -> Option<u32> {
        self.points.indices.get(corner as usize).copied()
    }

    pub(super) fn are_same(&self, a: u32, b: u32) -> bool {
        let coords = self.tex_coords.iter().chain(self.spare_coords.iter().map(|(_, set)| set));
        let colors = self.colors.iter().chain(self.spare_colors.iter().map(|(_, set)| set));
        self.normals.is_none_or(|n| n.are_same(a, b, |a, b| (a.x, a.y, a.z) == (b.x, b.y, b.z)))
            && coords.into_iter().all(|t| t.are_same(a, b, |a, b| (a.x, a.y) == (b.x, b.y)))
            && colors.into_iter().all(|c| c.are_same(a, b, |a, b| (a.x, a.y, a.z, a.w) == (b.x, b.y, b.z, b.w)))
            && self.tangents.iter().flatten().all(|t| t.are_same(a, b, are_near))
    }

    pub(super) fn spare_bytes(&self) -> u64 {
        let coords = (self.spare_coords.len() as u64).saturating_mul(8);
        let colors = (self.spare_colors.len() as u64).saturating_mul(16);
        coords.saturating_add(colors).saturating_add(if self.tangents.is_some() { 16 } else { 0 })
    }

    pub(super) fn coord_number(&self) -> u32 {
        self.coord_number
    }

    /// Returns the tangents of corners; the normals determine the handedness. Returns `None` if the mesh has no
    /// tangents or no normals, or if any tangent is degenerate.
    pub(super) fn tangents(&self, corners: &[u32], normals: Option<&[Vec3]>) -> Option<Vec<Vec4>> {
        let [tangents, bitangents] = self.tangents?.map(|directions| gathered(Some(directions), corners, vec3));
        let directions = tangents?.into_iter().zip(bitangents?).zip(normals?);
        let tangent = |((tangent, bitangent), normal): ((Vec3, Vec3), &Vec3)| {
            let side = if normal.cross(tangent).dot(bitangent) < 0.0 { -1.0 } else { 1.0 };
            Some(tangent.try_normalize()?.extend(side))
        };
        directions.map(tangent).collect()
    }

    /// Returns the attributes that are not drawn. In texture coordinates, v points down.
    pub(super) fn streams(&self, corners: &[u32]) -> Vec<VertexStream> {
        let coords = self.spare_coords.iter().filter_map(|(name, set)| {
            let uvs = gathered(Some(*set), corners, vec2)?;
            let values = uvs.into_iter().flat_map(|uv| [uv.x, 1.0 - uv.y]).collect();
            Some(VertexStream { name: name.clone(), width: 2, values })
        });
        let colors = self.spare_colors.iter().filter_map(|(name, set)| {
            let colors = gathered(Some(*set), corners, vec4)?;
            let values = colors.into_iter().flat_map(|color| color.to_array()).collect();
            Some(VertexStream { name: name.clone(), width: 4, values })
        });
        coords.chain(colors).collect()
    }

    pub(super) fn positions(&self, corners: &[u32]) -> Vec<Vec3> {
        gathered(Some(self.points), corners, vec3).unwrap_or_default()
    }

    pub(super) fn normals(&self, corners: &[u32]) -> Option<Vec<Vec3>> {
        gathered(self.normals, corners, vec3)
    }

    /// Returns texture coordinates of corners, with v pointing up.
    pub(super) fn tex_coords(&self, corners: &[u32]) -> Option<Vec<Vec2>> {
        gathered(self.tex_coords, corners, vec2)
    }

    pub(super) fn colors(&self, corners: &[u32]) -> Option<Vec<Vec4>> {
        gathered(self.colors, corners, vec4)
    }
}

/// Compares directions with a tolerance, since exporters compute the tangent of each corner separately, with rounding
/// errors.
fn are_near(a: &ufbx::Vec3, b: &ufbx::Vec3) -> bool {
    vec3(a).abs_diff_eq(vec3(b), 1e-3)
}

fn gathered<T: Sync, V: Send + Default>(
    attribute: Option<CornerValues<'_, T>>,
    corners: &[u32],
    convert: impl Fn(&T) -> V + Sync,
) -> Option<Vec<V>> {
    let attribute = attribute?;
    let value = |&corner: &u32| attribute.get(corner).map(&convert).unwrap_or_default();
    Some(if corners.len() < MIN_PARALLEL {
        corners.iter().map(value).collect()
    } else {
        corners.par_iter().map(value).collect()
    })
}

/// Returns whether to use the mesh's normals. Normals that ufbx generates without smoothing data are flat, so they are
/// ignored.
fn has_normals(mesh: &ufbx::Mesh) -> bool {
    let is_smoothed = mesh.face_smoothing.count > 0 || mesh.edge_smoothing.count > 0;
    mesh.vertex_normal.exists && (!mesh.generated_normals || is_smoothed)
}
