//! The weights of each side: made beside the frame loop where they are not the file's, and kept.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::derived::{Derived, fault, notes_of};
use super::rig_cache::{HasRig, RigCache};
use super::{Document, Source, Stage};
use crate::import::{ImportError, ImportWarning, Job};
use crate::jobs::Kind;
use crate::project::repaired;
use crate::rig::{Rig, WeightSet};
use crate::view::{ShownFile, Side};
use crate::weights::{Computed, Fixed, Helper, WeightChoice, compute, helpers, refine, transfer};

/// The open character with other weights than the file's.
#[derive(Clone, Debug)]
pub struct WeightedRig {
    /// The character with the same nodes, skins and shapes, and other influences.
    pub rig: Arc<Rig>,
    /// Sentences on what could not be done as asked, and what was done in its place.
    pub notes: Vec<String>,
    /// What of the edits by hand has no place in this file, in a sentence.
    pub lost_edits: Option<String>,
    /// Time that making them took.
    pub took: Duration,
}

impl WeightedRig {
    /// The sentences that are not of edits by hand.
    pub(crate) fn notes_of_base(&self) -> Vec<String> {
        self.notes.iter().filter(|note| Some(*note) != self.lost_edits.as_ref()).cloned().collect()
    }
}

impl HasRig for WeightedRig {
    fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }
}

/// Weights that were made for the open character.
pub(crate) type WeightCache = RigCache<WeightChoice, WeightedRig>;

