//! The character that each side shows, as chosen by the user: each choice is a step of undo.

use std::sync::Arc;

use crate::rig::NodeIndex;
use crate::stage::{ComparisonFilePlan, ComparisonFileState, ComparisonRig, Done, EnvironmentPlan, Stage, WeightPlan};
use crate::state::document::reload::told;
use crate::state::{Notice, OpenDocument, Topic};
use crate::view::{ShownFile, Side};

impl OpenDocument {
    /// Stops reading the other character of a side, which returns to the one that it showed before: the step that chose it is withdrawn.
    pub(in crate::state) fn stop_reading_comparison(&mut self, side: Side) {
        if !matches!(self.stage.comparison_state(side), ComparisonFileState::Awaited) {
            return;
        }
        self.end_edit();
        let chosen = self.stage.shown_file(side);
        // A character that would have to be read first is no fallback.
        let is_there = |file: &ShownFile| file != chosen && self.stage.known_comparison(file).is_some();
        let before = self.history.side_before(side, |step| step.file.as_deref());
        let before = before.filter(|file| is_there(file)).cloned().unwrap_or_default();
        if !self.withdraw(side, |step| step.file.as_deref() == Some(&before)) {
            self.as_step(|open| open.stage.show_file(side, before));
        }
        self.stage.pose_changed();
    }

    /// Takes a derived result and returns a notice on it; the history forgets choices that were stopped.
    pub(in crate::state) fn take_derived(&mut self, done: Done) -> Option<Notice> {
        let notice = if let Some((plan, found)) =
            done.of::<ComparisonFilePlan>().filter(|(plan, _)| self.stage.is_open(&plan.rig))
        {
            self.other_came(&plan.file, found)
        } else if let Some((plan, made)) = done.of::<WeightPlan>().filter(|(plan, _)| self.stage.is_open(&plan.rig)) {
            self.weights_came(&plan.choice, made)
        } else if let Some((_, Some(Err(problem)))) = done.of::<EnvironmentPlan>() {
            Some(Notice::error(problem.clone()).about(Topic::Light))
        } else {
            None
        };
        done.store_in(&mut self.stage);
        notice
    }

    /// Handles the reading of another character before it is taken; where it was stopped, a waiting side returns to what it showed before.
    fn other_came(&mut self, file: &ShownFile, found: Option<&Result<ComparisonRig, String>>) -> Option<Notice> {
        match found {
            None => {
                let waiting = Side::ALL.into_iter().filter(|side| self.stage.shown_file(*side) == file);
                waiting.collect::<Vec<_>>().into_iter().for_each(|side| self.stop_reading_comparison(side));
                None
            }
            Some(Err(problem)) => {
                Some(Notice::error(format!("The other file is not shown: {problem}")).about(Topic::OtherFile))
            }
            Some(Ok(other)) => told_of_file(&self.stage, file, other),
        }
    }
}

/// Reads the other file of a side again after a failure.
pub(in crate::state) fn read_comparison_again(stage: &mut Stage, side: Side) {
    let file = stage.shown_file(side).clone();
    stage.forget_comparison(&file);
}

/// Notice on another file that was read: that it has changed, or that it could not be read and is shown as before.
fn told_of_file(stage: &Stage, file: &ShownFile, other: &ComparisonRig) -> Option<Notice> {
    let (now, name) = (other.file.as_ref()?, file.title());
    let before = stage.known_comparison(file).and_then(Result::ok);
    let was = before.and_then(|before| before.problem.as_ref());
    if let Some(problem) = other.problem.as_ref().filter(|now| was != Some(*now)) {
        return Some(Notice::warning(format!("{problem}\nThe last readable version of {name} is shown.")));
    }
    let before = before?.file.as_ref().filter(|before| !Arc::ptr_eq(before, now))?;
    Some(Notice::done(told(&name, &before.rig, &now.rig, false)))
}

/// Why a joint of another file that a side shows cannot be selected.
pub fn told_lone(stage: &Stage, side: Side, joint: NodeIndex) -> Option<Notice> {
    let other = Some(stage.actor(side)).filter(|actor| !actor.is_open())?;
    let (name, other) = (other.rig.hierarchy.name(joint), stage.shown_file(side).title());
    let open = stage.document.source.name();
    Some(Notice::info(format!(
        "{name} of {other} has no counterpart in {open}, so it cannot be selected here. Open {other} to pose it."
    )))
}
