use super::derived::{Derived, DerivedKind, DerivedRequest};
use super::{
    BendTestPlan, CentersPlan, ChangePlan, ClipRankingPlan, ComparisonFilePlan, CorrectionPlan, DiagnosisPlan,
    EditMeshPlan, EnvironmentPlan, JointPlan, JointRankingPlan, LintPlan, MeanPlan, SelectPlan, SimulationPlan, Stage,
    TrackPlan, TwistPlan, WeightEditPlan, WeightPlan, WeightProblemPlan, WeightStatisticsPlan,
};
use crate::import::Job;

impl DerivedKind {
    /// All kinds. Each kind comes after the kinds that it depends on.
    pub const ALL: [Self; 21] = [
        Self::new::<CorrectionPlan>(),
        Self::new::<ComparisonFilePlan>(),
        Self::new::<WeightPlan>(),
        Self::new::<CentersPlan>(),
        Self::new::<EnvironmentPlan>(),
        Self::new::<EditMeshPlan>(),
        Self::new::<SelectPlan>(),
        Self::new::<MeanPlan>(),
        Self::new::<LintPlan>(),
        Self::new::<WeightStatisticsPlan>(),
        Self::new::<WeightProblemPlan>(),
        Self::new::<ChangePlan>(),
        Self::new::<JointPlan>(),
        Self::new::<TrackPlan>(),
        Self::new::<ClipRankingPlan>(),
        Self::new::<DiagnosisPlan>(),
        Self::new::<JointRankingPlan>(),
        Self::new::<BendTestPlan>(),
        Self::new::<TwistPlan>(),
        Self::new::<SimulationPlan>(),
        Self::new::<WeightEditPlan>(),
    ];

    /// Returns the input of the next value that must be computed for an image. Images need the first five kinds of
    /// [`Self::ALL`].
    pub fn wanted_for_image(stage: &Stage) -> Option<DerivedRequest> {
        Self::ALL.into_iter().take(5).find_map(|kind| kind.wanted(stage))
    }
}

/// Progress of the running jobs by kind, 0 to 1.
#[derive(Clone, Debug, Default)]
pub struct DerivedProgress(Vec<(DerivedKind, f32)>);

impl DerivedProgress {
    /// Returns the progress of the running job for input type `D`, 0 to 1.
    pub fn get<D: Derived>(&self) -> Option<f32> {
        self.for_kind(DerivedKind::new::<D>())
    }

    /// Returns the progress of the running job of a kind, 0 to 1.
    pub fn for_kind(&self, kind: DerivedKind) -> Option<f32> {
        self.0.iter().find(|(known, _)| *known == kind).map(|(_, fraction)| *fraction)
    }

    /// Sets the progress of the running job of a kind; `None` if no such job is running.
    pub fn set(&mut self, kind: DerivedKind, fraction: Option<f32>) {
        self.0.retain(|(known, _)| *known != kind);
        self.0.extend(fraction.map(|fraction| (kind, fraction)));
    }
}

impl Stage {
    /// Computes all missing values that an image needs, on this thread: clip corrections, comparison characters,
    /// weights, centres of rotation and the environment map. Returns messages for the user.
    pub fn compute_pending(&mut self, job: &Job) -> Vec<String> {
        self.refresh();
        let mut notes = Vec::new();
        while let Some(wanted) = DerivedKind::wanted_for_image(self) {
            let done = wanted.run(job);
            notes.extend(done.notes().iter().cloned());
            done.store_in(self);
            self.refresh();
        }
        notes
    }
}
