//! The guided tour: what skinning is, step by step on the built-in characters, and the way back to what was open before.

mod steps;

use std::sync::Arc;

use glam::Quat;

pub use steps::{STEPS, TourStep};

use super::{Action, AfterLoad, AppState, Command, FileList, OpenDocument, Question, Request, SidePanel};
use crate::rig::{Hierarchy, NodeIndex, Pose, Trs};
use crate::skinning::Method;
use crate::stage::{Document, Source, Wanted, WantedKind};
use crate::view::{Camera, Compare, Display, PerSide, SideView};

/// Of the distance that shows the whole character.
const CLOSE: f32 = 0.32;

/// Where the tour is, and what was there before it.
pub struct Tour {
    step: usize,
    pub(super) behind: Box<OpenDocument>,
    files: FileList,
    side_panel: SidePanel,
    question: Option<Question>,
}

impl Tour {
    /// Number of the step in [`STEPS`].
    pub fn step(&self) -> usize {
        self.step
    }
}

impl AppState {
    /// True while the built-in characters of the tour stand in for what the user has open.
    pub fn is_touring(&self) -> bool {
        self.tour.is_some()
    }

    /// Goes to a step; the character that it needs is loaded first, and until then everything stays as it is.
    pub(super) fn go_to_tour_step(&mut self, step: usize) -> Option<Request> {
        let character = STEPS.get(step)?.character;
        if self.is_touring() && self.open.is_built_in(character) {
            self.take_tour_step(step);
            return None;
        }
        self.open.cancel_edit();
        self.awaited_step = Some(step);
        Some(Request::load(Source::BuiltIn(character), AfterLoad::Tour(step)))
    }

    /// The next step, or the one before.
    pub(super) fn step_of_tour(&mut self, is_forward: bool) -> Option<Request> {
        let step = self.tour.as_ref()?.step;
        self.go_to_tour_step(if is_forward { step + 1 } else { step.checked_sub(1)? })
    }

    /// A character of the tour is there; of no use once the tour was left.
    pub(super) fn tour_opened(&mut self, step: usize, document: Document) {
        if self.awaited_step.take() != Some(step) {
            return;
        }
        self.open.cancel_edit();
        let open = self.open.followed_by(document);
        let before = std::mem::replace(&mut self.open, open);
        match &mut self.tour {
            Some(tour) => tour.step = step,
            None => {
                self.tour = Some(Tour {
                    step,
                    behind: Box::new(before),
                    files: std::mem::take(&mut self.files),
                    side_panel: self.panels.side,
                    question: self.question.take(),
                });
            }
        }
        self.take_tour_step(step);
    }

    fn take_tour_step(&mut self, number: usize) {
        let Some(step) = STEPS.get(number) else { return };
        if let Some(tour) = &mut self.tour {
            tour.step = number;
        }
        self.notices.dismiss();
        self.open.take_tour_step(step);
    }

    /// Back to what was there before, exactly.
    pub(super) fn leave_tour(&mut self) {
        self.awaited_step = None;
        let Some(tour) = self.tour.take() else { return };
        self.open.cancel_edit();
        // The theme may have changed meanwhile.
        let is_dark = self.open.view.display.is_dark;
        self.open = *tour.behind;
        self.open.view.display.is_dark = is_dark;
        self.open.view.hovered = None;
        self.files = tour.files;
        self.panels.side = tour.side_panel;
        self.question = tour.question;
        self.notices.dismiss();
        self.open.pose_changed();
        self.open.refresh();
    }

    /// What is to be derived next of its kind; the characters of the tour are known to be sound.
    pub fn next_wanted(&self, kind: WantedKind) -> Option<Wanted> {
        self.open.next_wanted(kind).filter(|_| !self.is_touring() || kind != WantedKind::Findings)
    }

    /// Leaves the tour before a command that goes on with another file or ends the program.
    pub fn leave_tour_for(&mut self, command: &Command) {
        if command.ends_tour() {
            self.leave_tour();
        }
    }
}

impl OpenDocument {
    /// Puts the character of a step, which is open, into its pose and shows it as the step says.
    fn take_tour_step(&mut self, step: &TourStep) {
        self.set_clip(None);
        let rig = Arc::clone(self.rig());
        self.replace_pose(step.pose(&rig.hierarchy), step.title);
        self.pose_is_saved();
        self.select(named(&rig.hierarchy, step.joint));
        let side = |method: Method, overlay| SideView { skinning: method.into(), overlay, ..SideView::default() };
        _ = self.show_sides(PerSide { a: side(step.a, step.overlay), b: side(step.b, None) });
        self.share_picture(Compare { layout: step.layout, ..Compare::default() });
        self.view.display = Display { bones: step.shows_bones, bones_in_front: true, ..self.view.display };
        self.refresh();
        self.view.camera = Camera { yaw: step.yaw, pitch: step.pitch, ..Camera::default() };
        self.frame_all();
        if let Some(joint) = self.selected().filter(|_| step.is_close) {
            self.view.camera.target = self.posed().world_from_node[joint.index()].translation;
            self.view.camera.distance *= CLOSE;
        }
    }
}

impl Command {
    /// True for what goes on with another file, works with files, or ends the program.
    fn ends_tour(&self) -> bool {
        matches!(
            self,
            Self::Open(_)
                | Self::OpenAll(_)
                | Self::OpenBeside { .. }
                | Self::OpenPosed { .. }
                | Self::OpenSession(_)
                | Self::LoadSession(_)
                | Self::LoadPose(_)
                | Self::WritePose(_)
                | Self::WriteSession(_)
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

/// Of a character, by its name.
fn named(hierarchy: &Hierarchy, name: &str) -> Option<NodeIndex> {
    hierarchy.nodes().find(|&n| hierarchy.name(n) == name)
}

impl TourStep {
    fn pose(&self, hierarchy: &Hierarchy) -> Pose {
        let mut pose = Pose::rest(hierarchy);
        for &(name, axis, degrees) in self.turns {
            if let Some(joint) = named(hierarchy, name) {
                pose.set_user_local(joint, Trs::from_rotation(Quat::from_axis_angle(axis, degrees.to_radians())));
            }
        }
        pose
    }
}
