use std::collections::BTreeMap;

use glam::Affine3;
use ufbx::ElementType;

use super::from_ufbx::affine;
use super::loader::{FbxLoader, number};
use super::materials::FbxMaterial;
use super::mesh::MeshUse;
use super::nodes::index;
use super::shapes::Shapes;
use super::skins::{Binding, FbxSkins};
use crate::import::{ImportError, ImportWarning};
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{Hierarchy, Mesh, MeshInstance, NodeIndex, Skin};
use rigscope_core::text::counted;

#[derive(Default)]
pub(super) struct FbxInstances {
    pub meshes: Vec<Mesh>,
    pub instances: Vec<MeshInstance>,
    pub skins: Vec<Skin>,
}

type Carried<'a> = (NodeIndex, &'a ufbx::Node, &'a ufbx::Mesh);

/// Key of a rig mesh. Nodes with equal keys share one mesh. `transform` holds the bits of the mesh-to-node matrix;
/// `None` if the mesh is skinned or the matrix is the identity.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct MeshKey {
    mesh: usize,
    materials: Vec<usize>,
    transform: Option<[u32; 12]>,
}

impl<'a> FbxLoader<'a> {
    pub(super) fn placed_meshes(
        &self,
        hierarchy: &Hierarchy,
        surfaces: &mut [FbxMaterial<'_>],
    ) -> Result<FbxInstances, ImportError> {
        let (mut placed, mut skins) = (FbxInstances::default(), FbxSkins::default());
        let mut bindings: BTreeMap<usize, Option<Binding>> = BTreeMap::new();
        let mut built: BTreeMap<MeshKey, Option<usize>> = BTreeMap::new();
        for (node, carrier, mesh) in self.carried(hierarchy) {
            let source = number(&mesh.element);
            let binding = bindings.entry(source).or_insert_with(|| self.binding(hierarchy, mesh)).as_ref();
            let transform =
                binding.is_none().then(|| affine(&carrier.geometry_to_node)).filter(|t| *t != Affine3::IDENTITY);
            let used = MeshUse { mesh, carrier, binding, transform };
            let materials = carrier.materials.iter().map(|m| number(&m.element)).collect();
            let bits = transform.map(|t| t.to_cols_array().map(f32::to_bits));
            let variant = MeshKey { mesh: source, materials, transform: bits };
            let index = if let Some(known) = built.get(&variant) {
                *known
            } else {
                let mesh = self.mesh(used, surfaces)?;
                let index = (!mesh.primitives.is_empty()).then_some(placed.meshes.len());
                placed.meshes.extend(index.map(|_| mesh));
                *built.entry(variant).or_insert(index)
            };
            let Some(index) = index else { continue };
            let vertices = placed.meshes.get(index).map_or(0, vertex_count);
            if !self.charge_instance(vertices, binding.map_or(1, Binding::joint_count)) {
                let node = hierarchy.source(node);
                self.report.warn_loss(ImportWarning::instance_skipped(node, source));
                continue;
            }
            placed.instances.push(MeshInstance {
                node,
                mesh: index,
                skin: binding.map(|binding| skins.index(source, binding, node, carrier)),
                morph_weights: Shapes::new(mesh).weights(|channel| channel.weight),
            });
        }
        placed.skins = skins.list;
        Ok(placed)
    }

    /// Returns the visible meshes with their nodes, or all meshes if none is visible.
    fn carried(&self, hierarchy: &Hierarchy) -> Vec<Carried<'a>> {
        let nodes = self.scene.nodes.iter().map(|node| -> &'a ufbx::Node { node });
        let carried = nodes.filter_map(|node| Some((index(hierarchy, node)?, node))).flat_map(|(index, node)| {
            node.all_attribs.iter().filter_map(|element| ufbx::as_mesh(element)).map(move |mesh| (index, node, mesh))
        });
        let mut all: Vec<Carried<'a>> = carried.collect();
        let lower = self.lower_levels(hierarchy);
        let is_lower = |node: NodeIndex| lower.get(node.index()).copied().unwrap_or(false);
        let is_shown = |&(index, node, _): &Carried<'a>| node.visible && !is_lower(index);
        if !all.iter().any(is_shown) {
            return all;
        }
        let levels = all.iter().filter(|(index, ..)| is_lower(*index)).count();
        let hidden = all.iter().filter(|(index, node, _)| !node.visible && !is_lower(*index));
        let hidden: Vec<usize> = hidden.map(|(index, ..)| hierarchy.source(*index)).collect();
        if levels > 0 {
            let message = format!(
                "{} not shown.",
                counted(levels, "mesh of a lower level of detail is", "meshes of lower levels of detail are")
            );
            self.warn(Code::NotShown, Target::File, message);
        }
        if !hidden.is_empty() {
            let nodes = counted(hidden.len(), "node with a mesh is", "nodes with a mesh are");
            let message = format!("{nodes} hidden in the file and not shown.");
            self.warn(Code::NotShown, Target::for_nodes(hidden), message);
        }
        all.retain(is_shown);
        all
    }

    fn lower_levels(&self, hierarchy: &Hierarchy) -> Vec<bool> {
        let mut is_lower = vec![false; hierarchy.len()];
        let groups = self.scene.nodes.iter().filter(|node| node.attrib_type == ElementType::LodGroup);
        for child in groups.flat_map(|group| group.children.iter().skip(1)) {
            let subtree = index(hierarchy, child).map(|child| hierarchy.subtree(child));
            subtree.and_then(|nodes| is_lower.get_mut(nodes)).into_iter().flatten().for_each(|lower| *lower = true);
        }
        is_lower
    }

    fn mesh(&self, used: MeshUse<'_>, surfaces: &mut [FbxMaterial<'_>]) -> Result<Mesh, ImportError> {
        let shapes = Shapes::new(used.mesh);
        let mut pointed = self.primitives(used, surfaces)?;
        self.add_morph_targets(used.mesh, &shapes, used.transform, &mut pointed)?;
        let name = [&used.mesh.element.name, &used.carrier.element.name].into_iter().find(|name| !name.is_empty());
        Ok(Mesh {
            source: number(&used.mesh.element),
            name: name.map(ToString::to_string).unwrap_or_default(),
            primitives: pointed.into_iter().map(|p| p.primitive).collect(),
            target_names: shapes.names(),
        })
    }

    /// Charges an instance's posed positions and joint matrices to the memory budget, since even a small file may
    /// instance a large mesh a million times. Returns false if the budget is exhausted.
    fn charge_instance(&self, vertices: usize, joints: usize) -> bool {
        self.budget.charge(vertices.saturating_mul(12).saturating_add(joints.saturating_mul(160)) as u64)
    }
}

fn vertex_count(mesh: &Mesh) -> usize {
    mesh.primitives.iter().map(|p| p.positions.len()).fold(0, usize::saturating_add)
}
