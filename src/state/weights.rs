//! The weights of each side: made beside the frame loop where they are not the file's, and kept.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::repairs::repaired;
use super::version::FoundVersion;
use super::{AppState, Document, Notice, NoticeKind, ReadFile, SideVersion, Source};
use crate::import::{ImportWarning, Job};
use crate::jobs::Progress;
use crate::rig::{Rig, WeightSet};
use crate::view::{Layout, Side};
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
    /// What the rig has in common with the open one, where it is another file's: then nodes, skins and shapes are others too.
    pub version: Option<SideVersion>,
}

impl Weighted {
    fn version(found: FoundVersion, start: Instant) -> Self {
        let FoundVersion { rig, version, notes } = found;
        Self { rig, notes, took: start.elapsed(), version: Some(version) }
    }
}

/// What came of a choice of weights.
#[derive(Clone, Debug)]
pub struct MadeWeights {
    /// What was asked for.
    pub choice: WeightChoice,
    /// The character by them, or why there are none, in words.
    pub outcome: Result<Weighted, String>,
}

impl MadeWeights {
    /// The other file that was read for it.
    fn file(&self) -> Option<&Arc<ReadFile>> {
        self.outcome.as_ref().ok()?.version.as_ref()?.file.as_ref()
    }
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
    /// To be made once more; until then what was made is shown.
    again: Vec<WeightChoice>,
    /// Other files as they could last be read, the newest last.
    files: Vec<Arc<ReadFile>>,
}

/// Kept beside those that are shown.
const MOST_KEPT: usize = 4;

/// Vertices of all that is kept beside what is shown; about 300 MB.
const MOST_KEPT_VERTICES: usize = 2_000_000;

impl WeightCache {
    fn get(&self, choice: &WeightChoice) -> Option<&MadeWeights> {
        self.made.iter().find(|made| made.choice == *choice)
    }

    /// True where this is the open character by weights that are known here.
    pub fn has(&self, rig: &Arc<Rig>) -> bool {
        self.made.iter().any(|made| made.outcome.as_ref().is_ok_and(|weighted| Arc::ptr_eq(&weighted.rig, rig)))
    }

    /// For the open file read again: nothing that was made for it, but the other files, should they be gone.
    pub fn for_reload(&self) -> Self {
        Self { files: self.files.clone(), ..Self::default() }
    }

    fn file(&self, path: &Path) -> Option<&Arc<ReadFile>> {
        self.files.iter().find(|file| file.path == path)
    }

    fn keep_file(&mut self, file: &Arc<ReadFile>) {
        self.files.retain(|known| known.path != file.path);
        self.files.push(Arc::clone(file));
        if self.files.len() > MOST_KEPT {
            self.files.remove(0);
        }
    }

    fn insert(&mut self, made: MadeWeights, is_shown: impl Fn(&WeightChoice) -> bool) {
        self.forget(&made.choice);
        if let Some(file) = made.file() {
            self.keep_file(file);
        }
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
        self.again.retain(|again| again != choice);
    }
}

/// Weights that are to be made.
#[derive(Clone, Debug)]
pub struct WeightPlan {
    /// The open character, as its file has it.
    pub rig: Arc<Rig>,
    /// What import put right in its weights.
    warnings: Arc<[ImportWarning]>,
    /// As its file was before.
    before: Option<Arc<Rig>>,
    /// The other file of the choice as it could last be read.
    read: Option<Arc<ReadFile>>,
    /// Which weights.
    pub choice: WeightChoice,
}

impl WeightPlan {
    /// Makes them; `None` where it was stopped, and for those of the file, which are there.
    ///
    /// *Errors*: why they cannot be had, in words.
    pub fn run(&self, progress: &Progress) -> Option<Result<Weighted, String>> {
        let (start, rig) = (Instant::now(), &*self.rig);
        let made = match &self.choice {
            WeightChoice::File => return None,
            WeightChoice::Version { from } => {
                let opened = SideVersion::open(&self.rig, from, self.read.as_ref(), progress)?;
                return Some(opened.map(|found| Weighted::version(found, start)));
            }
            WeightChoice::Before => return self.version_before(start, progress),
            WeightChoice::Refined(refinement) => refine(rig, &WeightSet::unchanged(rig), refinement, progress)?,
            WeightChoice::Computed(recipe) => compute(rig, recipe, progress)?,
            WeightChoice::Repaired(repairs) => {
                let Fixed { weights, changes, mut notes } = repaired(rig, &self.warnings, repairs, progress)?;
                notes.extend(changes.iter().map(ToString::to_string));
                Computed { weights, notes }
            }
            WeightChoice::Transferred { from, refinement } => {
                let other = match Document::open(&Source::File(from.clone()), &Job::default()) {
                    Ok(other) => other,
                    Err(problem) => return Some(Err(problem.to_string())),
                };
                let Computed { weights, mut notes } = transfer(rig, &other.rig, progress)?;
                let refined = refine(rig, &weights, refinement, progress)?;
                notes.extend(refined.notes);
                Computed { weights: refined.weights, notes }
            }
        };
        let rig = Arc::new(rig.with_weights(&made.weights));
        Some(Ok(Weighted { rig, notes: made.notes, took: start.elapsed(), version: None }))
    }
}

impl WeightPlan {
    fn version_before(&self, start: Instant, progress: &Progress) -> Option<Result<Weighted, String>> {
        let Some(before) = &self.before else {
            return Some(Err("The version before is kept only until Rigscope is closed".to_owned()));
        };
        let found = SideVersion::between(&self.rig, Arc::clone(before), progress)?;
        Some(Ok(Weighted::version(found, start)))
    }
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

