//! Other characters on sides: read and matched in the background, and cached.

use std::path::Path;
use std::sync::Arc;

use super::compare::BeforeOther;
use super::derived::{Derived, fault, notes_of};
use super::kept::{HasRig, Kept, MAX_KEPT};
use super::{OtherRig, ReadFile, Stage};
use crate::import::Job;
use crate::jobs::Kind;
use crate::rig::Rig;
use crate::view::{Layout, Side, Subject};

/// State of the character chosen for a side.
#[derive(Clone, Copy, Debug)]
pub enum SubjectState<'a> {
    /// The open character is chosen.
    Open,
    /// The open character is shown until the other is read.
    Awaited,
    /// The other character is shown.
    Shown(&'a OtherRig),
    /// The open character is shown because the other failed to load, with the error text.
    Missing(&'a str),
}

impl HasRig for OtherRig {
    fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct OtherRigs {
    found: Kept<Subject, OtherRig>,
    again: Vec<Subject>,
    files: Vec<Arc<ReadFile>>,
}

impl OtherRigs {
    pub(super) fn has(&self, rig: &Arc<Rig>) -> bool {
        self.found.has(rig)
    }

    /// Cache after a reload of the open file: keeps only the files, in case they are gone.
    pub(super) fn for_reload(&self) -> Self {
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
            if self.files.len() > MAX_KEPT {
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

/// Input for reading and matching another character.
#[derive(Clone, Debug)]
pub struct SubjectPlan {
    /// The open character as read from its file.
    pub rig: Arc<Rig>,
    /// The character to read.
    pub subject: Subject,
    before: Option<Arc<Rig>>,
    read: Option<Arc<ReadFile>>,
}

impl Derived for SubjectPlan {
    type Value = Result<OtherRig, String>;

    const JOB: Kind = Kind::new(
        "other file",
        "Opening another file",
        "The open file is shown in its place; choose the other file again to try once more.",
    );

    fn job(&self) -> Kind {
        Kind { does: format!("Opening {}", self.subject.title()).into(), ..Self::JOB }
    }

    fn wanted(stage: &Stage) -> Option<Self> {
        let subject = stage.wanted_subject()?.clone();
        let (rig, before) = (Arc::clone(stage.rig()), stage.before.clone());
        Some(Self { rig, before, read: stage.others.file(&subject).cloned(), subject })
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig) && self.subject == other.subject
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        match &self.subject {
            Subject::Open => None,
            Subject::Other(from) => OtherRig::open(&self.rig, from, self.read.as_ref(), job),
            Subject::Before => match &self.before {
                Some(before) => OtherRig::between(&self.rig, Arc::clone(before), &job.progress).map(Ok),
                None => Some(Err("The previous version is kept only until Rigscope is closed".to_owned())),
            },
        }
    }

    fn died(&self) -> Option<Self::Value> {
        Some(Err(fault()))
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        stage.take_subject(&self.rig, self.subject, value);
    }

    fn notes(value: &Self::Value) -> &[String] {
        notes_of(value, |other| &other.notes)
    }
}

impl Stage {
    /// Character chosen for a side.
    pub fn subject(&self, side: Side) -> &Subject {
        &self.view.sides[side].subject
    }

    /// State of a side's character.
    pub fn subject_state(&self, side: Side) -> SubjectState<'_> {
        let subject = self.subject(side);
        if subject.is_open() {
            return SubjectState::Open;
        }
        match self.others.found.get(subject) {
            None => SubjectState::Awaited,
            Some(Ok(other)) => SubjectState::Shown(other),
            Some(Err(problem)) => SubjectState::Missing(problem),
        }
    }

    /// The other character on a side, once loaded.
    pub fn other_on(&self, side: Side) -> Option<&Arc<OtherRig>> {
        self.others.found.shared(self.subject(side))
    }

    /// The other file on a side, as read.
    pub fn file_on(&self, side: Side) -> Option<&Arc<ReadFile>> {
        self.other_on(side)?.file.as_ref()
    }

    /// The next character to read: side A's first, rereads last.
    fn wanted_subject(&self) -> Option<&Subject> {
        let is_awaited = |side: &Side| matches!(self.subject_state(*side), SubjectState::Awaited);
        let awaited = Side::ALL.into_iter().find(is_awaited).map(|side| self.subject(side));
        let mut shown = Side::ALL.into_iter().map(|side| self.subject(side));
        awaited.or_else(|| shown.find(|subject| self.others.again.contains(subject)))
    }

    /// Rereads a side's other file after another program has changed it; shown as it is until then.
    pub fn read_file_again(&mut self, side: Side) {
        let subject = self.subject(side).clone();
        if self.other_on(side).is_some() && !self.others.again.contains(&subject) {
            self.others.again.push(subject);
        }
    }

    pub(crate) fn known_subject(&self, subject: &Subject) -> Option<Result<&OtherRig, &str>> {
        self.others.found.get(subject)
    }

    pub(crate) fn forget_subject(&mut self, subject: &Subject) {
        self.others.forget(subject);
        self.pose_changed();
    }

    /// Sets the character of a side.
    pub fn show_subject(&mut self, side: Side, subject: Subject) {
        self.derived.is_stale |= self.view.sides[side].subject != subject;
        self.view.sides[side].subject = subject;
    }

    /// Shows another file on side B, with side A's pose and method.
    pub fn compare_with(&mut self, from: &Path) {
        let subject = Subject::file_at(from);
        self.forget_subject(&subject);
        self.frames_other = true;
        self.show_subject(Side::B, subject);
        self.share_with_other();
    }

    /// Makes room for another character on side B. If a single side was shown, B gets A's pose and method.
    pub(super) fn share_with_other(&mut self) {
        if self.make_room_for_other() {
            self.view.sides.b.skinning = self.view.sides.a.skinning.clone();
            self.show_pose_on(Side::B, self.view.sides.a.pose);
        }
        self.pose_changed();
    }

    /// Switches from a single side to a wipe; returns whether it did.
    pub(crate) fn make_room_for_other(&mut self) -> bool {
        if !self.is_other_shown() {
            self.before_other = Some(BeforeOther::new(self.view.compare.layout, self.view.camera));
        }
        let had_one = self.view.compare.layout == Layout::Single;
        if had_one {
            self.set_layout(Layout::Wipe);
        }
        had_one
    }

    fn take_subject(&mut self, rig: &Arc<Rig>, subject: Subject, found: Option<Result<OtherRig, String>>) {
        if !Arc::ptr_eq(rig, self.rig()) {
            return;
        }
        let Some(outcome) = found else {
            self.others.again.retain(|again| *again != subject);
            let waits = |side: &Side| {
                *self.subject(*side) == subject && matches!(self.subject_state(*side), SubjectState::Awaited)
            };
            let waiting: Vec<Side> = Side::ALL.into_iter().filter(waits).collect();
            return waiting.into_iter().for_each(|side| self.show_subject(side, Subject::Open));
        };
        let shown = Side::ALL.map(|side| self.subject(side).clone());
        self.others.insert(subject, outcome, |subject| shown.contains(subject));
        self.pose_changed();
    }
}
