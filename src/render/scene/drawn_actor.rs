//! An actor with all its data on the graphics card.

use std::sync::Arc;

use glam::Vec3;

use crate::actor::ShownActor;
use crate::render::paint::values::{Paint, PaintedPart};
use crate::render::panes::eye::Eye;
use crate::render::rig::features::Features;
use crate::render::rig::gpu_rig::{DrawnPart, GpuRig};
use crate::render::rig::weighted_meshes::WeightedMeshes;
use crate::render::skinning::pose_data::{Placement, PoseData};
use crate::render::skinning::skinning_stage::SkinnedActor;
use crate::render::surface::posed_primitive::{PointedJoint, PosedVertices};
use crate::rig::{Alpha, Bounds, MeshInstance, NodeIndex, Rig};

/// Longest edge of a triangle, pixels, at which light on its corners looks the same as light on its pixels: of a figure of 300,000 triangles, one pixel in
/// two thousand is more than 4 of 255 apart.
const FINE: f32 = 8.0;

/// Data on the graphics card that belongs to one actor.
#[derive(Default)]
pub(super) struct GpuActor {
    /// Rig whose geometry the data is for.
    pub geometry: Option<Arc<Rig>>,
    pub skinned: SkinnedActor,
    pub paint: Paint,
    pub pointed: Pointed,
}

/// The joint under the pointer, and its palette index in each mesh instance.
#[derive(Default)]
pub(super) struct Pointed {
    joint: Option<NodeIndex>,
    in_palettes: Vec<Option<usize>>,
}

impl Pointed {
    pub(super) fn in_palette(&self, instance: usize) -> Option<usize> {
        self.in_palettes.get(instance).copied().flatten()
    }

    /// Highlights the skin that a joint moves, or none.
    pub(super) fn point_out(&mut self, rig: &Rig, joint: Option<NodeIndex>) {
        if self.joint == joint {
            return;
        }
        let place = |instance: &MeshInstance| match instance.skin {
            Some(skin) => rig.skins[skin].joints.iter().position(|j| Some(*j) == joint),
            None => (Some(instance.node) == joint).then_some(0),
        };
        *self = Self { joint, in_palettes: rig.instances.iter().map(place).collect() };
    }
}

/// An actor of a frame, ready to draw.
#[derive(Clone, Copy)]
pub(super) struct DrawnActor<'a> {
    pub shown: &'a ShownActor<'a>,
    pub rig: &'a GpuRig,
    /// Meshes by the actor's own weights, in place of the rig's.
    pub weights: Option<&'a WeightedMeshes>,
    pub pose: &'a PoseData,
    pub on_card: &'a GpuActor,
}

