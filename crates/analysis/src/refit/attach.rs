//! Attaches the skinned meshes of another file, such as an outfit.
//!
//! `A_j` is a joint of the outfit, `B_k` its counterpart in the body and `S` the mapping from the outfit's to the body's
//! world, all at rest. The body's joint carries the skin of the outfit's joint at `C_j`:
//!
//! | rest poses | `C_j` | result |
//! | --- | --- | --- |
//! | agree | `S * A_j` | the outfit stays where it is, with any axes of the joints |
//! | differ | `B_k`, with the outfit's scale | each joint moves its skin as in the outfit's file |
//!
//! `IB_j` becomes `inverse(B_k) * C_j * IB_j`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use glam::{Affine3, DAffine3, DMat3, DVec3};

use super::binds::is_near;
use super::error::RefitError;
use super::nodes::{NodeMap, with_nodes};
use super::refitted::Refitted;
use super::skeleton::{SkeletonNodes, hierarchy_worlds, rest_worlds};
use rigscope_core::matching::RigMatch;
use rigscope_core::rig::{
    FirstPersonVisibility, Influences, MapKind, MaterialIndex, Mesh, MeshInstance, NodeDescription, NodeIndex, Rig,
    RigData, Skin, Trs,
};
use rigscope_core::text::{counted, listed};
use rigscope_core::view::NO_JOINTS;
use rigscope_io::import::{ImportError, Job, import_file};

const NAME: &str = "attach";
const NAMED: usize = 4;

/// Distance up to which joints count as being at the same place, as a fraction of the body's size.
const SAME_PLACE: f64 = 5e-3;

/// Relative difference up to which binds count as equal.
const SAME_BIND: f64 = 1e-3;

/// A file whose skinned meshes are attached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outfit {
    /// Path of the file.
    pub path: String,
    /// Whether joints that the body lacks are added; otherwise, their weights go to the counterpart of their nearest
    /// matched ancestor.
    pub adds_joints: bool,
}

impl Outfit {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let path = text.strip_suffix(NO_JOINTS);
        let outfit = Self { path: path.unwrap_or(text).to_owned(), adds_joints: path.is_none() };
        if outfit.path.is_empty() { Err("give the path of a file".to_owned()) } else { Ok(outfit) }
    }

    /// Reads the file. *Errors*: [`RefitError::Cancelled`], or the file can't be read.
    pub(super) fn read(&self, job: &Job) -> Result<Rig, RefitError> {
        let refused = |error: ImportError| match error {
            ImportError::Cancelled => RefitError::Cancelled,
            error => RefitError::new(NAME, format!("{error} ({})", self.path)),
        };
        import_file(Path::new(&self.path), job).map(|imported| imported.rig).map_err(refused)
    }
}

impl fmt::Display for Outfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.path, if self.adds_joints { "" } else { NO_JOINTS })
    }
}

pub(super) fn attach(body: &Rig, outfit: &Rig, adds_joints: bool) -> Result<Refitted, RefitError> {
    let fitting = Fitting::new(body, outfit, adds_joints)?;
    let mut nodes = body.hierarchy.descriptions();
    let new_source: Vec<Option<usize>> = (0..nodes.len()).map(Some).collect();
    let joints = if adds_joints { fitting.add_joints(&mut nodes) } else { BTreeMap::new() };
    let carriers = fitting.add_carriers(&mut nodes);
    let (mut data, map) = with_nodes(body, &nodes, &new_source, NAME)?;
    for (node, source) in joints.iter().chain(&carriers) {
        copy_text(&outfit.extras.nodes, outfit.hierarchy.source(*node), &mut data.extras.nodes, *source);
    }
    let attached = AttachedNodes { joints, carriers, map: &map };
    let skins = fitting.add_skins(&mut data, &attached)?;
    let meshes = fitting.add_meshes(&mut data, &attached, &skins);
    let note = fitting.note(&data, &skins, meshes, &attached.joints);
    Ok(Refitted::with_map(data, map, NAME, &note))
}

/// A skin of the outfit in the new rig.
struct AttachedSkin {
    /// Index into the skins of the new rig.
    number: usize,
    /// New slot of each slot, if joints gave their weights to others.
    slots: Option<Vec<u16>>,
    /// Joints that gave their weights to others.
    givers: Vec<NodeIndex>,
    /// Number of them that are bound in another pose than the joints that take their weights.
    posed: usize,
}

