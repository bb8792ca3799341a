//! Comparison characters, read and matched in the background and cached.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use super::compare::CameraBeforeOther;
use super::derived::{Derived, fault, notes_of};
use super::rig_cache::{ChoiceState, HasRig, MAX_KEPT, RigCache};
use super::{ComparisonRig, ReadFile, Stage};
use crate::import::Job;
use crate::jobs::JobKind;
use crate::matching::{VertexMatchError, VertexPairs};
use crate::rig::{NodeIndex, Rig};
use crate::skinning::Skinning;
use crate::view::{Layout, PerSide, ShownFile, Side};

impl HasRig for ComparisonRig {
    fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ComparisonRigs {
    pub found: RigCache<ShownFile, ComparisonRig>,
    again: Vec<ShownFile>,
    files: Vec<Arc<ReadFile>>,
}

impl ComparisonRigs {
    pub(super) fn has(&self, rig: &Arc<Rig>) -> bool {
        self.found.has(rig)
    }

    /// Returns the cache for the reloaded character. Keeps the last readable version of each file, in case the file
    /// becomes unreadable.
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
    /// The open character as read from its file.
    pub rig: Arc<Rig>,
    /// The character to read.
    pub file: ShownFile,
    before: Option<Arc<Rig>>,
    read: Option<Arc<ReadFile>>,
}

impl Derived for ComparisonFilePlan {
    type Value = Result<ComparisonRig, String>;

    const JOB: JobKind = JobKind::new(
        "other file",
        "Opening another file",
        "The open file is shown in its place; choose the other file again to try once more.",
    );

    fn job(&self) -> JobKind {
        JobKind { activity: format!("Opening {}", self.file.title()).into(), ..Self::JOB }
    }

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
    /// Returns the character chosen for a side.
    pub fn shown_file(&self, side: Side) -> &ShownFile {
        &self.view.sides[side].file
    }

    /// Returns the state of a side's character.
    pub fn comparison_state(&self, side: Side) -> ChoiceState<'_, ComparisonRig> {
        let file = self.shown_file(side);
        if file.is_open() { ChoiceState::Own } else { self.others.found.state(file) }
    }

    /// Returns the other character on a side, once loaded.
    pub fn other_on(&self, side: Side) -> Option<&Arc<ComparisonRig>> {
        self.others.found.shared(self.shown_file(side))
    }

    /// Returns the next character to read: missing ones first, side A's before side B's, then files to reread.
    fn wanted_file(&self) -> Option<&ShownFile> {
        let is_awaited = |side: &Side| matches!(self.comparison_state(*side), ChoiceState::Awaited);
        let awaited = Side::ALL.into_iter().find(is_awaited).map(|side| self.shown_file(side));
        let mut shown = Side::ALL.into_iter().map(|side| self.shown_file(side));
        awaited.or_else(|| shown.find(|file| self.others.again.contains(file)))
    }

    /// Rereads a side's comparison file after another program changed it. Until the file is read, the side shows the
    /// old version.
    pub fn read_file_again(&mut self, side: Side) {
        let file = self.shown_file(side).clone();
        if self.other_on(side).is_some() && !self.others.again.contains(&file) {
            self.others.again.push(file);
        }
    }

    pub(crate) fn forget_comparison(&mut self, file: &ShownFile) {
        self.others.forget(file);
        self.pose_changed();
    }

    /// Sets the character of a side.
    pub fn show_file(&mut self, side: Side, file: ShownFile) {
        self.derived.is_stale |= self.view.sides[side].file != file;
        self.view.sides[side].file = file;
    }

    /// Shows another file on side B, with side A's pose and method.
    pub fn compare_with(&mut self, from: &Path) {
        let file = ShownFile::file_at(from);
        self.forget_comparison(&file);
        self.frames_other = true;
        self.show_file(Side::B, file);
        self.share_with_other();
    }

    /// Makes side B visible, for a comparison character. If B was hidden, it takes over A's pose and method.
    pub(super) fn share_with_other(&mut self) {
        if self.show_wipe_if_single() {
            self.view.sides.b.skinning = self.view.sides.a.skinning.clone();
            self.show_pose_on(Side::B, self.view.sides.a.options.pose);
        }
        self.pose_changed();
    }

    /// Changes a single-side layout to a wipe; returns true if the layout changed.
    pub(crate) fn show_wipe_if_single(&mut self) -> bool {
        if self.derived.others.iter().all(Option::is_none) {
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
                *self.shown_file(*side) == file && matches!(self.comparison_state(*side), ChoiceState::Awaited)
            };
            let waiting: Vec<Side> = Side::ALL.into_iter().filter(waits).collect();
            return waiting.into_iter().for_each(|side| self.show_file(side, ShownFile::Open));
        };
        let shown = Side::ALL.map(|side| self.shown_file(side).clone());
        self.others.insert(file, outcome, |file| shown.contains(file));
        self.pose_changed();
    }

    /// Returns the skinning of a side. Per-joint methods apply only to the open character.
    pub fn skinning_on(&self, side: Side) -> Cow<'_, Skinning> {
        let skinning = self.skinning(side);
        if self.other_on(side).is_none() || skinning.by_joint.is_empty() {
            return Cow::Borrowed(skinning);
        }
        Cow::Owned(Skinning { by_joint: Vec::new(), ..skinning.clone() })
    }

    /// Returns the matched vertices of A and B, if a side shows another file.
    pub fn matched_versions(&self) -> Option<Result<Arc<VertexPairs>, VertexMatchError>> {
        let PerSide { a, b } = &self.derived.others;
        match (a, b) {
            (None, None) => None,
            (None, Some(b)) => Some(b.matching.clone()),
            (Some(a), None) => Some(a.matching.clone().map(|matching| Arc::new(matching.turned()))),
            (Some(a), Some(b)) if Arc::ptr_eq(&a.rig, &b.rig) => None,
            (Some(_), Some(_)) => Some(Err(VertexMatchError::TwoOthers)),
        }
    }

    /// Returns the name of a joint that only a comparison file has, with the file's name.
    pub fn unmatched_joint_name(&self, side: Side, joint: NodeIndex) -> Option<String> {
        let other = self.actor(side);
        (!other.is_open())
            .then(|| format!("{} (only in {})", other.rig.hierarchy.name(joint), self.shown_file(side).title()))
    }

    /// Returns the file and side whose joints and counts the panels list; `None` if no side shows another file.
    pub fn listed_joints_source(&self) -> Option<String> {
        let name = || self.document.source.name();
        let shows_open = |side| self.other_on(side).is_none();
        match (shows_open(Side::A), shows_open(Side::B)) {
            (true, true) => None,
            (true, false) => Some(format!("{}, side A", name())),
            (false, true) => Some(format!("{}, side B", name())),
            (false, false) => Some(format!("{}, on neither side", name())),
        }
    }

    /// Frames everything when a newly shown comparison character is not entirely in the image.
    pub(crate) fn frame_other(&mut self) {
        let is_there = Side::ALL.into_iter().any(|side| self.other_on(side).is_some());
        let is_new = is_there && std::mem::take(&mut self.frames_other);
        if is_new && !self.view.camera.sees_all(&self.all_points(), self.aspect) {
            self.frame_all();
            if let Some(before) = &mut self.before_other {
                before.framed = Some(self.view.camera);
            }
        }
    }
}
