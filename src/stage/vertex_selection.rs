//! Vertex selection for weight editing. It runs in the background, because visiting all vertices takes longer than a
//! frame.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec2;

use super::{Derived, Stage, WeightEditing};
use crate::actor::{PosedSkin, boxed_vertices};
use crate::analysis::weight_problems::WeightProblems;
use crate::import::Job;
use crate::jobs::{JobKind, Progress};
use crate::rig::{PrimitiveIndex, Rig, VertexList};
use crate::skinning::Deformed;
use crate::view::{Lens, Ray, Side, VertexSet};
use crate::weights::{EditMesh, PointSet, PrimitiveVertices};

/// Maximum number of drawn points. Larger selections are sampled evenly.
const MAX_DRAWN: usize = 20_000;

/// 2³² divided by the golden ratio, rounded down. Its multiples, modulo 2³², sample the rows and columns of a grid
/// evenly.
const SPREAD: u32 = 0x9E37_79B9;

/// How a click changes the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexClick {
    /// True to toggle the vertex, false to replace the selection.
    pub adds: bool,
    /// True to select the vertex's whole connected component.
    pub takes_piece: bool,
}

/// A selection box in a side's image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexBox {
    /// Side of the image.
    pub side: Side,
    /// Projection of the side's image.
    pub lens: Lens,
    /// Top left corner, points.
    pub min: Vec2,
    /// Bottom right corner, points.
    pub max: Vec2,
    /// True to add to the selection, false to subtract.
    pub adds: bool,
}

/// A change of the vertex selection.
#[derive(Clone, Debug)]
pub enum SelectStep {
    /// Selects the vertex closest to where a ray hits a side's skin. A ray that misses the skin clears the selection.
    Click(PosedSkin, Ray, VertexClick),
    /// Adds or removes the vertices in a box.
    Box {
        /// Posed skin of the box's side.
        skin: PosedSkin,
        /// Selection rectangle.
        drawn: VertexBox,
        /// True to include vertices facing away from the viewer.
        is_through: bool,
    },
    /// Selects only the vertices of a finding. An empty list stands for all vertices of the primitives.
    Finding(Vec<PrimitiveIndex>, VertexList),
    /// Selects only the vertices of a weight problem.
    Region(Arc<WeightProblems>, usize),
    /// Selects only the vertices that a session stores.
    Stored(Vec<PrimitiveVertices>),
    /// After a reload, selects the new points at the positions of the old selected points.
    Carried(Arc<EditMesh>, Arc<PointSet>),
    /// Extends the selection to whole connected components.
    Pieces,
    /// Extends the selection to neighbouring vertices.
    Grow,
    /// Removes vertices with an unselected neighbour.
    Shrink,
    /// Inverts the selection.
    Invert,
}

impl SelectStep {
    fn is_anew(&self) -> bool {
        match self {
            Self::Click(_, _, click) => !click.adds,
            Self::Finding(..) | Self::Region(..) | Self::Stored(_) | Self::Carried(..) => true,
            Self::Box { .. } | Self::Pieces | Self::Grow | Self::Shrink | Self::Invert => false,
        }
    }
}

fn point_under(skin: &PosedSkin, mesh: &EditMesh, ray: &Ray, deformed: &[Deformed]) -> Option<u32> {
    let found = skin.point_under(deformed, ray)?;
    let rig = &skin.skinned.rig;
    let PrimitiveIndex { instance, primitive } = rig.parts().nth(found.part)?;
    mesh.primitive_points(rig.instances[instance].mesh, primitive).nth(found.vertex())
}

/// Selected points, with data for drawing.
#[derive(Clone, Debug, Default)]
pub struct SelectedPoints {
    /// The points.
    pub points: Arc<PointSet>,
    /// Number of vertices that were welded into the points.
    pub vertices: usize,
    drawn: BTreeMap<(usize, usize), Arc<[u32]>>,
}

impl SelectedPoints {
    fn new(points: PointSet, mesh: &EditMesh) -> Self {
        let is_drawn =
            |point: &u32| u64::from(point.wrapping_mul(SPREAD)) * points.len() as u64 <= (MAX_DRAWN as u64) << 32;
        let mut drawn: BTreeMap<(usize, usize), Vec<u32>> = BTreeMap::new();
        for (mesh, primitive, vertex) in
            points.iter().filter(is_drawn).filter_map(|point| mesh.vertices_at(point).next())
        {
            drawn.entry((mesh, primitive)).or_default().push(vertex);
        }
        Self {
            vertices: points.vertex_count(mesh),
            drawn: drawn.into_iter().map(|(part, vertices)| (part, vertices.into())).collect(),
            points: Arc::new(points),
        }
    }

    fn marks(&self, rig: &Rig) -> Vec<VertexSet> {
        let marks = self.drawn.iter().flat_map(|(&(mesh, primitive), vertices)| {
            let instances = rig.instances.iter().enumerate().filter(move |(_, placed)| placed.mesh == mesh);
            instances.map(move |(instance, _)| VertexSet {
                part: PrimitiveIndex { instance, primitive },
                vertices: Arc::clone(vertices),
            })
        });
        marks.collect()
    }
}

/// Input of a selection step.
#[derive(Clone, Debug)]
pub struct SelectPlan {
    mesh: Arc<EditMesh>,
    selected: Arc<PointSet>,
    step: Arc<SelectStep>,
    rig: Arc<Rig>,
}

impl Derived for SelectPlan {
    type Value = SelectedPoints;

    const JOB: JobKind =
        JobKind::new("vertex selection", "Selecting vertices", "What was selected before stays; try again.");

