//! Meshes placed in the scene: those that nodes carry, with the skin that they are bound by.

use std::collections::BTreeMap;

use glam::Affine3;

use super::convert::affine;
use super::loader::{FbxLoader, number};
use super::materials::SurfaceMaterial;
use super::mesh::MeshUse;
use super::shapes::Shapes;
use super::skins::{Binding, Skins};
use crate::import::{FbxWarning, ImportError, ImportWarning};
use crate::rig::{Hierarchy, Mesh, MeshInstance, NodeIndex, Skin};

/// Meshes, where they stand, and what moves them.
#[derive(Default)]
pub(super) struct Placed {
    pub meshes: Vec<Mesh>,
    pub instances: Vec<MeshInstance>,
    pub skins: Vec<Skin>,
}

/// What makes one mesh of the file several of the rig: materials, and where the points of one without skin are.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Variant {
    mesh: usize,
    materials: Vec<usize>,
    transform: Option<[u32; 12]>,
}

impl<'a> FbxLoader<'a> {
    /// Reads the meshes that nodes carry, and places them.
    pub fn placed_meshes(
        &self,
        hierarchy: &Hierarchy,
        surfaces: &mut [SurfaceMaterial<'_>],
    ) -> Result<Placed, ImportError> {
        let (mut placed, mut skins) = (Placed::default(), Skins::default());
        let mut bindings: BTreeMap<usize, Option<Binding>> = BTreeMap::new();
        let mut built: BTreeMap<Variant, Option<usize>> = BTreeMap::new();
        for (node, carrier, mesh) in self.carried(hierarchy) {
            let source = number(&mesh.element);
            let binding = bindings.entry(source).or_insert_with(|| self.binding(hierarchy, mesh)).as_ref();
            let transform =
                binding.is_none().then(|| affine(&carrier.geometry_to_node)).filter(|t| *t != Affine3::IDENTITY);
            let used = MeshUse { mesh, carrier, binding, transform };
            let materials = carrier.materials.iter().map(|m| number(&m.element)).collect();
            let bits = transform.map(|t| t.to_cols_array().map(f32::to_bits));
            let variant = Variant { mesh: source, materials, transform: bits };
            let index = match built.get(&variant) {
                Some(known) => *known,
                None => {
                    let mesh = self.mesh(used, surfaces)?;
                    let index = (!mesh.primitives.is_empty()).then_some(placed.meshes.len());
                    placed.meshes.extend(index.map(|_| mesh));
                    built.insert(variant, index);
                    index
                }
            };
            let Some(index) = index else { continue };
            let vertices = placed.meshes.get(index).map_or(0, vertex_count);
            if !self.charge_instance(vertices, binding.map_or(1, Binding::joint_count)) {
                let node = hierarchy.source(node);
                self.report.warn_loss(ImportWarning::InstanceSkipped { node, mesh: source });
                continue;
            }
            placed.instances.push(MeshInstance {
                node,
                mesh: index,
                skin: binding.map(|binding| skins.of(source, binding, node, carrier)),
                morph_weights: Shapes::new(mesh).weights(|channel| channel.weight),
            });
        }
        placed.skins = skins.list;
        Ok(placed)
    }

    /// Every node with a mesh that it shows; all where none is shown.
    fn carried(&self, hierarchy: &Hierarchy) -> Vec<(NodeIndex, &'a ufbx::Node, &'a ufbx::Mesh)> {
        let nodes = self.scene.nodes.iter().map(|node| -> &'a ufbx::Node { node });
        let nodes = nodes.filter_map(|node| Some((self.index(hierarchy, node)?, node)));
        let carried = nodes.flat_map(|(index, node)| {
            node.all_attribs.iter().filter_map(|element| ufbx::as_mesh(element)).map(move |mesh| (index, node, mesh))
        });
        let mut all: Vec<_> = carried.collect();
        let hidden: Vec<usize> =
            all.iter().filter(|(.., node, _)| !node.visible).map(|(n, ..)| hierarchy.source(*n)).collect();
        if !hidden.is_empty() && hidden.len() < all.len() {
            all.retain(|(_, node, _)| node.visible);
            self.warn(FbxWarning::HiddenMeshes { nodes: hidden });
        }
        all
    }

    fn mesh(&self, used: MeshUse<'_>, surfaces: &mut [SurfaceMaterial<'_>]) -> Result<Mesh, ImportError> {
        let shapes = Shapes::new(used.mesh);
        let mut pointed = self.primitives(used, surfaces)?;
        self.add_morph_targets(used.mesh, &shapes, used.transform, &mut pointed)?;
        // Many meshes have no name of their own but that of the node.
        let name = [&used.mesh.element.name, &used.carrier.element.name].into_iter().find(|name| !name.is_empty());
        Ok(Mesh {
            source: number(&used.mesh.element),
            name: name.map(ToString::to_string).unwrap_or_default(),
            primitives: pointed.into_iter().map(|p| p.primitive).collect(),
            target_names: shapes.names(),
        })
    }

    /// What a pose makes of an instance: positions, and matrices of the joints. A small file may place a large mesh a million times.
    fn charge_instance(&self, vertices: usize, joints: usize) -> bool {
        self.budget.charge(vertices.saturating_mul(12).saturating_add(joints.saturating_mul(160)) as u64)
    }
}

fn vertex_count(mesh: &Mesh) -> usize {
    mesh.primitives.iter().map(|p| p.positions.len()).fold(0, usize::saturating_add)
}
