//! Other characters that sides show: read and matched beside the frame loop, and kept.

use std::path::Path;
use std::sync::Arc;

use super::compare::CameraBeforeOther;
use super::derived::{Derived, fault, notes_of};
use super::rig_cache::{HasRig, MAX_KEPT, RigCache};
use super::{ComparisonRig, ReadFile, Stage};
use crate::import::Job;
use crate::jobs::Kind;
use crate::rig::Rig;
use crate::view::{Layout, ShownFile, Side};

/// State of the character that a side is to show.
#[derive(Clone, Copy, Debug)]
pub enum ComparisonFileState<'a> {
    /// The open character is shown, and nothing else was asked for.
    Open,
    /// The open character is shown until the other is read.
    Awaited,
    /// The other character is shown.
    Shown(&'a ComparisonRig),
    /// The open character is shown, since the other cannot be had; why, in words.
    Missing(&'a str),
}

impl HasRig for ComparisonRig {
    fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }
}

/// Other characters that were read.
#[derive(Clone, Debug, Default)]
pub(crate) struct ComparisonRigs {
    found: RigCache<ShownFile, ComparisonRig>,
    /// Characters to be read once more; until then what was found is shown.
    again: Vec<ShownFile>,
    /// Other files as they could last be read, the newest last.
    files: Vec<Arc<ReadFile>>,
}

impl ComparisonRigs {
    /// True where a rig is one of these characters.
    pub(super) fn has(&self, rig: &Arc<Rig>) -> bool {
        self.found.has(rig)
    }

    /// Characters for the open file read again: nothing that was matched with it, but the other files, should they be gone.
    pub(super) fn for_reload(&self) -> Self {
        Self { files: self.files.clone(), ..Self::default() }
    }

    fn file(&self, file: &ShownFile) -> Option<&Arc<ReadFile>> {
        let path = file.file()?;
        self.files.iter().find(|file| file.path == path)
    }

    fn insert(
        &mut self,
        file: ShownFile,
        outcome: Result<ComparisonRig, String>,
        is_shown: impl Fn(&ShownFile) -> bool,
    ) {
        self.again.retain(|again| *again != file);
        if let Some(file) = outcome.as_ref().ok().and_then(|other| other.file.as_ref()) {
            self.files.retain(|known| known.path != file.path);
            self.files.push(Arc::clone(file));
            if self.files.len() > MAX_KEPT {
                self.files.remove(0);
            }
        }
        self.found.insert(file, outcome, is_shown);
    }

    fn forget(&mut self, file: &ShownFile) {
        self.found.forget(file);
        self.again.retain(|again| again != file);
    }
}

/// Input for reading and matching another character.
#[derive(Clone, Debug)]
pub struct ComparisonFilePlan {
    /// The open character, as its file has it.
    pub rig: Arc<Rig>,
    /// The character to be read.
    pub file: ShownFile,
    /// The open character as its file was before.
    before: Option<Arc<Rig>>,
    /// The other file as it could last be read.
    read: Option<Arc<ReadFile>>,
}

impl Derived for ComparisonFilePlan {
    /// The character, or the reason why it cannot be had, in words.
    type Value = Result<ComparisonRig, String>;

    const JOB: Kind = Kind::new(
        "other file",
        "Opening another file",
        "The open file is shown in its place; choose the other file again to try once more.",
    );

    fn job(&self) -> Kind {
        Kind { does: format!("Opening {}", self.file.title()).into(), ..Self::JOB }
    }

    /// The first other character that is to be read and matched.
    fn wanted(stage: &Stage) -> Option<Self> {
        let file = stage.wanted_file()?.clone();
        let (rig, before) = (Arc::clone(stage.rig()), stage.before.clone());
        Some(Self { rig, before, read: stage.others.file(&file).cloned(), file })
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig) && self.file == other.file
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        match &self.file {
            ShownFile::Open => None,
            ShownFile::Comparison(from) => ComparisonRig::open(&self.rig, from, self.read.as_ref(), job),
            ShownFile::Previous => match &self.before {
                Some(before) => ComparisonRig::between(&self.rig, Arc::clone(before), &job.progress).map(Ok),
                None => Some(Err("The previous version is kept only until Rigscope is closed".to_owned())),
            },
        }
    }

    fn died(&self) -> Option<Self::Value> {
        Some(Err(fault()))
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        stage.take_comparison(&self.rig, self.file, value);
    }

    fn notes(value: &Self::Value) -> &[String] {
        notes_of(value, |other| &other.notes)
    }
}

