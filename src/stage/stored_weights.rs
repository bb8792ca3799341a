//! Weight faults that import corrected.

use crate::import::{FbxWarning, ImportWarning};
use crate::weights::StoredWeights;

/// Faults of a file's weights before import. Import doesn't report sums within a thousandth of 1; they count as 1 here.
pub fn stored_weights(warnings: &[ImportWarning]) -> StoredWeights {
    let mut stored = StoredWeights::default();
    for warning in warnings {
        match warning {
            ImportWarning::WeightsRenormalized { worst, .. } => {
                stored.sum_error = stored.sum_error.max((f64::from(*worst) - 1.0).abs());
            }
            ImportWarning::WeightsZero { vertices, .. }
            | ImportWarning::Fbx(FbxWarning::FollowMesh { vertices, .. }) => stored.without += vertices.count(),
            _ => {}
        }
    }
    stored
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Place;

    #[test]
    fn the_worst_sum_and_all_vertices_without_weight_count() {
        let place = Place { mesh: 0, name: String::new(), primitive: 0 };
        let sum =
            |worst| ImportWarning::WeightsRenormalized { place: place.clone(), vertices: (0..2).collect(), worst };
        let zero = |count: usize| ImportWarning::WeightsZero { place: place.clone(), vertices: (0..count).collect() };
        let warnings = [sum(1.25), zero(3), sum(0.5), zero(4), ImportWarning::SceneEmpty];
        assert_eq!(stored_weights(&warnings), StoredWeights { sum_error: 0.5, without: 7 });
        assert_eq!(stored_weights(&[]), StoredWeights::default());
    }
}
