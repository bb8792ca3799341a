//! Mesh instances. An instance has either a skin and only skinned primitives, or no skin and no skinned primitives. So
//! a file mesh becomes several meshes if only some primitives are skinned, or if it is used both with and without a
//! skin.

use std::collections::{BTreeMap, BTreeSet};

use super::loader::GltfLoader;
use super::materials::GltfMaterial;
use super::schema::{Lenient, number, valid};
use super::skins::GltfSkins;
use crate::import::{ImportError, ImportWarning};
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{Hierarchy, Mesh, MeshInstance, NodeIndex, Primitive};

const RIGID_PALETTE_BYTES: usize = 256;

#[derive(Default)]
pub(super) struct GltfInstances {
    pub meshes: Vec<Mesh>,
    pub instances: Vec<MeshInstance>,
}

/// A node with a mesh. `mesh` is an index in the file, `skin` an index in the rig.
#[derive(Clone, Copy)]
struct MeshNode {
    node: NodeIndex,
    mesh: usize,
    skin: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum PrimitiveChoice {
    Skinned,
    Plain,
    /// All primitives, with influences removed.
    Stripped,
}

impl GltfLoader<'_> {
    pub(super) fn placed_meshes(
        &self,
        hierarchy: &Hierarchy,
        shown: &[bool],
        skins: &GltfSkins,
        surfaces: &mut [GltfMaterial],
    ) -> Result<GltfInstances, ImportError> {
        let uses = self.uses(hierarchy, shown, skins);
        let mut joint_counts: BTreeMap<usize, Option<usize>> = BTreeMap::new();
        for u in &uses {
            let smallest = joint_counts.entry(u.mesh).or_default();
            let count = u.skin.map(|s| skins.joint_count(s));
            *smallest = [*smallest, count].into_iter().flatten().min();
        }
        let mut primitives: BTreeMap<usize, Vec<Primitive>> = BTreeMap::new();
        for (&mesh, &joint_count) in &joint_counts {
            primitives.insert(mesh, self.primitives(mesh, joint_count, surfaces)?);
        }
        Ok(self.place_all(hierarchy, &uses, primitives))
    }

    fn uses(&self, hierarchy: &Hierarchy, shown: &[bool], skins: &GltfSkins) -> Vec<MeshNode> {
        let mut uses = Vec::new();
        for (node, _) in hierarchy.nodes().zip(shown).filter(|(_, is_shown)| **is_shown) {
            let source = self.source_node(hierarchy, node);
            let (mesh, skin) = (number(source.mesh), number(source.skin));
            let Some(mesh) = mesh else { continue };
            if let Some(skin) = skin.filter(|&s| s >= self.source.document.skins.len()) {
                self.report.warn(ImportWarning::skin_skipped(skin, "it does not exist"));
            }
            uses.push(MeshNode { node, mesh, skin: skin.and_then(|s| skins.by_source(s)) });
        }
        uses
    }

    fn place_all(
        &self,
        hierarchy: &Hierarchy,
        uses: &[MeshNode],
        primitives: BTreeMap<usize, Vec<Primitive>>,
    ) -> GltfInstances {
        let contents: BTreeMap<usize, MeshContent> =
            primitives.iter().map(|(m, list)| (*m, MeshContent::new(list))).collect();
        let mut wanted: Vec<(MeshNode, PrimitiveChoice)> = Vec::new();
        for u in uses {
            let content = contents.get(&u.mesh).copied().unwrap_or_default();
            wanted.extend(content.parts(u.skin.is_some()).map(|part| (*u, part)));
        }
        let kinds: BTreeSet<(usize, PrimitiveChoice)> = wanted.iter().map(|(u, part)| (u.mesh, *part)).collect();
        let mut placed = GltfInstances::default();
        let mut built: BTreeMap<(usize, PrimitiveChoice), usize> = BTreeMap::new();
        for (mesh, mut list) in primitives {
            let of_mesh: Vec<PrimitiveChoice> = kinds
                .range((mesh, PrimitiveChoice::Skinned)..=(mesh, PrimitiveChoice::Stripped))
                .map(|k| k.1)
                .collect();
            let last = of_mesh.last().copied();
            for part in of_mesh {
                let list = if Some(part) == last { std::mem::take(&mut list) } else { list.clone() };
                built.insert((mesh, part), placed.meshes.len());
                placed.meshes.push(self.mesh(mesh, part, list));
            }
        }
        let sizes: Vec<usize> = placed.meshes.iter().map(vertex_count).collect();
        for (u, part) in wanted {
            let Some(&mesh) = built.get(&(u.mesh, part)) else { continue };
            let vertices = sizes.get(mesh).copied().unwrap_or(0);
            let u = MeshNode { skin: u.skin.filter(|_| part == PrimitiveChoice::Skinned), ..u };
            placed.instances.extend(self.instance(hierarchy, u, mesh, vertices));
        }
        placed
    }

