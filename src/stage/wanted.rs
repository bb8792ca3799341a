//! Values that a stage wants derived of its character: beside the frame loop, or at once where there is none.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{
    ChangePlan, JointPlan, JudgePlan, LintPlan, Linted, MeanPlan, OtherRig, SelectPlan, SelectedPoints, Stage,
    SubjectPlan, SuspectPlan, TrackPlan, WeightPlan, Weighted,
};
use crate::analysis::suspects::Suspects;
use crate::analysis::tracks::{JointTracks, SkinTracks};
use crate::diff::RigDiff;
use crate::import::Job;
use crate::rig::Rig;
use crate::skinning::Centers;
use crate::surroundings::{EnvironmentError, EnvironmentMap};
use crate::view::Subject;
use crate::weights::{EditMesh, JointMean, WeightChoice, WeightNumbers};

/// Kinds of derived values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedKind {
    /// Another character that a side shows.
    Subject,
    /// Weights of a side.
    Weights,
    /// Centres of rotation of a character.
    Centers,
    /// Panorama that lights the character.
    Environment,
    /// Findings of lint.
    Findings,
    /// Numbers that tell how good weights are.
    WeightNumbers,
    /// Suspicious regions of weights.
    Suspects,
    /// Points of the open character that are selected to edit their weights.
    EditMesh,
    /// Points that are selected after another step.
    Selection,
    /// Joints that move the points that are selected.
    JointMeans,
    /// Changes from one character to another.
    Changes,
    /// Measures of both sides over the chosen clip.
    Tracks,
    /// Rotations of the selected joints over the chosen clip.
    JointTracks,
}

impl WantedKind {
    /// All kinds; those that others are derived from come first.
    pub const ALL: [Self; 13] = [
        Self::Subject,
        Self::Weights,
        Self::Centers,
        Self::Environment,
        Self::EditMesh,
        Self::Selection,
        Self::JointMeans,
        Self::Findings,
        Self::WeightNumbers,
        Self::Suspects,
        Self::Changes,
        Self::JointTracks,
        Self::Tracks,
    ];

    /// Kinds that a picture shows.
    const IN_PICTURES: [Self; 4] = [Self::Subject, Self::Weights, Self::Centers, Self::Environment];
}

/// Something that is to be derived; cheap to take.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// Another character that a side shows.
    Subject(SubjectPlan),
    /// Weights of a side.
    Weights(WeightPlan),
    /// Centres of rotation of a character.
    Centers(Arc<Rig>),
    /// Panorama of a file that lights the character.
    Environment(PathBuf),
    /// Findings of the open character.
    Findings(LintPlan),
    /// Numbers that tell how good the weights of a side are.
    WeightNumbers(JudgePlan),
    /// Suspicious regions of the weights of a side.
    Suspects(SuspectPlan),
    /// Points of the open character that are selected to edit their weights.
    EditMesh(Arc<Rig>),
    /// Points that are selected after another step.
    Selection(SelectPlan),
    /// Joints that move the points that are selected.
    JointMeans(MeanPlan),
    /// Changes between the open character and another one.
    Changes(ChangePlan),
    /// Measures of both sides over a clip.
    Tracks(Box<TrackPlan>),
    /// Rotations of joints over a clip.
    JointTracks(JointPlan),
}

