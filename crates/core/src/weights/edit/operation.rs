use std::collections::BTreeMap;

use rayon::prelude::*;

use super::mesh::{EditBody, EditMesh};
use super::point_set::PointSet;
use super::row::{Rules, bone_weight};
use super::vertex_row::VertexRow;
use super::vertex_rows::{PrimitiveRows, VertexRows};
use crate::jobs::{Progress, try_ranges};
use crate::rig::{NodeIndex, PointTree, Rig, joint_names};
use crate::text::counted;
use crate::weights::bone_weights::{PointWeights, Row};
use crate::weights::mirror::BodyMirror;
use crate::weights::surface::Network;

const CHUNK: usize = 1024;

/// An operation on the weights of selected points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WeightEdit {
    /// Each point follows the joint alone.
    Rigid(NodeIndex),
    /// The joint gets this weight; the others share the rest proportionally.
    Assign(NodeIndex, f32),
    /// Adds to the joint's current weight; the others change as in [`Self::Assign`].
    Add(NodeIndex, f32),
    /// Each point's weights move halfway to the mean of its neighbours on the surface.
    Smooth,
    /// Each point gets the weights of the nearest unselected point.
    CopyFromNearest,
    /// Each point's mirror image gets the point's weights with left and right joints swapped; a point in the mirror
    /// plane gets the mean of both.
    Mirror,
}

/// Result of an edit.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightEditResult {
    /// New weights of the changed vertices.
    pub rows: VertexRows,
    /// Sentences that report what could not be edited.
    pub notes: Vec<String>,
}

impl WeightEdit {
    /// Returns the name of the undo step.
    pub fn label(self, rig: &Rig, vertices: usize) -> String {
        let name = |joint| rig.hierarchy.name(joint);
        let what = match self {
            Self::Rigid(joint) => format!("Rigid to {}", name(joint)),
            Self::Assign(joint, weight) => format!("Assign {weight:.2} of {}", name(joint)),
            Self::Add(joint, weight) if weight < 0.0 => format!("Subtract {:.2} of {}", -weight, name(joint)),
            Self::Add(joint, weight) => format!("Add {weight:.2} of {}", name(joint)),
            Self::Smooth => "Smooth weights".to_owned(),
            Self::CopyFromNearest => "Copy weights from nearest".to_owned(),
            Self::Mirror => "Mirror weights".to_owned(),
        };
        format!("{what}: {}", counted(vertices, "vertex", "vertices"))
    }

    fn joint(self) -> Option<NodeIndex> {
        match self {
            Self::Rigid(joint) | Self::Assign(joint, _) | Self::Add(joint, _) => Some(joint),
            Self::Smooth | Self::CopyFromNearest | Self::Mirror => None,
        }
    }
}

/// Edits the weights of selected points. `mesh` must have been built from the meshes of `rig`. `None` if cancelled.
///
/// Rows sum to 1, and locked joints keep their weights. A vertex may have as many influences as its primitive has
/// slots, but at least 4; the lightest ones beyond that limit are dropped.
///
/// *Cost*: linear in the selection for joint edits and smoothing; other edits visit all points.
pub fn edit(
    rig: &Rig,
    mesh: &EditMesh,
    selected: &PointSet,
    operation: WeightEdit,
    locked: &[NodeIndex],
    progress: &Progress,
) -> Option<WeightEditResult> {
    let mut rows: BTreeMap<(usize, usize), PrimitiveRows> = BTreeMap::new();
    let mut notes = Vec::new();
    for body in &mesh.bodies {
        let points: Vec<u32> =
            (0..body.body.points.len() as u32).filter(|point| selected.contains(body.first + point)).collect();
        if points.is_empty() {
            continue;
        }
        let editor = BodyEditor::new(rig, body, locked, &points);
        for (point, row) in editor.edited(operation, &mut notes, progress)? {
            editor.keep(point, &row, &mut rows);
        }
        progress.check_cancelled()?;
    }
    Some(WeightEditResult { rows: rows.into_values().collect::<Vec<_>>().into(), notes })
}

