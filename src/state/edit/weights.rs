//! Manual weight edits of selected vertices on side A. They run in the background; each is an undo step.

use std::sync::Arc;
use std::time::Instant;

use crate::jobs::Progress;
use crate::rig::{NodeIndex, Rig};
use crate::stage::{Stage, WeightedRig};
use crate::state::{JobResult, Notice, OpenDocument};
use crate::view::Side;
use crate::weights::{EditMesh, PointSet, WeightChoice, WeightEdit, WeightEditResult, edit};

#[derive(Clone, Debug)]
pub struct WeightEditPlan {
    /// The open character with the weights of its file.
    rig: Arc<Rig>,
    weighted: Arc<Rig>,
    choice: WeightChoice,
    /// Messages about the weights of `weighted` that have already been reported.
    notes: Vec<String>,
    mesh: Arc<EditMesh>,
    selected: Arc<PointSet>,
    operation: WeightEdit,
    locked: Vec<NodeIndex>,
}

impl PartialEq for WeightEditPlan {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.weighted, &other.weighted)
            && Arc::ptr_eq(&self.selected, &other.selected)
            && (self.operation, &self.locked) == (other.operation, &other.locked)
    }
}

#[derive(Debug)]
pub struct WeightsEdited {
    rig: Arc<Rig>,
    /// The user's choice of weights before the edit.
    from: WeightChoice,
    /// Edited weights and their choice; `None` if nothing changed.
    made: Option<(WeightChoice, WeightedRig)>,
    label: String,
    /// Messages about operations that failed or were skipped.
    notes: Vec<String>,
}

impl WeightEditPlan {
    /// Creates the input for editing the selected vertices on side A; `None` until vertices can be selected.
    pub(in crate::state) fn new(open: &OpenDocument, operation: WeightEdit) -> Option<Self> {
        Some(Self {
            rig: Arc::clone(open.stage.rig()),
            weighted: Arc::clone(open.stage.open_on(Side::A)),
            choice: open.stage.weight_choice(Side::A).clone(),
            notes: open.stage.weighted(Side::A).map_or_else(Vec::new, WeightedRig::notes_of_base),
            mesh: Arc::clone(open.stage.editing.mesh()?),
            selected: Arc::clone(open.stage.editing.selected()),
            operation,
            locked: open.stage.editing.locked.clone(),
        })
    }

    pub fn run(self, progress: &Progress) -> Option<JobResult> {
        let start = Instant::now();
        let Self { rig, weighted, choice, .. } = &self;
        let WeightEditResult { rows, notes } =
            edit(weighted, &self.mesh, &self.selected, self.operation, &self.locked, progress)?;
        let label = self.operation.label(rig, rows.len());
        let made = if rows.is_empty() {
            None
        } else {
            let weights = rows.applied(weighted, progress)?.weights;
            let rig_by_them = Arc::new(weighted.with_weights(&weights));
            let made =
                WeightedRig { rig: rig_by_them, notes: self.notes.clone(), lost_edits: None, took: start.elapsed() };
            Some((choice.edited(&rows, rig), made))
        };
        Some(JobResult::WeightsEdited(Box::new(WeightsEdited { rig: self.rig, from: self.choice, made, label, notes })))
    }
}

impl OpenDocument {
    /// Applies the result of an edit to side A, as an undo step. Returns a notice about operations that failed.
    pub(in crate::state) fn take_edited(&mut self, edited: WeightsEdited) -> Option<Notice> {
        let WeightsEdited { rig, from, made, label, notes } = edited;
        if !self.stage.is_open(&rig)
            || *self.stage.weight_choice(Side::A) != from
            || self.stage.other_on(Side::A).is_some()
        {
            return None;
        }
        match made {
            None => return Some(Notice::info([vec!["No weight has changed.".to_owned()], notes].concat().join("\n"))),
            Some((choice, made)) => {
                self.stage.keep_weights(choice.clone(), Ok(made));
                self.as_step_called(&label, |open| open.stage.show_weights(Side::A, choice));
            }
        }
        (!notes.is_empty()).then(|| Notice::info(notes.join("\n")))
    }
}

pub(in crate::state) fn joint_obstacle(stage: &Stage) -> Option<&'static str> {
    match stage.view.active_joint() {
        None => Some("No joint is selected"),
        Some(joint) if !stage.rig().is_joint(joint) => Some("The selected node is not a joint of a skin"),
        Some(_) => None,
    }
}

pub(in crate::state) fn toggle_locked(stage: &mut Stage, joint: NodeIndex) {
    let locked = &mut stage.editing.locked;
    let before = locked.len();
    locked.retain(|other| *other != joint);
    if locked.len() == before {
        locked.push(joint);
    }
}
