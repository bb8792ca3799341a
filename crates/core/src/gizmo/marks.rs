//! Screen outlines of straight handles, and hit testing.

use glam::{Vec2, Vec3};

use super::GizmoFrame;
use crate::view::Lens;

pub(super) const REACH: f32 = 6.0;
/// Start and end of a shaft, in gizmo radii.
const SHAFT: [f32; 2] = [0.2, 1.0];
/// Distances from the origin to the near and far sides of a plane's square, in gizmo radii.
const SQUARE: [f32; 2] = [0.3, 0.5];
/// Radius of the central handle, in gizmo radii.
const MIDDLE: f32 = 0.14;
/// Sine of the minimum angle between a shaft or square and the view direction (10°).
pub(super) const MIN_SINE: f32 = 0.17;

#[derive(Clone, Debug, PartialEq)]
pub struct HandleMark<H> {
    pub handle: H,
    pub shape: HandleShape,
}

#[derive(Clone, Debug, PartialEq)]
pub enum HandleShape {
    /// A line with a head at its second end.
    Shaft([Vec2; 2]),
    Area(Vec<Vec2>),
}

impl HandleShape {
    /// Returns `None` if the axis points at the viewer or is behind the eye.
    pub(super) fn shaft(axis: Vec3, frame: &GizmoFrame, lens: &Lens) -> Option<Self> {
        let across = axis.cross(lens.to_viewer(frame.origin)).length();
        let [from, to] =
            SHAFT.map(|fraction| lens.project(frame.origin + axis * (frame.world_radius(lens) * fraction)));
        (across > MIN_SINE).then_some(Self::Shaft([from?, to?]))
    }

    /// Returns a square between two orthogonal unit vectors in world space; `None` if it is edge-on or reaches behind
    /// the eye.
    pub(super) fn square(u: Vec3, v: Vec3, frame: &GizmoFrame, lens: &Lens) -> Option<Self> {
        let [near, far] = SQUARE;
        let corners = [(near, near), (far, near), (far, far), (near, far)];
        let corner = |(a, b)| lens.project(frame.origin + (u * a + v * b) * frame.world_radius(lens));
        let facing = u.cross(v).dot(lens.to_viewer(frame.origin)).abs();
        (facing > MIN_SINE).then_some(())?;
        corners.into_iter().map(corner).collect::<Option<_>>().map(Self::Area)
    }

    pub(super) fn middle(frame: &GizmoFrame, lens: &Lens) -> Option<Self> {
        let center = frame.center(lens)?;
        let on_rim =
            |i: u8| center + Vec2::from_angle(f32::from(i) * std::f32::consts::TAU / 24.0) * frame.radius * MIDDLE;
        Some(Self::Area((0..24).map(on_rim).collect()))
    }

    /// Returns the distance to a viewport point, in points; 0 inside the shape.
    fn distance(&self, point: Vec2) -> f32 {
        match self {
            Self::Shaft(ends) => distance_to_segment(point, *ends),
            Self::Area(corners) if contains(corners, point) => 0.0,
            Self::Area(corners) => {
                let next = corners.iter().cycle().skip(1);
                corners
                    .iter()
                    .zip(next)
                    .map(|(a, b)| distance_to_segment(point, [*a, *b]))
                    .fold(f32::INFINITY, f32::min)
            }
        }
    }
}

/// Returns the nearest handle within reach of a point; among equally near handles, the first.
pub(super) fn handle_at<H: Copy>(marks: &[HandleMark<H>], point: Vec2) -> Option<H> {
    let near =
        marks.iter().map(|mark| (mark.shape.distance(point), mark.handle)).filter(|(distance, _)| *distance <= REACH);
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, handle)| handle)
}

pub(super) fn distance_to_segment(point: Vec2, [from, to]: [Vec2; 2]) -> f32 {
    let along = to - from;
    let fraction = (point - from).dot(along) / along.length_squared().max(f32::MIN_POSITIVE);
    point.distance(from + along * fraction.clamp(0.0, 1.0))
}

fn contains(corners: &[Vec2], point: Vec2) -> bool {
    let sides = corners.iter().zip(corners.iter().cycle().skip(1)).map(|(a, b)| (*b - *a).perp_dot(point - *a));
    let (mut left, mut right) = (false, false);
    for side in sides {
        left |= side > 0.0;
        right |= side < 0.0;
    }
    !(left && right)
}
