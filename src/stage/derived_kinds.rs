//! Registry of derived values, and how the stage handles them.

use super::derived::{DerivedKind, DerivedRequest, Done};
use super::{
    CentersPlan, ChangePlan, ComparisonFilePlan, CorrectionPlan, EditMeshPlan, EnvironmentPlan, JointPlan, JudgePlan,
    LintPlan, MeanPlan, SelectPlan, Stage, SuspectPlan, TrackPlan, WeightPlan,
};
use crate::import::Job;

impl DerivedKind {
    /// All kinds; inputs of other kinds come first.
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

    const IN_PICTURES: [Self; 5] = [
        Self::new::<CorrectionPlan>(),
        Self::new::<ComparisonFilePlan>(),
        Self::new::<WeightPlan>(),
        Self::new::<CentersPlan>(),
        Self::new::<EnvironmentPlan>(),
    ];
}

#[derive(Clone, Debug, Default)]
pub(super) struct DerivedProgress(Vec<(DerivedKind, f32)>);

impl Stage {
    /// Stores a derived value, unless its character is closed. A side that waited for a stopped one returns to the file's.
    pub fn take(&mut self, done: Done) {
        done.take_into(self);
    }

    /// Next missing value of a kind.
    pub fn next_wanted(&self, kind: DerivedKind) -> Option<DerivedRequest> {
        (kind.wanted)(self)
    }

    /// Progress of a kind's running job, 0 to 1.
    pub fn progress_of(&self, kind: DerivedKind) -> Option<f32> {
        self.derived_progress.0.iter().find(|(known, _)| *known == kind).map(|(_, fraction)| *fraction)
    }

    /// Sets the progress of a kind's job; `None` if none runs.
    pub fn set_progress_of(&mut self, kind: DerivedKind, fraction: Option<f32>) {
        let running = &mut self.derived_progress.0;
        running.retain(|(known, _)| *known != kind);
        running.extend(fraction.map(|fraction| (kind, fraction)));
    }

    /// True if the image lacks something that [`Self::settle`] computes.
    pub fn is_unsettled(&self) -> bool {
        self.wanted_in_picture().is_some()
    }

    fn wanted_in_picture(&self) -> Option<DerivedRequest> {
        DerivedKind::IN_PICTURES.into_iter().find_map(|kind| self.next_wanted(kind))
    }

    /// Computes on this thread everything that an image shows: other characters, weights, centres of rotation and the
    /// environment map. Returns messages for the user.
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
