use std::sync::{Arc, Weak};

use crate::stage::{BendTest, Stage};
use crate::state::{History, Thumbnail};
use crate::view::SelectedProblem;

const LABEL: &str = "Pose of the bend test";

/// Shows a pose of the bend test, or restores the previous pose. Showing several in a row is one undo step.
pub(in crate::state) fn show_bend_pose(history: &mut History, stage: &mut Stage, index: Option<usize>) {
    history.undo_called(stage, LABEL);
    let test = stage.bend_test.ok().map(|(_, test)| Arc::clone(test));
    if let Some(result) = test.as_ref().zip(index).and_then(|(test, index)| test.report.poses.get(index)) {
        // The poses are relative to the rest pose, or to a moment of a clip.
        stage.set_moment(result.pose.moment);
        history.replace_pose(stage, result.pose.pose(stage.rig()), LABEL);
    }
    stage.select_problem(index.map(SelectedProblem::BendPose));
}

/// Images of the listed poses of a bend test.
#[derive(Debug, Default)]
pub struct BendThumbnails {
    test: Weak<BendTest>,
    images: Vec<Option<Arc<Thumbnail>>>,
}

impl BendThumbnails {
    /// Width and height, points.
    pub const SIDE: f32 = 56.0;

    /// Returns the image of a listed pose; `None` until drawn.
    pub fn image(&self, test: &Arc<BendTest>, index: usize) -> Option<&Arc<Thumbnail>> {
        let is_same = std::ptr::eq(self.test.as_ptr(), Arc::as_ptr(test));
        self.images.get(index).filter(|_| is_same)?.as_ref()
    }

    /// Stores the image of a pose of the last bend test. Drops the images of earlier tests.
    pub(in crate::state) fn take(&mut self, stage: &Stage, test: &Arc<BendTest>, index: usize, image: Arc<Thumbnail>) {
        if !stage.bend_test.ok().is_some_and(|(_, last)| Arc::ptr_eq(last, test)) {
            return;
        }
        if !std::ptr::eq(self.test.as_ptr(), Arc::as_ptr(test)) {
            *self = Self { test: Arc::downgrade(test), images: vec![None; test.listed().len()] };
        }
        if let Some(place) = self.images.get_mut(index) {
            *place = Some(image);
        }
    }
}
