//! Vertices that are selected to edit their weights: by a click, a box, a finding, and from those that are selected already.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use crate::analysis::lint::{Finding, Target};
use crate::analysis::measure::VertexPlace;
use crate::rig::{Primitive, Rig};
use crate::skinning::RigSkinning;
use crate::state::OpenDocument;
use crate::state::inspect::probe::place;
use crate::state::inspect::skin_pick::PosedSkin;
use crate::view::{Lens, Ray, Side};
use crate::weights::{EditMesh, PointSet};

/// What a click does to the selected vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexClick {
    /// Adds the vertex to what is selected, or takes it out.
    pub adds: bool,
    /// Takes all that hangs together with the vertex.
    pub takes_piece: bool,
}

/// A box in the picture of a side, in which vertices are selected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexBox {
    /// Side whose picture it is.
    pub side: Side,
    /// Projection of that picture.
    pub lens: Lens,
    /// Corner at the top left, points of the picture.
    pub min: Vec2,
    /// Corner at the bottom right.
    pub max: Vec2,
    /// True to add to what is selected, false to take out of it.
    pub adds: bool,
}

/// What becomes of the selection from itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::state) enum Reselect {
    Pieces,
    Grow,
    Shrink,
    Invert,
    Clear,
}

impl OpenDocument {
    /// Why no vertices can be selected now, in a few words.
    pub(in crate::state) fn vertex_obstacle(&self) -> Option<&'static str> {
        let editing = &self.editing;
        match editing.mesh() {
            _ if self.rig().skins.is_empty() => Some("This file has no skin"),
            _ if !editing.is_on => Some("Switch Edit weights on first"),
            _ if self.other_on(Side::A).is_some() => Some("Side A shows another file"),
            None => Some("The mesh is being prepared"),
            Some(_) => None,
        }
    }

    /// Selects vertices by clicks and boxes from now on, or no longer. What is selected stays.
    pub(in crate::state) fn toggle_weight_editing(&mut self) {
        self.editing.is_on ^= true;
        if self.editing.is_on {
            self.probes.is_on = false;
        }
        self.show_vertices();
    }

    /// Selects the vertex nearest to where a ray meets the skin of a side; a click beside the skin selects nothing.
    pub(in crate::state) fn click_vertex(&mut self, side: Side, ray: &Ray, click: VertexClick) {
        let Some(mesh) = self.mesh_on(side) else { return };
        let found = self.skin_point(side, ray).and_then(|point| place(self.rig(), &point));
        let point = found.and_then(|place| point_of(&mesh, self.rig(), place));
        let mut clicked = PointSet::of(&mesh, point);
        if click.takes_piece {
            clicked = clicked.pieces(&mesh);
        }
        let selected = match point {
            _ if !click.adds => clicked,
            None => return,
            Some(point) => {
                let is_in = click.takes_piece || !self.editing.selected().contains(point);
                let mut selected = PointSet::clone(self.editing.selected());
                clicked.iter().for_each(|point| selected.set(point, is_in));
                selected
            }
        };
        self.select_points(selected);
    }

    /// Adds the vertices in a box to the selection, or takes them out.
    pub(in crate::state) fn box_vertices(&mut self, VertexBox { side, lens, min, max, adds }: VertexBox) {
        let Some(mesh) = self.mesh_on(side) else { return };
        let (rig, pose) = (Arc::clone(&self.actor(side).rig), self.actor(side).pose.clone());
        let (skinning, centers) = (self.skinning(side).clone(), self.centers(side).cloned());
        let open = self;
        let skin = PosedSkin {
            pose: pose.skin_pose(),
            skinning: RigSkinning { skinning: &skinning, centers: centers.as_ref() },
            hidden: &open.stage.view.hidden,
            version: open.stage.version(),
        };
        let is_through = open.stage.editing.is_through;
        let mut selected = PointSet::clone(open.stage.editing.selected());
        let Some(positions) = open.skin[side].posed(&rig, skin) else { return };
        let parts = rig.parts().zip(rig.primitives()).zip(positions);
        for ((part, (placed, primitive)), deformed) in parts.filter(|((part, _), _)| skin.hidden.shows(&rig, *part)) {
            let is_inside = |at: &Vec3| lens.project(*at).is_some_and(|p| p.cmpge(min).all() && p.cmple(max).all());
            let mut is_taken: Vec<bool> = deformed.positions.par_iter().map(is_inside).collect();
            if !is_through {
                keep_facing(&mut is_taken, primitive, &deformed.positions, &lens);
            }
            let points = mesh.points_of(placed.mesh, part.primitive).zip(is_taken);
            points.filter(|(_, is_taken)| *is_taken).for_each(|(point, _)| selected.set(point, adds));
        }
        open.select_points(selected);
    }

    /// Selects the vertices of the finding that is shown, in place of what is selected.
    pub(in crate::state) fn select_finding_vertices(&mut self) {
        let (Some(mesh), Some(finding)) = (self.editing.mesh().cloned(), self.shown_finding()) else { return };
        let Target::Primitive { mesh: source, primitive, vertices, .. } = &finding.target else { return };
        let rig = self.rig();
        let mut selected = PointSet::of(&mesh, []);
        for (at, own) in rig.meshes.iter().enumerate().filter(|(_, own)| own.source == *source) {
            for (number, _) in own.primitives.iter().enumerate().filter(|(_, own)| own.source == *primitive) {
                let points: Vec<u32> = mesh.points_of(at, number).collect();
                let listed = vertices.first().iter().filter_map(|&vertex| points.get(vertex as usize));
                // No list means all of the primitive.
                let all = points.iter().filter(|_| vertices.is_empty());
                listed.chain(all).for_each(|&point| selected.set(point, true));
            }
        }
        self.select_points(selected);
    }

    /// True where a finding is shown that is about vertices.
    pub(in crate::state) fn has_finding_vertices(&self) -> bool {
        self.shown_finding().is_some_and(|finding| matches!(finding.target, Target::Primitive { .. }))
    }

    fn shown_finding(&self) -> Option<&Finding> {
        self.lint.list().get(self.lint.selected?)
    }

    /// Makes another selection of the one of now.
    pub(in crate::state) fn reselect(&mut self, how: Reselect) {
        let Some(mesh) = self.editing.mesh().cloned() else { return };
        let now = self.editing.selected();
        let next = match how {
            Reselect::Pieces => now.pieces(&mesh),
            Reselect::Grow => now.grown(&mesh),
            Reselect::Shrink => now.shrunk(&mesh),
            Reselect::Invert => now.inverted(&mesh),
            Reselect::Clear => PointSet::of(&mesh, []),
        };
        self.select_points(next);
    }

    /// Points of the open character, where a side shows it.
    fn mesh_on(&self, side: Side) -> Option<Arc<EditMesh>> {
        self.editing.mesh().filter(|_| self.other_on(side).is_none()).cloned()
    }
}

fn point_of(mesh: &EditMesh, rig: &Rig, place: VertexPlace) -> Option<u32> {
    let VertexPlace { instance, primitive, vertex } = place;
    mesh.points_of(rig.instances.get(instance)?.mesh, primitive).nth(vertex)
}

/// Leaves out vertices around which no triangle faces the viewer; those without triangles stay.
fn keep_facing(is_taken: &mut [bool], primitive: &Primitive, positions: &[Vec3], lens: &Lens) {
    let mut faces = vec![primitive.indices.is_empty(); positions.len()];
    for triangle in primitive.indices.as_chunks::<3>().0 {
        let corners = triangle.map(|vertex| vertex as usize);
        if !corners.iter().any(|&vertex| is_taken[vertex] && !faces[vertex]) {
            continue;
        }
        let [a, b, c] = corners.map(|vertex| positions[vertex]);
        if (b - a).cross(c - a).dot(lens.to_viewer(a)) > 0.0 {
            for vertex in corners {
                faces[vertex] = true;
            }
        }
    }
    is_taken.iter_mut().zip(faces).for_each(|(is_taken, faces)| *is_taken &= faces);
}
