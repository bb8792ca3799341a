//! Shapes that push the tails of spring joints.

use glam::{DAffine3, DVec3, Vec3};

use crate::rig::NodeIndex;

/// A shape that moves with a node and pushes the tails of spring joints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collider {
    /// The node that carries the shape.
    pub node: NodeIndex,
    /// The shape, in the node's space.
    pub shape: ColliderShape,
}

/// Shape of a collider. Positions are in the space of its node; radii are metres in the world, whatever the scale of the node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColliderShape {
    /// A ball, or the space around it.
    Sphere {
        /// Centre.
        offset: Vec3,
        /// Radius.
        radius: f32,
        /// True where tails are kept inside.
        is_inside: bool,
    },
    /// All points within a radius of a segment, or the space around them.
    Capsule {
        /// Start of the segment.
        offset: Vec3,
        /// End of the segment.
        tail: Vec3,
        /// Radius.
        radius: f32,
        /// True where tails are kept inside.
        is_inside: bool,
    },
    /// A half space.
    Plane {
        /// A point of the plane.
        offset: Vec3,
        /// Direction in which tails are pushed.
        normal: Vec3,
    },
}

impl Collider {
    /// The unit vector along which a ball is pushed and how far it is from the shape, negative where it is in it.
    ///
    /// `world` is of the collider's node. `None` where there is no direction to push.
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

/// Nearest point of a segment.
fn nearest([start, end]: [DVec3; 2], point: DVec3) -> DVec3 {
    let along = end - start;
    let square = along.length_squared();
    let share = if square > 0.0 { (along.dot(point - start) / square).clamp(0.0, 1.0) } else { 0.0 };
    start + along * share
}
