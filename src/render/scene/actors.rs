//! Data of a frame's actors on the graphics card, apart from the geometry of their characters.

use std::sync::Arc;

use three_d::Context;

use super::drawn_actor::{DrawnActor, GpuActor};
use crate::render::RenderError;
use crate::render::frame::FrameInput;
use crate::render::rig::gpu_rig::{DrawnPart, GpuRig};
use crate::render::skinning::centers::GpuCenters;
use crate::render::skinning::pose_data::PoseData;
use crate::render::skinning::skinning_stage::{SkinInput, SkinningStage};

/// Poses, skinned vertices and overlay values of the newest frame's actors, by index.
#[derive(Default)]
pub(super) struct Actors {
    /// [`FrameInput::version`] of the frame that the poses belong to.
    version: Option<u64>,
    each: Vec<GpuActor>,
    /// Poses by actor; of actors with equal geometry and pose only the first holds one.
    poses: Vec<PoseData>,
    /// Centres by actor; of actors with equal geometry and centres only the first holds them.
    centers: Vec<GpuCenters>,
}

/// The actor whose [`PoseData`] an actor is drawn by.
fn holder_of_pose(frame: &FrameInput<'_>, actor: usize) -> usize {
    frame.first_like(actor, |a, b| a.actor.pose.is(&b.actor.pose))
}

/// The actor whose [`GpuCenters`] an actor is skinned with.
fn holder_of_centers(frame: &FrameInput<'_>, actor: usize) -> usize {
    frame.first_like(actor, |a, b| a.centers.map(Arc::as_ptr) == b.centers.map(Arc::as_ptr))
}

impl Actors {
    /// Makes room for the data of a frame's actors, and drops data of other actors.
    pub(super) fn make_room(&mut self, frame: &FrameInput<'_>) {
        let count = frame.actors.len();
        self.each.resize_with(count, GpuActor::default);
        self.poses.resize_with(count, PoseData::default);
        self.centers.resize_with(count, GpuCenters::default);
        for (index, shown) in frame.actors.iter().enumerate() {
            let rig = frame.geometry(shown);
            if self.each[index].geometry.as_ref().is_none_or(|known| !Arc::ptr_eq(known, rig)) {
                self.each[index] = GpuActor { geometry: Some(Arc::clone(rig)), ..GpuActor::default() };
                (self.poses[index], self.centers[index]) = Default::default();
                self.version = None;
            }
        }
    }

    /// Uploads poses and overlay values of the frame that room was made for.
    ///
    /// *Errors*: more painted values than a texture holds.
    pub(super) fn update(&mut self, context: &Context, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        let is_posed = self.version == Some(frame.version);
        for (index, shown) in frame.actors.iter().enumerate() {
            let (rig, actor) = (frame.geometry(shown), &mut self.each[index]);
            actor.paint.update(context, rig, shown.painted)?;
            // Only the skin of the open character is highlighted.
            actor.pointed.point_out(rig, frame.view.hovered.filter(|_| shown.actor.is_open()));
            match holder_of_pose(frame, index) == index {
                _ if is_posed => {}
                true => self.poses[index].update(rig, &shown.actor.pose),
                false => self.poses[index] = PoseData::default(),
            }
        }
        self.version = Some(frame.version);
        Ok(())
    }

    /// An actor of the frame of the last [`Self::update`], to be drawn.
    pub(super) fn drawn<'a>(&'a self, frame: &'a FrameInput<'a>, index: usize, rig: &'a GpuRig) -> DrawnActor<'a> {
        let (shown, pose) = (&frame.actors[index], &self.poses[holder_of_pose(frame, index)]);
        DrawnActor { shown, rig, weights: rig.weights(&shown.actor.rig), pose, on_card: &self.each[index] }
    }

    /// Skins the wanted parts of an actor, where they have changed.
    ///
    /// *Errors*: more vertices than a buffer holds, a program that the driver refuses.
    pub(super) fn skin(
        &mut self,
        (stage, context): (&mut SkinningStage, &Context),
        (frame, index, rig): (&FrameInput<'_>, usize, &GpuRig),
        is_wanted: impl Fn(&DrawnPart<'_>) -> bool,
    ) -> Result<(), RenderError> {
        let shown = &frame.actors[index];
        let input = SkinInput { context, rig: rig.rig(), shown, version: frame.version };
        let weights = rig.weights(&shown.actor.rig);
        let pose = &mut self.poses[holder_of_pose(frame, index)];
        let centers = &mut self.centers[holder_of_centers(frame, index)];
        let parts = rig.parts(weights).filter(|part| is_wanted(part));
        self.each[index].skinned.skin(stage, input, (rig, weights, pose, centers), parts)
    }
}
