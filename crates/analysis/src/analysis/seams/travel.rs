//! Travel of a clip's root over the floor.

use glam::{Affine3, Quat, Vec3};

use rigscope_core::rig::Rig;

/// A clip travels if its root moves over the floor by at least this, relative to the rig's height at rest.
const MIN_TRAVEL: f32 = 0.1;
/// A clip also travels if its root rotates about Y by at least this many radians.
const MIN_TURN: f32 = 0.35;

/// Travel of a clip's root from start to end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Travel {
    /// Distance over the floor, metres.
    pub distance: f32,
    /// Rotation about the vertical axis, radians, -pi to pi.
    pub turn: f32,
    /// True if the distance is at least a tenth of the rig's height at rest, or the rotation at least 20°.
    pub moves: bool,
    /// Rigid motion from start to end in world space, limited to translation over the floor and rotation about the
    /// vertical axis. Identity unless `moves`.
    pub(in crate::analysis) end_from_start: Affine3,
}

impl Travel {
    pub(in crate::analysis) fn between(rig: &Rig, start: &Affine3, end: &Affine3) -> Self {
        let over_floor = |world: &Affine3| Vec3::new(world.translation.x, 0.0, world.translation.z);
        let (from, to) = (over_floor(start), over_floor(end));
        let turn = heading(rotation(end) * rotation(start).inverse());
        let distance = from.distance(to);
        let moves = distance >= min_travel(rig) || turn.abs() >= MIN_TURN;
        let about_start = Affine3::from_rotation_y(turn) * Affine3::from_translation(-from);
        let motion = Affine3::from_translation(to) * about_start;
        let end_from_start = if moves && motion.is_finite() { motion } else { Affine3::IDENTITY };
        Self { distance, turn, moves, end_from_start }
    }
}

pub(in crate::analysis) fn min_travel(rig: &Rig) -> f32 {
    MIN_TRAVEL * height(rig).max(f32::MIN_POSITIVE)
}

/// Returns the height of a rig at rest in metres, or [`Rig::size`] if nothing is drawn.
pub(in crate::analysis) fn height(rig: &Rig) -> f32 {
    let bounds = rig.rest_bounds();
    if bounds.is_empty() { rig.size() } else { bounds.max.y - bounds.min.y }
}

pub(in crate::analysis) fn rotation(world: &Affine3) -> Quat {
    let (_, rotation, _) = world.to_scale_rotation_translation();
    if rotation.is_finite() { rotation } else { Quat::IDENTITY }
}

/// Returns a rotation's angle about the vertical axis in radians, -pi to pi.
pub(in crate::analysis) fn heading(rotation: Quat) -> f32 {
    let nearest = if rotation.w < 0.0 { -rotation } else { rotation };
    2.0 * nearest.y.atan2(nearest.w)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heading_is_what_a_lean_leaves_of_the_turn() {
        for degrees in [-170.0_f32, -40.0, 0.0, 90.0, 179.0] {
            let turn = Quat::from_rotation_y(degrees.to_radians());
            assert!((heading(turn).to_degrees() - degrees).abs() < 1e-3);
            assert!((heading(-turn).to_degrees() - degrees).abs() < 1e-3);
        }
        assert!(heading(Quat::from_rotation_x(1.0)).abs() < 1e-6);
    }
}
