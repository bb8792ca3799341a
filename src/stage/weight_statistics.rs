//! Weight statistics of a side.

use std::sync::Arc;

use super::{SideValue, Stage, stored_weights};
use crate::export::numbers_json;
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

impl Stage {
    /// Returns the statistics of a side as JSON, or its joints as CSV.
    pub fn weight_numbers_text(&self, side: Side, is_json: bool) -> Option<String> {
        let statistics = self.value::<WeightStatisticsPlan>(side)?;
        let joints: Vec<NodeIndex> = statistics.joints.iter().map(|row| row.joint).collect();
        let names = joint_names(&self.actor(side).rig.hierarchy, &joints);
        let row = WeightNumbersJson::new(statistics, names);
        Some(if is_json {
            numbers_json(&self.document.source.full_name(), &UnderKey("weights", row))
        } else {
            row.csv()
        })
    }
}