impl<'a> DrawnActor<'a> {
    /// All parts, including hidden ones.
    pub(super) fn parts(self) -> impl Iterator<Item = DrawnPart<'a>> {
        let posed = &self.shown.actor.pose.posed;
        let changed = |part: &DrawnPart<'a>| part.material_index.and_then(|index| posed.material(index));
        self.rig
            .parts(self.weights)
            .map(move |part| DrawnPart { material: changed(&part).unwrap_or(part.material), ..part })
    }

    /// The visible parts, each with its bounds.
    fn shown(self) -> impl Iterator<Item = (DrawnPart<'a>, &'a Bounds)> {
        let parts = self.parts().zip(&self.pose.bounds);
        parts.filter(move |(part, _)| !self.hides(part))
    }

    /// The shown parts that an eye may see, each with its approximate bounds. Parts that coincide with identical ones are left out.
    pub(super) fn seen(self, eye: &Eye) -> impl Iterator<Item = (DrawnPart<'a>, &'a Bounds)> {
        self.shown()
            .filter(move |(part, _)| !self.repeats(part))
            .filter(move |(part, _)| self.corners(part).is_none_or(|corners| eye.sees(corners)))
    }

    /// For each part, whether it is shown and must be skinned for that.
    pub(super) fn has_to_be_skinned(self) -> Vec<bool> {
        let has_normals = self.shown.normals.is_some();
        let is_skinned = |part| !is_placed(&part, has_normals) && !self.hides(&part) && !self.repeats(&part);
        self.parts().map(is_skinned).collect()
    }

    fn hides(self, part: &DrawnPart<'_>) -> bool {
        self.shown.actor.hidden.hides(part.instance, part.material_index)
    }

    /// True for a part that coincides with a shown, opaque part of the same material, whose pixels are then the same.
    fn repeats(self, part: &DrawnPart<'_>) -> bool {
        let has_marks = self.painted(part).is_some() || self.on_card.pointed.in_palette(part.instance).is_some();
        let first_in_place = self.pose.first_in_place.get(part.instance);
        let first_in_place = first_in_place.map_or(part.instance, |first| *first as usize);
        let is_same_primitive = part.first_alike == part.primitive_index;
        let is_opaque = part.material.alpha != Alpha::Blend && part.material.transmission <= 0.0;
        !has_marks
            && (first_in_place != part.instance || !is_same_primitive)
            && is_opaque
            && !self.shown.actor.hidden.hides(first_in_place, part.material_index)
            && (is_same_primitive || self.weights.is_none() || !part.primitive.features.has(Features::SKINNED))
    }

    /// Corners of a world-space box around a part, where known. Lines and points are drawn wider than their vertices.
    fn corners(self, part: &DrawnPart<'_>) -> Option<[Vec3; 8]> {
        if part.primitive.has_strokes() {
            return None;
        }
        let skinned = &self.on_card.skinned;
        if skinned.part(part.index).is_some() {
            return skinned.bounds(part.index).filter(|bounds| !bounds.is_empty()).map(|bounds| bounds.corners());
        }
        let Placement { world_from_mesh, .. } = self.pose.placement(part.instance);
        let bounds = Some(part.primitive.bounds).filter(|bounds| !bounds.is_empty());
        bounds.map(|bounds| bounds.corners().map(|corner| world_from_mesh.transform_point3(corner)))
    }

    /// True where light on the vertices of a part looks the same as light on pixels, and takes less time: its triangles are small on the screen.
    pub(super) fn is_fine(self, part: &DrawnPart<'_>, eye: &Eye) -> bool {
        self.edge_pixels(part, eye) <= FINE
    }

    /// True where the vertices of a part that are spread over it cover as many pixels as its triangles do.
    pub(super) fn is_covered_by_vertices(self, part: &DrawnPart<'_>, eye: &Eye) -> bool {
        self.edge_pixels(part, eye) * part.primitive.edges_apart() <= 1.0
    }

    /// Most pixels that the edges of a part may have; infinite where unknown.
    fn edge_pixels(self, part: &DrawnPart<'_>, eye: &Eye) -> f32 {
        let known = part.primitive.typical_edge.zip(self.corners(part));
        known.map_or(f32::INFINITY, |(edge, corners)| {
            eye.most_pixels(edge * self.pose.placement(part.instance).lengthens, corners)
        })
    }

    /// Approximate bounds of the shown parts.
    pub(super) fn bounds(self) -> Bounds {
        let mut all = Bounds::default();
        for (_, part) in self.shown().filter(|(_, bounds)| !bounds.is_empty()) {
            all.add(part.min);
            all.add(part.max);
        }
        all
    }

    /// Posed vertices of a part; `None` before they were skinned.
    pub(super) fn vertices(self, part: &DrawnPart<'a>) -> Option<PosedVertices<'a>> {
        if let Some(skinned) = self.on_card.skinned.part(part.index) {
            return Some(PosedVertices::Skinned { inputs: skinned.inputs(), has_sides: skinned.has_sides() });
        }
        let inputs = part.primitive.attributes()?;
        Some(PosedVertices::Placed { inputs, placement: self.pose.placement(part.instance) })
    }

    /// Values painted over a part.
    pub(super) fn painted(self, part: &DrawnPart<'_>) -> Option<PaintedPart<'a>> {
        self.on_card.paint.part(part.index)
    }

    /// The joint under the pointer, where it may move a part.
    pub(super) fn pointed(self, part: &DrawnPart<'_>) -> Option<PointedJoint> {
        let in_palette = self.on_card.pointed.in_palette(part.instance)?;
        Some(PointedJoint { in_palette, influences: self.shown.skinning.influences })
    }
}

/// True where a single matrix places all vertices in world space, so that nothing is skinned.
fn is_placed(part: &DrawnPart<'_>, has_recomputed_normals: bool) -> bool {
    let features = part.primitive.features;
    let is_skinned = features.has(Features::SKINNED) || features.has(Features::MORPHED);
    let has_new_normals = has_recomputed_normals && features.has(Features::NORMALS);
    !is_skinned && !has_new_normals
}
