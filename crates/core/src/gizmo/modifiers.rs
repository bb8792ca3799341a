use glam::Vec2;

pub(super) const FINE: f32 = 0.1;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Modifiers {
    /// Snapping step: radians, metres or a factor.
    pub snap: Option<f32>,
    /// True to apply only a tenth of the pointer's motion.
    pub fine: bool,
}

impl Modifiers {
    pub(super) fn snapped(self, value: Vec2) -> Vec2 {
        match self.snap.filter(|step| *step > 0.0) {
            Some(step) => value.normalize_or_zero() * ((value.length() / step).round() * step),
            None => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn snapping_goes_to_the_nearest_multiple(angle in -20.0_f32..20.0, step in 0.01_f32..2.0) {
            let snapped = Modifiers { snap: Some(step), fine: false }.snapped(Vec2::new(angle, 0.0)).x;
            let steps = snapped / step;
            prop_assert!((steps - steps.round()).abs() < 1e-3, "{steps}");
            prop_assert!((snapped - angle).abs() <= step * 0.5 + 1e-4);
        }
    }

    #[test]
    fn no_step_and_nonsense_steps_change_nothing() {
        let value = Vec2::new(-0.3, 0.7);
        for snap in [None, Some(0.0), Some(-1.0), Some(f32::NAN)] {
            assert_eq!(Modifiers { snap, fine: false }.snapped(value), value);
        }
    }
}
