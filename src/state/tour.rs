//! The guided tour: what skinning is, step by step on the built-in characters, and the way back to what was open before.

mod steps;

use std::sync::Arc;

use glam::Quat;

pub use steps::{STEPS, Step};

use super::{
    Action, AppState, Command, Document, FileList, History, Lint, Playback, Probes, Question, Request, SidePanel, Work,
    user_pose,
};
use crate::posing::{MirrorPlane, Symmetry};
use crate::rig::{Hierarchy, NodeIndex, Pose, Rig, Trs};
use crate::skinning::Method;
use crate::view::{Camera, Compare, Display, PerSide, SideView, View};

/// Of the distance that shows the whole character.
const CLOSE: f32 = 0.32;

/// Where the tour is.
pub struct Tour {
    step: usize,
    behind: Box<Behind>,
}

impl Tour {
    /// Number of the step in [`STEPS`].
    pub fn step(&self) -> usize {
        self.step
    }
}

/// What was there before the tour.
struct Behind {
    document: Document,
    view: View,
    playback: Playback,
    history: History,
    files: FileList,
    lint: Lint,
    side_panel: SidePanel,
    question: Option<Question>,
    pinned: Vec<NodeIndex>,
    probes: Probes,
    symmetry: Option<(Arc<Rig>, MirrorPlane, Option<Arc<Symmetry>>)>,
    saved: Work,
    discarded: Option<Work>,
    user_pose: Option<Box<user_pose::Behind>>,
    method: Method,
}

impl AppState {
    /// True while the built-in characters of the tour stand in for what the user has open.
    pub fn is_touring(&self) -> bool {
        self.tour.is_some()
    }

    /// Goes to a step; the character that it needs is loaded first, and until then everything stays as it is.
    pub(super) fn go_to_tour_step(&mut self, step: usize) -> Option<Request> {
        let character = STEPS.get(step)?.character;
        if self.is_touring() && self.is_open(character) {
            self.take_tour_step(step);
            return None;
        }
        self.cancel_edit();
        self.awaited_step = Some(step);
        Some(Request::LoadTour { step, character })
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
        self.cancel_edit();
        let before = std::mem::replace(&mut self.document, document);
        match &mut self.tour {
            Some(tour) => tour.step = step,
            None => self.tour = Some(Tour { step, behind: Box::new(self.put_aside(before)) }),
        }
        self.history = History::default();
        self.all_is_saved();
        self.library.follow(&self.document.source);
        self.view.isolated = None;
        self.forget_joint_methods();
        self.symmetry = None;
        self.pinned.clear();
        self.view.marked.clear();
        self.probes.places.clear();
        self.behind = None;
        self.take_tour_step(step);
    }

    fn put_aside(&mut self, document: Document) -> Behind {
        Behind {
            document,
            view: self.view.clone(),
            playback: std::mem::take(&mut self.playback),
            history: std::mem::take(&mut self.history),
            files: std::mem::take(&mut self.files),
            lint: std::mem::take(&mut self.lint),
            side_panel: self.side_panel,
            question: self.question.take(),
            pinned: std::mem::take(&mut self.pinned),
            probes: std::mem::take(&mut self.probes),
            symmetry: self.symmetry.take(),
            saved: self.saved.clone(),
            discarded: self.discarded.take(),
            user_pose: self.behind.take(),
            method: self.settings.method,
        }
    }

    fn take_tour_step(&mut self, number: usize) {
        let Some(step) = STEPS.get(number) else { return };
        if let Some(tour) = &mut self.tour {
            tour.step = number;
        }
        self.notice = None;
        self.set_clip(None);
        let rig = Arc::clone(self.rig());
        self.set_pose(step.pose(&rig.hierarchy), step.title);
        self.pose_is_saved();
        self.select(named(&rig.hierarchy, step.joint));
        let side = |method: Method, overlay| SideView { skinning: method.into(), overlay, ..SideView::default() };
        self.show_sides(PerSide { a: side(step.a, step.overlay), b: side(step.b, None) });
        self.view.compare = Compare { layout: step.layout, ..Compare::default() };
        self.view.display = Display { bones: step.shows_bones, bones_in_front: true, ..self.view.display };
        self.refresh();
        self.view.camera = Camera { yaw: step.yaw, ..Camera::default() };
        self.frame_all();
        if let Some(joint) = self.selected().filter(|_| step.is_close) {
            self.view.camera.target = self.derived.current.posed.world_from_node[joint.index()].translation;
            self.view.camera.distance *= CLOSE;
        }
    }

    /// Back to what was there before, exactly.
    pub(super) fn leave_tour(&mut self) {
        self.awaited_step = None;
        let Some(tour) = self.tour.take() else { return };
        let behind = *tour.behind;
        self.cancel_edit();
        let is_dark = self.view.display.is_dark;
        self.document = behind.document;
        self.library.follow(&self.document.source);
        self.view = behind.view;
        self.view.hovered = None;
        // The theme may have changed meanwhile.
        self.view.display.is_dark = is_dark;
        self.playback = behind.playback;
        self.history = behind.history;
        self.files = behind.files;
        self.lint = behind.lint;
        self.side_panel = behind.side_panel;
        self.question = behind.question;
        self.pinned = behind.pinned;
        self.probes = behind.probes;
        self.symmetry = behind.symmetry;
        self.saved = behind.saved;
        self.discarded = behind.discarded;
        self.behind = behind.user_pose;
        self.settings.method = behind.method;
        self.notice = None;
        self.pose_changed();
        self.refresh();
    }

    /// True for what goes on with another file or ends the program: the tour is left first.
    pub(super) fn ends_tour(&self, command: &Command) -> bool {
        let ends = matches!(
            command,
            Command::Open(_)
                | Command::OpenAll(_)
                | Command::OpenPosed { .. }
                | Command::Opened(_)
                | Command::Reloaded(_)
                | Command::OpenSession(_)
                | Command::LoadSession(_)
                | Command::LoadPose(_)
                | Command::WritePose(_)
                | Command::WriteSession(_)
                | Command::ShowMe(_)
                | Command::Do(
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
        );
        ends && self.is_touring()
    }
}

/// Of a character, by its name.
fn named(hierarchy: &Hierarchy, name: &str) -> Option<NodeIndex> {
    hierarchy.nodes().find(|&n| hierarchy.name(n) == name)
}

impl Step {
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
