//! Difference between two transforms.

use glam::{Affine3, Mat3};

use super::Tolerances;
use super::change::{Change, Measure};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Motion {
    pub distance: f32,
    /// Radians.
    pub angle: f32,
    /// Largest relative change in the length of an axis.
    pub stretch: f32,
    /// True if one is a mirror image of the other; `angle` is then 0.
    is_mirrored: bool,
}

impl Motion {
    /// Returns the motion between two transforms. `metre`: length of a metre in their space.
    pub(super) fn between(from: &Affine3, to: &Affine3, metre: f32) -> Self {
        let [a, b] = [from, to].map(|m| m.matrix3.to_cols_array_2d().map(glam::Vec3::from));
        let [u, v] = [a, b].map(|[x, y, z]| {
            Mat3::from_cols(x.normalize_or_zero(), y.normalize_or_zero(), z.normalize_or_zero()).to_cols_array()
        });
        let apart = u.iter().zip(v).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt();
        let is_mirrored = from.matrix3.determinant() * to.matrix3.determinant() < 0.0;
        let stretches = a.iter().zip(b).map(|(a, b)| (b.length() - a.length()).abs() / a.length().max(1e-12));
        Self {
            distance: from.translation.distance(to.translation) / metre,
            // Computed from the difference of matrix entries, which unlike the trace is exact for small angles.
            angle: if is_mirrored { 0.0 } else { 2.0 * (apart / 8.0_f32.sqrt()).min(1.0).asin() },
            stretch: stretches.fold(0.0, f32::max),
            is_mirrored,
        }
    }

    pub(super) fn is_beyond(&self, tolerances: &Tolerances) -> bool {
        let [distance, angle, stretch] = self.beyond(tolerances);
        distance || angle || stretch || self.is_mirrored
    }

    fn beyond(&self, tolerances: &Tolerances) -> [bool; 3] {
        [
            self.distance > tolerances.distance_m,
            self.angle.to_degrees() > tolerances.angle_deg,
            self.stretch > tolerances.share,
        ]
    }

    pub(super) fn largest(&self, tolerances: &Tolerances) -> (f32, Measure) {
        let times = [
            (self.distance / tolerances.distance_m, Measure::Distance),
            (self.angle.to_degrees() / tolerances.angle_deg, Measure::Angle),
            (self.stretch / tolerances.share, Measure::Stretch),
        ];
        times.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, Measure::Angle))
    }

    /// Adds the amounts that exceed the tolerances to a change.
    pub(super) fn told(&self, mut change: Change, tolerances: &Tolerances) -> Change {
        if self.is_mirrored {
            change = change.now("mirrored");
        }
        let [distance, angle, stretch] = self.beyond(tolerances);
        for (is_told, measure, value) in [
            (distance, Measure::Distance, self.distance),
            (angle, Measure::Angle, self.angle.to_degrees()),
            (stretch, Measure::Stretch, self.stretch),
        ] {
            if is_told {
                change = change.with(measure, value);
            }
        }
        change
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};

    #[test]
    fn places_turns_and_scales_are_told_apart() {
        let turn = Affine3::from_scale_rotation_translation(
            Vec3::ONE,
            Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.3_f32.to_radians()),
            Vec3::ZERO,
        );
        let motion = Motion::between(&Affine3::IDENTITY, &turn, 1.0);
        assert!((motion.angle.to_degrees() - 0.3).abs() < 1e-3 && motion.distance == 0.0 && motion.stretch < 1e-6);
        let motion = Motion::between(&Affine3::IDENTITY, &Affine3::from_scale(Vec3::new(1.0, 1.5, 1.0)), 1.0);
        assert_eq!((motion.angle, motion.distance, motion.stretch), (0.0, 0.0, 0.5));
        let motion = Motion::between(&Affine3::IDENTITY, &Affine3::from_translation(Vec3::X), 100.0);
        assert_eq!((motion.angle, motion.distance, motion.stretch), (0.0, 0.01, 0.0));
        let motion = Motion::between(&Affine3::IDENTITY, &Affine3::from_scale(Vec3::new(-1.0, 1.0, 1.0)), 1.0);
        assert!(motion.is_mirrored && motion.angle == 0.0);
        assert!(!Motion::between(&Affine3::from_scale(Vec3::ZERO), &Affine3::IDENTITY, 1.0).stretch.is_nan());
    }
}
