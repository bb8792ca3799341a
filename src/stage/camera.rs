//! Camera position and what it follows.

use glam::Vec3;

use super::Stage;
use crate::actor::{framed_heads, shown_points};
use crate::rig::{Bone, Bounds, NodeIndex};
use crate::view::{Camera, Layout};

/// Maximum roll of a camera that counts as upright, degrees.
const MAX_ROLL: f32 = 1.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CameraTie {
    /// A joint, and its position when the camera last followed it; `None` before that and while the camera is held.
    Joint(NodeIndex, Option<Vec3>),
    /// A camera of the file (index into `Rig::cameras`) and the resulting view camera. Ends when the user moves the view.
    File(usize, Camera),
}

impl Stage {
    /// The joint that the camera follows.
    pub fn followed(&self) -> Option<NodeIndex> {
        if let Some(CameraTie::Joint(node, _)) = self.camera_tie { Some(node) } else { None }
    }

    /// The file camera that the view looks through.
    pub fn looked_through(&self) -> Option<usize> {
        match self.camera_tie {
            Some(CameraTie::File(camera, seen)) if seen == self.view.camera => Some(camera),
            _ => None,
        }
    }

    pub(crate) fn follow_joint(&mut self, joint: Option<NodeIndex>) {
        self.camera_tie = joint.map(|node| CameraTie::Joint(node, None));
    }

    pub(crate) fn toggle_follow(&mut self) {
        let follow = |node: NodeIndex| CameraTie::Joint(node, Some(self.place(node)));
        self.camera_tie = if self.followed().is_some() { None } else { self.selected().map(follow) };
    }

    /// Looks through a camera of the file, which clips may animate. Returns a message if the view can't reproduce it.
    pub fn look_through(&mut self, camera: usize) -> Option<String> {
        self.camera_tie = Some(CameraTie::File(camera, self.view.camera));
        self.move_camera();
        match self.looked_through().map(|_| self.roll_of(camera)) {
            None => Some("This camera has no direction in this pose; the view stays.".to_owned()),
            Some(roll) if roll > MAX_ROLL => {
                Some(format!("This camera is rolled by {roll:.0}°; the view stays upright."))
            }
            Some(_) => None,
        }
    }

    /// Looks through a camera of the file from the next pose on; until then the view stays.
    pub(crate) fn look_through_from_here(&mut self, camera: usize) {
        self.camera_tie = Some(CameraTie::File(camera, self.view.camera));
    }

    fn roll_of(&self, camera: usize) -> f32 {
        let camera = &self.document.rig.cameras[camera];
        let world_from_camera = camera.world_from_camera(&self.posed().world_from_node[camera.node.index()]);
        let up = world_from_camera.transform_vector3(Vec3::Y);
        (self.view.camera.rotation() * Vec3::Y).angle_between(up).to_degrees()
    }

    pub(crate) fn place(&self, node: NodeIndex) -> Vec3 {
        self.posed().world_from_node[node.index()].translation
    }

    pub(crate) fn move_camera(&mut self) {
        match self.camera_tie {
            Some(CameraTie::Joint(node, before)) => {
                let now = self.place(node);
                // The camera stands still during a drag.
                let before = before.filter(|_| !self.view.is_dragging && now.is_finite());
                self.view.camera.target += before.map_or(Vec3::ZERO, |before| now - before);
                self.camera_tie = Some(CameraTie::Joint(node, Some(now)));
            }
            Some(CameraTie::File(index, seen)) if seen == self.view.camera => {
                let rig = &self.document.rig;
                let through = rig.cameras.get(index).and_then(|camera| {
                    let world_from_camera =
                        camera.world_from_camera(&self.posed().world_from_node[camera.node.index()]);
                    seen.through(&world_from_camera, camera.lens, rig.rest_bounds().center())
                });
                self.camera_tie = through.map(|camera| CameraTie::File(index, camera));
                self.view.camera = through.unwrap_or(seen);
            }
            _ => self.camera_tie = None,
        }
    }

    /// Holds the camera while the pose returns to where it was before a drag.
    pub(crate) fn hold_camera(&mut self) {
        if let Some(CameraTie::Joint(_, before)) = &mut self.camera_tie {
            *before = None;
        }
    }

    pub(crate) fn open_bounds(&self) -> Bounds {
        let mut all = self.shown_bounds();
        framed_heads(self.rig(), &self.derived.bones).for_each(|head| all.add(head));
        all
    }

    pub(crate) fn open_points(&self) -> Vec<Vec3> {
        let mut all = shown_points(self.rig(), self.posed(), &self.view.hidden);
        all.extend(framed_heads(self.rig(), &self.derived.bones));
        all
    }

    /// Frames everything drawn, as posed; see [`Camera::show_all`].
    pub fn frame_all(&mut self) {
        let (all, points) = (self.all_bounds(), self.all_points());
        let size = self.document.rig.size_of(all);
        self.view.camera.show_all((all, size), &points, self.aspect);
    }

    /// Sets the camera's yaw and pitch, degrees. `None` keeps an angle.
    pub fn aim(&mut self, [yaw, pitch]: [Option<f32>; 2]) {
        let camera = self.view.camera;
        self.look_from(yaw.map_or(camera.yaw, f32::to_radians), pitch.map_or(camera.pitch, f32::to_radians));
    }

    /// Calls [`Self::aim`], then frames everything for an image size in pixels.
    pub fn frame_from(&mut self, angles: [Option<f32>; 2], [width, height]: [u32; 2]) {
        self.aim(angles);
        let share = if self.view.compare.layout == Layout::SideBySide { 0.5 } else { 1.0 };
        self.aspect = share * width as f32 / height as f32;
        self.frame_all();
    }

    /// Frames the selected joint with its bones, or everything if nothing is selected.
    pub fn frame_selected(&mut self) {
        let Some(node) = self.selected() else {
            self.frame_all();
            return;
        };
        let origin = self.derived.current.posed.world_from_node[node.index()].translation;
        let reach = self
            .derived
            .bones
            .iter()
            .filter(|b| b.joint == node)
            .map(Bone::length)
            .fold(self.document.rig.size() * 0.03, f32::max);
        let mut around = Bounds::default();
        around.add(origin - Vec3::splat(reach));
        around.add(origin + Vec3::splat(reach));
        self.view.camera.frame(around, self.aspect);
    }

    pub(crate) fn look_from(&mut self, yaw: f32, pitch: f32) {
        self.view.camera.yaw = yaw;
        self.view.camera.pitch = 0.0;
        self.view.camera.orbit(0.0, pitch);
    }
}
