//! The weights of each side: made beside the frame loop where they are not the file's, and kept.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::AppState;
use crate::jobs::Progress;
use crate::rig::Rig;
use crate::view::Side;
use crate::weights::{WeightChoice, compute};

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

/// What came of a choice of weights.
#[derive(Clone, Debug)]
pub struct MadeWeights {
    /// What was asked for.
    pub choice: WeightChoice,
    /// The character by them, or why there are none, in words.
    pub outcome: Result<Weighted, String>,
}

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

/// Weights that were made for the open character, so that going back to them costs nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct WeightCache {
    /// The newest last.
    made: Vec<MadeWeights>,
}

/// Kept beside those that are shown.
const MOST_KEPT: usize = 4;

/// Vertices of all that is kept beside what is shown; about 300 MB.
const MOST_KEPT_VERTICES: usize = 2_000_000;

/// What is told where the user stopped it.
const STOPPED: &str = "Stopped before the weights were made";

impl WeightCache {
    fn get(&self, choice: &WeightChoice) -> Option<&MadeWeights> {
        self.made.iter().find(|made| made.choice == *choice)
    }

    /// True where this is the open character by weights that are known here.
    pub fn has(&self, rig: &Arc<Rig>) -> bool {
        self.made.iter().any(|made| made.outcome.as_ref().is_ok_and(|weighted| Arc::ptr_eq(&weighted.rig, rig)))
    }

    fn insert(&mut self, made: MadeWeights, is_shown: impl Fn(&WeightChoice) -> bool) {
        self.forget(&made.choice);
        self.made.push(made);
        let (mut count, mut vertices) = (0, 0);
        let mut kept: Vec<MadeWeights> = self.made.drain(..).rev().collect();
        kept.retain(|made| {
            if is_shown(&made.choice) {
                return true;
            }
            count += 1;
            vertices += made.outcome.as_ref().map_or(0, |weighted| weighted.rig.vertex_count());
            count <= MOST_KEPT && vertices <= MOST_KEPT_VERTICES
        });
        kept.reverse();
        self.made = kept;
    }

    fn forget(&mut self, choice: &WeightChoice) {
        self.made.retain(|made| made.choice != *choice);
    }
}

/// Makes the weights that were chosen for a character; `None` where it was stopped, and for those of the file, which are there.
///
/// *Errors*: why they cannot be had, in words.
pub fn make_weights(rig: &Rig, choice: &WeightChoice, progress: &Progress) -> Option<Result<Weighted, String>> {
    let start = Instant::now();
    let made = match choice {
        WeightChoice::File => return None,
        WeightChoice::Computed(recipe) => compute(rig, recipe, progress)?,
    };
    let rig = Arc::new(rig.with_weights(&made.weights));
    Some(Ok(Weighted { rig, notes: made.notes, took: start.elapsed() }))
}

impl AppState {
    /// The character by the weights that a side shows now.
    pub fn rig_of(&self, side: Side) -> &Arc<Rig> {
        self.weighted(side).map_or(self.rig(), |weighted| &weighted.rig)
    }

    /// What a side shows in place of the file's weights, once it is there.
    pub fn weighted(&self, side: Side) -> Option<&Weighted> {
        if let WeightState::Shown(weighted) = self.weights(side) { Some(weighted) } else { None }
    }

    /// How far the weights of a side are.
    pub fn weights(&self, side: Side) -> WeightState<'_> {
        let choice = self.weight_choice(side);
        if choice.is_file() {
            return WeightState::File;
        }
        match self.open.weights.get(choice).map(|made| made.outcome.as_ref()) {
            None => WeightState::Awaited,
            Some(Ok(weighted)) => WeightState::Shown(weighted),
            Some(Err(problem)) => WeightState::Missing(problem),
        }
    }

    /// What a side is to show.
    pub fn weight_choice(&self, side: Side) -> &WeightChoice {
        &self.open.view.sides[side].weights
    }

    /// Weights that are to be made, of side A first.
    pub fn wanted_weights(&self) -> Option<&WeightChoice> {
        let is_awaited = |side: &Side| matches!(self.weights(*side), WeightState::Awaited);
        Side::ALL.into_iter().find(is_awaited).map(|side| self.weight_choice(side))
    }

    /// Makes what sides wait for on this thread; what is to be told of it, a sentence each.
    pub fn make_weights(&mut self, progress: &Progress) -> Vec<String> {
        let mut told = Vec::new();
        while let Some(choice) = self.wanted_weights().cloned() {
            let made = make_weights(self.rig(), &choice, progress);
            match &made {
                Some(Ok(weighted)) => told.extend(weighted.notes.iter().cloned()),
                Some(Err(problem)) => told.push(problem.clone()),
                None => {}
            }
            self.take_weights(&Arc::clone(self.rig()), choice, made);
        }
        told
    }

    /// Other weights for a side, as one step.
    pub(super) fn set_weights(&mut self, side: Side, choice: WeightChoice) {
        self.end_edit();
        let before = self.open.view.weight_choices();
        if before[side] == choice {
            return;
        }
        let label = format!("Weights of {side:?}: {}", choice.title());
        self.open.view.sides[side].weights = choice;
        self.open.history.reweight(before, label);
        self.pose_changed();
    }

    /// Makes the weights of a side once more.
    pub(super) fn make_weights_again(&mut self, side: Side) {
        let choice = self.weight_choice(side).clone();
        self.open.weights.forget(&choice);
        self.pose_changed();
    }

    /// No longer waits for the weights of a side, which shows those of the file.
    pub(super) fn stop_making_weights(&mut self, side: Side) {
        if matches!(self.weights(side), WeightState::Awaited) {
            let choice = self.weight_choice(side).clone();
            self.keep_weights(MadeWeights { choice, outcome: Err(STOPPED.to_owned()) });
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
        if Arc::ptr_eq(rig, self.rig()) {
            self.keep_weights(MadeWeights { choice, outcome: made.unwrap_or_else(|| Err(STOPPED.to_owned())) });
        }
    }

    fn keep_weights(&mut self, made: MadeWeights) {
        let shown = self.open.view.weight_choices();
        self.open.weights.insert(made, |choice| shown.iter().any(|own| own == choice));
        self.pose_changed();
    }
}

#[cfg(test)]
mod tests;