    /// Weights that are to be made, of side A first; those that are shown and are to be made once more come last.
    pub fn wanted_weights(&self) -> Option<&WeightChoice> {
        let is_awaited = |side: &Side| matches!(self.weights(*side), WeightState::Awaited);
        let awaited = Side::ALL.into_iter().find(is_awaited).map(|side| self.weight_choice(side));
        let mut shown = Side::ALL.into_iter().map(|side| self.weight_choice(side));
        awaited.or_else(|| shown.find(|choice| self.open.weights.again.contains(choice)))
    }

    /// The joints that look as if they should get no weight, and why.
    pub fn helper_joints(&self) -> &[Helper] {
        self.open.helpers.get_or_init(|| helpers(self.rig()))
    }

    /// The first of what is to be made.
    pub fn weight_plan(&self) -> Option<WeightPlan> {
        let choice = self.wanted_weights()?.clone();
        let document = &self.open.document;
        Some(WeightPlan {
            rig: Arc::clone(&document.rig),
            warnings: Arc::clone(&document.warnings),
            before: self.open.before.clone(),
            read: choice.file().and_then(|path| self.open.weights.file(path)).cloned(),
            choice,
        })
    }

    /// Puts one more kind of fault right in the weights of side A, as one step.
    pub(super) fn repair_weights(&mut self, repair: Repair) {
        let known = if let WeightChoice::Repaired(known) = self.weight_choice(Side::A) { &known[..] } else { &[] };
        let mut repairs: Vec<Repair> = known.iter().copied().chain([repair]).collect();
        repairs.sort_unstable();
        repairs.dedup();
        self.set_weights(Side::A, WeightChoice::Repaired(repairs));
    }

    /// Another file on side B in place of the open one, read anew where it was before; the sides share the picture from then on.
    pub(super) fn compare_with(&mut self, from: &Path) {
        let choice = WeightChoice::Version { from: std::path::absolute(from).unwrap_or_else(|_| from.to_owned()) };
        self.open.weights.forget(&choice);
        self.open.frames_version = true;
        self.as_step(|state| {
            state.set_weights(Side::B, choice);
            state.show_versions();
        });
    }

    /// The open file on both sides again.
    pub(super) fn leave_versions(&mut self) {
        self.as_step(|state| {
            for side in Side::ALL.into_iter().filter(|side| state.weight_choice(*side).is_version()).collect::<Vec<_>>()
            {
                state.set_weights(side, WeightChoice::File);
            }
        });
    }

    /// The same file by one method on both sides, in one picture.
    pub(super) fn show_versions(&mut self) {
        if self.open.view.compare.layout == Layout::Single {
            let method = self.skinning(Side::A).clone();
            self.set_layout(Layout::Wipe);
            self.set_skinning(Side::B, method);
            self.show_pose_on(Side::B, self.open.view.sides.a.pose);
        }
        self.pose_changed();
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

    /// Makes what sides wait for on this thread; what is to be told of it, a sentence each.
    pub fn make_weights(&mut self, progress: &Progress) -> Vec<String> {
        let mut told = Vec::new();
        while let Some(choice) = self.wanted_weights().cloned() {
            let made = self.weight_plan().and_then(|plan| plan.run(progress));
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
        self.as_step(|state| {
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
        let is_there = |choice: &&WeightChoice| *choice != chosen && self.open.weights.get(choice).is_some();
        let before = self.open.history.weights_before(side).filter(is_there).cloned().unwrap_or_default();
        let open = &mut self.open;
        if !open.history.withdraw_weights(side, &before, &mut open.document, &mut open.view) {
            self.set_weights(side, before);
        }
        self.pose_changed();
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
        let Some(outcome) = made else {
            self.open.weights.again.retain(|again| *again != choice);
            return self.stop_waiting_for(&choice);
        };
        if let Err(problem) = &outcome {
            let what = if choice.is_version() { "The other file is not shown" } else { "The weights were not made" };
            self.fail(format!("{what}: {problem}"));
        }
        let made = MadeWeights { choice, outcome };
        self.notice = self.told_of_file(&made).or(self.notice.take());
        self.keep_weights(made);
    }

    /// The other file that a side shows, as it was read.
    pub fn file_on(&self, side: Side) -> Option<&Arc<ReadFile>> {
        self.version_on(side)?.1.file.as_ref()
    }

    /// Reads the other file that a side shows once more, which another program has changed; until then it is shown as it was.
    pub fn read_file_again(&mut self, side: Side) {
        let choice = self.weight_choice(side).clone();
        if self.version_on(side).is_some() && !self.open.weights.again.contains(&choice) {
            self.open.weights.again.push(choice);
        }
    }

    /// What is to be told of another file that was read: that it is another than before, or that it could not be read and is shown as it was.
    fn told_of_file(&self, made: &MadeWeights) -> Option<Notice> {
        let (now, name) = (made.file()?, made.choice.title());
        let problem = |made: &MadeWeights| made.outcome.as_ref().ok()?.version.as_ref()?.problem.clone();
        let before = self.open.weights.get(&made.choice);
        if let Some(problem) = problem(made).filter(|now| before.and_then(problem).as_ref() != Some(now)) {
            let text = format!("{problem}\n{name} is shown as it last could be read.");
            return Some(Notice { kind: NoticeKind::Warning, text });
        }
        let before = before?.file().filter(|before| !Arc::ptr_eq(before, now))?;
        let text = super::reload::told(&name, &before.rig, &now.rig, false);
        Some(Notice { kind: NoticeKind::Done, text })
    }

    fn keep_weights(&mut self, made: MadeWeights) {
        let shown = self.open.view.weight_choices();
        self.open.weights.insert(made, |choice| shown.iter().any(|own| own == choice));
        self.pose_changed();
    }
}

#[cfg(test)]
mod tests;
