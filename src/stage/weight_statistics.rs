//! Weight statistics of both sides, computed in the background on request.

use std::sync::Arc;

use super::{Derived, Stage, stored_weights};
use crate::export::numbers_json;
use crate::import::Job;
use crate::jobs::JobKind;
use crate::rig::{NodeIndex, Rig, joint_names};
use crate::rows::UnderKey;
use crate::view::Side;
use crate::weights::{StoredWeights, WeightNumbersJson, WeightStatistics, weight_statistics};

#[derive(Clone, Debug, Default)]
pub(crate) struct CachedWeightStatistics {
    pub is_asked_for: bool,
    known: Vec<(Arc<Rig>, Arc<WeightStatistics>)>,
}

/// Input for weight statistics.
#[derive(Clone, Debug)]
pub struct WeightStatisticsPlan {
    /// The character with a side's weights.
    pub rig: Arc<Rig>,
    stored: StoredWeights,
}

impl Derived for WeightStatisticsPlan {
    type Value = Arc<WeightStatistics>;

    const JOB: JobKind = JobKind::new(
        "judging weights",
        "Computing weight statistics",
        "All else works; open the numbers again in the Skin panel.",
    );

    fn wanted(stage: &Stage) -> Option<Self> {
        let is_missing = |side: &Side| stage.weight_numbers(*side).is_none();
        let side = Side::ALL.into_iter().find(is_missing).filter(|_| stage.weight_statistics.is_asked_for)?;
        let rig = Arc::clone(&stage.actor(side).rig);
        let is_file = Arc::ptr_eq(&rig, stage.rig());
        let stored = if is_file { stored_weights(&stage.document.warnings) } else { StoredWeights::default() };
        Some(Self { rig, stored })
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig)
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        weight_statistics(&self.rig, self.stored, &job.progress).map(Arc::new)
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        stage.take_weight_numbers(self.rig, value);
    }
}

impl Stage {
    /// Returns the statistics of the weights on a side, if computed.
    pub fn weight_numbers(&self, side: Side) -> Option<&Arc<WeightStatistics>> {
        let rig = &self.actor(side).rig;
        self.weight_statistics.known.iter().find(|(known, _)| Arc::ptr_eq(known, rig)).map(|(_, statistics)| statistics)
    }

    /// Returns the statistics of a side as JSON, or its joints as CSV.
    pub fn weight_numbers_text(&self, side: Side, is_json: bool) -> Option<String> {
        let statistics = self.weight_numbers(side)?;
        let joints: Vec<NodeIndex> = statistics.joints.iter().map(|row| row.joint).collect();
        let names = joint_names(&self.actor(side).rig.hierarchy, &joints);
        let row = WeightNumbersJson::new(statistics, names);
        Some(if is_json {
            numbers_json(&self.document.source.full_name(), &UnderKey("weights", row))
        } else {
            row.csv()
        })
    }

    fn take_weight_numbers(&mut self, rig: Arc<Rig>, statistics: Option<Arc<WeightStatistics>>) {
        if !self.belongs_to_open(&rig) {
            return;
        }
        let Some(statistics) = statistics else { return self.weight_statistics.is_asked_for = false };
        let shown = Side::ALL.map(|side| Arc::clone(&self.actor(side).rig));
        let known = &mut self.weight_statistics.known;
        known.retain(|(of, _)| shown.iter().any(|rig| Arc::ptr_eq(of, rig)));
        known.push((rig, statistics));
    }
}