/// A derived value, and the character it is of: its rig is that of the open file, or one by other weights or of another file that a side shows.
#[derive(Debug)]
pub enum Done {
    /// Another character for a side, or why there is none; `None` where reading it was stopped.
    Subject(Arc<Rig>, Subject, Box<Option<Result<OtherRig, String>>>),
    /// The open character by other weights, or why there is none; `None` where making them was stopped.
    Weights(Arc<Rig>, WeightChoice, Box<Option<Result<Weighted, String>>>),
    /// Centres of rotation; `None` where the search was stopped or died.
    Centers(Arc<Rig>, Option<Arc<Centers>>),
    /// Panorama of a file, or why there is none, in words; `None` where reading it was stopped.
    Environment(PathBuf, Option<Result<Arc<EnvironmentMap>, String>>),
    /// Findings and ranks; `None` where looking for them was stopped or died.
    Findings(Arc<Rig>, Option<Linted>),
    /// Quality numbers of weights; `None` where judging them was stopped or died.
    WeightNumbers(Arc<Rig>, Option<Arc<WeightNumbers>>),
    /// Suspicious regions of weights; `None` where looking for them was stopped or died.
    Suspects(SuspectPlan, Option<Arc<Suspects>>),
    /// Points that are selected to edit their weights; `None` where welding them was stopped or died.
    EditMesh(Arc<Rig>, Option<Arc<EditMesh>>),
    /// Selected points after a step; `None` where the step was stopped or died.
    Selection(SelectPlan, Option<SelectedPoints>),
    /// Joints that move the selected points, heaviest first; `None` where adding up was stopped or died.
    JointMeans(MeanPlan, Option<Vec<JointMean>>),
    /// Changes; `None` where the comparison was stopped or died.
    Changes(ChangePlan, Option<RigDiff>),
    /// Measures of both sides over a clip, or why there are none, in words; `None` where measuring was stopped or died.
    Tracks(Box<TrackPlan>, Option<Result<Arc<SkinTracks>, String>>),
    /// Rotations of joints over a clip; `None` where sampling was stopped or died.
    JointTracks(JointPlan, Option<Arc<JointTracks>>),
}

impl Wanted {
    /// Kind of the value to derive.
    pub fn kind(&self) -> WantedKind {
        match self {
            Self::Subject(_) => WantedKind::Subject,
            Self::Weights(_) => WantedKind::Weights,
            Self::Centers(_) => WantedKind::Centers,
            Self::Environment(_) => WantedKind::Environment,
            Self::Findings(_) => WantedKind::Findings,
            Self::WeightNumbers(_) => WantedKind::WeightNumbers,
            Self::Suspects(_) => WantedKind::Suspects,
            Self::EditMesh(_) => WantedKind::EditMesh,
            Self::Selection(_) => WantedKind::Selection,
            Self::JointMeans(_) => WantedKind::JointMeans,
            Self::Changes(_) => WantedKind::Changes,
            Self::Tracks(_) => WantedKind::Tracks,
            Self::JointTracks(_) => WantedKind::JointTracks,
        }
    }

