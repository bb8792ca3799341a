//! Boundaries between the skin of a joint and the skin above it, and where weights change abruptly across them.
//!
//! The weight of a joint at a point is the sum of the weights of the joint and all joints below it. Within a triangle it
//! is interpolated linearly; `g` is its gradient, per metre. The *boundary* is the line on the surface where the weight is
//! one half, and `1 / g` the distance over which the weight would change from 0 to 1 there. A part of the boundary is
//! abrupt if this distance is below [`MIN_WIDTH`] times the limb's radius. The radius is the length of the boundary in the
//! connected piece of the surface, divided by 2π. So the result depends neither on the resolution of the mesh nor on its
//! scale. Pieces that follow one joint have no boundary.

use glam::Vec3;

use crate::analysis::weight_problems::{RestSurface, cross};
use rigscope_core::rig::{NodeIndex, Rig};

/// Weights change abruptly if they would change from 0 to 1 over less than this, relative to the limb's radius.
const MIN_WIDTH: f32 = 0.3;

/// Boundaries shorter than this, relative to the rig's size, are those of small parts.
const MIN_LENGTH: f32 = 0.02;

pub(super) struct AbruptBoundaries<'a> {
    rig: &'a Rig,
    surface: &'a RestSurface,
}

/// The part of a boundary that lies in one triangle.
struct Crossing {
    component: u32,
    /// Metres.
    length: f32,
    /// Distance over which the weight would change from 0 to 1, metres.
    width: f32,
    point: u32,
}

/// Boundary in a connected piece of the surface.
#[derive(Clone, Copy, Default)]
struct Boundary {
    length: f32,
    abrupt: f32,
    /// Length of the most abrupt part, and a point of it.
    longest: (f32, u32),
}

impl<'a> AbruptBoundaries<'a> {
    pub(super) fn new(rig: &'a Rig, surface: &'a RestSurface) -> Self {
        Self { rig, surface }
    }

    /// Returns the fraction of a joint's boundary that is abrupt, 0 to 1, and a point there. `None` without a boundary.
    pub(super) fn fraction(&self, joint: NodeIndex) -> Option<(f32, u32)> {
        let weights = self.weights(joint);
        let triangles = self.surface.triangles.iter();
        let crossings: Vec<Crossing> = triangles.filter_map(|points| self.crossing(*points, &weights)).collect();
        let mut boundaries = vec![Boundary::default(); self.surface.component_count];
        for crossing in &crossings {
            boundaries[crossing.component as usize].length += crossing.length;
        }
        for crossing in &crossings {
            let boundary = &mut boundaries[crossing.component as usize];
            let radius = boundary.length / std::f32::consts::TAU;
            if crossing.width < MIN_WIDTH * radius {
                boundary.abrupt += crossing.length;
                if crossing.length > boundary.longest.0 {
                    boundary.longest = (crossing.length, crossing.point);
                }
            }
        }
        let min_length = MIN_LENGTH * self.rig.size();
        let found = boundaries.into_iter().filter(|boundary| boundary.length > min_length);
        let add = |a: Boundary, b: Boundary| Boundary {
            length: a.length + b.length,
            abrupt: a.abrupt + b.abrupt,
            longest: if b.longest.0 > a.longest.0 { b.longest } else { a.longest },
        };
        let all = found.reduce(add)?;
        Some((all.abrupt / all.length, all.longest.1))
    }

    /// Returns the weight of a joint and of everything below it, by point.
    fn weights(&self, joint: NodeIndex) -> Vec<f32> {
        let below = self.rig.hierarchy.subtree(joint);
        let weight = |point: u32| {
            let moved = self.surface.weights(point).iter().filter(|(node, _)| below.contains(&node.index()));
            moved.map(|(_, weight)| weight).sum()
        };
        (0..self.surface.len() as u32).map(weight).collect()
    }

    fn crossing(&self, points: [u32; 3], weights: &[f32]) -> Option<Crossing> {
        let beyond = points.map(|point| weights[point as usize] - 0.5);
        if beyond.iter().all(|weight| *weight < 0.0) || beyond.iter().all(|weight| *weight >= 0.0) {
            return None;
        }
        let corners = points.map(|point| self.surface.rest[point as usize]);
        let mut ends = [(0, 1), (1, 2), (2, 0)].into_iter().filter_map(|(a, b)| {
            let (from, to) = (beyond[a], beyond[b]);
            ((from < 0.0) != (to < 0.0)).then(|| corners[a].lerp(corners[b], from / (from - to)))
        });
        let length = ends.next()?.distance(ends.next()?);
        let width = gradient(corners, beyond).length().recip();
        let component = self.surface.components[points[0] as usize];
        (length.is_finite() && width.is_finite()).then_some(Crossing { component, length, width, point: points[0] })
    }
}

/// Returns the gradient of a value that is linear in a triangle; zero if the triangle has no area.
fn gradient([a, b, c]: [Vec3; 3], [of_a, of_b, of_c]: [f32; 3]) -> Vec3 {
    let normal = cross([a, b, c]);
    let along = (c - b) * of_a + (a - c) * of_b + (b - a) * of_c;
    let gradient = normal.cross(along) / normal.length_squared();
    if gradient.is_finite() { gradient } else { Vec3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_is_that_of_a_linear_function() {
        let corners = [Vec3::new(0.3, 0.1, 1.0), Vec3::new(1.4, 0.2, 1.0), Vec3::new(0.5, 0.9, 1.0)];
        let found = gradient(corners, corners.map(|corner| 2.0 * corner.x - 3.0 * corner.y + 7.0));
        assert!(found.distance(Vec3::new(2.0, -3.0, 0.0)) < 1e-4, "{found}");
        assert_eq!(gradient([Vec3::X; 3], [0.0, 1.0, 2.0]), Vec3::ZERO);
    }
}
