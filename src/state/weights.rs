//! The weights of each side: made beside the frame loop where they are not the file's, and kept.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::history::SideStep;
use super::kept::{HasRig, Kept};
use super::repairs::repaired;
use super::{AppState, Document, Source};
use crate::import::{ImportError, ImportWarning, Job};
use crate::rig::{Rig, WeightSet};
use crate::view::{Side, Subject};
use crate::weights::{Computed, Fixed, Helper, Refinement, Repair, WeightChoice, compute, helpers, refine, transfer};

/// The open character with other weights than the file's.
#[derive(Clone, Debug)]
pub struct Weighted {
    /// The same nodes, skins and shapes; other influences.
    pub rig: Arc<Rig>,
    /// What could not be done as asked, and what was done in its place: a sentence each.
    pub notes: Vec<String>,
    /// How long it took to make them.
    pub took: Duration,
}

impl HasRig for Weighted {
    fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }
}

/// Weights that were made for the open character.
pub(super) type WeightCache = Kept<WeightChoice, Weighted>;

/// How far the weights are that a side is to show.
#[derive(Clone, Copy, Debug)]
pub enum WeightState<'a> {
    /// Those of the file are shown, and nothing else was asked for.
    File,
    /// The file's are shown until those that were asked for are made.
    Awaited,
    /// They are shown.
    Shown(&'a Weighted),
    /// The file's are shown, since the others cannot be had; why, in words.
    Missing(&'a str),
}

/// Weights that are to be made.
#[derive(Clone, Debug)]
pub struct WeightPlan {
    /// The open character, as its file has it.
    pub rig: Arc<Rig>,
    /// What import put right in its weights.
    warnings: Arc<[ImportWarning]>,
    /// Which weights.
    pub choice: WeightChoice,
}

impl WeightPlan {
    /// Makes them; `None` where it was stopped, and for those of the file, which are there.
    ///
    /// *Errors*: why they cannot be had, in words.
    pub fn run(&self, job: &Job) -> Option<Result<Weighted, String>> {
        let (start, rig, progress) = (Instant::now(), &*self.rig, &*job.progress);
        let made = match &self.choice {
            WeightChoice::File => return None,
            WeightChoice::Refined(refinement) => refine(rig, &WeightSet::unchanged(rig), refinement, progress)?,
            WeightChoice::Computed(recipe) => compute(rig, recipe, progress)?,
            WeightChoice::Repaired(repairs) => {
                let Fixed { weights, changes, mut notes } = repaired(rig, &self.warnings, repairs, progress)?;
                notes.extend(changes.iter().map(ToString::to_string));
                Computed { weights, notes }
            }
            WeightChoice::Transferred { from, refinement } => {
                let other = match Document::open(&Source::File(from.clone()), job) {
                    Ok(other) => other,
                    Err(ImportError::Cancelled) => return None,
                    Err(problem) => return Some(Err(problem.to_string())),
                };
                let Computed { weights, mut notes } = transfer(rig, &other.rig, progress)?;
                let refined = refine(rig, &weights, refinement, progress)?;
                notes.extend(refined.notes);
                Computed { weights: refined.weights, notes }
            }
        };
        let rig = Arc::new(rig.with_weights(&made.weights));
        Some(Ok(Weighted { rig, notes: made.notes, took: start.elapsed() }))
    }
}

impl AppState {
    /// The open character by the weights that a side has for it: what joints, vertices and findings are of.
    pub fn open_on(&self, side: Side) -> &Arc<Rig> {
        self.weighted(side).map_or(self.rig(), |weighted| &weighted.rig)
    }

    /// The open character by the weights that a side has in place of the file's, once they are made.
    pub fn weighted(&self, side: Side) -> Option<&Weighted> {
        if let WeightState::Shown(weighted) = self.weights(side) { Some(weighted) } else { None }
    }

    /// How far the weights of a side are; none are made for one that shows another character.
    pub fn weights(&self, side: Side) -> WeightState<'_> {
        let choice = self.weight_choice(side);
        if choice.is_file() || !self.subject(side).is_open() {
            return WeightState::File;
        }
        match self.open.weights.get(choice) {
            None => WeightState::Awaited,
            Some(Ok(weighted)) => WeightState::Shown(weighted),
            Some(Err(problem)) => WeightState::Missing(problem),
        }
    }

    /// Which weights the open character is to have on a side.
    pub fn weight_choice(&self, side: Side) -> &WeightChoice {
        &self.open.view.sides[side].weights
    }

    /// Weights that are to be made, of side A first.
    pub fn wanted_weights(&self) -> Option<&WeightChoice> {
        let is_awaited = |side: &Side| matches!(self.weights(*side), WeightState::Awaited);
        Side::ALL.into_iter().find(is_awaited).map(|side| self.weight_choice(side))
    }

    /// The joints that look as if they should get no weight, and why.
    pub fn helper_joints(&self) -> &[Helper] {
        self.open.helpers.get_or_init(|| helpers(self.rig()))
    }

    /// The first of what is to be made.
    pub fn weight_plan(&self) -> Option<WeightPlan> {
        let choice = self.wanted_weights()?.clone();
        let document = &self.open.document;
        Some(WeightPlan { rig: Arc::clone(&document.rig), warnings: Arc::clone(&document.warnings), choice })
    }

    /// Puts one more kind of fault right in the weights of side A, as one step.
    pub(super) fn repair_weights(&mut self, repair: Repair) {
        let known = if let WeightChoice::Repaired(known) = self.weight_choice(Side::A) { &known[..] } else { &[] };
        let mut repairs: Vec<Repair> = known.iter().copied().chain([repair]).collect();
        repairs.sort_unstable();
        repairs.dedup();
        self.set_weights(Side::A, WeightChoice::Repaired(repairs));
    }

    /// Weights of another file for a side, which is read anew where it was before.
    pub(super) fn transfer_weights(&mut self, side: Side, from: &Path) {
        let from = std::path::absolute(from).unwrap_or_else(|_| from.to_owned());
        let refinement = Refinement::default();
        let choice = WeightChoice::Transferred { from, refinement };
        self.open.weights.forget(&choice);
        self.set_weights(side, choice);
        self.pose_changed();
    }

    /// Other weights for a side, which shows the open character by them, as one step.
    pub(super) fn set_weights(&mut self, side: Side, choice: WeightChoice) {
        self.as_step(|state| {
            state.set_subject(side, Subject::Open);
            state.open.derived.is_stale |= state.open.view.sides[side].weights != choice;
            state.open.view.sides[side].weights = choice;
        });
    }

    /// Makes the weights of a side once more.
    pub(super) fn make_weights_again(&mut self, side: Side) {
        let choice = self.weight_choice(side).clone();
        self.open.weights.forget(&choice);
        self.pose_changed();
    }

    /// No longer waits for the weights of a side, which goes back to what it showed before: the step that chose them is none any more.
    pub(super) fn stop_making_weights(&mut self, side: Side) {
        if !matches!(self.weights(side), WeightState::Awaited) {
            return;
        }
        self.end_edit();
        let chosen = self.weight_choice(side);
        // What would have to be made first is nothing to go back to.
        let is_there = |choice: &WeightChoice| choice != chosen && self.open.weights.get(choice).is_some();
        let before = self.open.history.side_before(side, |step| step.weights.as_ref());
        let before = before.filter(|choice| is_there(choice)).cloned().unwrap_or_default();
        if !self.withdraw(side, |step| step.weights.as_ref() == Some(&before)) {
            self.set_weights(side, before);
        }
        self.pose_changed();
    }

    /// Takes the last step back for good, where it changed nothing but one side, in this way.
    pub(super) fn withdraw(&mut self, side: Side, is_it: impl Fn(&SideStep) -> bool) -> bool {
        let open = &mut self.open;
        open.history.withdraw(side, is_it, &mut open.document, &mut open.view)
    }

    /// As [`Self::stop_making_weights`], for all sides that wait for these.
    fn stop_waiting_for(&mut self, choice: &WeightChoice) {
        for side in Side::ALL.into_iter().filter(|side| *self.weight_choice(*side) == *choice).collect::<Vec<_>>() {
            self.stop_making_weights(side);
        }
    }

    /// Takes weights, unless they are of a character that is open no longer; `None` where making them was stopped.
    pub(super) fn take_weights(
        &mut self,
        rig: &Arc<Rig>,
        choice: WeightChoice,
        made: Option<Result<Weighted, String>>,
    ) {
        // Of the file itself: weights are not made from made ones.
        if !Arc::ptr_eq(rig, self.rig()) {
            return;
        }
        let Some(outcome) = made else { return self.stop_waiting_for(&choice) };
        if let Err(problem) = &outcome {
            self.fail(format!("The weights were not made: {problem}"));
        }
        let shown = self.open.view.weight_choices();
        self.open.weights.insert(choice, outcome, |choice| shown.iter().any(|own| own == choice));
        self.pose_changed();
    }
}

#[cfg(test)]
mod tests;
