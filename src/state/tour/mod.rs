//! The guided tour of skinning with the built-in characters. When it ends, the previous character and settings are
//! restored.

mod steps;

use std::sync::Arc;

use glam::Quat;

pub use steps::{STEPS, TourAnswer, TourQuiz, TourStep};

use super::dialogs::panels::RecentTabs;
use super::{Action, Command, ConfirmQuestion, FileList, OpenDocument, PathUse};
use crate::rig::{Hierarchy, Pose, Trs};
use crate::skinning::Method;
use crate::view::{Camera, Compare, Display, PerSide, SideOptions, SideView};

/// Camera distance as a fraction of the distance that shows the whole character.
const CLOSE: f32 = 0.32;

/// The current step of the tour, and the character and settings from before the tour.
pub struct Tour {
    pub(super) step: usize,
    /// Index of the chosen answer of the step's quiz.
    pub(super) answer: Option<usize>,
    pub(super) behind: Box<OpenDocument>,
    pub(super) files: FileList,
    pub(super) recent_tabs: RecentTabs,
    pub(super) question: Option<ConfirmQuestion>,
}

impl Tour {
    pub fn step(&self) -> usize {
        self.step
    }

    /// Returns the index of the chosen answer of the step's quiz.
    pub fn answer(&self) -> Option<usize> {
        self.answer
    }
}

impl OpenDocument {
    /// Applies the pose and view of a step. The step's character must be open.
    pub(super) fn take_tour_step(&mut self, step: &TourStep) {
        self.stage.set_clip(None);
        let rig = Arc::clone(self.stage.rig());
        self.history.replace_pose(&mut self.stage, step.pose(&rig.hierarchy), step.title);
        self.saved.pose = self.stage.pose().clone();
        self.stage.view.select(rig.hierarchy.node_named(step.joint), &self.stage.document.rig.hierarchy);
        let side = |method: Method, overlay| SideView {
            skinning: method.into(),
            options: SideOptions { overlay, ..SideOptions::default() },
            ..SideView::default()
        };
        self.stage.previews.clear();
        _ = self.stage.show_sides(PerSide { a: side(step.a, step.overlay), b: side(step.b, None) });
        self.stage.set_compare(Compare { layout: step.layout, ..Compare::default() });
        self.stage.view.display = Display { bones: step.shows_bones, bones_in_front: true, ..self.stage.view.display };
        self.stage.refresh();
        if let Some(quiz) = &step.quiz {
            self.stage.show_planted_points("the engine", quiz.mistake);
            self.stage.refresh();
        }
        self.stage.view.camera = Camera { yaw: step.yaw, pitch: step.pitch, ..Camera::default() };
        self.stage.frame_all();
        if let Some(joint) = self.stage.view.active_joint().filter(|_| step.is_close) {
            self.stage.view.camera.target = self.stage.posed().world_from_node[joint.index()].translation;
            self.stage.view.camera.distance *= CLOSE;
        }
    }
}

impl Command {
    /// True for commands that open another file, work with files, or end the program.
    pub fn ends_tour(&self) -> bool {
        matches!(
            self,
            Self::Open(_)
                | Self::OpenAll(..)
                | Self::OpenSession(_)
                | Self::UsePath(PathUse::OpenSession | PathUse::OpenPose | PathUse::SavePose | PathUse::SaveSession, _)
                | Self::ShowMe(_)
                | Self::Do(
                    Action::Open
                        | Action::Reload
                        | Action::OpenPose
                        | Action::SavePose
                        | Action::SavePoseToLibrary
                        | Action::OpenSession
                        | Action::SaveSession
                        | Action::RestoreSession
                        | Action::Quit
                )
        )
    }
}

impl TourStep {
    fn pose(&self, hierarchy: &Hierarchy) -> Pose {
        let mut pose = Pose::rest(hierarchy);
        for &(name, axis, degrees) in self.turns {
            if let Some(joint) = hierarchy.node_named(name) {
                pose.set_user_local(joint, Trs::from_rotation(Quat::from_axis_angle(axis, degrees.to_radians())));
            }
        }
        pose
    }
}
