use glam::{Quat, Vec3};
use ufbx::{MirrorAxis, ProjectionMode};

use super::loader::{FbxLoader, number};
use super::nodes;
use crate::import::ImportWarning;
use rigscope_core::rig::{FileCamera, FileLens, Hierarchy};

impl FbxLoader<'_> {
    pub(super) fn cameras(&self, hierarchy: &Hierarchy) -> Vec<FileCamera> {
        let mut cameras = Vec::new();
        for node in &self.scene.nodes {
            let (Some(camera), Some(index)) = (&node.camera, nodes::index(hierarchy, node)) else { continue };
            match lens(camera) {
                Some(lens) => {
                    let name = hierarchy.name(index).to_owned();
                    cameras.push(FileCamera {
                        source: number(&camera.element),
                        name,
                        node: index,
                        turn: self.camera_turn(),
                        lens,
                    });
                }
                None => self.report.warn(ImportWarning::malformed("Camera", number(&camera.element))),
            }
        }
        cameras
    }

    /// Returns the rotation from glTF's view direction -Z to FBX's +X, or to -X if the file was mirrored in X.
    fn camera_turn(&self) -> Quat {
        let ahead = if self.scene.metadata.mirror_axis == MirrorAxis::X { Vec3::NEG_X } else { Vec3::X };
        Quat::from_rotation_arc(Vec3::NEG_Z, ahead)
    }
}

fn lens(camera: &ufbx::Camera) -> Option<FileLens> {
    match camera.projection_mode {
        ProjectionMode::Orthographic => FileLens::Orthographic(camera.orthographic_size.y as f32 * 0.5),
        ProjectionMode::Perspective => FileLens::Perspective(camera.field_of_view_deg.y.to_radians() as f32),
    }
    .usable()
}
