use std::sync::Arc;

use three_d::Context;

use super::drawn_actor::{DrawnActor, GpuActor};
use crate::render::RenderError;
use crate::render::frame::FrameInput;
use crate::render::rig::gpu_rig::{DrawnPrimitive, GpuRig};
use crate::render::skinning::pose_data::PoseData;
use crate::render::skinning::skinning_stage::{SkinInput, SkinningStage};
use crate::render::skinning::vertex_sources::GpuCenters;

#[derive(Default)]
pub(super) struct Actors {
    version: Option<u64>,
    each: Vec<GpuActor>,
    /// One entry per actor. Of actors with equal geometry and pose, only the first has a filled entry.
    poses: Vec<PoseData>,
    /// One entry per actor. Of actors with equal geometry and centres, only the first has a filled entry.
    centers: Vec<GpuCenters>,
}

fn holder_of_pose(frame: &FrameInput<'_>, actor: usize) -> usize {
    frame.first_like(actor, |a, b| a.actor.pose == b.actor.pose)
}

fn holder_of_centers(frame: &FrameInput<'_>, actor: usize) -> usize {
    frame.first_like(actor, |a, b| a.centers.map(Arc::as_ptr) == b.centers.map(Arc::as_ptr))
}

impl Actors {
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

    pub(super) fn update(&mut self, context: &Context, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        let is_posed = self.version == Some(frame.version);
        for (index, shown) in frame.actors.iter().enumerate() {
            let (rig, actor) = (frame.geometry(shown), &mut self.each[index]);
            actor.overlay.update(context, rig, shown.painted)?;
            // Only the skin of the open character is highlighted.
            actor.hovered.point_out(rig, frame.view.hovered.filter(|_| shown.actor.is_open()));
            match holder_of_pose(frame, index) == index {
                _ if is_posed => {}
                true => self.poses[index].update(rig, &shown.actor.pose),
                false => self.poses[index] = PoseData::default(),
            }
        }
        self.version = Some(frame.version);
        Ok(())
    }

    pub(super) fn drawn<'a>(&'a self, frame: &'a FrameInput<'a>, index: usize, rig: &'a GpuRig) -> DrawnActor<'a> {
        let (shown, pose) = (&frame.actors[index], &self.poses[holder_of_pose(frame, index)]);
        DrawnActor { shown, rig, weights: rig.weights(&shown.actor.rig), pose, on_card: &self.each[index] }
    }

    pub(super) fn skin(
        &mut self,
        (stage, context): (&mut SkinningStage, &Context),
        (frame, index, rig): (&FrameInput<'_>, usize, &GpuRig),
        is_wanted: impl Fn(&DrawnPrimitive<'_>) -> bool,
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
