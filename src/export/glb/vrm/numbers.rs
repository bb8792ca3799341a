//! What the file's nodes, meshes and materials are in the written file.

use std::collections::BTreeMap;

use crate::export::glb::materials::GlbMaterials;
use crate::export::glb::tree::GlbTree;
use crate::rig::Rig;

/// Numbers of the written file, by those of the file that the rig was read from.
pub(in crate::export::glb) struct VrmNumbers {
    /// Nodes that carry the parts of a mesh in the written file, by the node that carries the mesh in the read one.
    carriers: BTreeMap<usize, Vec<usize>>,
    /// Meshes of the written file that are the parts of a mesh of the read one.
    meshes: BTreeMap<usize, Vec<usize>>,
    /// Copies of a material with fewer textures, in the written file.
    copies: BTreeMap<usize, Vec<usize>>,
}

impl VrmNumbers {
    /// Numbers of a rig; `mesh_numbers` are those of its meshes in the file.
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
        Self { carriers, meshes, copies: materials.copies() }
    }

    /// Nodes that carry what a node of the file carries.
    pub(super) fn carriers(&self, node: usize) -> Vec<usize> {
        self.carriers.get(&node).cloned().unwrap_or_default()
    }

    /// Meshes that are the parts of a mesh of the file.
    pub(super) fn meshes(&self, mesh: usize) -> Vec<usize> {
        self.meshes.get(&mesh).cloned().unwrap_or_default()
    }

    /// A material of the file, and the copies of it.
    pub(super) fn materials(&self, material: usize) -> Vec<usize> {
        let copies = self.copies.get(&material).into_iter().flatten();
        std::iter::once(material).chain(copies.copied()).collect()
    }

    /// All copies: number and original.
    pub(super) fn copies(&self) -> BTreeMap<usize, usize> {
        self.copies.iter().flat_map(|(&of, copies)| copies.iter().map(move |&copy| (copy, of))).collect()
    }
}
