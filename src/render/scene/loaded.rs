//! A rig on the graphics card in its newest frame.

use std::sync::Arc;

use glam::Vec3;
use three_d::Context;

use crate::render::RenderError;
use crate::render::frame::FrameInput;
use crate::render::paint::values::{Paint, PaintedPart};
use crate::render::panes::eye::Eye;
use crate::render::rig::features::Features;
use crate::render::rig::gpu_rig::{DrawnPart, GpuRig};
use crate::render::skinning::centers::GpuCenters;
use crate::render::skinning::pose_data::{Placement, PoseData};
use crate::render::skinning::skinned::SkinnedVertices;
use crate::render::skinning::skinning_stage::{SideInput, SkinnedSide, SkinningStage};
use crate::render::surface::posed_primitive::{PointedJoint, PosedVertices};
use crate::rig::{Alpha, Bounds, MeshInstance, NodeIndex, Rig};
use crate::view::{Hidden, PerSide, Side, View};

/// The uploaded rig, its skinned vertices, what is painted over it and where its parts are.
pub(super) struct Loaded {
    pub rig: GpuRig,
    version: Option<u64>,
    a: PoseData,
    /// Pose of side B where it shows another one.
    b: Option<PoseData>,
    skinned: PerSide<SkinnedSide>,
    /// Centres of rotation by side; side A's memory holds those that both sides have.
    centers: PerSide<GpuCenters>,
    /// The rig by other weights, where a side shows such.
    weighted: PerSide<Option<Arc<Rig>>>,
    paints: PerSide<Paint>,
    pointed: Pointed,
}

/// The joint under the pointer, and where each mesh instance has it in its palette.
#[derive(Default)]
struct Pointed {
    joint: Option<NodeIndex>,
    in_palettes: Vec<Option<usize>>,
}

impl Pointed {
    fn in_palette(&self, instance: usize) -> Option<usize> {
        self.in_palettes.get(instance).copied().flatten()
    }

    /// True where the joint moves an instance.
    fn has(&self, instance: usize) -> bool {
        self.in_palette(instance).is_some()
    }
}

impl Loaded {
    /// An uploaded rig that has no pose before [`Self::update`].
    pub(super) fn new(rig: GpuRig) -> Self {
        Self {
            rig,
            version: None,
            a: PoseData::default(),
            b: None,
            skinned: PerSide::default(),
            centers: PerSide::default(),
            weighted: PerSide::default(),
            paints: PerSide::default(),
            pointed: Pointed::default(),
        }
    }

    /// Takes the pose and painted values of a frame.
    ///
    /// *Errors*: more painted values than a texture holds.
    pub(super) fn update(&mut self, context: &Context, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        if self.version != Some(frame.version) {
            self.a.update(frame.rig, frame.sides.a);
            let is_other = !std::ptr::eq(frame.sides.a.posed(), frame.sides.b.posed());
            self.b = is_other.then(|| {
                let mut b = self.b.take().unwrap_or_default();
                b.update(frame.rig, frame.sides.b);
                b
            });
            self.version = Some(frame.version);
        }
        self.weighted = frame.sides.map(|side| side.weighted(frame.rig).cloned());
        let counts = self.rig.vertex_counts();
        Side::ALL.into_iter().try_for_each(|side| self.paints[side].update(context, counts, frame.sides[side].painted))
    }

