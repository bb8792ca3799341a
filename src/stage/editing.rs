//! Vertices that are selected to edit their weights by hand, on the open character.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Stage;
use crate::jobs::Progress;
use crate::rig::{NodeIndex, PartIndex, Rig};
use crate::view::{Mark, Side};
use crate::weights::{EditMesh, JointMean, PointSet, mean_weights};

/// Points of a selection that are drawn; of more every second, third and so on.
const MOST_DRAWN: usize = 40_000;

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
    selected: Arc<PointSet>,
    /// Number of vertices at the selected points.
    vertices: usize,
    /// Selection of the file before it was read again, until the mesh of now is there.
    before: Option<(Arc<EditMesh>, Arc<PointSet>)>,
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
            selected: Arc::default(),
            vertices: 0,
            before: None,
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
        &self.selected
    }

    /// Number of selected vertices: of those at one position each counts.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// Joints that move the selection, by the weights of side A, heaviest first.
    pub fn means(&self) -> &[JointMean] {
        self.means.as_ref().filter(|_| !self.selected.is_empty()).map_or(&[], |(_, means)| means)
    }

    /// Another character's: nothing of this one's stays but how the user works.
    pub(crate) fn for_another(&self) -> Self {
        Self { is_on: self.is_on, amount: self.amount, is_through: self.is_through, ..Self::default() }
    }

    /// That of the same file read again, in which joints have these counterparts.
    pub(crate) fn for_reload(&self, node_of: impl Fn(NodeIndex) -> Option<NodeIndex>) -> Self {
        let now = self.mesh.clone().map(|mesh| (mesh, Arc::clone(&self.selected)));
        Self {
            locked: self.locked.iter().filter_map(|joint| node_of(*joint)).collect(),
            before: now.filter(|(_, selected)| !selected.is_empty()).or_else(|| self.before.clone()),
            ..self.for_another()
        }
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
        let before = self.editing.before.take();
        let carried = before.zip(mesh.as_ref()).map(|((from, selected), to)| selected.carried(&from, to));
        let nothing = mesh.as_ref().map(|mesh| PointSet::of(mesh, [])).unwrap_or_default();
        self.editing.mesh = mesh;
        self.select_points(carried.unwrap_or(nothing));
    }

    /// Selects points of the skin, which pictures show while weights are edited.
    pub(crate) fn select_points(&mut self, selected: PointSet) {
        self.editing.selected = Arc::new(selected);
        self.show_vertices();
    }

    /// Draws the selected vertices, or none where weights are not being edited.
    pub(crate) fn show_vertices(&mut self) {
        let editing = &mut self.editing;
        let mut by_primitive: BTreeMap<(usize, usize), Vec<u32>> = BTreeMap::new();
        editing.vertices = 0;
        if let Some(mesh) = &editing.mesh {
            let selected = &editing.selected;
            editing.vertices = selected.vertex_count(mesh);
            let step = selected.len().div_ceil(MOST_DRAWN).max(1);
            let drawn = selected.iter().step_by(step).filter(|_| editing.is_on);
            for (mesh, primitive, vertex) in drawn.filter_map(|point| mesh.vertices_at(point).next()) {
                by_primitive.entry((mesh, primitive)).or_default().push(vertex);
            }
        }
        let marks = by_primitive.into_iter().flat_map(|((mesh, primitive), vertices)| {
            let vertices: Arc<[u32]> = vertices.into();
            let instances =
                self.document.rig.instances.iter().enumerate().filter(move |(_, placed)| placed.mesh == mesh);
            instances.map(move |(instance, _)| Mark {
                part: PartIndex { instance, primitive },
                vertices: Arc::clone(&vertices),
            })
        });
        self.view.vertices = marks.collect();
    }

    /// The selection whose joints are to be told, where they are not.
    pub(super) fn mean_plan(&self) -> Option<MeanPlan> {
        let WeightEditing { is_on, mesh, selected, means, .. } = &self.editing;
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
