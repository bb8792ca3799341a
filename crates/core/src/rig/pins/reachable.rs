//! Finds the smallest shift that brings targets into reach.

use glam::DVec3;

/// All shifts that bring one target into reach: a hollow sphere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reachable {
    /// Shift that brings the chain's base to the target.
    pub center: DVec3,
    /// Minimum and maximum distance from the centre.
    pub range: [f64; 2],
}

impl Reachable {
    fn nearest(&self, shift: DVec3) -> DVec3 {
        let from_center = shift - self.center;
        let distance = from_center.length();
        let [min, max] = self.range;
        let wanted = distance.clamp(min, max);
        if wanted == distance {
            return shift;
        }
        self.center + from_center.try_normalize().unwrap_or(DVec3::Y) * wanted
    }

    fn miss(&self, shift: DVec3) -> f64 {
        self.nearest(shift).distance(shift)
    }
}

/// Returns the shift closest to `from` that brings all targets into reach, to within `tolerance`. If no shift does,
/// minimizes the sum of squared distances.
///
/// *Source*: Boyle and Dykstra 1986, *A method for finding projections onto the intersection of convex sets in Hilbert
/// spaces*; Cimmino's averaged projections if the intersection is empty.
pub(super) fn nearest_shift(targets: &[Reachable], from: DVec3, tolerance: f64) -> DVec3 {
    const MAX_ROUNDS: usize = 300;
    let worst = |shift: DVec3| targets.iter().map(|target| target.miss(shift)).fold(0.0, f64::max);
    if worst(from) <= tolerance {
        return from;
    }
    let mut shift = from;
    let mut corrections = vec![DVec3::ZERO; targets.len()];
    for _ in 0..MAX_ROUNDS {
        let before = shift;
        for (target, correction) in targets.iter().zip(&mut corrections) {
            let wanted = shift + *correction;
            shift = target.nearest(wanted);
            *correction = wanted - shift;
        }
        if before.distance(shift) <= 0.1 * tolerance && worst(shift) <= tolerance {
            return shift;
        }
    }
    // Averaging starts near the closest shift, so it converges to that shift if one exists.
    for _ in 0..MAX_ROUNDS {
        let sum: DVec3 = targets.iter().map(|target| target.nearest(shift) - shift).sum();
        let step = sum / targets.len() as f64;
        shift += step;
        if step.length() <= 0.1 * tolerance {
            break;
        }
    }
    shift
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(center: DVec3, max: f64) -> Reachable {
        Reachable { center, range: [0.0, max] }
    }

    #[test]
    fn reachable_pins_hold_and_one_target_is_approached_straight() {
        let target = ball(DVec3::X * 3.0, 1.0);
        assert_eq!(nearest_shift(&[target], DVec3::X * 2.5, 1e-9), DVec3::X * 2.5);
        assert_eq!(nearest_shift(&[target], DVec3::ZERO, 1e-9), DVec3::X * 2.0);
        assert_eq!(nearest_shift(&[], DVec3::X, 1e-9), DVec3::X);
    }

    #[test]
    fn of_two_targets_the_closest_common_shift_is_taken_and_of_distant_ones_the_middle() {
        let two = [ball(DVec3::new(1.0, 1.0, 0.0), 1.25), ball(DVec3::new(-1.0, 1.0, 0.0), 1.25)];
        let both = nearest_shift(&two, DVec3::ZERO, 1e-9);
        assert!(both.distance(DVec3::Y * 0.25) < 1e-6, "{both}");
        let apart = nearest_shift(&[ball(DVec3::X * 3.0, 1.0), ball(DVec3::X * -3.0, 1.0)], DVec3::Y, 1e-9);
        assert!(apart.length() < 1e-3, "{apart}");
    }

    #[test]
    fn a_target_that_is_too_close_pushes_away() {
        let hollow = Reachable { center: DVec3::ZERO, range: [1.0, 2.0] };
        assert_eq!(nearest_shift(&[hollow], DVec3::X * 0.5, 1e-9), DVec3::X);
        assert_eq!(nearest_shift(&[hollow], DVec3::ZERO, 1e-9).length(), 1.0);
    }
}
