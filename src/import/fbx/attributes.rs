//! Attributes of the corners of a mesh: normals, texture coordinates, colours.

use glam::{Vec2, Vec3, Vec4};
use rayon::prelude::*;

use super::FEW;
use super::from_ufbx::{vec2, vec3, vec4};

/// Values of corners as the reader keeps them: a list of values, and for each corner the index of its value.
#[derive(Clone, Copy)]
pub(super) struct Indexed<'a, T> {
    indices: &'a [u32],
    values: &'a [T],
}

impl<'a, T> Indexed<'a, T> {
    fn get(&self, corner: u32) -> Option<&'a T> {
        self.values.get(*self.indices.get(corner as usize)? as usize)
    }

    fn are_same(&self, a: u32, b: u32, are_equal: impl Fn(&T, &T) -> bool) -> bool {
        let is_one_value = self.indices.get(a as usize) == self.indices.get(b as usize);
        is_one_value || self.get(a).zip(self.get(b)).is_some_and(|(a, b)| are_equal(a, b))
    }
}

/// The attributes of a mesh that become attributes of vertices.
pub(super) struct Attributes<'a> {
    points: Indexed<'a, ufbx::Vec3>,
    normals: Option<Indexed<'a, ufbx::Vec3>>,
    tex_coords: Option<Indexed<'a, ufbx::Vec2>>,
    colors: Option<Indexed<'a, ufbx::Vec4>>,
}

impl<'a> Attributes<'a> {
    /// Attributes of a mesh, with the texture coordinates of one of its sets.
    pub(super) fn new(mesh: &'a ufbx::Mesh, tex_coords: Option<&'a ufbx::UvSet>, has_colors: bool) -> Self {
        let (normals, colors) = (&mesh.vertex_normal, &mesh.vertex_color);
        Self {
            points: Indexed { indices: &mesh.vertex_indices, values: &mesh.vertices },
            normals: has_normals(mesh).then(|| Indexed { indices: &normals.indices, values: &normals.values }),
            tex_coords: tex_coords.map(|s| Indexed { indices: &s.vertex_uv.indices, values: &s.vertex_uv.values }),
            colors: has_colors.then(|| Indexed { indices: &colors.indices, values: &colors.values }),
        }
    }

    /// Points and normals of a mesh, without other attributes.
    #[cfg(test)]
    pub(super) fn of(
        points: &'a [u32],
        values: &'a [ufbx::Vec3],
        normals: Option<(&'a [u32], &'a [ufbx::Vec3])>,
    ) -> Self {
        let normals = normals.map(|(indices, values)| Indexed { indices, values });
        Self { points: Indexed { indices: points, values }, normals, tex_coords: None, colors: None }
    }

    /// Index of the point that a corner lies on.
    pub(super) fn point(&self, corner: u32) -> Option<u32> {
        self.points.indices.get(corner as usize).copied()
    }

    /// True for two corners of one point that can share a vertex.
    pub(super) fn are_same(&self, a: u32, b: u32) -> bool {
        self.normals.is_none_or(|n| n.are_same(a, b, |a, b| (a.x, a.y, a.z) == (b.x, b.y, b.z)))
            && self.tex_coords.is_none_or(|t| t.are_same(a, b, |a, b| (a.x, a.y) == (b.x, b.y)))
            && self.colors.is_none_or(|c| c.are_same(a, b, |a, b| (a.x, a.y, a.z, a.w) == (b.x, b.y, b.z, b.w)))
    }

    pub(super) fn positions(&self, corners: &[u32]) -> Vec<Vec3> {
        gathered(Some(self.points), corners, vec3).unwrap_or_default()
    }

    pub(super) fn normals(&self, corners: &[u32]) -> Option<Vec<Vec3>> {
        gathered(self.normals, corners, vec3)
    }

    /// Texture coordinates of corners, v up.
    pub(super) fn tex_coords(&self, corners: &[u32]) -> Option<Vec<Vec2>> {
        gathered(self.tex_coords, corners, vec2)
    }

    pub(super) fn colors(&self, corners: &[u32]) -> Option<Vec<Vec4>> {
        gathered(self.colors, corners, vec4)
    }
}

fn gathered<T: Sync, V: Send + Default>(
    attribute: Option<Indexed<'_, T>>,
    corners: &[u32],
    convert: impl Fn(&T) -> V + Sync,
) -> Option<Vec<V>> {
    let attribute = attribute?;
    let value = |&corner: &u32| attribute.get(corner).map(&convert).unwrap_or_default();
    Some(if corners.len() < FEW {
        corners.iter().map(value).collect()
    } else {
        corners.par_iter().map(value).collect()
    })
}

/// True where a mesh has normals of use. Those that the reader makes up count only if the file says which edges are smooth; otherwise flat shading looks the same.
fn has_normals(mesh: &ufbx::Mesh) -> bool {
    let is_smoothed = mesh.face_smoothing.count > 0 || mesh.edge_smoothing.count > 0;
    mesh.vertex_normal.exists && (!mesh.generated_normals || is_smoothed)
}
