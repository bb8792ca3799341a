use serde_json::Value;

use crate::import::gltf::schema::{GltfDocument, valid};
use rigscope_core::rig::Hierarchy;

pub(super) struct Scene<'a> {
    pub document: &'a GltfDocument,
    pub hierarchy: &'a Hierarchy,
}

impl<'a> Scene<'a> {
    pub(super) fn nodes(&self) -> usize {
        self.document.nodes.len()
    }

    pub(super) fn morphs_of_mesh(&self, mesh: usize) -> usize {
        let parts = valid(&self.document.meshes, mesh).map_or(&[][..], |mesh| &mesh.primitives);
        parts.iter().filter_map(|part| part.valid()).map(|part| part.targets.len()).max().unwrap_or(0)
    }

    pub(super) fn morphs_of_node(&self, node: usize) -> Option<usize> {
        let mesh = self.document.nodes.get(node)?.mesh.as_ref()?;
        Some(self.morphs_of_mesh(mesh.value()))
    }

    pub(super) fn node_extensions(&self, name: &'a str) -> impl Iterator<Item = (usize, &'a Value)> {
        let nodes = self.document.nodes.iter().enumerate();
        nodes.filter_map(move |(number, node)| Some((number, node.extensions.as_ref()?.others.get(name)?)))
    }
}
