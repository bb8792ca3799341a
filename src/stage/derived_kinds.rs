//! All kinds of derived values, and what the stage does with them.

use super::derived::{DerivedKind, DerivedRequest, Done};
use super::{
    CentersPlan, ChangePlan, ComparisonFilePlan, CorrectionPlan, EditMeshPlan, EnvironmentPlan, JointPlan, JudgePlan,
    LintPlan, MeanPlan, SelectPlan, Stage, SuspectPlan, TrackPlan, WeightPlan,
};
use crate::import::Job;

impl DerivedKind {
    /// All kinds; those that others are derived from come first.
    pub const ALL: [Self; 14] = [
        Self::new::<CorrectionPlan>(),
        Self::new::<ComparisonFilePlan>(),
        Self::new::<WeightPlan>(),
        Self::new::<CentersPlan>(),
        Self::new::<EnvironmentPlan>(),
        Self::new::<EditMeshPlan>(),
        Self::new::<SelectPlan>(),
        Self::new::<MeanPlan>(),
        Self::new::<LintPlan>(),
        Self::new::<JudgePlan>(),
        Self::new::<SuspectPlan>(),
        Self::new::<ChangePlan>(),
        Self::new::<JointPlan>(),
        Self::new::<TrackPlan>(),
    ];

    /// Kinds that a picture shows.
    const IN_PICTURES: [Self; 5] = [
        Self::new::<CorrectionPlan>(),
        Self::new::<ComparisonFilePlan>(),
        Self::new::<WeightPlan>(),
        Self::new::<CentersPlan>(),
        Self::new::<EnvironmentPlan>(),
    ];
}

/// Progress of the jobs that are running, 0 to 1, by kind.
#[derive(Clone, Debug, Default)]
pub(super) struct DerivedProgress(Vec<(DerivedKind, f32)>);

impl Stage {
    /// Takes a derived value, unless its character is no longer open. A side that waited for a stopped one returns to the file's.
    pub fn take(&mut self, done: Done) {
        done.take_into(self);
    }

    /// Next value of a kind to derive.
    pub fn next_wanted(&self, kind: DerivedKind) -> Option<DerivedRequest> {
        (kind.wanted)(self)
    }

    /// Progress of the job of a kind, 0 to 1, while it runs.
    pub fn progress_of(&self, kind: DerivedKind) -> Option<f32> {
        self.derived_progress.0.iter().find(|(known, _)| *known == kind).map(|(_, fraction)| *fraction)
    }

    /// Sets the progress of the job of a kind; `None` where none runs.
    pub fn set_progress_of(&mut self, kind: DerivedKind, fraction: Option<f32>) {
        let running = &mut self.derived_progress.0;
        running.retain(|(known, _)| *known != kind);
        running.extend(fraction.map(|fraction| (kind, fraction)));
    }

    /// True where pictures of the state lack something that [`Self::settle`] derives.
    pub fn is_unsettled(&self) -> bool {
        self.wanted_in_picture().is_some()
    }

    fn wanted_in_picture(&self) -> Option<DerivedRequest> {
        DerivedKind::IN_PICTURES.into_iter().find_map(|kind| self.next_wanted(kind))
    }

    /// Derives on this thread what a picture of the state shows: other characters, weights, centres of rotation and the environment map. Returns sentences for
    /// the user.
    pub fn settle(&mut self, job: &Job) -> Vec<String> {
        self.refresh();
        let mut notes = Vec::new();
        while let Some(wanted) = self.wanted_in_picture() {
            let done = wanted.run(job);
            notes.extend(done.notes().iter().cloned());
            self.take(done);
            self.refresh();
        }
        notes
    }
}
