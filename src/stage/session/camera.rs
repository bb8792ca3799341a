//! Session file format of the camera, of the joint that it follows, and of saved views.

use std::collections::BTreeSet;

use glam::{DVec3, Vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rig::{Hierarchy, find_joints};
use crate::stage::{CameraTie, Stage};
use crate::view::{Camera, SavedView};

/// A camera in the coordinates of the open file.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct CameraFile {
    #[serde(flatten)]
    camera: Camera,
    /// Rounding error of the target in single precision, metres. Written only if the rig is far from its file's origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<[f32; 3]>")]
    target_rounding: Option<Vec3>,
}

impl CameraFile {
    pub(crate) fn new(camera: Camera, hierarchy: &Hierarchy) -> Self {
        let target = hierarchy.in_file(camera.target);
        let rounding = target - target.as_vec3().as_dvec3();
        Self {
            camera: Camera { target: target.as_vec3(), ..camera },
            target_rounding: (rounding != DVec3::ZERO).then(|| rounding.as_vec3()),
        }
    }

    /// Returns the camera in world space; `None` if it is invalid.
    pub(crate) fn placed(&self, hierarchy: &Hierarchy) -> Option<Camera> {
        let target = self.camera.target.as_dvec3() + self.target_rounding.unwrap_or_default().as_dvec3();
        Some(Camera { target: hierarchy.from_file(target), ..self.camera }).filter(Camera::is_usable)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ViewFile {
    name: String,
    camera: CameraFile,
    /// Joint that the camera follows, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    follows: Option<String>,
}

impl ViewFile {
    pub(crate) fn new(view: &SavedView, hierarchy: &Hierarchy) -> Self {
        let camera = CameraFile::new(view.camera, hierarchy);
        Self { name: view.name.clone(), camera, follows: view.follows.clone() }
    }

    fn placed(&self, hierarchy: &Hierarchy) -> Option<SavedView> {
        let camera = self.camera.placed(hierarchy)?;
        Some(SavedView { name: self.name.clone(), camera, follows: self.follows.clone() })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TieFile {
    Joint(String),
    Camera(String),
}

/// Restores the camera, or frames everything without a valid camera. Returns a message if the camera cannot be
/// restored.
pub(super) fn restore_camera(camera: Option<&CameraFile>, stage: &mut Stage) -> Option<&'static str> {
    let usable = camera.and_then(|camera| camera.placed(&stage.rig().hierarchy));
    match usable {
        Some(camera) => stage.view.camera = camera,
        None => stage.frame_all(),
    }
    let is_lost = camera.is_some() && usable.is_none();
    is_lost.then_some("The session's camera cannot be used; everything is framed")
}

pub(super) fn restore_tie(tie: Option<&TieFile>, stage: &mut Stage) -> Option<String> {
    stage.camera_tie = CameraTie::Free;
    let (tie, missing) = match tie? {
        TieFile::Joint(name) => {
            let joint = find_joints(&stage.rig().hierarchy, [name]).into_iter().next().flatten();
            (
                CameraTie::to_joint(joint, stage.posed()),
                format!("The session's camera follows joint \"{name}\", which this rig does not have"),
            )
        }
        TieFile::Camera(name) => {
            let index = stage.rig().cameras.iter().position(|camera| camera.name == *name);
            let tie = index.map_or(CameraTie::Free, |index| CameraTie::File(index, stage.view.camera));
            (tie, format!("The session looks through camera \"{name}\", which this file does not have"))
        }
    };
    stage.camera_tie = tie;
    (tie == CameraTie::Free).then_some(missing)
}

pub(super) fn restore_views(views: &[ViewFile], stage: &mut Stage) -> Vec<String> {
    let mut names = BTreeSet::new();
    let mut complaints = Vec::new();
    let mut kept = Vec::new();
    for view in views {
        match view.placed(&stage.rig().hierarchy).filter(|view| names.insert(view.name.clone())) {
            Some(view) => kept.push(view),
            None => complaints
                .push(format!("Saved view \"{}\" was skipped: it is invalid, or its name is taken", view.name)),
        }
    }
    stage.view.saved = kept;
    complaints
}