/// Nodes in the new rig.
struct AttachedNodes<'a> {
    /// Index in the file of each added joint, by the outfit's node.
    joints: BTreeMap<NodeIndex, usize>,
    /// Index in the file of each added node with meshes, by the outfit's node.
    carriers: BTreeMap<NodeIndex, usize>,
    map: &'a NodeMap,
}

struct Fitting<'a> {
    body: &'a Rig,
    outfit: &'a Rig,
    /// Node of the body for each node of the outfit.
    counterparts: Vec<Option<NodeIndex>>,
    /// `B_k` of each node of the body.
    worlds: Vec<DAffine3>,
    /// `C_j` of each node of the outfit.
    carried: Vec<DAffine3>,
    /// Whether joints that the body lacks are added.
    adds_joints: bool,
    /// Number of weighted joints of the outfit, and of those with a counterpart.
    weighted: [usize; 2],
    /// Joint with the largest distance from its counterpart, and the distance in metres, if the rest poses differ.
    farthest: Option<(NodeIndex, f64)>,
}

impl<'a> Fitting<'a> {
    fn new(body: &'a Rig, outfit: &'a Rig, adds_joints: bool) -> Result<Self, RefitError> {
        let refused = |reason: String| Err(RefitError::new(NAME, reason));
        let joints: BTreeSet<NodeIndex> =
            used_skins(outfit).flat_map(|skin| outfit.skins[skin].joints.clone()).collect();
        if joints.is_empty() {
            return refused("the other file has no skinned mesh".to_owned());
        }
        let matched = RigMatch::new(outfit, body);
        let is_of_skeleton = [outfit, body].map(|rig| SkeletonNodes::new(rig).iter().collect::<BTreeSet<NodeIndex>>());
        let counterpart = |node: NodeIndex| {
            let found = matched.joints.new_for(node)?;
            (is_of_skeleton[0].contains(&node) && is_of_skeleton[1].contains(&found)).then_some(found)
        };
        let counterparts: Vec<Option<NodeIndex>> = outfit.hierarchy.nodes().map(counterpart).collect();
        let weighted: Vec<NodeIndex> = joints.into_iter().filter(|joint| outfit.moved_vertices(*joint) > 0).collect();
        let pairs: Vec<(NodeIndex, NodeIndex)> =
            weighted.iter().filter_map(|joint| Some((*joint, counterparts[joint.index()]?))).collect();
        if pairs.is_empty() || 2 * pairs.len() < weighted.len() {
            let (count, joints) = (pairs.len(), counted(weighted.len(), "joint", "joints"));
            return refused(format!(
                "only {count} of the {joints} that move the outfit have a counterpart in the body"
            ));
        }
        let [of_outfit, worlds] = [outfit, body].map(rest_worlds);
        let space = matched.space.affine().as_daffine3();
        let distance = |&(joint, counterpart): &(NodeIndex, NodeIndex)| {
            let place = space.transform_point3(of_outfit[joint.index()].translation);
            (joint, place.distance(worlds[counterpart.index()].translation))
        };
        let farthest = pairs.iter().map(distance).max_by(|a, b| a.1.total_cmp(&b.1));
        let farthest = farthest.filter(|(_, distance)| *distance > SAME_PLACE * f64::from(body.size()));
        let mut carried: Vec<DAffine3> = Vec::with_capacity(of_outfit.len());
        for node in outfit.hierarchy.nodes() {
            let local = outfit.hierarchy.rest_local(node).as_daffine3();
            let above = outfit.hierarchy.parent(node).map_or(space, |parent| carried[parent.index()]);
            carried.push(match counterparts[node.index()].filter(|_| farthest.is_some()) {
                Some(counterpart) => {
                    let own = worlds[counterpart.index()];
                    let scale = scale(&space) * scale(&of_outfit[node.index()]) / scale(&own);
                    own * DAffine3::from_scale(DVec3::splat(if scale.is_normal() { scale } else { 1.0 }))
                }
                None => above * local,
            });
        }
        let weighted = [weighted.len(), pairs.len()];
        Ok(Self { body, outfit, counterparts, worlds, carried, adds_joints, weighted, farthest })
    }

    fn counterpart(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.counterparts[node.index()]
    }

    fn is_identity(&self, matrix: &DAffine3) -> bool {
        is_near(matrix, &DAffine3::IDENTITY, self.body.size().into())
    }

