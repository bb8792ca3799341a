//! Comparison characters, read and matched in the background and cached.

use std::borrow::Cow;
use std::sync::Arc;

use super::compare::CameraBeforeOther;
use super::derived::{Derived, fault, notes_of};
use super::points::PosedOpen;
use super::reload_message::reload_message;
use super::rig_cache::{MAX_KEPT, RigCache, RigChoice, RigSource};
use super::{ComparisonRig, Notice, NoticeTopic, ReadFile, Stage};
use crate::import::Job;
use crate::jobs::JobKind;
use crate::rig::{ClipMoment, PointFrame, Pose, Rig};
use crate::skinning::Skinning;
use crate::text::counted;
use crate::view::{Layout, ShownFile, ShownPose, Side};

impl RigChoice for ShownFile {
    type Character = ComparisonRig;

    fn on(stage: &Stage, side: Side) -> &Self {
        &stage.view.sides[side].file
    }

    fn show(self, stage: &mut Stage, side: Side) {
        stage.view.sides[side].file = self;
    }

    fn is_own(stage: &Stage, side: Side) -> bool {
        stage.view.sides[side].file.is_open()
    }

    fn cache(stage: &Stage) -> &RigCache<Self, ComparisonRig> {
        &stage.others.found
    }

    fn remove(&self, stage: &mut Stage) {
        stage.others.forget(self);
    }
}

impl RigSource for ComparisonRig {
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

    /// Rereads a shown file after another program changed it. Until the file is read, the old version is shown.
    #[cfg_attr(
        not(any(feature = "window", test)),
        expect(dead_code, reason = "only the window and tests ask for this")
    )]
    pub(crate) fn read_again(&mut self, file: &ShownFile) {
        if self.found.shared(file).is_some() && !self.again.contains(file) {
            self.again.push(file.clone());
        }
    }

    fn file(&self, file: &ShownFile) -> Option<&Arc<ReadFile>> {
        let (path, has_points) = (file.file()?, file.points().is_some());
        self.files.iter().find(|file| file.path == path && file.points.is_some() == has_points)
    }

    pub(super) fn insert(
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
    /// The current pose, which points probably show.
    posed: Option<(Pose, Option<ClipMoment>)>,
}

impl Derived for ComparisonFilePlan {
    type Value = Result<ComparisonRig, String>;

    const JOB: JobKind = JobKind::new(
        "other file",
        "Opening another file",
        "The open file is shown in its place; choose the other file again to try once more.",
    );

    const TOPIC: Option<NoticeTopic> = Some(NoticeTopic::OtherFile);

    fn job(&self) -> JobKind {
        JobKind { activity: format!("Opening {}", self.file.title()).into(), ..Self::JOB }
    }

    fn wanted(stage: &Stage) -> Option<Self> {
        // Missing ones first, then files to reread.
        let is_changed = |file: &&ShownFile| stage.others.again.contains(file);
        let changed = || Side::ALL.into_iter().map(|side| &stage.view.sides[side].file).find(is_changed);
        let file = ShownFile::awaited(stage).or_else(changed)?.clone();
        let (rig, before) = (Arc::clone(stage.rig()), stage.before.clone());
        let posed = file.points().map(|_| (stage.pose().clone(), stage.playback.sample()));
        Some(Self { rig, before, read: stage.others.file(&file).cloned(), file, posed })
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig) && self.file == other.file
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        match &self.file {
            ShownFile::Open => None,
            ShownFile::Comparison(from) => ComparisonRig::open(&self.rig, from, self.read.as_ref(), job),
            ShownFile::Points(points) => {
                let (pose, moment) = self.posed.as_ref()?;
                let open = PosedOpen { rig: &self.rig, pose, moment: *moment };
                ComparisonRig::from_points(&open, points, self.read.as_ref(), job)
            }
            ShownFile::Refit(operations) => ComparisonRig::refitted(&self.rig, operations, job),
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
        let Some(outcome) = value else {
            stage.others.again.retain(|again| *again != self.file);
            return self.file.give_up(stage);
        };
        let shown = Side::ALL.map(|side| stage.view.sides[side].file.clone());
        stage.others.insert(self.file, outcome, |file| shown.contains(file));
    }

    fn is_open(&self, stage: &Stage) -> bool {
        stage.is_open(&self.rig)
    }

    /// Reports that the file has changed, or became unreadable so that its old version is shown.
    fn notice(&self, found: &Self::Value, stage: &Stage) -> Option<Notice> {
        let other = match found {
            Ok(other) => other,
            Err(problem) if self.file.skeleton_changes().is_empty() => {
                return Some(Notice::error(format!("Can't show the comparison file: {problem}")));
            }
            Err(problem) => return Some(Notice::error(format!("Can't change the skeleton: {problem}"))),
        };
        let (now, name) = (other.file.as_ref()?, self.file.title());
        let before = stage.others.found.get(&self.file).and_then(Result::ok);
        let was = before.and_then(|before| before.problem.as_ref());
        if let Some(problem) = other.problem.as_ref().filter(|now| was != Some(*now)) {
            return Some(Notice::warning(format!("{problem}\nThe last readable version of {name} is shown.")));
        }
        let before = before?.file.as_ref().filter(|before| !Arc::ptr_eq(before, now))?;
        Some(Notice::done(match &now.points {
            Some(points) => {
                let (points, frames) = (points.first().map_or(0, PointFrame::len), points.len());
                let frames = if frames > 1 { format!(" in {frames} frames") } else { String::new() };
                format!("{name} was read again: {}{frames}", counted(points, "point", "points"))
            }
            None => reload_message(&name, &before.rig, &now.rig, false),
        }))
    }

    fn notes(value: &Self::Value) -> &[String] {
        notes_of(value, |other| &other.notes)
    }
}

impl Stage {
    /// Returns the other character on a side, once loaded.
    pub fn other_on(&self, side: Side) -> Option<&Arc<ComparisonRig>> {
        self.others.found.shared(&self.view.sides[side].file)
    }

    /// Shows another character or points on side B, with side A's pose and method.
    pub fn compare_with(&mut self, file: ShownFile) {
        file.remove(self);
        self.frames_other = true;
        if file.points().is_some() {
            // Points have no rest pose.
            self.view.sides.b.options.pose = ShownPose::Current;
        }
        self.view.sides.b.file = file;
        self.share_with_other();
    }

    /// Makes side B visible, for a comparison character. If B was hidden, it takes over A's pose and method.
    pub(super) fn share_with_other(&mut self) {
        if self.show_wipe_if_single() {
            self.view.sides.b.skinning = self.view.sides.a.skinning.clone();
            self.view.sides.b.options.pose = self.view.sides.a.options.pose;
        }
    }

    /// Changes a single-side layout to a wipe; returns true if the layout changed.
    pub(crate) fn show_wipe_if_single(&mut self) -> bool {
        if self.characters.are_open() {
            self.before_other = Some(CameraBeforeOther::new(self.view.compare.layout, self.view.camera));
        }
        let had_one = self.view.compare.layout == Layout::Single;
        if had_one {
            self.set_layout(Layout::Wipe);
        }
        had_one
    }

    /// Returns the skinning of a side. Per-joint methods apply only to the open character.
    pub fn skinning_on(&self, side: Side) -> Cow<'_, Skinning> {
        let skinning = &self.view.sides[side].skinning;
        if self.other_on(side).is_none() || skinning.by_joint.is_empty() {
            return Cow::Borrowed(skinning);
        }
        Cow::Owned(Skinning { by_joint: Vec::new(), ..skinning.clone() })
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
