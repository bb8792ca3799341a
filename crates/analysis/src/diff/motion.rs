use glam::{Affine3, Mat3};

use super::Tolerances;
use super::change::{Change, ChangeMeasure};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TransformDifference {
    pub distance: f32,
    /// Rotation, radians.
    pub angle: f32,
    /// Largest relative change in the length of an axis.
    pub stretch: f32,
    /// True if one transform is a mirror image of the other; `angle` is then 0.
    is_mirrored: bool,
}

impl TransformDifference {
    /// `metre` is the length of a metre in the space of the transforms.
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
            // Computed from the differences of matrix entries, which, unlike the trace, are accurate for small angles.
            angle: if is_mirrored { 0.0 } else { 2.0 * (apart / 8.0_f32.sqrt()).min(1.0).asin() },
            stretch: stretches.fold(0.0, f32::max),
            is_mirrored,
        }
    }

    /// Returns the distance in metres, the angle in degrees and the stretch as a fraction.
    fn amounts(&self) -> [(ChangeMeasure, f32); 3] {
        let angle = self.angle.to_degrees();
        [
            (ChangeMeasure::Distance, self.distance),
            (ChangeMeasure::Angle, angle),
            (ChangeMeasure::Stretch, self.stretch),
        ]
    }

    pub(super) fn is_beyond(&self, tolerances: &Tolerances) -> bool {
        let is_beyond = |(measure, value): (ChangeMeasure, f32)| value > tolerances.for_measure(measure);
        self.is_mirrored || self.amounts().into_iter().any(is_beyond)
    }

    /// Returns the largest amount, as a multiple of the tolerance for it, and what it measures.
    pub(super) fn largest(&self, tolerances: &Tolerances) -> (f32, ChangeMeasure) {
        let multiples = self.amounts().map(|(measure, value)| (value / tolerances.for_measure(measure), measure));
        multiples.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, ChangeMeasure::Angle))
    }

    pub(super) fn describe(&self, change: Change, tolerances: &Tolerances) -> Change {
        let change = if self.is_mirrored { change.now("mirrored") } else { change };
        change.with_beyond(self.amounts(), tolerances)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};

    #[test]
    fn translations_rotations_and_scales_are_distinguished() {
        let turn = Affine3::from_scale_rotation_translation(
            Vec3::ONE,
            Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.3_f32.to_radians()),
            Vec3::ZERO,
        );
        let motion = TransformDifference::between(&Affine3::IDENTITY, &turn, 1.0);
        assert!((motion.angle.to_degrees() - 0.3).abs() < 1e-3 && motion.distance == 0.0 && motion.stretch < 1e-6);
        let motion =
            TransformDifference::between(&Affine3::IDENTITY, &Affine3::from_scale(Vec3::new(1.0, 1.5, 1.0)), 1.0);
        assert_eq!((motion.angle, motion.distance, motion.stretch), (0.0, 0.0, 0.5));
        let motion = TransformDifference::between(&Affine3::IDENTITY, &Affine3::from_translation(Vec3::X), 100.0);
        assert_eq!((motion.angle, motion.distance, motion.stretch), (0.0, 0.01, 0.0));
        let motion =
            TransformDifference::between(&Affine3::IDENTITY, &Affine3::from_scale(Vec3::new(-1.0, 1.0, 1.0)), 1.0);
        assert!(motion.is_mirrored && motion.angle == 0.0);
        assert!(
            !TransformDifference::between(&Affine3::from_scale(Vec3::ZERO), &Affine3::IDENTITY, 1.0).stretch.is_nan()
        );
    }
}
