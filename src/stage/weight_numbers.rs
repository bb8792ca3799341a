//! Weight statistics of both sides, computed in the background on request.

use std::sync::Arc;

use super::{Derived, Stage, stored_weights};
use crate::export::numbers_json;
use crate::import::Job;
use crate::jobs::Kind;
use crate::rig::{NodeIndex, Rig, joint_names};
use crate::rows::UnderKey;
use crate::view::Side;
use crate::weights::{StoredWeights, WeightNumbers, WeightNumbersJson, numbers};

#[derive(Clone, Debug, Default)]
pub(super) struct CachedWeightStatistics {
    is_asked_for: bool,
    known: Vec<(Arc<Rig>, Arc<WeightNumbers>)>,
}

/// Input for weight statistics.
#[derive(Clone, Debug)]
pub struct JudgePlan {
    /// The character with a side's weights.
    pub rig: Arc<Rig>,
    stored: StoredWeights,
}

impl Derived for JudgePlan {
    type Value = Arc<WeightNumbers>;

    const JOB: Kind = Kind::new(
        "judging weights",
        "Judging the weights",
        "All else works; open the numbers again in the Skin panel.",
    );

    fn wanted(stage: &Stage) -> Option<Self> {
        let is_missing = |side: &Side| stage.weight_numbers(*side).is_none();
        let side = Side::ALL.into_iter().find(is_missing).filter(|_| stage.judges_weights())?;
        let rig = Arc::clone(&stage.actor(side).rig);
        let is_file = Arc::ptr_eq(&rig, stage.rig());
        let stored = if is_file { stored_weights(&stage.document.warnings) } else { StoredWeights::default() };
        Some(Self { rig, stored })
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig)
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        numbers(&self.rig, self.stored, &job.progress).map(Arc::new)
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        stage.take_weight_numbers(self.rig, value);
    }
}

impl Stage {
    /// Returns the statistics of the weights on a side, if computed.
    pub fn weight_numbers(&self, side: Side) -> Option<&Arc<WeightNumbers>> {
        let rig = &self.actor(side).rig;
        self.judged.known.iter().find(|(known, _)| Arc::ptr_eq(known, rig)).map(|(_, numbers)| numbers)
    }

    /// True if weight statistics are requested.
    pub fn judges_weights(&self) -> bool {
        self.judged.is_asked_for
    }

    /// Returns the statistics of a side as JSON, or its joints as CSV.
    pub fn weight_numbers_text(&self, side: Side, is_json: bool) -> Option<String> {
        let numbers = self.weight_numbers(side)?;
        let joints: Vec<NodeIndex> = numbers.joints.iter().map(|row| row.joint).collect();
        let names = joint_names(&self.actor(side).rig.hierarchy, &joints);
        let row = WeightNumbersJson::new(numbers, names);
        Some(if is_json {
            numbers_json(&self.document.source.full_name(), &UnderKey("weights", row))
        } else {
            row.csv()
        })
    }

    pub(crate) fn judge_weights(&mut self, is_asked_for: bool) {
        self.judged.is_asked_for = is_asked_for;
    }

    fn take_weight_numbers(&mut self, rig: Arc<Rig>, numbers: Option<Arc<WeightNumbers>>) {
        if !self.is_of_open(&rig) {
            return;
        }
        let Some(numbers) = numbers else { return self.judge_weights(false) };
        let shown = Side::ALL.map(|side| Arc::clone(&self.actor(side).rig));
        let known = &mut self.judged.known;
        known.retain(|(of, _)| shown.iter().any(|rig| Arc::ptr_eq(of, rig)));
        known.push((rig, numbers));
    }
}
