use std::f32::consts::TAU;

use glam::Vec2;

use crate::gizmo::modifiers::FINE;

/// Accumulates pointer motion, measured in radians, metres or as a factor. Wrapping angles, gaps and modifier changes
/// cause no jumps. Between such events, the result depends only on the current reading, so returning to a position
/// restores its value exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Travel {
    raw: Vec2,
    /// Offset to add to readings to get `raw`; `None` until the next reading sets it.
    offset: Option<Vec2>,
    /// Result and `raw` when the fine key last changed.
    anchor: (Vec2, Vec2),
    is_fine: bool,
}

impl Travel {
    pub(super) fn starting_at(turned: Vec2) -> Self {
        Self { anchor: (turned, Vec2::ZERO), ..Self::default() }
    }

    pub(super) fn set_fine(&mut self, is_fine: bool) {
        if self.is_fine != is_fine {
            self.anchor = (self.turned(), self.raw);
            self.is_fine = is_fine;
        }
    }

    pub(super) fn release(&mut self) {
        self.offset = None;
    }

    /// Follows the pointer. If `repeats` is true, readings are angles that wrap at a full turn, and each motion is less
    /// than half a turn.
    pub(super) fn follow(&mut self, reading: Vec2, repeats: bool) {
        let offset = *self.offset.get_or_insert(self.raw - reading);
        let raw = reading + offset;
        let whole_turns = if repeats { ((self.raw - raw) / TAU).round() } else { Vec2::ZERO };
        self.raw = raw + whole_turns * TAU;
    }

    pub(super) fn turned(&self) -> Vec2 {
        let (turned, raw) = self.anchor;
        turned + (self.raw - raw) * if self.is_fine { FINE } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f32::consts::PI;

    fn wrapped(angle: f32) -> Vec2 {
        Vec2::new((angle + PI).rem_euclid(TAU) - PI, 0.0)
    }

    proptest! {
        #[test]
        fn steps_under_half_a_turn_add_up(start in -3.0_f32..3.0, steps in prop::collection::vec(-3.0_f32..3.0, 1..60)) {
            let mut travel = Travel::default();
            travel.follow(wrapped(start), true);
            let mut sum = 0.0;
            for step in steps {
                sum += step;
                travel.follow(wrapped(start + sum), true);
                prop_assert!((travel.turned().x - sum).abs() < 1e-3, "{} {sum}", travel.turned().x);
            }
        }

        #[test]
        fn keys_and_pauses_alone_change_nothing(angles in prop::collection::vec((-3.0_f32..3.0, any::<bool>(), any::<bool>()), 1..40)) {
            let mut travel = Travel::default();
            for (angle, is_fine, pause) in angles {
                let before = travel.turned().x;
                travel.set_fine(is_fine);
                prop_assert!((travel.turned().x - before).abs() < 1e-5);
                if pause {
                    travel.release();
                    prop_assert!((travel.turned().x - before).abs() < 1e-5);
                }
                travel.follow(wrapped(angle), true);
                if pause {
                    prop_assert!((travel.turned().x - before).abs() < 1e-5);
                }
            }
        }
    }

    #[test]
    fn going_back_gives_the_start_exactly() {
        let mut travel = Travel::default();
        for angle in [0.7, 2.9, -2.9, -0.1, 0.7_f32] {
            travel.follow(Vec2::new(angle, 0.0), true);
        }
        assert_eq!(travel.turned().x, TAU);
        for angle in [-0.1, -2.9, 2.9, 0.7_f32] {
            travel.follow(Vec2::new(angle, 0.0), true);
        }
        assert_eq!(travel.turned(), Vec2::ZERO);
    }

    #[test]
    fn fine_motion_is_a_tenth() {
        let mut travel = Travel::starting_at(Vec2::new(1.0, 0.0));
        let at = |x: f32| Vec2::new(x, 0.0);
        travel.follow(at(0.0), true);
        travel.set_fine(true);
        travel.follow(at(1.0), true);
        assert!((travel.turned().x - 1.1).abs() < 1e-6);
        travel.set_fine(false);
        travel.follow(at(1.5), true);
        assert!((travel.turned().x - 1.6).abs() < 1e-6);
    }
}
