use glam::{DAffine3, DVec3, Vec3};

use crate::rig::NodeIndex;

/// A shape that moves with a node and pushes spring tails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collider {
    /// Node to which the shape is attached.
    pub node: NodeIndex,
    /// Shape, in node space.
    pub shape: ColliderShape,
}

/// Shape of a collider. Positions are in node space; radii are world metres, independent of the node's scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColliderShape {
    /// Sphere.
    Sphere {
        /// Centre.
        offset: Vec3,
        /// Radius.
        radius: f32,
        /// Whether the collider keeps tails inside instead of outside.
        is_inside: bool,
    },
    /// Capsule.
    Capsule {
        /// Start of the axis.
        offset: Vec3,
        /// End of the axis.
        tail: Vec3,
        /// Radius.
        radius: f32,
        /// Whether the collider keeps tails inside instead of outside.
        is_inside: bool,
    },
    /// Half space behind a plane.
    Plane {
        /// A point on the plane.
        offset: Vec3,
        /// Direction in which the plane pushes tails.
        normal: Vec3,
    },
}

impl Collider {
    /// Returns the unit direction in which the shape pushes a ball, and the ball's signed distance from the shape,
    /// which is negative if the shape pushes the ball. `None` if the direction is undefined. `world` is the world
    /// transform of the collider's node.
    pub fn distance(&self, world: &DAffine3, ball: DVec3, ball_radius: f64) -> Option<(DVec3, f64)> {
        let at = |offset: Vec3| world.transform_point3(offset.as_dvec3());
        let (from, radius, is_inside) = match self.shape {
            ColliderShape::Plane { offset, normal } => {
                let normal = (world.matrix3.inverse().transpose() * normal.as_dvec3()).try_normalize()?;
                return Some((normal, (ball - at(offset)).dot(normal) - ball_radius));
            }
            ColliderShape::Sphere { offset, radius, is_inside } => (at(offset), radius, is_inside),
            ColliderShape::Capsule { offset, tail, radius, is_inside } => {
                (nearest([at(offset), at(tail)], ball), radius, is_inside)
            }
        };
        let (to, radius) = (ball - from, f64::from(radius));
        let (length, direction) = (to.length(), to.try_normalize()?);
        Some(if is_inside {
            (-direction, radius - ball_radius - length)
        } else {
            (direction, length - ball_radius - radius)
        })
    }
}

fn nearest([start, end]: [DVec3; 2], point: DVec3) -> DVec3 {
    let along = end - start;
    let square = along.length_squared();
    let share = if square > 0.0 { (along.dot(point - start) / square).clamp(0.0, 1.0) } else { 0.0 };
    start + along * share
}
