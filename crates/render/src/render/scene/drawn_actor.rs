use std::sync::Arc;

use glam::Vec3;

use crate::render::overlay::overlay_textures::{OverlayTextures, PrimitiveOverlay};
use crate::render::panes::eye::PaneCamera;
use crate::render::rig::features::Features;
use crate::render::rig::gpu_rig::{DrawnPrimitive, GpuRig};
use crate::render::rig::weighted_meshes::WeightedMeshes;
use crate::render::skinning::pose_data::{Placement, PoseData};
use crate::render::skinning::skinning_stage::SkinnedActor;
use crate::render::surface::posed_primitive::{HoveredJoint, PosedVertices};
use rigscope_core::actor::ShownActor;
use rigscope_core::rig::{Alpha, Bounds, MeshInstance, NodeIndex, Rig};

/// Maximum length of triangle edges on screen, in pixels, at which per-vertex lighting looks like per-pixel lighting.
/// On a figure with 300,000 triangles, one pixel in 2000 differs by more than 4 of 255.
const FINE: f32 = 8.0;

#[derive(Default)]
pub(super) struct GpuActor {
    pub geometry: Option<Arc<Rig>>,
    pub skinned: SkinnedActor,
    pub overlay: OverlayTextures,
    pub hovered: HoveredJoints,
}

#[derive(Default)]
pub(super) struct HoveredJoints {
    joint: Option<NodeIndex>,
    in_palettes: Vec<Option<usize>>,
}

impl HoveredJoints {
    pub(super) fn in_palette(&self, instance: usize) -> Option<usize> {
        self.in_palettes.get(instance).copied().flatten()
    }

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

#[derive(Clone, Copy)]
pub(super) struct DrawnActor<'a> {
    pub shown: &'a ShownActor<'a>,
    pub rig: &'a GpuRig,
    pub weights: Option<&'a WeightedMeshes>,
    pub pose: &'a PoseData,
    pub on_card: &'a GpuActor,
}

impl<'a> DrawnActor<'a> {
    pub(super) fn parts(self) -> impl Iterator<Item = DrawnPrimitive<'a>> {
        let posed = &self.shown.actor.pose.posed;
        let changed = |part: &DrawnPrimitive<'a>| part.material_index.and_then(|index| posed.material(index));
        self.rig
            .parts(self.weights)
            .map(move |part| DrawnPrimitive { material: changed(&part).unwrap_or(part.material), ..part })
    }

    fn shown(self) -> impl Iterator<Item = (DrawnPrimitive<'a>, &'a Bounds)> {
        let parts = self.parts().zip(&self.pose.bounds);
        parts.filter(move |(part, _)| !self.hides(part))
    }

    /// Returns the visible primitives within the camera's view, with approximate bounds. Skips coincident duplicates.
    pub(super) fn seen(self, eye: &PaneCamera) -> impl Iterator<Item = (DrawnPrimitive<'a>, &'a Bounds)> {
        self.shown()
            .filter(move |(part, _)| !self.repeats(part))
            .filter(move |(part, _)| self.corners(part).is_none_or(|corners| eye.sees(corners)))
    }

    pub(super) fn has_to_be_skinned(self) -> Vec<bool> {
        let has_normals = self.shown.normals.is_some();
        let is_skinned = |part| !is_placed(&part, has_normals) && !self.hides(&part) && !self.repeats(&part);
        self.parts().map(is_skinned).collect()
    }

    fn hides(self, part: &DrawnPrimitive<'_>) -> bool {
        self.shown.actor.hidden.hides(part.instance, part.material_index)
    }

    /// Returns true for a duplicate, which covers the same pixels as a visible, opaque primitive.
    fn repeats(self, part: &DrawnPrimitive<'_>) -> bool {
        let has_marks = self.painted(part).is_some() || self.on_card.hovered.in_palette(part.instance).is_some();
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

    /// Returns the world-space corners of the bounds. Returns `None` if the bounds are unknown, and for lines and
    /// points, which extend beyond the bounds of their vertices.
    fn corners(self, part: &DrawnPrimitive<'_>) -> Option<[Vec3; 8]> {
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

    /// Returns true if the triangles are so small on screen that per-vertex lighting looks the same and is faster.
    pub(super) fn is_fine(self, part: &DrawnPrimitive<'_>, eye: &PaneCamera) -> bool {
        self.edge_pixels(part, eye) <= FINE
    }

    /// Returns true if drawing the sampled vertices as points covers the same pixels as drawing the triangles.
    pub(super) fn is_covered_by_vertices(self, part: &DrawnPrimitive<'_>, eye: &PaneCamera) -> bool {
        self.edge_pixels(part, eye) * part.primitive.edges_apart() <= 1.0
    }

    /// Returns the maximum edge length on screen, in pixels; infinite if unknown.
    fn edge_pixels(self, part: &DrawnPrimitive<'_>, eye: &PaneCamera) -> f32 {
        let known = part.primitive.typical_edge.zip(self.corners(part));
        known.map_or(f32::INFINITY, |(edge, corners)| {
            eye.max_pixels(edge * self.pose.placement(part.instance).lengthens, corners)
        })
    }

    pub(super) fn bounds(self) -> Bounds {
        let mut all = Bounds::default();
        for (_, part) in self.shown().filter(|(_, bounds)| !bounds.is_empty()) {
            all.add(part.min);
            all.add(part.max);
        }
        all
    }

    pub(super) fn vertices(self, part: &DrawnPrimitive<'a>) -> Option<PosedVertices<'a>> {
        if let Some(skinned) = self.on_card.skinned.part(part.index) {
            return Some(PosedVertices::Skinned { inputs: skinned.inputs(), has_sides: skinned.has_sides() });
        }
        let inputs = part.primitive.attributes()?;
        Some(PosedVertices::Placed { inputs, placement: self.pose.placement(part.instance) })
    }

    pub(super) fn painted(self, part: &DrawnPrimitive<'_>) -> Option<PrimitiveOverlay<'a>> {
        self.on_card.overlay.part(part.index)
    }

    pub(super) fn hovered(self, part: &DrawnPrimitive<'_>) -> Option<HoveredJoint> {
        let in_palette = self.on_card.hovered.in_palette(part.instance)?;
        Some(HoveredJoint { in_palette, influences: self.shown.skinning.influences })
    }
}

/// Returns true if one matrix transforms all vertices, so that no skinning is needed.
fn is_placed(part: &DrawnPrimitive<'_>, has_recomputed_normals: bool) -> bool {
    let features = part.primitive.features;
    let is_skinned = features.has(Features::SKINNED) || features.has(Features::MORPHED);
    let has_new_normals = has_recomputed_normals && features.has(Features::NORMALS);
    !is_skinned && !has_new_normals
}
