//! What the state wants derived from what is open: beside the frame loop, or at once where there is none.

use std::sync::Arc;

use super::{AppState, Arrived, JudgePlan, LintPlan, SubjectPlan, WeightPlan};
use crate::import::Job;
use crate::rig::Rig;
use crate::skinning::Centers;

/// Kinds of what is derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedKind {
    /// Another character that a side shows.
    Subject,
    /// Weights of a side.
    Weights,
    /// Centres of rotation.
    Centers,
    /// Findings of lint.
    Findings,
    /// Numbers that tell how good weights are.
    WeightNumbers,
}

impl WantedKind {
    /// All of them, what others are derived from first.
    pub const ALL: [Self; 5] = [Self::Subject, Self::Weights, Self::Centers, Self::Findings, Self::WeightNumbers];

    /// What a picture shows.
    const IN_PICTURES: [Self; 3] = [Self::Subject, Self::Weights, Self::Centers];
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
    /// Findings of the open character.
    Findings(LintPlan),
    /// Numbers that tell how good the weights of a side are.
    WeightNumbers(JudgePlan),
}

impl Wanted {
    /// What is derived.
    pub fn kind(&self) -> WantedKind {
        match self {
            Self::Subject(_) => WantedKind::Subject,
            Self::Weights(_) => WantedKind::Weights,
            Self::Centers(_) => WantedKind::Centers,
            Self::Findings(_) => WantedKind::Findings,
            Self::WeightNumbers(_) => WantedKind::WeightNumbers,
        }
    }

    /// True where both give the same.
    pub fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Subject(a), Self::Subject(b)) => Arc::ptr_eq(&a.rig, &b.rig) && a.subject == b.subject,
            (Self::Weights(a), Self::Weights(b)) => Arc::ptr_eq(&a.rig, &b.rig) && a.choice == b.choice,
            (Self::Centers(a), Self::Centers(b)) => Arc::ptr_eq(a, b),
            (Self::Findings(a), Self::Findings(b)) => Arc::ptr_eq(&a.rig, &b.rig),
            (Self::WeightNumbers(a), Self::WeightNumbers(b)) => Arc::ptr_eq(&a.rig, &b.rig),
            _ => false,
        }
    }

    /// Derives it; files that it reads may ask for what the job allows.
    pub fn run(&self, job: &Job) -> Arrived {
        match self {
            Self::Subject(plan) => {
                Arrived::Subject(Arc::clone(&plan.rig), plan.subject.clone(), Box::new(plan.run(job)))
            }
            Self::Weights(plan) => {
                Arrived::Weights(Arc::clone(&plan.rig), plan.choice.clone(), Box::new(plan.run(job)))
            }
            Self::Centers(rig) => Arrived::Centers(Arc::clone(rig), Centers::new(rig, &job.progress).map(Arc::new)),
            Self::Findings(plan) => Arrived::Findings(Arc::clone(&plan.rig), plan.run(&job.progress)),
            Self::WeightNumbers(plan) => Arrived::WeightsJudged(Arc::clone(&plan.rig), plan.run(&job.progress)),
        }
    }

    /// What arrives in its place where deriving it ended in a panic.
    pub fn died(&self) -> Arrived {
        let fault = || "Not made because of a fault in Rigscope".to_owned();
        match self {
            Self::Subject(plan) => {
                Arrived::Subject(Arc::clone(&plan.rig), plan.subject.clone(), Box::new(Some(Err(fault()))))
            }
            Self::Weights(plan) => {
                Arrived::Weights(Arc::clone(&plan.rig), plan.choice.clone(), Box::new(Some(Err(fault()))))
            }
            Self::Centers(rig) => Arrived::Centers(Arc::clone(rig), None),
            Self::Findings(plan) => Arrived::Findings(Arc::clone(&plan.rig), None),
            Self::WeightNumbers(plan) => Arrived::WeightsJudged(Arc::clone(&plan.rig), None),
        }
    }
}

impl AppState {
    /// What is to be derived next of a kind.
    pub fn next_wanted(&self, kind: WantedKind) -> Option<Wanted> {
        match kind {
            WantedKind::Subject => self.subject_plan().map(Wanted::Subject),
            WantedKind::Weights => self.weight_plan().map(Wanted::Weights),
            WantedKind::Centers => self.wants_centers().cloned().map(Wanted::Centers),
            WantedKind::Findings => self.lint_plan().map(Wanted::Findings),
            WantedKind::WeightNumbers => self.judge_plan().map(Wanted::WeightNumbers),
        }
    }

    /// How far the work on a kind is, 0 to 1, while it is on.
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

    /// Derives on this thread what a picture of the state shows: other characters, weights and centres of rotation. What is to be told of it, a
    /// sentence each.
    pub fn settle(&mut self, job: &Job) -> Vec<String> {
        self.refresh();
        let mut told = Vec::new();
        while let Some(wanted) = self.wanted_in_picture() {
            let arrived = wanted.run(job);
            told.extend(arrived.sentences().iter().cloned());
            self.receive(arrived);
            self.refresh();
        }
        told
    }
}

impl Arrived {
    /// What is to be told of another character or of weights, where no window shows it.
    fn sentences(&self) -> &[String] {
        let outcome = match self {
            Self::Subject(_, _, found) => found.as_ref().as_ref().map(|found| found.as_ref().map(|other| &other.notes)),
            Self::Weights(_, _, made) => made.as_ref().as_ref().map(|made| made.as_ref().map(|made| &made.notes)),
            _ => None,
        };
        match outcome {
            None => &[],
            Some(Ok(notes)) => notes,
            Some(Err(problem)) => std::slice::from_ref(problem),
        }
    }
}
