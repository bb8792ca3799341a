use glam::{Affine3, Mat3, Vec3};

/// Conversion from old to new coordinates: a rotation by quarter turns about the axes, then a scale, both about the
/// origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpaceMapping {
    /// Scale from old to new.
    pub factor: f32,
    /// Rotation; each column is a positive or negative unit axis.
    pub turn: Mat3,
}

const POINTS: usize = 4096;
const NEAR: f32 = 1e-4;

impl SpaceMapping {
    /// The identity.
    pub const SAME: Self = Self { factor: 1.0, turn: Mat3::IDENTITY };

    /// Returns the mapping that moves most points close to their new positions; [`Self::SAME`] if no mapping does.
    pub(crate) fn between(points: &[(Vec3, Vec3)]) -> Self {
        let sampled: Vec<(Vec3, Vec3)> = points.iter().step_by(points.len() / POINTS + 1).copied().collect();
        let extent = |of: fn(&(Vec3, Vec3)) -> Vec3| sampled.iter().map(|pair| of(pair).length()).fold(0.0, f32::max);
        let (old, new) = (extent(|p| p.0), extent(|p| p.1));
        let away = sampled.iter().filter(|(from, _)| from.length() > 0.01 * old);
        let factor = median(away.map(|(from, to)| to.length() / from.length()).collect());
        let factor = if (factor - 1.0).abs() < 1e-3 { 1.0 } else { factor };
        let miss = |space: &Self| median(sampled.iter().map(|&(from, to)| space.point(from).distance(to)).collect());
        let near = NEAR * new;
        if !(factor.is_finite() && factor > 0.0) || miss(&Self::SAME) <= near {
            return Self::SAME;
        }
        let all = turns().map(|turn| Self { factor, turn });
        let fitting = all.map(|space| (miss(&space), space)).filter(|(miss, _)| *miss <= near);
        // Points on a line or in a plane allow several transforms; the smallest rotation is most likely.
        let best = fitting.min_by(|(_, a), (_, b)| a.angle().total_cmp(&b.angle()));
        best.map_or(Self::SAME, |(_, space)| space)
    }

    /// Returns whether this is [`Self::SAME`].
    pub fn is_same(&self) -> bool {
        *self == Self::SAME
    }

    /// Transforms a point from old to new coordinates.
    pub fn point(&self, point: Vec3) -> Vec3 {
        self.turn * point * self.factor
    }

    /// Returns the rotation angle, radians.
    pub fn angle(&self) -> f32 {
        let axes = [self.turn.x_axis.x, self.turn.y_axis.y, self.turn.z_axis.z];
        ((axes.iter().sum::<f32>() - 1.0) * 0.5).clamp(-1.0, 1.0).acos()
    }

    /// Converts to a matrix.
    pub fn affine(&self) -> Affine3 {
        Affine3::from_mat3(self.turn * self.factor)
    }
}

fn turns() -> impl Iterator<Item = Mat3> {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z];
    let pairs = axes.into_iter().flat_map(move |x| axes.into_iter().map(move |y| (x, y)));
    pairs.filter(|(x, y)| x.dot(*y) == 0.0).map(|(x, y)| Mat3::from_cols(x, y, x.cross(y)))
}

pub(crate) fn median(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f32::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: [Vec3; 4] =
        [Vec3::new(0.0, 1.0, 0.25), Vec3::new(0.5, 1.5, 0.0), Vec3::new(-0.5, 1.25, 0.0), Vec3::new(0.0, 2.0, -0.5)];

    fn fitted(to: impl Fn(Vec3) -> Vec3) -> SpaceMapping {
        SpaceMapping::between(&POINTS.map(|p| (p, to(p))))
    }

    #[test]
    fn units_and_axes_are_found_and_all_else_is_none() {
        let turned = fitted(|p| Vec3::new(p.x, -p.z, p.y) * 100.0);
        assert!((turned.factor - 100.0).abs() < 0.01 && turned.angle() > 1.5, "{turned:?}");
        assert!(POINTS.iter().all(|&p| turned.point(p).distance(Vec3::new(p.x, -p.z, p.y) * 100.0) < 0.01));
        assert!(fitted(|p| p).is_same());
        assert!(fitted(|p| p + Vec3::X).is_same());
        assert!(fitted(|_| Vec3::ZERO).is_same());
        assert!(SpaceMapping::between(&[]).is_same());
    }

    #[test]
    fn a_few_points_that_moved_do_not_matter() {
        let mut pairs = POINTS.map(|p| (p, p * 10.0));
        pairs[3].1 = Vec3::ZERO;
        assert_eq!(SpaceMapping::between(&pairs).factor, 10.0);
    }

    #[test]
    fn there_are_24_turns() {
        assert_eq!(turns().count(), 24);
        assert!(turns().all(|turn| turn.determinant() == 1.0));
    }
}
