//! Weights by straight-line distance: a baseline that leaks through the air between fingers.

use super::bone_weights::PointWeights;
use super::spec::{WeightingResult, WeightingSpec, WeightingTask};

pub(super) const SPEC: WeightingSpec = WeightingSpec {
    name: "closest",
    title: "Closest bones",
    hint: "The four nearest bones in a straight line, by the inverse square of their distance. Fast; leaks between limbs that are close to each other.",
    source: "",
    make,
};

const BONES: usize = 4;

/// Weights the nearest bones by `1 / d²`; a point on a bone follows that bone alone.
pub(super) fn make(WeightingTask { body, progress, .. }: WeightingTask<'_>) -> Option<WeightingResult> {
    let rows = body.map_points(progress, |point| {
        let mut nearest: Vec<(u16, f32)> = body.distances(point).collect();
        nearest.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        nearest.truncate(BONES);
        inverse_squares(&mut nearest);
        nearest
    })?;
    Some(WeightingResult { shares: PointWeights::from_rows(rows), ..WeightingResult::default() })
}

fn inverse_squares(nearest: &mut [(u16, f32)]) {
    let Some(&(_, min_distance)) = nearest.first() else { return };
    let is_measured = min_distance > 0.0 && min_distance.is_finite();
    let share = |distance: f32| {
        if is_measured {
            (min_distance / distance) * (min_distance / distance)
        } else {
            f32::from(u8::from(distance <= min_distance))
        }
    };
    let sum: f32 = nearest.iter().map(|(_, distance)| share(*distance)).sum();
    for (_, value) in nearest {
        *value = share(*value) / sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_as_far_is_a_quarter() {
        let mut shares = [(3, 1.0), (0, 2.0)];
        inverse_squares(&mut shares);
        assert_eq!(shares, [(3, 0.8), (0, 0.2)]);
        let mut on_a_bone = [(1, 0.0), (2, 1.0)];
        inverse_squares(&mut on_a_bone);
        assert_eq!(on_a_bone, [(1, 1.0), (2, 0.0)]);
    }
}
