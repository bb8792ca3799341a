//! Numeric helpers with identical results on every machine: f64 with `sqrt`, and `libm` for other functions.

use glam::{DMat3, DQuat, DVec3};

/// Creates a vector, with a short name for long tables.
pub const fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// Returns 0 below `low` and 1 above `high`, with a smooth transition between.
pub fn smoothstep(low: f64, high: f64, x: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Interpolates linearly from `a` at 0 to `b` at 1.
pub fn mix(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

/// Minimum with a blend of width `k`: a smooth union of two distance fields.
pub fn smooth_min(a: f64, b: f64, k: f64) -> f64 {
    let h = (k - (a - b).abs()).max(0.0) / k;
    a.min(b) - h * h * k * 0.25
}

/// Maximum with a blend of width `k`: a smooth intersection or, with `-b`, a smooth subtraction.
pub fn smooth_max(a: f64, b: f64, k: f64) -> f64 {
    -smooth_min(-a, -b, k)
}

/// Normalises a vector. The zero vector stays zero instead of becoming NaN.
pub fn unit(a: DVec3) -> DVec3 {
    let length = a.dot(a).sqrt();
    if length > 1e-300 { a / length } else { DVec3::ZERO }
}

/// Returns the length, using the correctly rounded `sqrt`.
pub fn length(a: DVec3) -> f64 {
    a.dot(a).sqrt()
}

/// Returns the sine of an angle in degrees.
pub fn sin_deg(degrees: f64) -> f64 {
    libm::sin(degrees.to_radians())
}

/// Returns the cosine of an angle in degrees.
pub fn cos_deg(degrees: f64) -> f64 {
    libm::cos(degrees.to_radians())
}

/// Returns a rotation about a unit axis. Glam's own function uses the platform's `sin`.
pub fn turn(axis: DVec3, degrees: f64) -> DQuat {
    let half = degrees * 0.5;
    let s = sin_deg(half);
    DQuat::from_xyzw(axis.x * s, axis.y * s, axis.z * s, cos_deg(half))
}

/// Returns orthonormal axes with `y` along `along`, and `z` as close as possible to `front`.
pub fn axes_along(along: DVec3, front: DVec3) -> DMat3 {
    let y = unit(along);
    let z = unit(front - y * front.dot(y));
    DMat3::from_cols(y.cross(z), y, z)
}

/// Converts a rotation matrix to a quaternion by Shepperd's method, which avoids cancellation.
pub fn quat_from_axes(m: &DMat3) -> DQuat {
    let [x, y, z] = [m.x_axis, m.y_axis, m.z_axis];
    let q = if x.x + y.y + z.z > 0.0 {
        DQuat::from_xyzw(y.z - z.y, z.x - x.z, x.y - y.x, 1.0 + x.x + y.y + z.z)
    } else if x.x >= y.y && x.x >= z.z {
        DQuat::from_xyzw(1.0 + x.x - y.y - z.z, x.y + y.x, x.z + z.x, y.z - z.y)
    } else if y.y >= z.z {
        DQuat::from_xyzw(x.y + y.x, 1.0 + y.y - x.x - z.z, y.z + z.y, z.x - x.z)
    } else {
        DQuat::from_xyzw(x.z + z.x, y.z + z.y, 1.0 + z.z - x.x - y.y, x.y - y.x)
    };
    unit_quat(q)
}

/// Normalises a quaternion.
pub fn unit_quat(q: DQuat) -> DQuat {
    let length = (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w).sqrt();
    DQuat::from_xyzw(q.x / length, q.y / length, q.z / length, q.w / length)
}

/// Returns the Hamilton product. Glam may use vector instructions that add in another order.
pub fn quat_mul(a: DQuat, b: DQuat) -> DQuat {
    DQuat::from_xyzw(
        a.w * b.x + a.x * b.w + (a.y * b.z - a.z * b.y),
        a.w * b.y + a.y * b.w + (a.z * b.x - a.x * b.z),
        a.w * b.z + a.z * b.w + (a.x * b.y - a.y * b.x),
        a.w * b.w - a.x * b.x - (a.y * b.y + a.z * b.z),
    )
}

/// Rotates a vector: `q v q*`.
pub fn rotate(q: DQuat, p: DVec3) -> DVec3 {
    let u = v(q.x, q.y, q.z);
    let t = u.cross(p) * 2.0;
    p + t * q.w + u.cross(t)
}
