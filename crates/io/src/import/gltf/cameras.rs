use glam::Quat;
use gltf::json::{Camera, camera::Type, validation::Checked};

use super::loader::GltfLoader;
use super::schema::valid;
use crate::import::ImportWarning;
use rigscope_core::rig::{FileCamera, FileLens, Hierarchy};

impl GltfLoader<'_> {
    pub(super) fn cameras(&self, hierarchy: &Hierarchy) -> Vec<FileCamera> {
        let mut cameras = Vec::new();
        for node in hierarchy.nodes() {
            let Some(index) = self.source_node(hierarchy, node).camera.map(|camera| camera.value()) else { continue };
            let camera = valid(&self.source.document.cameras, index);
            match camera.and_then(|camera| Some((camera, lens(camera)?))) {
                Some((camera, lens)) => {
                    let own = camera.name.as_deref().filter(|name| !name.is_empty());
                    let name = own.unwrap_or_else(|| hierarchy.name(node)).to_owned();
                    cameras.push((index, FileCamera { source: index, name, node, turn: Quat::IDENTITY, lens }));
                }
                None => self.report.warn(ImportWarning::malformed("Camera", index)),
            }
        }
        cameras.sort_by_key(|(index, _)| *index);
        cameras.into_iter().map(|(_, camera)| camera).collect()
    }
}

fn lens(camera: &Camera) -> Option<FileLens> {
    match &camera.type_ {
        Checked::Valid(Type::Perspective) => FileLens::Perspective(camera.perspective.as_ref()?.yfov),
        Checked::Valid(Type::Orthographic) => FileLens::Orthographic(camera.orthographic.as_ref()?.ymag.abs()),
        Checked::Invalid => return None,
    }
    .usable()
}
