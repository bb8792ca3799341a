use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

const GOLDEN: f32 = PI * (3.0 - 2.236_068);

/// Returns `count` evenly distributed unit vectors.
pub fn directions(count: usize) -> impl Iterator<Item = Vec3> {
    (0..count).map(move |i| {
        let y = 1.0 - (2 * i + 1) as f32 / count as f32;
        let across = (1.0 - y * y).sqrt() * Vec2::from_angle(GOLDEN * i as f32);
        Vec3::new(across.x, y, across.y)
    })
}

/// Returns `count` GGX-distributed microfacet normals around +Z. `alpha` is the squared roughness.
pub fn facets(alpha: f32, count: usize) -> impl Iterator<Item = Vec3> {
    (0..count).map(move |i| {
        let fraction = (i as f32 + 0.5) / count as f32;
        let rotation = (i as u32).reverse_bits() as f32 / 4_294_967_296.0;
        let cosine = ((1.0 - fraction) / (1.0 + (alpha * alpha - 1.0) * fraction)).sqrt();
        let across = (1.0 - cosine * cosine).max(0.0).sqrt() * Vec2::from_angle(TAU * rotation);
        across.extend(cosine)
    })
}
