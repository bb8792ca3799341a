use std::sync::{Arc, Weak};

use crate::stage::{BendTest, RequestState};
use crate::state::{OpenDocument, Thumbnail};
use crate::view::SelectedProblem;

const LABEL: &str = "Pose of the bend test";

impl OpenDocument {
    /// Shows a pose of the bend test, or restores the previous pose. Showing several in a row is one undo step.
    pub(in crate::state) fn show_bend_pose(&mut self, index: Option<usize>) {
        if self.history.undo_label() == Some(LABEL) {
            // The undone step changed only the pose, so all methods are still supported.
            self.go_through_history(|history, stage| _ = history.undo(stage));
        }
        let test = self.stage.bend_test.ok().map(|(_, test)| Arc::clone(test));
        if let Some(result) = test.as_ref().zip(index).and_then(|(test, index)| test.report.poses.get(index)) {
            // The poses are relative to the rest pose, or to a moment of a clip.
            self.stage.set_moment(result.pose.moment);
            self.replace_pose(result.pose.pose(self.stage.rig()), LABEL);
        }
        self.stage.select_problem(index.map(SelectedProblem::BendPose));
    }

    /// Stores the image of a pose of the last bend test. Drops images of earlier tests.
    pub(in crate::state) fn take_bend_thumbnail(&mut self, test: &Arc<BendTest>, index: usize, image: Arc<Thumbnail>) {
        if let RequestState::Known { value: last, .. } = self.stage.bend_test.state(&self.stage)
            && Arc::ptr_eq(last, test)
        {
            self.bend_thumbnails.set(test, index, image);
        }
    }
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

    /// Stores an image. Drops the images of another test.
    pub(in crate::state) fn set(&mut self, test: &Arc<BendTest>, index: usize, image: Arc<Thumbnail>) {
        if !std::ptr::eq(self.test.as_ptr(), Arc::as_ptr(test)) {
            *self = Self { test: Arc::downgrade(test), images: vec![None; test.listed().len()] };
        }
        if let Some(place) = self.images.get_mut(index) {
            *place = Some(image);
        }
    }
}
