use glam::{Affine3, Mat3, Quat, Vec2, Vec3, Vec4};

use rigscope_core::rig::Trs;

pub(super) fn vec2(v: &ufbx::Vec2) -> Vec2 {
    Vec2::new(v.x as f32, v.y as f32)
}

pub(super) fn vec3(v: &ufbx::Vec3) -> Vec3 {
    Vec3::new(v.x as f32, v.y as f32, v.z as f32)
}

pub(super) fn vec4(v: &ufbx::Vec4) -> Vec4 {
    Vec4::new(v.x as f32, v.y as f32, v.z as f32, v.w as f32)
}

/// Normalizes a quaternion. Returns the identity if its length is 0.
pub(super) fn unit_quat(q: &ufbx::Quat) -> Quat {
    let length = (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w).sqrt();
    if length > 1e-12 && length.is_finite() {
        Quat::from_xyzw((q.x / length) as f32, (q.y / length) as f32, (q.z / length) as f32, (q.w / length) as f32)
    } else {
        Quat::IDENTITY
    }
}

pub(super) fn affine(m: &ufbx::Matrix) -> Affine3 {
    let column = |x: f64, y: f64, z: f64| Vec3::new(x as f32, y as f32, z as f32);
    Affine3 {
        matrix3: Mat3::from_cols(column(m.m00, m.m10, m.m20), column(m.m01, m.m11, m.m21), column(m.m02, m.m12, m.m22)),
        translation: column(m.m03, m.m13, m.m23),
    }
}

pub(super) fn trs(t: &ufbx::Transform) -> Trs {
    Trs { translation: vec3(&t.translation), rotation: unit_quat(&t.rotation), scale: vec3(&t.scale) }
}
