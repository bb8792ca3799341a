//! Conversions from glam to three-d's cgmath. Only `render` uses cgmath.

use glam::{Mat4, Vec3};

pub(crate) fn vec3(v: Vec3) -> three_d::Vec3 {
    three_d::vec3(v.x, v.y, v.z)
}

pub(crate) fn mat4(m: Mat4) -> three_d::Mat4 {
    m.to_cols_array_2d().into()
}

/// Converts a count of texels or bytes; all are far below the type's limit.
pub(crate) fn int(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
