//! Other characters that sides show: read and matched beside the frame loop, and kept.

use std::path::Path;
use std::sync::Arc;

use super::kept::{HasRig, Kept, MOST_KEPT};
use super::{AppState, Notice, NoticeKind, OtherRig, ReadFile};
use crate::import::Job;
use crate::rig::Rig;
use crate::view::{Layout, Side, Subject};

/// How far the character is that a side is to show.
#[derive(Clone, Copy, Debug)]
pub enum SubjectState<'a> {
    /// The open one is shown, and nothing else was asked for.
    Open,
    /// The open one is shown until the other is read.
    Awaited,
    /// The other one is shown.
    Shown(&'a OtherRig),
    /// The open one is shown, since the other cannot be had; why, in words.
    Missing(&'a str),
}

impl HasRig for OtherRig {
    fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }
}

/// Other characters that were read.
#[derive(Clone, Debug, Default)]
pub(super) struct OtherRigs {
    found: Kept<Subject, OtherRig>,
    /// To be read once more; until then what was found is shown.
    again: Vec<Subject>,
    /// Other files as they could last be read, the newest last.
    files: Vec<Arc<ReadFile>>,
}

impl OtherRigs {
    /// True where this is one of them.
    pub fn has(&self, rig: &Arc<Rig>) -> bool {
        self.found.has(rig)
    }

    /// For the open file read again: nothing that was matched with it, but the other files, should they be gone.
    pub fn for_reload(&self) -> Self {
        Self { files: self.files.clone(), ..Self::default() }
    }

    fn file(&self, subject: &Subject) -> Option<&Arc<ReadFile>> {
        let path = subject.file()?;
        self.files.iter().find(|file| file.path == path)
    }

    fn insert(&mut self, subject: Subject, outcome: Result<OtherRig, String>, is_shown: impl Fn(&Subject) -> bool) {
        self.again.retain(|again| *again != subject);
        if let Some(file) = outcome.as_ref().ok().and_then(|other| other.file.as_ref()) {
            self.files.retain(|known| known.path != file.path);
            self.files.push(Arc::clone(file));
            if self.files.len() > MOST_KEPT {
                self.files.remove(0);
            }
        }
        self.found.insert(subject, outcome, is_shown);
    }

    fn forget(&mut self, subject: &Subject) {
        self.found.forget(subject);
        self.again.retain(|again| again != subject);
    }
}

/// Another character that is to be read and matched.
#[derive(Clone, Debug)]
pub struct SubjectPlan {
    /// The open character, as its file has it.
    pub rig: Arc<Rig>,
    /// Which other.
    pub subject: Subject,
    /// The open character as its file was before.
    before: Option<Arc<Rig>>,
    /// The other file as it could last be read.
    read: Option<Arc<ReadFile>>,
}

impl SubjectPlan {
    /// Reads and matches it; `None` where it was stopped, and for the open character, which is there.
    ///
    /// *Errors*: why it cannot be had, in words.
    pub fn run(&self, job: &Job) -> Option<Result<OtherRig, String>> {
        match &self.subject {
            Subject::Open => None,
            Subject::Other(from) => OtherRig::open(&self.rig, from, self.read.as_ref(), job),
            Subject::Before => match &self.before {
                Some(before) => OtherRig::between(&self.rig, Arc::clone(before), &job.progress).map(Ok),
                None => Some(Err("The version before is kept only until Rigscope is closed".to_owned())),
            },
        }
    }
}

impl AppState {
    /// Which character a side is to show.
    pub fn subject(&self, side: Side) -> &Subject {
        &self.open.view.sides[side].subject
    }

