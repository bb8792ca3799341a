//! Edits of the selected vertices' weights on side A, in the background on request.

use std::sync::Arc;
use std::time::Instant;

use super::{Derived, Notice, OnRequest, Stage, WeightedRig};
use crate::import::Job;
use crate::jobs::{JobKind, in_own_pool};
use crate::rig::{NodeIndex, Rig};
use crate::view::Side;
use crate::weights::{EditMesh, PointSet, WeightChoice, WeightEdit, WeightEditResult, edit};

/// Input for an edit of weights.
#[derive(Clone, Debug)]
pub struct WeightEditPlan {
    /// The open character with the weights of its file.
    rig: Arc<Rig>,
    weighted: Arc<Rig>,
    choice: WeightChoice,
    /// Messages about these weights that were already reported.
    notes: Vec<String>,
    mesh: Arc<EditMesh>,
    selected: Arc<PointSet>,
    operation: WeightEdit,
    locked: Vec<NodeIndex>,
}

/// Result of an edit of weights.
#[derive(Clone, Debug)]
pub struct EditedWeights {
    /// Edited weights and the choice that selects them; `None` if nothing changed.
    pub made: Option<(WeightChoice, WeightedRig)>,
    /// Name of the undo step.
    pub label: String,
    /// Messages about operations that failed or were skipped.
    notes: Vec<String>,
}

impl WeightEditPlan {
    /// Plans an edit of the selected vertices on side A; `None` until vertices can be selected.
    pub(crate) fn new(stage: &Stage, operation: WeightEdit) -> Option<Self> {
        Some(Self {
            rig: Arc::clone(stage.rig()),
            weighted: Arc::clone(stage.open_on(Side::A)),
            choice: stage.view.sides.a.weights.clone(),
            notes: stage.weighted(Side::A).map_or_else(Vec::new, WeightedRig::notes_of_base),
            mesh: Arc::clone(stage.editing.mesh()?),
            selected: Arc::clone(stage.editing.selected()),
            operation,
            locked: stage.editing.locked.clone(),
        })
    }

    /// False if side A shows other weights than those that were edited.
    pub(crate) fn is_current(&self, stage: &Stage) -> bool {
        stage.view.sides.a.weights == self.choice && stage.other_on(Side::A).is_none()
    }
}

impl Derived for WeightEditPlan {
    type Value = EditedWeights;

    const JOB: JobKind =
        JobKind::new("editing weights", "Editing weights", "The weights stay as they were; try another operation.");

    fn requests(stage: &Stage) -> Option<&OnRequest<Self>> {
        Some(&stage.weight_edit)
    }

    fn is_open(&self, stage: &Stage) -> bool {
        stage.is_open(&self.rig)
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.weighted, &other.weighted)
            && Arc::ptr_eq(&self.selected, &other.selected)
            && (self.operation, &self.locked) == (other.operation, &other.locked)
    }

    fn run(&self, job: &Job) -> Option<EditedWeights> {
        let (start, progress) = (Instant::now(), &*job.progress);
        let Self { rig, weighted, choice, .. } = self;
        in_own_pool(|| {
            let WeightEditResult { rows, notes } =
                edit(weighted, &self.mesh, &self.selected, self.operation, &self.locked, progress)?;
            let label = self.operation.label(rig, rows.len());
            if rows.is_empty() {
                return Some(EditedWeights { made: None, label, notes });
            }
            let rig_by_them = Arc::new(weighted.with_weights(&rows.applied(weighted, progress)?.weights));
            let made =
                WeightedRig { rig: rig_by_them, notes: self.notes.clone(), lost_edits: None, took: start.elapsed() };
            Some(EditedWeights { made: Some((choice.edited(&rows, rig), made)), label, notes })
        })
    }

    /// Reports operations that failed or were skipped.
    fn notice(&self, edited: &EditedWeights, stage: &Stage) -> Option<Notice> {
        let nothing = edited.made.is_none().then(|| "No weight has changed.".to_owned());
        let lines: Vec<String> = nothing.into_iter().chain(edited.notes.iter().cloned()).collect();
        (!lines.is_empty() && self.is_current(stage)).then(|| Notice::info(lines.join("\n")))
    }

    /// Ends the request. The open document shows the edited weights, as an undo step.
    fn take(self, _: Option<EditedWeights>, stage: &mut Stage) {
        stage.weight_edit.take(self, None);
    }
}