    /// True where both give the same result.
    pub fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Subject(a), Self::Subject(b)) => Arc::ptr_eq(&a.rig, &b.rig) && a.subject == b.subject,
            (Self::Weights(a), Self::Weights(b)) => Arc::ptr_eq(&a.rig, &b.rig) && a.choice == b.choice,
            (Self::Centers(a), Self::Centers(b)) | (Self::EditMesh(a), Self::EditMesh(b)) => Arc::ptr_eq(a, b),
            (Self::Environment(a), Self::Environment(b)) => a == b,
            (Self::Findings(a), Self::Findings(b)) => Arc::ptr_eq(&a.rig, &b.rig),
            (Self::WeightNumbers(a), Self::WeightNumbers(b)) => Arc::ptr_eq(&a.rig, &b.rig),
            (Self::Suspects(a), Self::Suspects(b)) => a.is(b),
            (Self::Selection(a), Self::Selection(b)) => a.is(b),
            (Self::JointMeans(a), Self::JointMeans(b)) => a.is(b),
            (Self::Changes(a), Self::Changes(b)) => a.is(b),
            (Self::Tracks(a), Self::Tracks(b)) => a.is(b),
            (Self::JointTracks(a), Self::JointTracks(b)) => a.is(b),
            _ => false,
        }
    }

    /// Derives the value; files that it reads may ask for what the job allows.
    pub fn run(&self, job: &Job) -> Done {
        match self {
            Self::Subject(plan) => Done::Subject(Arc::clone(&plan.rig), plan.subject.clone(), Box::new(plan.run(job))),
            Self::Weights(plan) => Done::Weights(Arc::clone(&plan.rig), plan.choice.clone(), Box::new(plan.run(job))),
            Self::Centers(rig) => Done::Centers(Arc::clone(rig), Centers::new(rig, &job.progress).map(Arc::new)),
            Self::Environment(path) => Done::Environment(path.clone(), environment(path, job)),
            Self::Findings(plan) => Done::Findings(Arc::clone(&plan.rig), plan.run(&job.progress)),
            Self::WeightNumbers(plan) => Done::WeightNumbers(Arc::clone(&plan.rig), plan.run(&job.progress)),
            Self::Suspects(plan) => Done::Suspects(plan.clone(), plan.run(&job.progress)),
            Self::EditMesh(rig) => Done::EditMesh(Arc::clone(rig), EditMesh::new(rig, &job.progress).map(Arc::new)),
            Self::Selection(plan) => Done::Selection(plan.clone(), plan.run(&job.progress)),
            Self::JointMeans(plan) => Done::JointMeans(plan.clone(), plan.run(&job.progress)),
            Self::Changes(plan) => Done::Changes(plan.clone(), plan.run(&job.progress)),
            Self::Tracks(plan) => Done::Tracks(plan.clone(), plan.run(&job.progress)),
            Self::JointTracks(plan) => Done::JointTracks(plan.clone(), plan.run(&job.progress)),
        }
    }

    /// Value in place of one whose making ended in a panic.
    pub fn died(&self) -> Done {
        let fault = || "Not made because of a fault in Rigscope".to_owned();
        match self {
            Self::Subject(plan) => {
                Done::Subject(Arc::clone(&plan.rig), plan.subject.clone(), Box::new(Some(Err(fault()))))
            }
            Self::Weights(plan) => {
                Done::Weights(Arc::clone(&plan.rig), plan.choice.clone(), Box::new(Some(Err(fault()))))
            }
            Self::Centers(rig) => Done::Centers(Arc::clone(rig), None),
            Self::Environment(path) => Done::Environment(path.clone(), Some(Err(fault()))),
            Self::Findings(plan) => Done::Findings(Arc::clone(&plan.rig), None),
            Self::WeightNumbers(plan) => Done::WeightNumbers(Arc::clone(&plan.rig), None),
            Self::Suspects(plan) => Done::Suspects(plan.clone(), None),
            Self::EditMesh(rig) => Done::EditMesh(Arc::clone(rig), None),
            Self::Selection(plan) => Done::Selection(plan.clone(), None),
            Self::JointMeans(plan) => Done::JointMeans(plan.clone(), None),
            Self::Changes(plan) => Done::Changes(plan.clone(), None),
            Self::Tracks(plan) => Done::Tracks(plan.clone(), None),
            Self::JointTracks(plan) => Done::JointTracks(plan.clone(), None),
        }
    }
}

impl Stage {
    /// Takes a derived value, unless its character is no longer open. A side that waited for a stopped one returns to the file's.
    pub fn take(&mut self, done: Done) {
        match done {
            Done::Subject(rig, subject, found) => self.take_subject(&rig, subject, *found),
            Done::Weights(rig, choice, made) => self.take_weights(&rig, choice, *made),
            Done::Centers(rig, centers) => self.take_centers(&rig, centers),
            Done::Environment(path, read) => self.view.environment_file.take(&path, read.and_then(Result::ok)),
            Done::Findings(rig, findings) => self.found(&rig, findings),
            Done::WeightNumbers(rig, numbers) => self.take_weight_numbers(rig, numbers),
            Done::Suspects(plan, found) => self.take_suspects(plan, found),
            Done::EditMesh(rig, mesh) => self.take_edit_mesh(&rig, mesh),
            Done::Selection(plan, selected) => self.take_selection(&plan, selected),
            Done::JointMeans(plan, means) => self.take_means(plan, means),
            Done::Changes(plan, diff) => self.take_changes(&plan, diff),
            Done::Tracks(plan, made) => self.take_tracks(*plan, made),
            Done::JointTracks(plan, made) => self.take_joint_tracks(plan, made),
        }
    }

