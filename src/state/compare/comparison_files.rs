//! The file shown on each side. Choosing a file is an undo step.

use std::sync::Arc;

use crate::rig::NodeIndex;
use crate::stage::{
    ChoiceState, ClipRanking, ClipRankingPlan, ComparisonFilePlan, ComparisonRig, DerivedResult, EnvironmentPlan,
    RankedClip, Stage, WeightPlan,
};
use crate::state::document::reload::reload_message;
use crate::state::{Notice, NoticeTopic, OpenDocument};
use crate::view::{ShownFile, Side};

impl OpenDocument {
    /// Stops reading a side's comparison file and removes the undo step that chose it.
    pub(in crate::state) fn stop_reading_comparison(&mut self, side: Side) {
        if !matches!(self.stage.comparison_state(side), ChoiceState::Awaited) {
            return;
        }
        self.end_edit();
        let chosen = self.stage.shown_file(side);
        // Falls back only to a character that is already loaded.
        let is_there = |file: &ShownFile| file != chosen && self.stage.others.found.get(file).is_some();
        let before = self.history.side_before(side, |step| step.file.as_deref());
        let before = before.filter(|file| is_there(file)).cloned().unwrap_or_default();
        if !self.withdraw(side, |step| step.file.as_deref() == Some(&before)) {
            self.as_step(|open| open.stage.show_file(side, before));
        }
        self.stage.pose_changed();
    }

    /// Stores a derived value and returns a notice if needed. If the job was stopped, removes the undo step that
    /// requested the value.
    pub(in crate::state) fn take_derived(&mut self, done: DerivedResult) -> Option<Notice> {
        let notice = if let Some((plan, found)) =
            done.get::<ComparisonFilePlan>().filter(|(plan, _)| self.stage.is_open(&plan.rig))
        {
            self.handle_comparison(&plan.file, found)
        } else if let Some((plan, made)) = done.get::<WeightPlan>().filter(|(plan, _)| self.stage.is_open(&plan.rig)) {
            self.handle_weights(&plan.choice, made)
        } else if let Some((_, Some(Err(problem)))) = done.get::<EnvironmentPlan>() {
            Some(Notice::error(problem.clone()).about(NoticeTopic::Light))
        } else if let Some((_, Some(Ok(ranking)))) = done.get::<ClipRankingPlan>() {
            ranking_notice(&self.stage, ranking)
        } else {
            None
        };
        done.store_in(&mut self.stage);
        notice
    }

    /// Returns a notice about a comparison file that was read. If reading was stopped, waiting sides show their
    /// previous file.
    fn handle_comparison(&mut self, file: &ShownFile, found: Option<&Result<ComparisonRig, String>>) -> Option<Notice> {
        match found {
            None => {
                let waiting = Side::ALL.into_iter().filter(|side| self.stage.shown_file(*side) == file);
                waiting.collect::<Vec<_>>().into_iter().for_each(|side| self.stop_reading_comparison(side));
                None
            }
            Some(Err(problem)) => {
                Some(Notice::error(format!("Can't show the comparison file: {problem}")).about(NoticeTopic::OtherFile))
            }
            Some(Ok(other)) => comparison_file_notice(&self.stage, file, other),
        }
    }
}

/// Returns a notice that names the worst clip.
fn ranking_notice(stage: &Stage, ranking: &ClipRanking) -> Option<Notice> {
    let RankedClip { clip, worst } = ranking.clips.first()?;
    let text = match (worst, stage.rig().clips.get(*clip)) {
        (Some((worst, time_secs)), Some(clip)) => {
            let actor = stage.actor(Side::A);
            let (joint, loss) = (actor.rig.hierarchy.name(worst.joint), worst.loss.a * 100.0);
            format!("Worst clip: {}. {joint} loses {loss:.1} % at {time_secs:.2} s.", clip.title())
        }
        _ => "No clip has a loss that is certain.".to_owned(),
    };
    Some(Notice::done(text))
}

pub(in crate::state) fn read_comparison_again(stage: &mut Stage, side: Side) {
    let file = stage.shown_file(side).clone();
    stage.forget_comparison(&file);
}

/// Returns a notice if a comparison file has changed, or if it became unreadable and its last readable version is
/// shown.
fn comparison_file_notice(stage: &Stage, file: &ShownFile, other: &ComparisonRig) -> Option<Notice> {
    let (now, name) = (other.file.as_ref()?, file.title());
    let before = stage.others.found.get(file).and_then(Result::ok);
    let was = before.and_then(|before| before.problem.as_ref());
    if let Some(problem) = other.problem.as_ref().filter(|now| was != Some(*now)) {
        return Some(Notice::warning(format!("{problem}\nThe last readable version of {name} is shown.")));
    }
    let before = before?.file.as_ref().filter(|before| !Arc::ptr_eq(before, now))?;
    Some(Notice::done(reload_message(&name, &before.rig, &now.rig, false)))
}

/// Returns a notice that a comparison file's joint cannot be selected; `None` if the side shows the open character.
pub fn unmatched_joint_notice(stage: &Stage, side: Side, joint: NodeIndex) -> Option<Notice> {
    let other = Some(stage.actor(side)).filter(|actor| !actor.is_open())?;
    let (name, other) = (other.rig.hierarchy.name(joint), stage.shown_file(side).title());
    let open = stage.document.source.name();
    Some(Notice::info(format!(
        "{name} of {other} has no counterpart in {open}, so it cannot be selected here. Open {other} to pose it."
    )))
}
