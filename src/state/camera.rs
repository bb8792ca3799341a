//! Where the camera stands, and through which lens it looks.

use glam::Vec3;

use super::hiding::shown_points;
use super::{AppState, Notice, NoticeKind};
use crate::rig::{Bone, Bounds, NodeIndex};
use crate::view::Camera;

/// Cameras that lean less are upright, degrees.
const MOST_ROLL: f32 = 1.0;

/// What the camera goes with as the pose changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CameraTie {
    /// A joint, and where it was; `None` where it has come to without the camera.
    Joint(NodeIndex, Option<Vec3>),
    /// A camera of the file, by its position in `Rig::cameras`, and where it had the camera look from; over when the user looks from elsewhere.
    File(usize, Camera),
}

impl AppState {
    /// The joint that the camera goes with.
    pub fn followed(&self) -> Option<NodeIndex> {
        if let Some(CameraTie::Joint(node, _)) = self.open.camera_tie { Some(node) } else { None }
    }

    /// The camera of the file that the picture is seen through.
    pub fn looked_through(&self) -> Option<usize> {
        match self.open.camera_tie {
            Some(CameraTie::File(camera, seen)) if seen == self.open.view.camera => Some(camera),
            _ => None,
        }
    }

    /// Goes with the active joint from now on, or no longer.
    pub(super) fn toggle_follow(&mut self) {
        let follow = |node: NodeIndex| CameraTie::Joint(node, Some(self.place(node)));
        self.open.camera_tie = if self.followed().is_some() { None } else { self.selected().map(follow) };
    }

    /// Looks through a camera of the file, whose clips may move it.
    pub(super) fn look_through(&mut self, camera: usize) {
        self.open.camera_tie = Some(CameraTie::File(camera, self.open.view.camera));
        self.move_camera();
        let warning = match self.looked_through().map(|_| self.roll_of(camera)) {
            None => "This camera has no direction in this pose; the view stays.".to_owned(),
            Some(roll) if roll > MOST_ROLL => format!("This camera is rolled by {roll:.0}°; the view stays upright."),
            Some(_) => return,
        };
        self.notice = Some(Notice { kind: NoticeKind::Warning, text: warning });
    }

    /// How far from upright a camera of the file is, degrees.
    fn roll_of(&self, camera: usize) -> f32 {
        let camera = &self.open.document.rig.cameras[camera];
        let world_from_camera = camera.world_from_camera(&self.posed().world_from_node[camera.node.index()]);
        let up = world_from_camera.transform_vector3(Vec3::Y);
        (self.open.view.camera.rotation() * Vec3::Y).angle_between(up).to_degrees()
    }

    pub(super) fn place(&self, node: NodeIndex) -> Vec3 {
        self.posed().world_from_node[node.index()].translation
    }

    /// After another pose: the camera goes with what it is tied to.
    pub(super) fn move_camera(&mut self) {
        match self.open.camera_tie {
            Some(CameraTie::Joint(node, before)) => {
                let now = self.place(node);
                // What is dragged is dragged under a camera that stands still.
                let before = before.filter(|_| !self.open.view.is_dragging && now.is_finite());
                self.open.view.camera.target += before.map_or(Vec3::ZERO, |before| now - before);
                self.open.camera_tie = Some(CameraTie::Joint(node, Some(now)));
            }
            Some(CameraTie::File(index, seen)) if seen == self.open.view.camera => {
                let rig = &self.open.document.rig;
                let through = rig.cameras.get(index).and_then(|camera| {
                    let world_from_camera =
                        camera.world_from_camera(&self.posed().world_from_node[camera.node.index()]);
                    seen.through(&world_from_camera, camera.lens, rig.rest_bounds().center())
                });
                self.open.camera_tie = through.map(|camera| CameraTie::File(index, camera));
                self.open.view.camera = through.unwrap_or(seen);
            }
            _ => self.open.camera_tie = None,
        }
    }

    /// The camera stays as what it is tied to goes back to where it was before a drag.
    pub(super) fn hold_camera(&mut self) {
        if let Some(CameraTie::Joint(_, before)) = &mut self.open.camera_tie {
            *before = None;
        }
    }

    /// Around the open character, as posed.
    pub(super) fn open_bounds(&self) -> Bounds {
        let mut all = self.shown_bounds();
        if !self.open.document.rig.skins.is_empty() {
            self.open.derived.bones.iter().for_each(|b| all.add(b.head));
        }
        all
    }

    /// What [`Self::open_bounds`] goes around: of large meshes some of the vertices, evenly.
    pub(super) fn open_points(&self) -> Vec<Vec3> {
        let mut all = shown_points(self.rig(), self.posed(), &self.open.view.hidden);
        if !self.open.document.rig.skins.is_empty() {
            all.extend(self.open.derived.bones.iter().map(|b| b.head));
        }
        all
    }

    /// Shows everything, as posed. The picture is filled by what is there: arms and what they hold would leave most of it empty by their box. What is
    /// long stays in the picture as the camera goes round it, but for one that is higher than wide, in which it would be small.
    pub(super) fn frame_all(&mut self) {
        let (all, points) = (self.all_bounds(), self.all_points());
        let camera = &mut self.open.view.camera;
        camera.scene_size = self.open.document.rig.size_of(all);
        camera.frame(all, self.aspect);
        camera.fit(&points, self.aspect);
        if self.aspect >= 1.0 {
            camera.go_back_to_turn(&points, self.aspect);
        }
    }

