//! Weights of the selected vertices, edited by hand on side A: worked out beside the frame loop, each a step of undo.

use std::sync::Arc;
use std::time::Instant;

use crate::jobs::Progress;
use crate::rig::{NodeIndex, Rig};
use crate::stage::{WeightState, Weighted};
use crate::state::{AppState, Arrived, Notice, OpenDocument, Request};
use crate::view::Side;
use crate::weights::{EditMesh, Edited, PointSet, WeightChoice, WeightEdit, edit};

/// Input of an operation on the weights of the selected vertices.
#[derive(Clone, Debug)]
pub struct WeightEditPlan {
    /// The open character, as its file has it.
    rig: Arc<Rig>,
    /// The character by the weights that are edited.
    weighted: Arc<Rig>,
    /// Choice by which these weights were made.
    choice: WeightChoice,
    /// What is told of these weights already.
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

/// Result of an operation on weights.
#[derive(Debug)]
pub struct WeightsEdited {
    rig: Arc<Rig>,
    /// Choice of weights that was edited.
    from: WeightChoice,
    /// Weights with the edit, and their choice; `None` where nothing is another.
    made: Option<(WeightChoice, Weighted)>,
    /// Name of the step.
    label: String,
    /// Sentences on what could not be done as asked.
    notes: Vec<String>,
}

impl WeightEditPlan {
    /// Does the operation: the result to be taken in; `None` where it was cancelled.
    pub fn run(self, progress: &Progress) -> Option<Arrived> {
        let start = Instant::now();
        let Self { rig, weighted, choice, .. } = &self;
        let Edited { rows, notes } =
            edit(weighted, &self.mesh, &self.selected, self.operation, &self.locked, progress)?;
        let label = self.operation.label(rig, rows.len());
        let made = if rows.is_empty() {
            None
        } else {
            let weights = rows.applied(weighted, progress)?.weights;
            let rig_by_them = Arc::new(weighted.with_weights(&weights));
            let made =
                Weighted { rig: rig_by_them, notes: self.notes.clone(), lost_edits: None, took: start.elapsed() };
            Some((choice.edited(&rows, rig), made))
        };
        Some(Arrived::WeightsEdited(Box::new(WeightsEdited { rig: self.rig, from: self.choice, made, label, notes })))
    }
}

impl AppState {
    /// Why the weights of the selected vertices cannot be edited now, in a few words.
    pub(in crate::state) fn weight_obstacle(&self) -> Option<&'static str> {
        let open = &self.open;
        if let Some(obstacle) = open.vertex_obstacle() {
            return Some(obstacle);
        }
        if self.editing_weights.is_some() {
            return Some("Weights are being edited");
        }
        match open.weights(Side::A) {
            _ if open.editing.selected().is_empty() => Some("No vertices are selected"),
            WeightState::Awaited => Some("The weights of side A are being made"),
            WeightState::Missing(_) => Some("The weights of side A cannot be made"),
            WeightState::File | WeightState::Shown(_) => None,
        }
    }

    /// As [`Self::weight_obstacle`], of an operation that gives weight to the selected joint.
    pub(in crate::state) fn joint_weight_obstacle(&self) -> Option<&'static str> {
        self.weight_obstacle().or_else(|| self.open.joint_obstacle()).or_else(|| {
            let is_locked = self.open.selected().is_some_and(|joint| self.open.editing.locked.contains(&joint));
            is_locked.then_some("The selected joint is locked")
        })
    }

    /// The request to do an operation, unless something is in its way.
    pub(in crate::state) fn edit_weights(&self, operation: WeightEdit) -> Option<Request> {
        if self.weight_obstacle().is_some() {
            return None;
        }
        let open = &self.open;
        let plan = WeightEditPlan {
            rig: Arc::clone(open.rig()),
            weighted: Arc::clone(open.open_on(Side::A)),
            choice: open.weight_choice(Side::A).clone(),
            notes: open.weighted(Side::A).map_or_else(Vec::new, Weighted::notes_of_base),
            mesh: Arc::clone(open.editing.mesh()?),
            selected: Arc::clone(open.editing.selected()),
            operation,
            locked: open.editing.locked.clone(),
        };
        Some(Request::EditWeights(Box::new(plan)))
    }

    /// As [`Self::edit_weights`], of the selected joint.
    pub(in crate::state) fn edit_joint_weights(
        &self,
        of: impl FnOnce(NodeIndex, f32) -> WeightEdit,
    ) -> Option<Request> {
        let joint = self.open.selected().filter(|_| self.joint_weight_obstacle().is_none())?;
        self.edit_weights(of(joint, self.open.editing.amount))
    }
}

impl OpenDocument {
    /// Why the selected joint can be given no weight, in a few words.
    pub(in crate::state) fn joint_obstacle(&self) -> Option<&'static str> {
        match self.selected() {
            None => Some("No joint is selected"),
            Some(joint) if !self.rig().is_joint(joint) => Some("The selected node is no joint of a skin"),
            Some(_) => None,
        }
    }

    /// Locks the weights of a joint, or unlocks them.
    pub(in crate::state) fn toggle_locked(&mut self, joint: NodeIndex) {
        let locked = &mut self.editing.locked;
        let before = locked.len();
        locked.retain(|other| *other != joint);
        if locked.len() == before {
            locked.push(joint);
        }
    }

    /// Shows what came of an operation on side A, as a step of undo; tells what was not done as asked.
    pub(in crate::state) fn take_edited(&mut self, edited: WeightsEdited) -> Option<Notice> {
        let WeightsEdited { rig, from, made, label, notes } = edited;
        if !self.is_open(&rig) || *self.weight_choice(Side::A) != from || self.other_on(Side::A).is_some() {
            return None;
        }
        match made {
            None => return Some(Notice::info([vec!["No weight has changed.".to_owned()], notes].concat().join("\n"))),
            Some((choice, made)) => {
                self.keep_weights(choice.clone(), Ok(made));
                self.as_step_called(&label, |open| open.show_weights(Side::A, choice));
            }
        }
        (!notes.is_empty()).then(|| Notice::info(notes.join("\n")))
    }
}