    /// How far the character of a side is.
    pub fn subject_state(&self, side: Side) -> SubjectState<'_> {
        let subject = self.subject(side);
        if subject.is_open() {
            return SubjectState::Open;
        }
        match self.open.others.found.get(subject) {
            None => SubjectState::Awaited,
            Some(Ok(other)) => SubjectState::Shown(other),
            Some(Err(problem)) => SubjectState::Missing(problem),
        }
    }

    /// The other character that a side shows in place of the open one, once it is there.
    pub fn other_on(&self, side: Side) -> Option<&Arc<OtherRig>> {
        self.open.others.found.shared(self.subject(side))
    }

    /// The other file that a side shows, as it was read.
    pub fn file_on(&self, side: Side) -> Option<&Arc<ReadFile>> {
        self.other_on(side)?.file.as_ref()
    }

    /// The other character that is to be read, of side A first; those that are shown and are to be read once more come last.
    fn wanted_subject(&self) -> Option<&Subject> {
        let is_awaited = |side: &Side| matches!(self.subject_state(*side), SubjectState::Awaited);
        let awaited = Side::ALL.into_iter().find(is_awaited).map(|side| self.subject(side));
        let mut shown = Side::ALL.into_iter().map(|side| self.subject(side));
        awaited.or_else(|| shown.find(|subject| self.open.others.again.contains(subject)))
    }

    /// The first other character that is to be read and matched.
    pub fn subject_plan(&self) -> Option<SubjectPlan> {
        let subject = self.wanted_subject()?.clone();
        let (rig, before) = (Arc::clone(self.rig()), self.open.before.clone());
        Some(SubjectPlan { rig, before, read: self.open.others.file(&subject).cloned(), subject })
    }

    /// Another file on side B in place of the open one, read anew where it was before; the sides share the picture from then on.
    pub(super) fn compare_with(&mut self, from: &Path) {
        let subject = Subject::file_at(from);
        self.open.others.forget(&subject);
        self.open.frames_other = true;
        self.as_step(|state| {
            state.set_subject(Side::B, subject);
            state.share_with_other();
        });
    }

    /// The open file on both sides again.
    pub(super) fn leave_others(&mut self) {
        self.as_step(|state| Side::ALL.into_iter().for_each(|side| state.set_subject(side, Subject::Open)));
    }

    /// The same file by one method on both sides, in one picture.
    pub(super) fn share_with_other(&mut self) {
        if self.open.view.compare.layout == Layout::Single {
            let method = self.skinning(Side::A).clone();
            self.set_layout(Layout::Wipe);
            self.set_skinning(Side::B, method);
            self.show_pose_on(Side::B, self.open.view.sides.a.pose);
        }
        self.pose_changed();
    }

    /// Another character on a side, as one step.
    pub(super) fn set_subject(&mut self, side: Side, subject: Subject) {
        self.as_step(|state| {
            state.open.derived.is_stale |= state.open.view.sides[side].subject != subject;
            state.open.view.sides[side].subject = subject;
        });
    }

    /// Reads the other file of a side once more, where it could not be read.
    pub(super) fn read_subject_again(&mut self, side: Side) {
        let subject = self.subject(side).clone();
        self.open.others.forget(&subject);
        self.pose_changed();
    }

    /// Reads the other file that a side shows once more, which another program has changed; until then it is shown as it was.
    pub fn read_file_again(&mut self, side: Side) {
        let subject = self.subject(side).clone();
        if self.other_on(side).is_some() && !self.open.others.again.contains(&subject) {
            self.open.others.again.push(subject);
        }
    }

    /// No longer waits for the other character of a side, which goes back to the one that it showed before: the step that chose it is none any more.
    pub(super) fn stop_reading_subject(&mut self, side: Side) {
        if !matches!(self.subject_state(side), SubjectState::Awaited) {
            return;
        }
        self.end_edit();
        let chosen = self.subject(side);
        // What would have to be read first is nothing to go back to.
        let is_there = |subject: &Subject| subject != chosen && self.open.others.found.get(subject).is_some();
        let before = self.open.history.side_before(side, |step| step.subject.as_ref());
        let before = before.filter(|subject| is_there(subject)).cloned().unwrap_or_default();
        if !self.withdraw(side, |step| step.subject.as_ref() == Some(&before)) {
            self.set_subject(side, before);
        }
        self.pose_changed();
    }

    /// Takes another character, unless it was matched with one that is open no longer; `None` where reading it was stopped.
    pub(super) fn take_subject(&mut self, rig: &Arc<Rig>, subject: Subject, found: Option<Result<OtherRig, String>>) {
        if !Arc::ptr_eq(rig, self.rig()) {
            return;
        }
        let Some(outcome) = found else {
            self.open.others.again.retain(|again| *again != subject);
            let waits = |side: &Side| *self.subject(*side) == subject;
            let waiting: Vec<Side> = Side::ALL.into_iter().filter(waits).collect();
            return waiting.into_iter().for_each(|side| self.stop_reading_subject(side));
        };
        match &outcome {
            Err(problem) => self.fail(format!("The other file is not shown: {problem}")),
            Ok(other) => self.notice = self.told_of_file(&subject, other).or(self.notice.take()),
        }
        let shown = Side::ALL.map(|side| self.subject(side).clone());
        self.open.others.insert(subject, outcome, |subject| shown.contains(subject));
        self.pose_changed();
    }

    /// What is to be told of another file that was read: that it is another than before, or that it could not be read and is shown as it was.
    fn told_of_file(&self, subject: &Subject, other: &OtherRig) -> Option<Notice> {
        let (now, name) = (other.file.as_ref()?, subject.title());
        let before = self.open.others.found.get(subject).and_then(Result::ok);
        let was = before.and_then(|before| before.problem.as_ref());
        if let Some(problem) = other.problem.as_ref().filter(|now| was != Some(*now)) {
            let text = format!("{problem}\n{name} is shown as it last could be read.");
            return Some(Notice { kind: NoticeKind::Warning, text });
        }
        let before = before?.file.as_ref().filter(|before| !Arc::ptr_eq(before, now))?;
        let text = super::reload::told(&name, &before.rig, &now.rig, false);
        Some(Notice { kind: NoticeKind::Done, text })
    }
}
