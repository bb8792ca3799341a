//! Where the camera stands, and through which lens it looks.

use glam::Vec3;

use super::AppState;
use crate::rig::{Bone, Bounds};

impl AppState {
    /// Around everything, as posed.
    pub fn all_bounds(&self) -> Bounds {
        let mut all = self.shown_bounds();
        if !self.open.document.rig.skins.is_empty() {
            self.open.derived.bones.iter().for_each(|b| all.add(b.head));
        }
        all
    }

    /// Shows everything, as posed.
    pub(super) fn frame_all(&mut self) {
        let all = self.all_bounds();
        self.open.view.camera.scene_size = all.diagonal().max(1e-6);
        self.open.view.camera.frame(all, self.aspect);
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