    /// Shows the selected joint with its bones, or everything where none is selected.
    pub(super) fn frame_selected(&mut self) {
        let Some(node) = self.selected() else {
            self.frame_all();
            return;
        };
        let origin = self.open.derived.current.posed.world_from_node[node.index()].translation;
        let reach = self
            .open
            .derived
            .bones
            .iter()
            .filter(|b| b.joint == node)
            .map(Bone::length)
            .fold(self.open.document.rig.size() * 0.03, f32::max);
        let mut around = Bounds::default();
        around.add(origin - Vec3::splat(reach));
        around.add(origin + Vec3::splat(reach));
        self.open.view.camera.frame(around, self.aspect);
    }

    /// Looks from a side: as [`Command::Orbit`](super::Command::Orbit), but from where is told and not how far on, radians.
    pub(super) fn look_from(&mut self, yaw: f32, pitch: f32) {
        self.open.view.camera.yaw = yaw;
        self.open.view.camera.pitch = 0.0;
        self.open.view.camera.orbit(0.0, pitch);
    }

    /// Another field of view (radians), for the files that are opened later too.
    pub(super) fn set_fov(&mut self, fov: f32) {
        self.open.view.camera.set_fov(fov);
        if !self.is_touring() {
            self.settings.fov = self.open.view.camera.fov;
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::import::Job;
    use crate::rig::{FileCamera, FileLens, Rig, RigParts, Trs};
    use crate::state::{Action, BuiltIn, Command, Document, Settings, Source};

    /// The tube with a camera at its joint.
    fn state() -> (AppState, NodeIndex) {
        let document = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
        let node = document.rig.hierarchy.nodes().find(|&n| document.rig.hierarchy.name(n) == "Middle").unwrap();
        let camera =
            FileCamera { name: "Close".to_owned(), node, turn: Quat::IDENTITY, lens: FileLens::Perspective(0.5) };
        let parts = RigParts { cameras: vec![camera], ..RigParts::clone(&document.rig) };
        (AppState::new(Document::new(document.source, Rig::new(parts), Vec::new()), Settings::default()), node)
    }

    fn lift(state: &mut AppState, node: NodeIndex, by: f32) {
        let user_local = Trs { translation: Vec3::Y * by, ..Trs::IDENTITY };
        state.apply(Command::Edit { node, user_local });
        state.refresh();
    }

    #[test]
    fn the_camera_goes_with_the_joint_that_it_follows_until_it_does_no_longer() {
        let (mut state, node) = state();
        state.apply(Command::Do(Action::ToggleFollow));
        assert_eq!(state.followed(), None, "nothing is selected");
        state.apply(Command::Select(Some(node)));
        state.apply(Command::Do(Action::ToggleFollow));
        let before = (state.open.view.camera, state.place(node));
        lift(&mut state, node, 0.5);
        let moved = state.place(node) - before.1;
        assert!(moved.length() > 0.4);
        assert!((state.open.view.camera.target - before.0.target).distance(moved) < 1e-6);
        assert_eq!(state.open.view.camera.yaw, before.0.yaw);
        state.apply(Command::Do(Action::ToggleFollow));
        let here = state.open.view.camera;
        lift(&mut state, node, 0.1);
        assert_eq!((state.open.view.camera, state.followed()), (here, None));
    }

    #[test]
    fn the_camera_stands_still_while_the_joint_that_it_follows_is_dragged() {
        for ending in [Command::EndEdit, Command::CancelEdit] {
            let (mut state, node) = state();
            state.apply(Command::Select(Some(node)));
            state.apply(Command::Do(Action::ToggleFollow));
            let before = state.open.view.camera;
            state.apply(Command::BeginEdit);
            lift(&mut state, node, 0.5);
            lift(&mut state, node, 0.7);
            assert_eq!(state.open.view.camera, before, "during the drag");
            let told = format!("after {ending:?}");
            state.apply(ending);
            state.refresh();
            assert_eq!(state.open.view.camera, before, "{told}");
            lift(&mut state, node, 1.0);
            assert!(state.open.view.camera.target.distance(before.target) > 0.25, "and goes with it again");
        }
    }

    #[test]
    fn a_camera_of_the_file_moves_with_its_node_until_the_user_looks_elsewhere() {
        let (mut state, node) = state();
        state.apply(Command::LookThrough(0));
        assert_eq!((state.looked_through(), state.open.view.camera.fov), (Some(0), 0.5));
        assert!(state.open.view.camera.eye().distance(state.place(node)) < 1e-5);
        lift(&mut state, node, 0.5);
        assert!(state.open.view.camera.eye().distance(state.place(node)) < 1e-5);
        state.apply(Command::Orbit { yaw: 0.3, pitch: 0.0 });
        let here = state.open.view.camera;
        assert_eq!(state.looked_through(), None);
        lift(&mut state, node, 0.1);
        assert_eq!(state.open.view.camera, here);
    }

    #[test]
    fn what_is_filmed_is_tied_as_what_is_shown() {
        let (mut state, node) = state();
        state.apply(Command::Select(Some(node)));
        state.apply(Command::Do(Action::ToggleFollow));
        let mut filmed = state.filmed();
        assert_eq!((filmed.followed(), filmed.open.view.camera), (Some(node), state.open.view.camera));
        for state in [&mut state, &mut filmed] {
            lift(state, node, 0.5);
        }
        assert_eq!(filmed.open.view.camera, state.open.view.camera);
        state.apply(Command::LookThrough(0));
        assert_eq!((state.followed(), state.looked_through()), (None, Some(0)), "one tie in place of the other");
        assert_eq!(state.filmed().looked_through(), Some(0));
    }
}