    fn mesh(&self, source: usize, part: PrimitiveChoice, mut primitives: Vec<Primitive>) -> Mesh {
        match part {
            PrimitiveChoice::Skinned => primitives.retain(|p| p.influences.is_some()),
            PrimitiveChoice::Plain => primitives.retain(|p| p.influences.is_none()),
            PrimitiveChoice::Stripped => {
                for primitive in primitives.iter_mut().filter(|p| p.influences.is_some()) {
                    primitive.influences = None;
                    let location = self.source.location(source, primitive.source);
                    self.warn_without_skin(&location);
                }
            }
        }
        let name = valid(&self.source.document.meshes, source).and_then(|m| m.name.clone());
        Mesh { source, name: name.unwrap_or_default(), primitives, target_names: self.target_names(source) }
    }

    fn target_names(&self, mesh: usize) -> Vec<String> {
        let Some(mesh_source) = valid(&self.source.document.meshes, mesh) else { return Vec::new() };
        let of_primitives = mesh_source.primitives.iter().filter_map(Lenient::valid).map(|p| &p.extras.known);
        let extras = std::iter::once(&mesh_source.extras.known).chain(of_primitives).filter_map(Lenient::valid);
        let Some(named) = extras.into_iter().find(|e| !e.target_names.is_empty()) else { return Vec::new() };
        let names = named.target_names.iter().take(self.source.target_count(mesh));
        names.map(|name| name.valid().cloned().unwrap_or_default()).collect()
    }

    fn instance(&self, hierarchy: &Hierarchy, u: MeshNode, mesh: usize, vertices: usize) -> Option<MeshInstance> {
        // Memory for positions, and for a palette unless the instance uses the palette of a skin. A small file may use
        // a large mesh a million times.
        let palette = if u.skin.is_some() { 0 } else { RIGID_PALETTE_BYTES };
        let posed = vertices.saturating_mul(12).saturating_add(palette);
        if !self.source.charge(posed as u64) {
            let node = hierarchy.source(u.node);
            self.report.warn_loss(ImportWarning::instance_skipped(node, u.mesh));
            return None;
        }
        let morph_weights = self.morph_weights(hierarchy, u);
        Some(MeshInstance { node: u.node, mesh, skin: u.skin, morph_weights })
    }

    /// Returns the morph weights of the node or, if the node has none, of the mesh. There is one weight per target.
    fn morph_weights(&self, hierarchy: &Hierarchy, u: MeshNode) -> Vec<f32> {
        let of_node = self.source_node(hierarchy, u.node).weights.as_deref().unwrap_or_default();
        let of_mesh = valid(&self.source.document.meshes, u.mesh).map(|m| m.weights.as_slice()).unwrap_or_default();
        let given = if of_node.is_empty() { of_mesh } else { of_node };
        let expected = self.source.target_count(u.mesh);
        if !given.is_empty() && given.len() != expected {
            let (node, actual) = (hierarchy.source(u.node), given.len());
            let weights = format!("Node {node} has {actual} morph weights for {expected} targets");
            let message = format!("{weights}; missing ones count as 0.");
            self.report.warn(ImportWarning::new(Code::MorphIgnored, Target::for_nodes([node]), message));
        }
        let mut weights: Vec<f32> = given.iter().take(expected).map(|w| if w.is_finite() { *w } else { 0.0 }).collect();
        weights.resize(expected, 0.0);
        weights
    }
}

fn vertex_count(mesh: &Mesh) -> usize {
    mesh.primitives.iter().map(|p| p.positions.len()).fold(0, usize::saturating_add)
}

#[derive(Clone, Copy, Default)]
struct MeshContent {
    has_skinned: bool,
    has_plain: bool,
}

impl MeshContent {
    fn new(primitives: &[Primitive]) -> Self {
        Self {
            has_skinned: primitives.iter().any(|p| p.influences.is_some()),
            has_plain: primitives.iter().any(|p| p.influences.is_none()),
        }
    }

    fn parts(self, has_skin: bool) -> impl Iterator<Item = PrimitiveChoice> {
        let plain = self.has_plain.then_some(PrimitiveChoice::Plain);
        let parts = match (has_skin, self.has_skinned) {
            (true, true) => [Some(PrimitiveChoice::Skinned), plain],
            (false, true) => [Some(PrimitiveChoice::Stripped), None],
            (_, false) => [plain, None],
        };
        parts.into_iter().flatten()
    }
}
