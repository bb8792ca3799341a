use std::collections::BTreeMap;

use crate::export::glb::materials::GlbMaterials;
use crate::export::glb::tree::GlbTree;
use rigscope_core::rig::Rig;

/// Maps indices in the imported file to indices in the exported file.
pub(in crate::export::glb) struct VrmIndexMap {
    /// For each imported node, the exported nodes that carry its mesh: several if the mesh was split.
    carriers: BTreeMap<usize, Vec<usize>>,
    meshes: BTreeMap<usize, Vec<usize>>,
    copies: BTreeMap<usize, Vec<usize>>,
    /// Names of the materials that were added after import.
    added_materials: Vec<String>,
}

impl VrmIndexMap {
    pub(in crate::export::glb) fn new(
        rig: &Rig,
        tree: &GlbTree,
        mesh_numbers: &[Option<usize>],
        materials: &GlbMaterials<'_>,
    ) -> Self {
        let mut carriers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (instance, carrier) in rig.instances.iter().zip(&tree.carriers) {
            carriers.entry(rig.hierarchy.source(instance.node)).or_default().extend(carrier);
        }
        let mut meshes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (mesh, number) in rig.meshes.iter().zip(mesh_numbers) {
            meshes.entry(mesh.source).or_default().extend(number);
        }
        let imported = rig.vrm_blocks.as_ref().map_or(0, |blocks| blocks.base_textures.len());
        let added_materials = rig.materials.iter().skip(imported).map(|material| material.name.clone()).collect();
        Self { carriers, meshes, copies: materials.copies(), added_materials }
    }

    pub(super) fn carriers(&self, node: usize) -> Vec<usize> {
        self.carriers.get(&node).cloned().unwrap_or_default()
    }

    pub(super) fn meshes(&self, mesh: usize) -> Vec<usize> {
        self.meshes.get(&mesh).cloned().unwrap_or_default()
    }

    pub(super) fn materials(&self, material: usize) -> Vec<usize> {
        let copies = self.copies.get(&material).into_iter().flatten();
        std::iter::once(material).chain(copies.copied()).collect()
    }

    pub(super) fn added_materials(&self) -> &[String] {
        &self.added_materials
    }

    pub(super) fn copies(&self) -> BTreeMap<usize, usize> {
        self.copies.iter().flat_map(|(&of, copies)| copies.iter().map(move |&copy| (copy, of))).collect()
    }
}