/// State of the weights that a side is to show.
#[derive(Clone, Copy, Debug)]
pub enum WeightState<'a> {
    /// The file's weights are shown, and nothing else was asked for.
    File,
    /// The file's weights are shown until those that were asked for are made.
    Awaited,
    /// The weights that were asked for are shown.
    Shown(&'a WeightedRig),
    /// The file's weights are shown, since the others cannot be had; why, in words.
    Missing(&'a str),
}

/// The character by weights that are edited, and sentences that are told of them.
type Base = (Arc<Rig>, Vec<String>);

/// Weights that are to be made.
#[derive(Clone, Debug)]
pub struct WeightPlan {
    /// The open character, as its file has it.
    pub rig: Arc<Rig>,
    /// Warnings of the import, which tell the faults of the file's weights.
    warnings: Arc<[ImportWarning]>,
    /// Weights to be made.
    pub choice: WeightChoice,
    /// The character by the weights that the choice edits, where it is known.
    base: Option<Arc<WeightedRig>>,
}

impl Derived for WeightPlan {
    /// The character by the weights, or the reason why they cannot be had, in words.
    type Value = Result<WeightedRig, String>;

    const JOB: Kind = Kind::new(
        "weights",
        "Computing weights",
        "The file's weights are shown in their place; try other settings or another method.",
    );

    fn wanted(stage: &Stage) -> Option<Self> {
        let choice = stage.wanted_weights()?.clone();
        let Document { rig, warnings, .. } = &stage.document;
        let base = choice.edits().and_then(|_| stage.weights.shared(choice.base())).cloned();
        Some(Self { rig: Arc::clone(rig), warnings: Arc::clone(warnings), choice, base })
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig) && self.choice == other.choice
    }

    fn died(&self) -> Option<Self::Value> {
        Some(Err(fault()))
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        stage.take_weights(&self.rig, self.choice, value);
    }

    fn notes(value: &Self::Value) -> &[String] {
        notes_of(value, |weighted| &weighted.notes)
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        let (start, rig, progress) = (Instant::now(), &*self.rig, &*job.progress);
        let made = match &self.choice {
            WeightChoice::File => return None,
            WeightChoice::Edited { base, rows } => {
                let (rig, notes) = match self.base_of(base, job)? {
                    Ok(base) => base,
                    Err(problem) => return Some(Err(problem)),
                };
                let made = rows.applied(&rig, progress)?;
                let lost_edits = (made.lost > 0).then(|| {
                    let (lost, all) = (made.lost, rows.len());
                    format!(
                        "{lost} of {all} edited vertices were not found in this file, or their joints were not: they have the weights that they had before the edits."
                    )
                });
                let notes = lost_edits.iter().cloned().chain(notes).collect();
                let rig = Arc::new(rig.with_weights(&made.weights));
                return Some(Ok(WeightedRig { rig, notes, lost_edits, took: start.elapsed() }));
            }
            WeightChoice::Stored => {
                let note = "The file stores all weights sorted, and they sum to 1: nothing differs.".to_owned();
                let notes = (!rig.has_stored_weights()).then_some(note).into_iter().collect();
                Computed { weights: WeightSet::stored(rig), notes }
            }
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
        Some(Ok(WeightedRig { rig, notes: made.notes, lost_edits: None, took: start.elapsed() }))
    }
}

impl WeightPlan {
    /// The character by the weights that are edited, made where they are not known, and what is to be told of them.
    fn base_of(&self, choice: &WeightChoice, job: &Job) -> Option<Result<Base, String>> {
        if choice.is_file() {
            return Some(Ok((Arc::clone(&self.rig), Vec::new())));
        }
        if let Some(known) = &self.base {
            return Some(Ok((Arc::clone(&known.rig), known.notes.clone())));
        }
        let made = Self { choice: choice.clone(), ..self.clone() }.run(job)?;
        Some(made.map(|made| (made.rig, made.notes)))
    }
}

impl Stage {
    /// The open character by the weights that a side has for it: what joints, vertices and findings are of.
    pub fn open_on(&self, side: Side) -> &Arc<Rig> {
        self.weighted(side).map_or(self.rig(), |weighted| &weighted.rig)
    }

    /// The open character by the weights that a side has in place of the file's, once they are made.
    pub fn weighted(&self, side: Side) -> Option<&WeightedRig> {
        if let WeightState::Shown(weighted) = self.weights(side) { Some(weighted) } else { None }
    }

    /// State of the weights of a side; none are made for one that shows another character.
    pub fn weights(&self, side: Side) -> WeightState<'_> {
        let choice = self.weight_choice(side);
        if choice.is_file() || !self.shown_file(side).is_open() {
            return WeightState::File;
        }
        match self.weights.get(choice) {
            None => WeightState::Awaited,
            Some(Ok(weighted)) => WeightState::Shown(weighted),
            Some(Err(problem)) => WeightState::Missing(problem),
        }
    }

    /// Choice of the open character's weights on a side.
    pub fn weight_choice(&self, side: Side) -> &WeightChoice {
        &self.view.sides[side].weights
    }

    /// Weights that are to be made, of side A first.
    pub fn wanted_weights(&self) -> Option<&WeightChoice> {
        let is_awaited = |side: &Side| matches!(self.weights(*side), WeightState::Awaited);
        Side::ALL.into_iter().find(is_awaited).map(|side| self.weight_choice(side))
    }

    /// The joints that look as if they should get no weight, and why.
    pub fn helper_joints(&self) -> &[Helper] {
        self.helpers.get_or_init(|| helpers(self.rig()))
    }

    /// The open character by some weights, or why there is none, where that is known.
    pub(crate) fn known_weights(&self, choice: &WeightChoice) -> Option<Result<&WeightedRig, &str>> {
        self.weights.get(choice)
    }

    /// Number of sets of weights that are kept.
    #[cfg(test)]
    pub(crate) fn kept_weights(&self) -> usize {
        self.weights.len()
    }

    /// Forgets weights, so that they are made anew once a side shows them.
    pub(crate) fn forget_weights(&mut self, choice: &WeightChoice) {
        self.weights.forget(choice);
        self.pose_changed();
    }

    /// Shows the open character by some weights on a side.
    pub fn show_weights(&mut self, side: Side, choice: WeightChoice) {
        self.show_file(side, ShownFile::Open);
        self.derived.is_stale |= self.view.sides[side].weights != choice;
        self.view.sides[side].weights = choice;
    }

    fn take_weights(&mut self, rig: &Arc<Rig>, choice: WeightChoice, made: Option<Result<WeightedRig, String>>) {
        // Of the file itself: weights are not made from made ones.
        if !Arc::ptr_eq(rig, self.rig()) {
            return;
        }
        let Some(outcome) = made else {
            let waits = |side: &Side| {
                *self.weight_choice(*side) == choice && matches!(self.weights(*side), WeightState::Awaited)
            };
            let waiting: Vec<Side> = Side::ALL.into_iter().filter(waits).collect();
            return waiting.into_iter().for_each(|side| self.show_weights(side, WeightChoice::File));
        };
        self.keep_weights(choice, outcome);
    }

    /// Keeps what came of a choice. What is shown stays, and what that edits: an edit does not make it anew.
    pub(crate) fn keep_weights(&mut self, choice: WeightChoice, outcome: Result<WeightedRig, String>) {
        let shown = self.view.weight_choices();
        self.weights.insert(choice, outcome, |choice| shown.iter().any(|own| own == choice || own.base() == choice));
        self.pose_changed();
    }
}
