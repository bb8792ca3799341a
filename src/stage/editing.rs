use std::collections::VecDeque;
use std::sync::Arc;

use super::vertex_selection::{SelectStep, SelectedPoints};
use super::{Derived, Stage};
use crate::import::Job;
use crate::jobs::JobKind;
use crate::rig::{NodeIndex, Rig};
use crate::view::Side;
use crate::weights::{EditMesh, JointMean, PointSet, mean_weights};

/// State of manual weight editing.
#[derive(Clone, Debug)]
pub struct WeightEditing {
    /// True if clicks and boxes on the skin select vertices.
    pub is_on: bool,
    /// Weight that operations assign, add or subtract.
    pub amount: f32,
    /// True if boxes also select vertices facing away from the viewer.
    pub is_through: bool,
    /// Joints whose weights are locked.
    pub locked: Vec<NodeIndex>,
    mesh: Option<Arc<EditMesh>>,
    pub(super) selected: SelectedPoints,
    pub(super) steps: VecDeque<Arc<SelectStep>>,
    /// Mean weights of the selection with their input; may be outdated.
    means: Option<(MeanPlan, Vec<JointMean>)>,
}

/// Input for computing the mean weights of the selected points.
#[derive(Clone, Debug)]
pub struct MeanPlan {
    rig: Arc<Rig>,
    mesh: Arc<EditMesh>,
    selected: Arc<PointSet>,
}

impl Derived for MeanPlan {
    type Value = Vec<JointMean>;

    const JOB: JobKind = JobKind::new(
        "joint means",
        "Averaging weights of the selected vertices",
        "The Skin panel lists no joints of this selection; everything else works.",
    );

    fn wanted(stage: &Stage) -> Option<Self> {
        let WeightEditing { is_on, mesh, means, .. } = &stage.editing;
        let selected = stage.editing.selected();
        let mesh = mesh.clone().filter(|_| *is_on && !selected.is_empty())?;
        let plan = Self { rig: Arc::clone(stage.open_on(Side::A)), mesh, selected: Arc::clone(selected) };
        means.as_ref().is_none_or(|(of, _)| !of.is(&plan)).then_some(plan)
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig) && Arc::ptr_eq(&self.selected, &other.selected)
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        mean_weights(&self.rig, &self.mesh, &self.selected, &job.progress)
    }

    fn is_open(&self, stage: &Stage) -> bool {
        Self::wanted(stage).is_some_and(|wanted| wanted.is(self))
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        stage.editing.means = Some((self, value.unwrap_or_default()));
    }
}

/// Input for welding the character's vertices into points for selection and editing.
#[derive(Clone, Debug)]
pub struct EditMeshPlan(Arc<Rig>);

impl Derived for EditMeshPlan {
    type Value = Arc<EditMesh>;

    const JOB: JobKind = JobKind::new(
        "edit mesh",
        "Preparing weight editing",
        "Weights cannot be edited by hand; everything else works.",
    );

    fn wanted(stage: &Stage) -> Option<Self> {
        let is_wanted = stage.editing.is_on && stage.editing.mesh.is_none() && !stage.rig().skins.is_empty();
        is_wanted.then(|| Self(Arc::clone(stage.rig())))
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        EditMesh::new(&self.0, &job.progress).map(Arc::new)
    }

    fn is_open(&self, stage: &Stage) -> bool {
        stage.is_open(&self.0)
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        stage.editing.is_on &= value.is_some();
        stage.editing.mesh = value;
        stage.view.vertices = stage.editing.marks(&stage.document.rig);
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
    /// Returns the welded points of the character, if computed.
    pub fn mesh(&self) -> Option<&Arc<EditMesh>> {
        self.mesh.as_ref()
    }

    /// Returns the selected points.
    pub fn selected(&self) -> &Arc<PointSet> {
        &self.selected.points
    }

    /// True while selection steps are queued.
    pub fn is_selecting(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Returns the number of selected vertices, including all vertices welded into each selected point.
    pub fn vertices(&self) -> usize {
        self.selected.vertices
    }

    pub(super) fn edited_points(&self) -> Option<(Arc<EditMesh>, Arc<PointSet>)> {
        let mesh = self.mesh.as_ref().filter(|_| self.is_on && !self.selected().is_empty())?;
        Some((Arc::clone(mesh), Arc::clone(self.selected())))
    }

    /// Returns the joints that influence the selection with side A's weights, by descending mean weight.
    pub fn means(&self) -> &[JointMean] {
        self.means.as_ref().filter(|_| !self.selected().is_empty()).map_or(&[], |(_, means)| means)
    }

    pub(crate) fn for_another(&self) -> Self {
        Self { is_on: self.is_on, amount: self.amount, is_through: self.is_through, ..Self::default() }
    }

    /// Returns the state for the reloaded file. `node_of` maps old joints to new ones.
    pub(crate) fn for_reload(&self, node_of: impl Fn(NodeIndex) -> Option<NodeIndex>) -> Self {
        let selected = self.selected();
        let steps = match &self.mesh {
            Some(_) if selected.is_empty() => VecDeque::new(),
            Some(mesh) => [SelectStep::Carried(Arc::clone(mesh), Arc::clone(selected)).into()].into(),
            // The steps still wait for the mesh.
            None => self.steps.clone(),
        };
        Self { locked: self.locked.iter().filter_map(|joint| node_of(*joint)).collect(), steps, ..self.for_another() }
    }
}
