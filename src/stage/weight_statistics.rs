//! Weight statistics of a side.

use std::sync::Arc;

use super::{SideValue, Stage};
use crate::analysis::lint::{Code, Target};
use crate::export::numbers_json;
use crate::import::ImportWarning;
use crate::jobs::{JobKind, Progress};
use crate::rig::{NodeIndex, Rig, joint_names};
use crate::rows::UnderKey;
use crate::view::Side;
use crate::weights::{StoredWeights, WeightNumbersJson, WeightStatistics, weight_statistics};

/// Input for weight statistics.
#[derive(Clone, Debug)]
pub struct WeightStatisticsPlan {
    rig: Arc<Rig>,
    stored: StoredWeights,
}

impl SideValue for WeightStatisticsPlan {
    type Value = WeightStatistics;

    const JOB: JobKind = JobKind::new(
        "judging weights",
        "Computing weight statistics",
        "All else works; open the numbers again in the Skin panel.",
    );

    fn for_side(stage: &Stage, side: Side) -> Self {
        let rig = Arc::clone(&stage.actor(side).rig);
        let is_file = stage.is_open(&rig);
        let stored = if is_file { stored_weights(&stage.document.warnings) } else { StoredWeights::default() };
        Self { rig, stored }
    }

    fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }

    fn run(&self, progress: &Progress) -> Option<WeightStatistics> {
        weight_statistics(&self.rig, self.stored, progress)
    }
}

impl WeightStatisticsPlan {
    /// Returns the statistics of a side as JSON, or its joints as CSV.
    pub fn text(stage: &Stage, side: Side, is_json: bool) -> Option<String> {
        let statistics = stage.side_value::<Self>(side)?;
        let joints: Vec<NodeIndex> = statistics.joints.iter().map(|row| row.joint).collect();
        let names = joint_names(&stage.actor(side).rig.hierarchy, &joints);
        let row = WeightNumbersJson::new(statistics, names);
        Some(if is_json {
            numbers_json(&stage.document.source.full_name(), &UnderKey("weights", row))
        } else {
            row.csv()
        })
    }
}

/// Returns the weight errors that the import corrected. Weight sums within 0.001 of 1 don't count as errors.
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