    fn wanted(stage: &Stage) -> Option<Self> {
        let step = Arc::clone(stage.editing.steps.front()?);
        let (mesh, selected) = (Arc::clone(stage.editing.mesh()?), Arc::clone(stage.editing.selected()));
        Some(Self { mesh, selected, step, rig: Arc::clone(stage.rig()) })
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.step, &other.step) && Arc::ptr_eq(&self.mesh, &other.mesh)
    }

    fn run(&self, job: &Job) -> Option<SelectedPoints> {
        let points = self.points(&job.progress)?;
        job.progress.check_cancelled()?;
        Some(SelectedPoints::new(points, &self.mesh))
    }

    fn is_open(&self, stage: &Stage) -> bool {
        Self::wanted(stage).is_some_and(|wanted| wanted.is(self))
    }

    /// Stores the selection. If the step failed, keeps the old selection and drops queued steps.
    fn take(self, value: Option<SelectedPoints>, stage: &mut Stage) {
        stage.editing.steps.pop_front();
        match value {
            None => stage.editing.steps.clear(),
            Some(selected) => {
                stage.editing.selected = selected;
                stage.view.vertices = stage.editing.marks(&stage.document.rig);
            }
        }
    }
}

impl SelectPlan {
    fn points(&self, progress: &Progress) -> Option<PointSet> {
        let (mesh, now) = (&*self.mesh, &*self.selected);
        Some(match &*self.step {
            SelectStep::Click(skin, ray, click) => {
                let found = point_under(skin, mesh, ray, &skin.deformed(progress)?);
                clicked(mesh, now, found, *click)
            }
            SelectStep::Box { skin, drawn, is_through } => {
                let mut selected = PointSet::new(mesh, now.iter());
                selected.set_all(&boxed(mesh, skin, drawn, *is_through, progress)?, drawn.adds);
                selected
            }
            SelectStep::Finding(parts, vertices) => listed(mesh, &self.rig, parts.iter().map(|part| (*part, vertices))),
            SelectStep::Region(found, index) => {
                let parts = found.list.get(*index).into_iter().flat_map(|problem| &problem.primitives);
                listed(mesh, &self.rig, parts.map(|(part, vertices)| (*part, vertices)))
            }
            SelectStep::Stored(parts) => PrimitiveVertices::points(parts, mesh, &self.rig),
            SelectStep::Carried(from, selected) => selected.carried(from, mesh),
            SelectStep::Pieces => now.pieces(mesh),
            SelectStep::Grow => now.grown(mesh),
            SelectStep::Shrink => now.shrunk(mesh),
            SelectStep::Invert => now.inverted(mesh),
        })
    }
}

fn clicked(mesh: &EditMesh, now: &PointSet, point: Option<u32>, click: VertexClick) -> PointSet {
    let mut found = PointSet::new(mesh, point);
    if click.takes_piece {
        found = found.pieces(mesh);
    }
    if !click.adds {
        return found;
    }
    let is_in = click.takes_piece || point.is_some_and(|point| !now.contains(point));
    let mut selected = PointSet::new(mesh, now.iter());
    selected.set_all(&found, is_in);
    selected
}

fn boxed(
    mesh: &EditMesh,
    skin: &PosedSkin,
    drawn: &VertexBox,
    is_through: bool,
    progress: &Progress,
) -> Option<PointSet> {
    let VertexBox { lens, min, max, .. } = drawn;
    let (deformed, rig) = (skin.deformed(progress)?, &skin.skinned.rig);
    let mut found = PointSet::new(mesh, []);
    progress.begin(deformed.len());
    for ((part, (placed, primitive)), deformed) in rig.parts().zip(rig.primitives()).zip(&deformed) {
        progress.check_cancelled()?;
        progress.add(1);
        if !skin.hidden.shows(rig, part) {
            continue;
        }
        let is_taken = boxed_vertices(primitive, &deformed.positions, lens, [*min, *max], is_through);
        let points = mesh.primitive_points(placed.mesh, part.primitive).zip(is_taken);
        points.filter(|(_, is_taken)| *is_taken).for_each(|(point, _)| found.set(point, true));
    }
    Some(found)
}

fn listed<'a>(mesh: &EditMesh, rig: &Rig, parts: impl Iterator<Item = (PrimitiveIndex, &'a VertexList)>) -> PointSet {
    let mut found = PointSet::new(mesh, []);
    for (part, vertices) in parts {
        let Some(placed) = rig.instances.get(part.instance) else { continue };
        let points: Vec<u32> = mesh.primitive_points(placed.mesh, part.primitive).collect();
        let listed = vertices.first().iter().filter_map(|&vertex| points.get(vertex as usize));
        let all = points.iter().filter(|_| vertices.is_empty());
        listed.chain(all).for_each(|&point| found.set(point, true));
    }
    found
}

impl WeightEditing {
    /// Queues a selection step. A step that replaces the selection first clears the queue.
    pub(crate) fn select(&mut self, step: SelectStep) {
        if step.is_anew() {
            self.steps.clear();
        }
        self.steps.push_back(Arc::new(step));
    }

    pub(crate) fn clear_selection(&mut self) {
        self.steps.clear();
        self.selected = SelectedPoints::default();
    }

    /// Returns the vertices to draw: the selected ones while weights are being edited, otherwise none.
    pub(crate) fn marks(&self, rig: &Rig) -> Vec<VertexSet> {
        if self.is_on { self.selected.marks(rig) } else { Vec::new() }
    }
}
