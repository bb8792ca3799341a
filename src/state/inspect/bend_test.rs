use std::sync::{Arc, Weak};

use crate::stage::{BendTest, BendTestState};
use crate::state::{OpenDocument, Thumbnail};

const LABEL: &str = "Pose of the bend test";

impl OpenDocument {
    /// Shows a pose of the bend test, or restores the previous pose. Showing several in a row is one undo step.
    pub(in crate::state) fn show_bend_pose(&mut self, index: Option<usize>) {
        if self.history.undo_label() == Some(LABEL) {
            // The undone step changed only the pose, so all methods are still supported.
            self.go_through_history(|history, stage| _ = history.undo(stage));
        }
        let shown = index.and_then(|index| Some((index, self.stage.bend_result(index)?)));
        if let Some((_, result)) = &shown {
            // The poses are relative to the rest pose, or to a moment of a clip.
            self.stage.set_bend_clip(result);
            self.replace_pose(result.pose.pose(self.stage.rig()), LABEL);
        }
        self.stage.select_bend_pose(shown.as_ref().map(|(index, result)| (*index, result)));
    }

    /// Stores the image of a pose of the last bend test. Drops images of earlier tests.
    pub(in crate::state) fn take_bend_thumbnail(&mut self, test: &Arc<BendTest>, index: usize, image: Arc<Thumbnail>) {
        if let BendTestState::Tested { test: last, .. } = self.stage.bend_test()
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