struct BodyEditor<'a> {
    rig: &'a Rig,
    body: &'a EditBody,
    bones_by_node: BTreeMap<NodeIndex, u16>,
    names: Vec<String>,
    is_locked: Vec<bool>,
    points: &'a [u32],
}

impl<'a> BodyEditor<'a> {
    fn new(rig: &'a Rig, body: &'a EditBody, locked: &[NodeIndex], points: &'a [u32]) -> Self {
        let nodes: Vec<NodeIndex> = body.body.bones.iter().map(|bone| bone.node).collect();
        Self {
            rig,
            body,
            bones_by_node: body.body.bones_by_node(),
            names: joint_names(&rig.hierarchy, &nodes),
            is_locked: nodes.iter().map(|node| locked.contains(node)).collect(),
            points,
        }
    }

    fn row(&self, point: u32) -> Row {
        self.body.row(self.rig, &self.bones_by_node, point as usize)
    }

    fn rules(&self, point: u32) -> Rules<'_> {
        Rules { is_locked: &self.is_locked, max_influences: self.body.limit(point as usize) }
    }

    fn edited(&self, operation: WeightEdit, notes: &mut Vec<String>, progress: &Progress) -> Option<Vec<(u32, Row)>> {
        let bone = operation.joint().map(|joint| self.bones_by_node.get(&joint).copied());
        if bone == Some(None) {
            notes.push(format!(
                "{} belong to a skin without the joint and stay as they were.",
                counted(self.points.len(), "vertex", "vertices")
            ));
            return Some(Vec::new());
        }
        let bone = bone.flatten().unwrap_or_default();
        match operation {
            WeightEdit::Rigid(_) => self.each(progress, |_, rules, before| rules.settled(before, [(bone, 1.0)])),
            WeightEdit::Assign(_, weight) => {
                self.each(progress, |_, rules, before| rules.assigned(before, bone, weight))
            }
            WeightEdit::Add(_, weight) => {
                self.each(progress, |_, rules, before| rules.assigned(before, bone, bone_weight(before, bone) + weight))
            }
            WeightEdit::Smooth => self.smoothed(progress),
            WeightEdit::CopyFromNearest => self.copied(notes, progress),
            WeightEdit::Mirror => self.mirrored(notes, progress),
        }
    }

    /// Calls `make` with the row of each selected point and returns the rows that changed.
    fn each(
        &self,
        progress: &Progress,
        make: impl Fn(u32, Rules<'_>, &[(u16, f32)]) -> Row + Sync,
    ) -> Option<Vec<(u32, Row)>> {
        self.changed(progress, |point| {
            let before = self.row(point);
            let row = make(point, self.rules(point), &before);
            is_other(&row, &before).then_some((point, row))
        })
    }

    /// Calls `make` for each selected point and returns the results that are not `None`.
    fn changed<T: Send>(&self, progress: &Progress, make: impl Fn(u32) -> Option<T> + Sync) -> Option<Vec<T>> {
        progress.begin(self.points.len());
        let chunks = try_ranges((self.points.len(), CHUNK), progress, |range| {
            let made: Vec<T> = self.points[range.clone()].iter().filter_map(|&point| make(point)).collect();
            progress.add(range.len());
            Some(made)
        });
        Some(chunks?.into_iter().flatten().collect())
    }

    fn smoothed(&self, progress: &Progress) -> Option<Vec<(u32, Row)>> {
        // Visit only the selection and adjacent triangles: the rest of a large mesh must cost nothing.
        let triangles = self.points.iter().flat_map(|&point| self.body.triangles(point as usize));
        let mut triangles: Vec<u32> = triangles.copied().collect();
        triangles.sort_unstable();
        triangles.dedup();
        let corners = |triangle: &u32| self.body.body.triangles[*triangle as usize];
        let mut near: Vec<u32> = triangles.iter().flat_map(corners).chain(self.points.iter().copied()).collect();
        near.sort_unstable();
        near.dedup();
        let number = |point: u32| near.partition_point(|&other| other < point) as u32;
        let places: Vec<_> = near.iter().map(|&point| self.body.body.points[point as usize]).collect();
        let triangles: Vec<[u32; 3]> = triangles.iter().map(|triangle| corners(triangle).map(number)).collect();
        let network = Network::new(&places, &triangles, progress)?;
        let rows: Vec<Row> = near.par_iter().map(|&point| self.row(point)).collect();
        self.each(progress, |point, rules, before| {
            let around = network.around(number(point) as usize);
            let stiffness: f64 = around.clone().map(|(_, weight)| weight).sum();
            if around.len() == 0 {
                return before.to_vec();
            }
            let own = std::iter::once((before.iter().copied(), 0.5));
            let others = around.map(|(other, weight)| (rows[other].iter().copied(), (0.5 * weight / stiffness) as f32));
            rules.settled(before, PointWeights::mixed(own.chain(others)))
        })
    }

    fn copied(&self, notes: &mut Vec<String>, progress: &Progress) -> Option<Vec<(u32, Row)>> {
        let places = &self.body.body.points;
        let mut is_source: Vec<bool> = places.iter().map(|place| place.is_finite()).collect();
        self.points.iter().for_each(|&point| is_source[point as usize] = false);
        let others: Vec<u32> =
            (0..).zip(is_source).filter(|(_, is_source)| *is_source).map(|(point, _)| point).collect();
        if others.is_empty() {
            notes.push("All vertices are selected: there is none to copy from.".to_owned());
            return Some(Vec::new());
        }
        let tree = PointTree::new_while(places, others, || !progress.is_cancelled())?;
        self.each(progress, |point, rules, before| {
            let nearest = tree.nearest(places[point as usize], f32::INFINITY, |_| true);
            nearest.map_or_else(|| before.to_vec(), |(nearest, _)| rules.settled(before, self.row(nearest)))
        })
    }

    fn mirrored(&self, notes: &mut Vec<String>, progress: &Progress) -> Option<Vec<(u32, Row)>> {
        let Some(mirror) = BodyMirror::new(self.rig, &self.body.body) else {
            notes.push("No joints stand left and right of each other: there is nothing to mirror to.".to_owned());
            return Some(Vec::new());
        };
        let partners = mirror.partner_points(&self.body.body, progress)?;
        let image = |point: u32| partners[point as usize].filter(|_| mirror.mirrored(self.row(point)).is_some());
        let alone = self.points.iter().filter(|&&point| image(point).is_none()).count();
        if alone > 0 {
            notes.push(format!(
                "{} without a mirror image: nothing was copied from them.",
                counted(alone, "vertex", "vertices")
            ));
        }
        self.changed(progress, |point| {
            let target = image(point)?;
            let (own, before) = (self.row(point), self.row(target));
            let opposite = mirror.mirrored(own.iter().copied())?;
            let wanted = if target == point {
                PointWeights::mixed([own, opposite].into_iter().map(|row| (row.into_iter(), 0.5)))
            } else {
                opposite
            };
            let row = self.rules(target).settled(&before, wanted);
            is_other(&row, &before).then_some((target, row))
        })
    }

    fn keep(&self, point: u32, row: &[(u16, f32)], kept: &mut BTreeMap<(usize, usize), PrimitiveRows>) {
        let at = self.body.body.points[point as usize];
        for &(part, vertex) in self.body.vertices(point as usize) {
            let part = &self.body.body.parts[part as usize];
            let of_part = kept
                .entry((part.mesh, part.primitive))
                .or_insert_with(|| PrimitiveRows::new(self.rig, part.mesh, part.primitive, self.names.clone()));
            of_part.rows.push(VertexRow { vertex, at, weights: row.to_vec() });
        }
    }
}

fn is_other(row: &[(u16, f32)], before: &[(u16, f32)]) -> bool {
    const ROUNDING: f32 = 1e-7;
    let is_same = |(bone, weight): &(u16, f32)| (bone_weight(before, *bone) - weight).abs() <= ROUNDING;
    row.len() != before.len() || !row.iter().all(is_same)
}