    /// Next value of a kind to derive.
    pub fn next_wanted(&self, kind: WantedKind) -> Option<Wanted> {
        match kind {
            WantedKind::Subject => self.subject_plan().map(Wanted::Subject),
            WantedKind::Weights => self.weight_plan().map(Wanted::Weights),
            WantedKind::Centers => self.wants_centers().cloned().map(Wanted::Centers),
            WantedKind::Environment => {
                self.view.environment_file.unread().map(|path| Wanted::Environment(path.to_owned()))
            }
            WantedKind::Findings => self.lint_plan().map(Wanted::Findings),
            WantedKind::WeightNumbers => self.judge_plan().map(Wanted::WeightNumbers),
            WantedKind::Suspects => self.suspect_plan().map(Wanted::Suspects),
            WantedKind::EditMesh => self.wants_edit_mesh().cloned().map(Wanted::EditMesh),
            WantedKind::Selection => self.select_plan().map(Wanted::Selection),
            WantedKind::JointMeans => self.mean_plan().map(Wanted::JointMeans),
            WantedKind::Changes => self.change_plan().map(Wanted::Changes),
            WantedKind::Tracks => self.track_plan().map(Box::new).map(Wanted::Tracks),
            WantedKind::JointTracks => self.joint_plan().map(Wanted::JointTracks),
        }
    }

    /// Progress of the work on a kind, 0 to 1, while it is on.
    pub fn progress_of(&self, kind: WantedKind) -> Option<f32> {
        self.wanted_progress[kind as usize]
    }

    /// Says how far the work on a kind is.
    pub fn set_progress_of(&mut self, kind: WantedKind, fraction: Option<f32>) {
        self.wanted_progress[kind as usize] = fraction;
    }

    /// True where pictures of the state lack something that [`Self::settle`] derives.
    pub fn is_unsettled(&self) -> bool {
        self.wanted_in_picture().is_some()
    }

    fn wanted_in_picture(&self) -> Option<Wanted> {
        WantedKind::IN_PICTURES.into_iter().find_map(|kind| self.next_wanted(kind))
    }

    /// Derives on this thread what a picture of the state shows: other characters, weights, centres of rotation and the light of a panorama. Returns a sentence for each thing
    /// that is to be told of it.
    pub fn settle(&mut self, job: &Job) -> Vec<String> {
        self.refresh();
        let mut told = Vec::new();
        while let Some(wanted) = self.wanted_in_picture() {
            let done = wanted.run(job);
            told.extend(done.sentences().iter().cloned());
            self.take(done);
            self.refresh();
        }
        told
    }
}

impl Done {
    /// Sentences to be told of another character, of weights or of a panorama, where no window shows them.
    fn sentences(&self) -> &[String] {
        let outcome = match self {
            Self::Subject(_, _, found) => found.as_ref().as_ref().map(|found| found.as_ref().map(|other| &other.notes)),
            Self::Weights(_, _, made) => made.as_ref().as_ref().map(|made| made.as_ref().map(|made| &made.notes)),
            Self::Environment(_, Some(Err(problem))) => return std::slice::from_ref(problem),
            _ => None,
        };
        match outcome {
            None => &[],
            Some(Ok(notes)) => notes,
            Some(Err(problem)) => std::slice::from_ref(problem),
        }
    }
}

/// Reads a panorama; `None` where that was stopped.
///
/// *Errors*: in words for the user.
fn environment(path: &Path, job: &Job) -> Option<Result<Arc<EnvironmentMap>, String>> {
    match EnvironmentMap::read(path, &job.progress) {
        Ok(map) => Some(Ok(Arc::new(map))),
        Err(EnvironmentError::Cancelled) => None,
        Err(problem) => Some(Err(format!("The light was not changed: {problem} ({})", path.display()))),
    }
}