    /// Adds the joints that the body lacks, with the nodes between them and their nearest counterpart.
    fn add_joints(&self, nodes: &mut Vec<NodeDescription>) -> BTreeMap<NodeIndex, usize> {
        let hierarchy = &self.outfit.hierarchy;
        let mut needed: BTreeSet<NodeIndex> = BTreeSet::new();
        for joint in used_skins(self.outfit).flat_map(|skin| &self.outfit.skins[skin].joints) {
            let line = std::iter::once(*joint).chain(hierarchy.ancestors(*joint));
            needed.extend(line.take_while(|node| self.counterpart(*node).is_none()));
        }
        let described = hierarchy.descriptions();
        let mut added: BTreeMap<NodeIndex, usize> = BTreeMap::new();
        // Parents first.
        for node in needed {
            let parent = hierarchy.parent(node);
            let counterpart = parent.and_then(|parent| self.counterpart(parent));
            let source = &described[hierarchy.source(node)];
            let mut new = NodeDescription {
                name: free_name(nodes, hierarchy.name(node)),
                children: Vec::new(),
                ..source.clone()
            };
            // The transform of the outfit's parent, seen from the new parent.
            let above = match (parent, counterpart) {
                (Some(parent), Some(there)) => self.worlds[there.index()].inverse() * self.carried[parent.index()],
                (Some(_), None) => DAffine3::IDENTITY,
                (None, _) => self.carried[node.index()] * hierarchy.rest_local(node).as_daffine3().inverse(),
            };
            if above.is_finite() && !self.is_identity(&above) {
                let local = above * hierarchy.rest_local(node).as_daffine3();
                new.rest = Trs::from_affine(&local.as_affine3());
                let is_exact = is_near(&new.rest.to_affine().as_daffine3(), &local, self.body.size().into());
                new.matrix = (!is_exact).then(|| local.as_affine3());
            }
            let number = nodes.len();
            let above = counterpart.map(|there| self.body.hierarchy.source(there));
            if let Some(above) = above.or_else(|| added.get(&parent?).copied()) {
                nodes[above].children.push(number);
            }
            nodes.push(new);
            added.insert(node, number);
        }
        added
    }

    /// Adds a root for each node of the outfit with a skinned mesh, since its transform has no effect.
    fn add_carriers(&self, nodes: &mut Vec<NodeDescription>) -> BTreeMap<NodeIndex, usize> {
        let mut added = BTreeMap::new();
        for instance in skinned_instances(self.outfit) {
            added.entry(instance.node).or_insert_with(|| {
                let name = free_name(nodes, self.outfit.hierarchy.name(instance.node));
                nodes.push(NodeDescription { name, ..NodeDescription::default() });
                nodes.len() - 1
            });
        }
        added
    }

    /// Adds the skins of the outfit. Returns each by its index in the outfit.
    fn add_skins(
        &self,
        data: &mut RigData,
        nodes: &AttachedNodes<'_>,
    ) -> Result<BTreeMap<usize, AttachedSkin>, RefitError> {
        let worlds = hierarchy_worlds(&data.hierarchy);
        let known = data.skins.iter().map(|skin| skin.source).chain(data.extras.skins.keys().copied());
        let next = known.max().map_or(0, |last| last + 1)..;
        let mut added = BTreeMap::new();
        for (number, source) in used_skins(self.outfit).zip(next) {
            let skin = &self.outfit.skins[number];
            let mut new = Skin { source, joints: Vec::new(), inverse_bind: Vec::new(), ..skin.clone() };
            let mut slots = vec![0; skin.joints.len()];
            let (mut givers, mut posed) = (Vec::new(), 0);
            // Joints with a counterpart first, so that others find it.
            let is_giver = |slot: &usize| !self.adds_joints && self.counterpart(skin.joints[*slot]).is_none();
            let (giving, kept): (Vec<usize>, Vec<usize>) = (0..skin.joints.len()).partition(is_giver);
            for slot in kept {
                slots[slot] = new.joints.len() as u16;
                let joint = skin.joints[slot];
                self.add_joint(&mut new, joint, (joint, &skin.inverse_bind[slot]), (data, nodes, &worlds))?;
            }
            for slot in giving.iter().copied().filter(|slot| self.outfit.moved_vertices(skin.joints[*slot]) > 0) {
                let joint = skin.joints[slot];
                let heir = self.heir(joint)?;
                let there = self.counterpart(heir).and_then(|there| nodes.map[there.index()]);
                let known = new.joints.iter().position(|known| Some(*known) == there);
                slots[slot] = known.unwrap_or(new.joints.len()) as u16;
                let bind = &skin.inverse_bind[slot];
                match known.zip(there) {
                    Some((at, there)) => {
                        let wanted = worlds[there.index()].inverse() * self.carried[joint.index()] * bind.as_daffine3();
                        let is_same = is_same_bind(&new.inverse_bind[at].as_daffine3(), &wanted, self.body.size());
                        posed += usize::from(!is_same);
                    }
                    None => self.add_joint(&mut new, heir, (joint, bind), (data, nodes, &worlds))?,
                }
                givers.push(joint);
            }
            copy_text(&self.outfit.extras.skins, skin.source, &mut data.extras.skins, source);
            let slots = (!giving.is_empty()).then_some(slots);
            added.insert(number, AttachedSkin { number: data.skins.len(), slots, givers, posed });
            data.skins.push(new);
        }
        Ok(added)
    }

