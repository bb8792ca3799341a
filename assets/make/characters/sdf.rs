//! Signed distance fields (metres, negative inside) of the shapes that form the figure.
//!
//! *Source* of the formulas: Inigo Quilez, "distance functions" (ellipsoid bound, round cone).

use glam::DVec3;

use super::math::{length, smooth_min, v};

/// Signed distance to a sphere.
pub fn sphere(p: DVec3, centre: DVec3, radius: f64) -> f64 {
    length(p - centre) - radius
}

/// Approximate signed distance to an axis-aligned ellipsoid. It is exact on the surface.
pub fn ellipsoid(p: DVec3, centre: DVec3, radii: DVec3) -> f64 {
    let q = p - centre;
    let k0 = length(q / radii);
    let k1 = length(q / (radii * radii));
    if k1 < 1e-12 { -radii.min_element() } else { k0 * (k0 - 1.0) / k1 }
}

/// Signed distance to a tapered capsule: the hull of two spheres.
pub fn round_cone(p: DVec3, a: DVec3, b: DVec3, radius_a: f64, radius_b: f64) -> f64 {
    let axis = b - a;
    let l2 = axis.dot(axis);
    let taper = radius_a - radius_b;
    let a2 = l2 - taper * taper;
    let pa = p - a;
    let y = pa.dot(axis);
    let z = y - l2;
    let across = pa * l2 - axis * y;
    let x2 = across.dot(across);
    let (y2, z2) = (y * y * l2, z * z * l2);
    let k = taper.signum() * taper * taper * x2;
    if z.signum() * a2 * z2 > k {
        (x2 + z2).sqrt() / l2 - radius_b
    } else if y.signum() * a2 * y2 < k {
        (x2 + y2).sqrt() / l2 - radius_a
    } else {
        ((x2 * a2 / l2).sqrt() + y * taper) / l2 - radius_a
    }
}

/// Signed distance to tapered capsules along `points` (position, radius), blended with width `k`.
pub fn strand(p: DVec3, points: &[(DVec3, f64)], k: f64) -> f64 {
    points.windows(2).fold(f64::INFINITY, |nearest, pair| {
        smooth_min(nearest, round_cone(p, pair[0].0, pair[1].0, pair[0].1, pair[1].1), k)
    })
}

/// Returns the distance to a line segment, and the fraction of its length (0 to 1) at the closest point.
pub fn segment(p: DVec3, a: DVec3, b: DVec3) -> (f64, f64) {
    let axis = b - a;
    let t = ((p - a).dot(axis) / axis.dot(axis)).clamp(0.0, 1.0);
    (length(p - a - axis * t), t)
}

/// Returns the gradient of a field, by central differences.
pub fn gradient(field: &dyn Fn(DVec3) -> f64, p: DVec3) -> DVec3 {
    const E: f64 = 1e-5;
    let along = |d: DVec3| (field(p + d) - field(p - d)) / (2.0 * E);
    v(along(v(E, 0.0, 0.0)), along(v(0.0, E, 0.0)), along(v(0.0, 0.0, E)))
}