    /// Skins what is shown of a side, where that has changed since the last time.
    ///
    /// *Errors*: more vertices than a buffer holds, a program that the driver refuses.
    pub(super) fn skin(&mut self, stage: &mut SkinningStage, input: SideInput<'_>) -> Result<(), RenderError> {
        let Self { rig, a, b, skinned, centers, weighted, paints, pointed, .. } = self;
        let weights = rig.weights(weighted[input.side].as_ref());
        let pose = b.as_mut().filter(|_| input.side == Side::B).unwrap_or(a);
        let centers = &mut centers[holder_of_centers(input)];
        let first_in_place = Arc::clone(&pose.first_in_place);
        let repeats = |part: &DrawnPart<'_>| {
            let has_marks = paints[input.side].part(part.index).is_some() || pointed.has(part.instance);
            !has_marks && repeats(part, &first_in_place, &input.frame.view.hidden, weights.is_some())
        };
        let (hidden, has_normals) = (&input.frame.view.hidden, input.frame.sides[input.side].normals.is_some());
        let parts = rig
            .parts(weights)
            .filter(|part| !is_placed(part, has_normals) && !hidden.hides(part.instance, part.material_index))
            .filter(|part| !repeats(part));
        skinned[input.side].skin(stage, input, (rig, weights, pose, centers), parts)
    }

    /// The vertices of every part of a side, hidden ones too, as they are or would be drawn.
    ///
    /// *Errors*: as [`Self::skin`].
    pub(super) fn skin_all(
        &mut self,
        stage: &mut SkinningStage,
        input: SideInput<'_>,
    ) -> Result<Vec<(usize, &SkinnedVertices)>, RenderError> {
        let Self { rig, a, b, skinned, centers, weighted, .. } = self;
        let weights = rig.weights(weighted[input.side].as_ref());
        let pose = b.as_mut().filter(|_| input.side == Side::B).unwrap_or(a);
        let centers = &mut centers[holder_of_centers(input)];
        skinned[input.side].skin(stage, input, (rig, weights, pose, centers), rig.parts(weights))?;
        let skinned = &skinned[input.side];
        Ok(rig.parts(weights).filter_map(|part| Some((part.instance, skinned.part(part.index)?))).collect())
    }

    /// Points out the skin that a joint moves, or none.
    pub(super) fn point_out(&mut self, rig: &Rig, joint: Option<NodeIndex>) {
        if self.pointed.joint == joint {
            return;
        }
        let place = |instance: &MeshInstance| match instance.skin {
            Some(skin) => rig.skins[skin].joints.iter().position(|j| Some(*j) == joint),
            None => (Some(instance.node) == joint).then_some(0),
        };
        self.pointed = Pointed { joint, in_palettes: rig.instances.iter().map(place).collect() };
    }

    fn pose(&self, side: Side) -> &PoseData {
        self.b.as_ref().filter(|_| side == Side::B).unwrap_or(&self.a)
    }

    /// Parts that are not hidden, each with its bounds on a side.
    pub(super) fn shown<'a>(&'a self, view: &'a View, side: Side) -> impl Iterator<Item = (DrawnPart<'a>, &'a Bounds)> {
        let weights = self.rig.weights(self.weighted[side].as_ref());
        let parts = self.rig.parts(weights).zip(&self.pose(side).bounds);
        parts.filter(|(part, _)| !view.hidden.hides(part.instance, part.material_index))
    }

    /// Parts that are shown on a side, but for what an eye surely does not see; each with its bounds, about. Parts that lie exactly on others and
    /// look the same are left out.
    pub(super) fn seen<'a>(
        &'a self,
        view: &'a View,
        side: Side,
        eye: &'a Eye,
    ) -> impl Iterator<Item = (DrawnPart<'a>, &'a Bounds)> {
        self.shown(view, side)
            .filter(move |(part, _)| !self.repeats(part, view, side))
            .filter(move |(part, _)| self.corners(part, side).is_none_or(|corners| eye.sees(corners)))
    }

    /// True for a part that covers the pixels of another one with the same colours.
    fn repeats(&self, part: &DrawnPart<'_>, view: &View, side: Side) -> bool {
        let has_marks = self.painted(part, side).is_some() || self.pointed.has(part.instance);
        let has_other_weights = self.rig.weights(self.weighted[side].as_ref()).is_some();
        !has_marks && repeats(part, &self.pose(side).first_in_place, &view.hidden, has_other_weights)
    }

    /// Corners of a box that holds all of a part in world space, where that is known. Lines and points are wider than they are.
    fn corners(&self, part: &DrawnPart<'_>, side: Side) -> Option<[Vec3; 8]> {
        if part.primitive.has_strokes() {
            return None;
        }
        if self.skinned[side].part(part.index).is_some() {
            return self.skinned[side]
                .bounds(part.index)
                .filter(|bounds| !bounds.is_empty())
                .map(|bounds| bounds.corners());
        }
        let Placement { world_from_mesh, .. } = self.pose(side).placement(part.instance);
        let bounds = Some(part.primitive.bounds).filter(|bounds| !bounds.is_empty());
        bounds.map(|bounds| bounds.corners().map(|corner| world_from_mesh.transform_point3(corner)))
    }

    /// Bounds of everything that is shown on a side, about.
    pub(super) fn bounds(&self, view: &View, side: Side) -> Bounds {
        let mut all = Bounds::default();
        for (_, part) in self.shown(view, side).filter(|(_, bounds)| !bounds.is_empty()) {
            all.add(part.min);
            all.add(part.max);
        }
        all
    }

    /// Vertices of a part on a side; `None` before they were skinned.
    pub(super) fn vertices<'a>(&'a self, part: &DrawnPart<'a>, side: Side) -> Option<PosedVertices<'a>> {
        if let Some(skinned) = self.skinned[side].part(part.index) {
            return Some(PosedVertices::Skinned { inputs: skinned.inputs(), has_sides: skinned.has_sides() });
        }
        let inputs = part.primitive.attributes()?;
        Some(PosedVertices::Placed { inputs, placement: self.pose(side).placement(part.instance) })
    }

    /// Values painted over a part of a side.
    pub(super) fn painted(&self, part: &DrawnPart<'_>, side: Side) -> Option<PaintedPart<'_>> {
        self.paints[side].part(part.index)
    }

    /// The joint under the pointer, where it moves a part by the influences that count on a side.
    pub(super) fn pointed(&self, part: &DrawnPart<'_>, view: &View, side: Side) -> Option<PointedJoint> {
        let in_palette = self.pointed.in_palette(part.instance)?;
        Some(PointedJoint { in_palette, influences: view.sides[side].skinning.influences })
    }
}

/// The side whose memory holds the centres of a side: A also for B where both have the same.
fn holder_of_centers(input: SideInput<'_>) -> Side {
    let PerSide { a, b } = input.frame.sides.map(|side| side.centers.map(Arc::as_ptr));
    if a == b { Side::A } else { input.side }
}

/// True for a part that lies exactly on another one of the same material, which is shown and lets nothing through.
fn repeats(part: &DrawnPart<'_>, first_in_place: &[u32], hidden: &Hidden, has_other_weights: bool) -> bool {
    let first_in_place = first_in_place.get(part.instance).map_or(part.instance, |first| *first as usize);
    let is_same_primitive = part.first_alike == part.primitive_index;
    let is_opaque = part.material.alpha != Alpha::Blend && part.material.transmission <= 0.0;
    (first_in_place != part.instance || !is_same_primitive)
        && is_opaque
        && !hidden.hides(first_in_place, part.material_index)
        && (is_same_primitive || !(has_other_weights && part.primitive.features.has(Features::SKINNED)))
}

/// True where one matrix takes all vertices into world space, so that nothing is skinned.
fn is_placed(part: &DrawnPart<'_>, has_recomputed_normals: bool) -> bool {
    let features = part.primitive.features;
    let is_skinned = features.has(Features::SKINNED) || features.has(Features::MORPHED);
    let has_new_normals = has_recomputed_normals && features.has(Features::NORMALS);
    !is_skinned && !has_new_normals
}
