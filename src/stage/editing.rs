//! Vertices that are selected to edit their weights by hand, on the open character.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Stage;
use super::vertex_selection::{SelectStep, SelectedPoints};
use crate::jobs::Progress;
use crate::rig::{NodeIndex, Rig};
use crate::view::Side;
use crate::weights::{EditMesh, JointMean, PointSet, mean_weights};

/// The edit of weights by hand.
#[derive(Clone, Debug)]
pub struct WeightEditing {
    /// True where clicks and boxes on the skin select vertices.
    pub is_on: bool,
    /// Weight that operations assign, add or subtract.
    pub amount: f32,
    /// True where a box takes vertices that face away from the viewer too.
    pub is_through: bool,
    /// Joints that keep their weights.
    pub locked: Vec<NodeIndex>,
    mesh: Option<Arc<EditMesh>>,
    pub(super) selected: SelectedPoints,
    /// Steps that are to change the selection, one after the other.
    pub(super) steps: VecDeque<Arc<SelectStep>>,
    /// Joints of a selection by the weights of a rig; those of the one before until the next are there.
    means: Option<(MeanPlan, Vec<JointMean>)>,
}

/// Input of the mean weights of the selected points.
#[derive(Clone, Debug)]
pub struct MeanPlan {
    /// The open character by the weights of side A.
    rig: Arc<Rig>,
    mesh: Arc<EditMesh>,
    selected: Arc<PointSet>,
}

impl MeanPlan {
    /// True where both give the same.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig) && Arc::ptr_eq(&self.selected, &other.selected)
    }

    /// Joints that move the points, heaviest first; `None` where it was cancelled.
    pub fn run(&self, progress: &Progress) -> Option<Vec<JointMean>> {
        mean_weights(&self.rig, &self.mesh, &self.selected, progress)
    }
}

impl Default for WeightEditing {
    fn default() -> Self {
        Self {
            is_on: false,
            amount: 0.5,
            is_through: false,
            locked: Vec::new(),
            mesh: None,
            selected: SelectedPoints::default(),
            steps: VecDeque::new(),
            means: None,
        }
    }
}

impl WeightEditing {
    /// Points of the character, once they are welded.
    pub fn mesh(&self) -> Option<&Arc<EditMesh>> {
        self.mesh.as_ref()
    }

    /// The selected points.
    pub fn selected(&self) -> &Arc<PointSet> {
        &self.selected.points
    }

    /// True until every step that is to change the selection is done.
    pub fn is_selecting(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Number of selected vertices: of those at one position each counts.
    pub fn vertices(&self) -> usize {
        self.selected.vertices
    }

    /// The points whose weights are being edited, of their mesh; `None` where there are none.
    pub(super) fn edited_points(&self) -> Option<(Arc<EditMesh>, Arc<PointSet>)> {
        let mesh = self.mesh.as_ref().filter(|_| self.is_on && !self.selected().is_empty())?;
        Some((Arc::clone(mesh), Arc::clone(self.selected())))
    }

    /// Joints that move the selection, by the weights of side A, heaviest first.
    pub fn means(&self) -> &[JointMean] {
        self.means.as_ref().filter(|_| !self.selected().is_empty()).map_or(&[], |(_, means)| means)
    }

    /// Another character's: nothing of this one's stays but how the user works.
    pub(crate) fn for_another(&self) -> Self {
        Self { is_on: self.is_on, amount: self.amount, is_through: self.is_through, ..Self::default() }
    }

    /// That of the same file read again, in which joints have these counterparts.
    pub(crate) fn for_reload(&self, node_of: impl Fn(NodeIndex) -> Option<NodeIndex>) -> Self {
        let selected = self.selected();
        let steps = match &self.mesh {
            Some(_) if selected.is_empty() => VecDeque::new(),
            Some(mesh) => [SelectStep::Carried(Arc::clone(mesh), Arc::clone(selected)).into()].into(),
            // What waits for the mesh still does.
            None => self.steps.clone(),
        };
        Self { locked: self.locked.iter().filter_map(|joint| node_of(*joint)).collect(), steps, ..self.for_another() }
    }
}

impl Stage {
    /// The open character, where its points are to be welded.
    pub(super) fn wants_edit_mesh(&self) -> Option<&Arc<Rig>> {
        let is_wanted = self.editing.is_on && self.editing.mesh.is_none() && !self.rig().skins.is_empty();
        is_wanted.then(|| self.rig())
    }

    /// Takes the welded points; where they will not come, weights are edited no longer.
    pub(super) fn take_edit_mesh(&mut self, rig: &Arc<Rig>, mesh: Option<Arc<EditMesh>>) {
        if !self.is_open(rig) {
            return;
        }
        self.editing.is_on &= mesh.is_some();
        self.editing.mesh = mesh;
        self.show_vertices();
    }

    /// The selection whose joints are to be told, where they are not.
    pub(super) fn mean_plan(&self) -> Option<MeanPlan> {
        let WeightEditing { is_on, mesh, means, .. } = &self.editing;
        let selected = self.editing.selected();
        let mesh = mesh.clone().filter(|_| *is_on && !selected.is_empty())?;
        let plan = MeanPlan { rig: Arc::clone(self.open_on(Side::A)), mesh, selected: Arc::clone(selected) };
        means.as_ref().is_none_or(|(of, _)| !of.is(&plan)).then_some(plan)
    }

    /// Takes the joints of the selection; where they will not come, none are told.
    pub(super) fn take_means(&mut self, plan: MeanPlan, means: Option<Vec<JointMean>>) {
        if self.mean_plan().is_some_and(|wanted| wanted.is(&plan)) {
            self.editing.means = Some((plan, means.unwrap_or_default()));
        }
    }
}