impl Stage {
    /// Character that a side is to show.
    pub fn shown_file(&self, side: Side) -> &ShownFile {
        &self.view.sides[side].file
    }

    /// State of the character of a side.
    pub fn comparison_state(&self, side: Side) -> ComparisonFileState<'_> {
        let file = self.shown_file(side);
        if file.is_open() {
            return ComparisonFileState::Open;
        }
        match self.others.found.get(file) {
            None => ComparisonFileState::Awaited,
            Some(Ok(other)) => ComparisonFileState::Shown(other),
            Some(Err(problem)) => ComparisonFileState::Missing(problem),
        }
    }

    /// The other character that a side shows in place of the open one, once it is there.
    pub fn other_on(&self, side: Side) -> Option<&Arc<ComparisonRig>> {
        self.others.found.shared(self.shown_file(side))
    }

    /// The other file that a side shows, as it was read.
    pub fn file_on(&self, side: Side) -> Option<&Arc<ReadFile>> {
        self.other_on(side)?.file.as_ref()
    }

    /// The other character that is to be read, of side A first; those that are shown and are to be read once more come last.
    fn wanted_file(&self) -> Option<&ShownFile> {
        let is_awaited = |side: &Side| matches!(self.comparison_state(*side), ComparisonFileState::Awaited);
        let awaited = Side::ALL.into_iter().find(is_awaited).map(|side| self.shown_file(side));
        let mut shown = Side::ALL.into_iter().map(|side| self.shown_file(side));
        awaited.or_else(|| shown.find(|file| self.others.again.contains(file)))
    }

    /// Reads the other file that a side shows once more, which another program has changed; until then it is shown as it was.
    pub fn read_file_again(&mut self, side: Side) {
        let file = self.shown_file(side).clone();
        if self.other_on(side).is_some() && !self.others.again.contains(&file) {
            self.others.again.push(file);
        }
    }

    /// Another character, or why there is none, where that is known.
    pub(crate) fn known_comparison(&self, file: &ShownFile) -> Option<Result<&ComparisonRig, &str>> {
        self.others.found.get(file)
    }

    /// Forgets another character, so that it is read anew once a side shows it.
    pub(crate) fn forget_comparison(&mut self, file: &ShownFile) {
        self.others.forget(file);
        self.pose_changed();
    }

    /// Shows another character on a side.
    pub fn show_file(&mut self, side: Side, file: ShownFile) {
        self.derived.is_stale |= self.view.sides[side].file != file;
        self.view.sides[side].file = file;
    }

    /// Shows the character of another file on side B, in the pose and by the method of side A.
    pub fn compare_with(&mut self, from: &Path) {
        let file = ShownFile::file_at(from);
        self.forget_comparison(&file);
        self.frames_other = true;
        self.show_file(Side::B, file);
        self.share_with_other();
    }

    /// Makes room for another character on side B, and where one side had the whole picture, shows B in the pose and by the method of A.
    pub(super) fn share_with_other(&mut self) {
        if self.make_room_for_other() {
            self.view.sides.b.skinning = self.view.sides.a.skinning.clone();
            self.show_pose_on(Side::B, self.view.sides.a.pose);
        }
        self.pose_changed();
    }

    /// Shows both sides by a wipe where one side had the whole picture; returns whether it had.
    pub(crate) fn make_room_for_other(&mut self) -> bool {
        if !self.is_other_shown() {
            self.before_other = Some(CameraBeforeOther::new(self.view.compare.layout, self.view.camera));
        }
        let had_one = self.view.compare.layout == Layout::Single;
        if had_one {
            self.set_layout(Layout::Wipe);
        }
        had_one
    }

    fn take_comparison(&mut self, rig: &Arc<Rig>, file: ShownFile, found: Option<Result<ComparisonRig, String>>) {
        if !Arc::ptr_eq(rig, self.rig()) {
            return;
        }
        let Some(outcome) = found else {
            self.others.again.retain(|again| *again != file);
            let waits = |side: &Side| {
                *self.shown_file(*side) == file && matches!(self.comparison_state(*side), ComparisonFileState::Awaited)
            };
            let waiting: Vec<Side> = Side::ALL.into_iter().filter(waits).collect();
            return waiting.into_iter().for_each(|side| self.show_file(side, ShownFile::Open));
        };
        let shown = Side::ALL.map(|side| self.shown_file(side).clone());
        self.others.insert(file, outcome, |file| shown.contains(file));
        self.pose_changed();
    }
}
