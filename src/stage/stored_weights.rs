use crate::analysis::lint::{Code, Target};
use crate::import::ImportWarning;
use crate::weights::StoredWeights;

/// Returns the weight errors that the import corrected. Accepts weight sums within 0.001 of 1.
pub fn stored_weights(warnings: &[ImportWarning]) -> StoredWeights {
    let mut stored = StoredWeights::default();
    for warning in warnings {
        if let Some(sum) = warning.worst_sum {
            stored.sum_error = stored.sum_error.max((f64::from(sum) - 1.0).abs());
        }
        if let (Code::WeightZero, Target::Primitive { vertices, .. }) = (warning.finding.code, &warning.finding.target)
        {
            stored.without += vertices.count();
        }
    }
    stored
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_sum_and_all_vertices_without_weight_count() {
        let warning = |code, vertices: usize| {
            let vertices = (0..vertices).collect();
            ImportWarning::new(code, Target::Primitive { mesh: 0, primitive: 0, vertices, joint: None }, "")
        };
        let sum = |worst| ImportWarning { worst_sum: Some(worst), ..warning(Code::WeightSum, 2) };
        let zero = |count| warning(Code::WeightZero, count);
        let warnings = [sum(1.25), zero(3), sum(0.5), zero(4), warning(Code::WeightInvalid, 1)];
        assert_eq!(stored_weights(&warnings), StoredWeights { sum_error: 0.5, without: 7 });
        assert_eq!(stored_weights(&[]), StoredWeights::default());
    }
}
