//! Vertices that are selected to edit their weights by hand, on the open character.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Stage;
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
    /// Joints of the selection by the weights of a rig.
    means: Option<(Arc<Rig>, Vec<JointMean>)>,
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
        self.means.as_ref().map_or(&[], |(_, means)| means)
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
        self.editing.means = None;
        self.show_vertices();
    }

    /// Draws the selected vertices, or none where weights are not being edited.
    pub(crate) fn show_vertices(&mut self) {
        let editing = &mut self.editing;
        let mut by_primitive: BTreeMap<(usize, usize), Vec<u32>> = BTreeMap::new();
        editing.vertices = 0;
        if let Some(mesh) = &editing.mesh {
            let step = editing.selected.len().div_ceil(MOST_DRAWN).max(1);
            for (number, point) in editing.selected.iter().enumerate() {
                let mut vertices = mesh.vertices_at(point);
                editing.vertices += vertices.len();
                if let Some((mesh, primitive, vertex)) = vertices.next().filter(|_| number % step == 0) {
                    by_primitive.entry((mesh, primitive)).or_default().push(vertex);
                }
            }
        }
        let is_on = editing.is_on;
        let marks = by_primitive.into_iter().filter(|_| is_on).flat_map(|((mesh, primitive), vertices)| {
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

    /// Brings what is told of the selection up to date with the weights of side A.
    pub(super) fn refresh_means(&mut self) {
        let Some(mesh) = self.editing.mesh.as_ref().filter(|_| self.editing.is_on) else { return };
        let rig = self.open_on(Side::A);
        if self.editing.means.as_ref().is_none_or(|(of, _)| !Arc::ptr_eq(of, rig)) {
            let means = mean_weights(rig, mesh, &self.editing.selected);
            self.editing.means = Some((Arc::clone(rig), means));
        }
    }
}