    /// Adds the counterpart of `taker` to a skin, bound so that it carries the skin at rest like `joint` of the outfit.
    fn add_joint(
        &self,
        skin: &mut Skin,
        taker: NodeIndex,
        (joint, bind): (NodeIndex, &Affine3),
        (data, nodes, worlds): (&RigData, &AttachedNodes<'_>, &[DAffine3]),
    ) -> Result<(), RefitError> {
        let there = self.counterpart(taker).and_then(|there| nodes.map[there.index()]);
        let there = there.or_else(|| data.hierarchy.by_source(*nodes.joints.get(&taker)?));
        let name = self.outfit.hierarchy.name(joint);
        let Some(there) = there else {
            return Err(RefitError::new(NAME, format!("\"{name}\" can't be added")));
        };
        let moved = worlds[there.index()].inverse() * self.carried[joint.index()];
        if !moved.is_finite() {
            return Err(RefitError::new(NAME, format!("\"{name}\" has a scale of 0 at rest")));
        }
        skin.joints.push(there);
        let is_same = self.is_identity(&moved);
        skin.inverse_bind.push(if is_same { *bind } else { (moved * bind.as_daffine3()).as_affine3() });
        Ok(())
    }

    /// Returns the nearest ancestor with a counterpart.
    fn heir(&self, joint: NodeIndex) -> Result<NodeIndex, RefitError> {
        let mut ancestors = self.outfit.hierarchy.ancestors(joint);
        ancestors.find(|node| self.counterpart(*node).is_some()).ok_or_else(|| {
            let name = self.outfit.hierarchy.name(joint);
            RefitError::new(NAME, format!("no joint above \"{name}\" has a counterpart that could take its weights"))
        })
    }

    /// Adds the skinned meshes of the outfit, after those of the body. Returns their number.
    fn add_meshes(
        &self,
        data: &mut RigData,
        nodes: &AttachedNodes<'_>,
        skins: &BTreeMap<usize, AttachedSkin>,
    ) -> usize {
        let known = data.meshes.iter().map(|mesh| mesh.source).chain(data.extras.meshes.keys().copied());
        let known = known.chain(data.extras.primitives.keys().map(|(mesh, _)| *mesh));
        let mut next = known.max().map_or(0, |last| last + 1)..;
        let mut surfaces = SurfaceCopies::default();
        let mut meshes: BTreeMap<(usize, Option<usize>), usize> = BTreeMap::new();
        for instance in skinned_instances(self.outfit) {
            let carrier = nodes.carriers.get(&instance.node).and_then(|source| data.hierarchy.by_source(*source));
            let Some((node, source)) = carrier.zip(next.next()) else { continue };
            let skin = instance.skin.and_then(|skin| skins.get(&skin));
            let slots = skin.and_then(|skin| skin.slots.as_ref());
            // Skins may number their joints differently.
            let key = (instance.mesh, slots.and(instance.skin));
            let mesh = *meshes.entry(key).or_insert_with(|| {
                let mut mesh = self.outfit.meshes[instance.mesh].clone();
                self.copy_mesh_texts(&mesh, source, data);
                mesh.source = source;
                for primitive in &mut mesh.primitives {
                    if let Some(material) = &mut primitive.material {
                        *material = surfaces.material(self.outfit, *material, data);
                    }
                    if let Some((slots, influences)) = slots.zip(primitive.influences.as_ref()) {
                        primitive.influences = Some(merged(influences, slots));
                        primitive.stored_influences = None;
                    }
                }
                data.meshes.push(mesh);
                data.meshes.len() - 1
            });
            let skin = skin.map(|skin| skin.number);
            data.instances.push(MeshInstance { node, mesh, skin, morph_weights: instance.morph_weights.clone() });
            if !data.seen_by.is_empty() {
                data.seen_by.push(FirstPersonVisibility::All);
            }
        }
        meshes.len()
    }

    fn copy_mesh_texts(&self, mesh: &Mesh, source: usize, data: &mut RigData) {
        let from = &self.outfit.extras;
        copy_text(&from.meshes, mesh.source, &mut data.extras.meshes, source);
        for primitive in mesh.primitives.iter().map(|primitive| primitive.source) {
            copy_text(&from.primitives, (mesh.source, primitive), &mut data.extras.primitives, (source, primitive));
        }
    }

    fn note(
        &self,
        data: &RigData,
        skins: &BTreeMap<usize, AttachedSkin>,
        meshes: usize,
        added: &BTreeMap<NodeIndex, usize>,
    ) -> String {
        let [weighted, matched] = self.weighted;
        let mut clauses = vec![format!(
            "{}, {matched} of {} matched",
            counted(meshes, "mesh", "meshes"),
            counted(weighted, "joint", "joints")
        )];
        if !added.is_empty() {
            let names: Vec<&str> = added.keys().map(|node| self.outfit.hierarchy.name(*node)).collect();
            clauses.push(format!("added {}: {}", counted(names.len(), "node", "nodes"), listed(&names, NAMED)));
        }
        let givers: BTreeSet<NodeIndex> = skins.values().flat_map(|skin| skin.givers.iter().copied()).collect();
        if !givers.is_empty() {
            let names: Vec<&str> = givers.iter().map(|node| self.outfit.hierarchy.name(*node)).collect();
            let count = counted(names.len(), "joint", "joints");
            clauses.push(format!("gave the weights of {count} to joints above: {}", listed(&names, NAMED)));
            let posed: usize = skins.values().map(|skin| skin.posed).sum();
            if posed > 0 {
                let joints = counted(posed, "of them is", "of them are");
                clauses.push(format!("{joints} bound in another pose than the joints that take their weights"));
            }
        }
        if let Some((joint, distance_m)) = self.farthest {
            let name = self.outfit.hierarchy.name(joint);
            clauses.push(format!(
                "the rest poses differ, by {distance_m:.3} m at \"{name}\": each joint moves the outfit as in its file"
            ));
        }
        let rebound = self.differing_binds(data, skins);
        if rebound > 0 {
            clauses.push(format!(
                "{} bound in another pose or space than the body",
                counted(rebound, "joint is", "joints are")
            ));
        }
        let left_out = self.left_out();
        if !left_out.is_empty() {
            let left_out: Vec<&str> = left_out.iter().map(String::as_str).collect();
            clauses.push(format!("without its {}", listed(&left_out, left_out.len())));
        }
        clauses.join("; ")
    }

    /// Returns what is not attached.
    fn left_out(&self) -> Vec<String> {
        let outfit = self.outfit;
        let kinds = [
            ("clips", !outfit.clips.is_empty()),
            ("constraints", !outfit.constraints.is_empty() || !outfit.unrun_constraints.is_empty()),
            ("springs", !outfit.spring_bones.chains.is_empty()),
            ("cameras", !outfit.cameras.is_empty()),
            ("VRM data", outfit.vrm_version.is_some()),
        ];
        let mut found: Vec<String> = kinds.into_iter().filter(|(_, is_there)| *is_there).map(|k| k.0.into()).collect();
        let unskinned = outfit.instances.iter().filter(|instance| instance.skin.is_none());
        let name = |instance: &MeshInstance| outfit.hierarchy.name(instance.node);
        let names: Vec<&str> = unskinned.map(name).collect();
        if !names.is_empty() {
            let count = counted(names.len(), "mesh", "meshes");
            found.push(format!("{count} without a skin ({})", listed(&names, NAMED)));
        }
        found
    }

    /// Returns the number of joints whose bind in the outfit differs from that in the body's first skin with the joint.
    fn differing_binds(&self, data: &RigData, skins: &BTreeMap<usize, AttachedSkin>) -> usize {
        let mut of_body: BTreeMap<NodeIndex, DAffine3> = BTreeMap::new();
        for skin in &data.skins[..self.body.skins.len()] {
            for (joint, bind) in skin.joints.iter().zip(&skin.inverse_bind) {
                of_body.entry(*joint).or_insert_with(|| bind.as_daffine3());
            }
        }
        let differs = |(joint, bind): (&NodeIndex, DAffine3)| {
            let is_same = of_body.get(joint).is_none_or(|own| is_same_bind(own, &bind, self.body.size()));
            (!is_same).then_some(*joint)
        };
        let skins = skins.values().map(|skin| &data.skins[skin.number]);
        let binds = skins.flat_map(|skin| skin.joints.iter().zip(skin.inverse_bind.iter().map(Affine3::as_daffine3)));
        binds.filter_map(differs).collect::<BTreeSet<NodeIndex>>().len()
    }
}

fn is_same_bind(a: &DAffine3, b: &DAffine3, size: f32) -> bool {
    let moved = a.inverse() * *b;
    let turned = moved.matrix3 - DMat3::IDENTITY;
    turned.to_cols_array().into_iter().all(|x| x.abs() <= SAME_BIND)
        && moved.translation.length() <= SAME_BIND * f64::from(size)
}

fn skinned_instances(rig: &Rig) -> impl Iterator<Item = &MeshInstance> {
    rig.instances.iter().filter(|instance| instance.skin.is_some())
}

/// Returns the skins of skinned meshes, in order.
fn used_skins(rig: &Rig) -> impl Iterator<Item = usize> + use<> {
    skinned_instances(rig).filter_map(|instance| instance.skin).collect::<BTreeSet<usize>>().into_iter()
}

fn scale(matrix: &DAffine3) -> f64 {
    matrix.matrix3.determinant().abs().cbrt()
}

/// Returns a name that no node has.
fn free_name(nodes: &[NodeDescription], wanted: &str) -> String {
    let is_free = |name: &String| nodes.iter().all(|node| node.name != *name);
    let numbered = (2_usize..).map(|number| format!("{wanted} {number}"));
    std::iter::once(wanted.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

fn copy_text<K: Ord + Copy>(from: &BTreeMap<K, String>, source: K, to: &mut BTreeMap<K, String>, target: K) {
    if let Some(text) = from.get(&source) {
        to.insert(target, text.clone());
    }
}

/// Replaces each slot by `slots[slot]`, and adds the weights of equal slots.
fn merged(influences: &Influences, slots: &[u16]) -> Influences {
    let row = |vertex: usize| {
        let mut row: Vec<(u16, f32)> = Vec::new();
        for (slot, weight) in influences.vertex(vertex).filter(|(_, weight)| *weight > 0.0) {
            let slot = slots.get(slot).copied().unwrap_or(0);
            match row.iter_mut().find(|(known, _)| *known == slot) {
                Some((_, sum)) => *sum += weight,
                None => row.push((slot, weight)),
            }
        }
        row.sort_by(|a, b| b.1.total_cmp(&a.1));
        row
    };
    Influences::from_rows(&(0..influences.len()).map(row).collect::<Vec<_>>())
}

/// New index of each copied material and image.
#[derive(Default)]
struct SurfaceCopies {
    materials: BTreeMap<usize, usize>,
    images: BTreeMap<usize, usize>,
}

impl SurfaceCopies {
    fn material(&mut self, outfit: &Rig, MaterialIndex(index): MaterialIndex, data: &mut RigData) -> MaterialIndex {
        if let Some(known) = self.materials.get(&index) {
            return MaterialIndex(*known);
        }
        let mut material = outfit.materials.get(index).cloned().unwrap_or_default();
        if let Some(texture) = &mut material.texture {
            texture.image = self.image(outfit, texture.image, data);
        }
        for kind in MapKind::ALL {
            if let Some(texture) = &mut material.maps[kind] {
                texture.image = self.image(outfit, texture.image, data);
            }
        }
        let number = data.materials.len();
        copy_text(&outfit.extras.materials, index, &mut data.extras.materials, number);
        data.materials.push(material);
        self.materials.insert(index, number);
        MaterialIndex(number)
    }

    fn image(&mut self, outfit: &Rig, index: usize, data: &mut RigData) -> usize {
        *self.images.entry(index).or_insert_with(|| {
            let number = data.images.len();
            data.images.push(outfit.images[index].clone());
            if let Some(bytes) = outfit.full_images.get(&index) {
                data.full_images.insert(number, Arc::clone(bytes));
            }
            number
        })
    }
}
