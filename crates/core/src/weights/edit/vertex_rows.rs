use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::part_vertices::part_in;
use super::vertex_row::VertexRow;
use crate::jobs::Progress;
use crate::rig::{
    Hierarchy, Influences, NodeIndex, Primitive, Rig, StoredInfluences, WeightSet, find_joints, position_bits,
};

/// Weights of individual vertices, with bind positions to identify the vertices in a changed file.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Vec<PrimitiveRows>", into = "Vec<PrimitiveRows>")]
pub struct VertexRows {
    parts: Arc<[PrimitiveRows]>,
    hash: u64,
    len: usize,
    bytes: usize,
}

/// Result of [`VertexRows::applied`].
#[derive(Clone, Debug, PartialEq)]
pub struct AppliedRows {
    /// Weights of primitives with edited vertices.
    pub weights: WeightSet,
    /// Edited vertices that were not applied because the rig lacks them or all of their joints.
    pub lost: usize,
}

/// Edited vertices of one primitive.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct PrimitiveRows {
    /// Index of the mesh.
    pub mesh: usize,
    /// Name of the mesh.
    pub name: String,
    /// Index of the primitive in its mesh.
    pub primitive: usize,
    /// Checksum of the triangles; as long as it is unchanged, vertex indices are valid.
    pub triangles: u32,
    /// Joint names of the rows, as in pose files.
    pub joints: Vec<String>,
    /// One row per vertex: `VERTEX X Y Z JOINT:WEIGHT …`, with its index, its bind position in metres, and indices into `joints`.
    #[schemars(with = "Vec<String>")]
    pub rows: Vec<VertexRow>,
}

impl PartialEq for VertexRows {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.parts, &other.parts) || self.hash == other.hash && self.parts == other.parts
    }
}

impl From<Vec<PrimitiveRows>> for VertexRows {
    fn from(parts: Vec<PrimitiveRows>) -> Self {
        let mut hasher = DefaultHasher::new();
        for part in &parts {
            (part.mesh, &part.name, part.primitive, part.triangles, &part.joints, part.rows.len()).hash(&mut hasher);
            for row in &part.rows {
                (row.vertex, row.at.to_array().map(f32::to_bits)).hash(&mut hasher);
                row.weights.iter().for_each(|(joint, weight)| (joint, weight.to_bits()).hash(&mut hasher));
            }
        }
        let len = parts.iter().map(|part| part.rows.len()).sum();
        let bytes = parts.iter().map(PrimitiveRows::bytes).sum();
        Self { parts: parts.into(), hash: hasher.finish(), len, bytes }
    }
}

impl From<VertexRows> for Vec<PrimitiveRows> {
    fn from(rows: VertexRows) -> Self {
        rows.parts.to_vec()
    }
}

impl PrimitiveRows {
    pub(super) fn new(rig: &Rig, mesh: usize, primitive: usize, joints: Vec<String>) -> Self {
        let source = &rig.meshes[mesh];
        let triangles = checksum(&source.primitives[primitive]);
        Self { mesh, name: source.name.clone(), primitive, triangles, joints, rows: Vec::new() }
    }

    /// Maps the rows to the vertices of a rig; also returns the number of rows dropped because their vertices are gone.
    fn placed(&self, rig: &Rig) -> (Option<Self>, usize) {
        let Some((mesh, primitive)) = part_in(rig, self.mesh, &self.name, self.primitive) else {
            return (None, self.rows.len());
        };
        let source = &rig.meshes[mesh].primitives[primitive];
        let mut finder = VertexFinder { part: self, source, has_same_triangles: None, by_place: None };
        let mut rows = BTreeMap::new();
        let mut lost = 0;
        for row in &self.rows {
            let vertices = finder.vertices(row);
            lost += usize::from(vertices.is_empty());
            for vertex in vertices {
                let at = source.positions[vertex as usize];
                rows.insert(vertex, VertexRow { vertex, at, weights: row.weights.clone() });
            }
        }
        let rows = rows.into_values().collect();
        (Some(Self { rows, ..Self::new(rig, mesh, primitive, self.joints.clone()) }), lost)
    }

    fn replace(&mut self, newer: &Self) {
        let mut known: HashMap<String, u16> = self.joints.iter().cloned().zip(0..).collect();
        let joints = &mut self.joints;
        let mut numbers: Vec<Option<u16>> = vec![None; newer.joints.len()];
        let mut number = |joint: u16| {
            let name = newer.joints.get(usize::from(joint))?;
            let place = &mut numbers[usize::from(joint)];
            Some(*place.get_or_insert_with(|| {
                *known.entry(name.clone()).or_insert_with(|| {
                    joints.push(name.clone());
                    (joints.len() - 1) as u16
                })
            }))
        };
        let mut rows: BTreeMap<u32, VertexRow> = self.rows.drain(..).map(|row| (row.vertex, row)).collect();
        for row in &newer.rows {
            let weights = row.weights.iter().filter_map(|(joint, weight)| Some((number(*joint)?, *weight)));
            rows.insert(row.vertex, VertexRow { weights: weights.collect(), ..*row });
        }
        self.rows = rows.into_values().collect();
    }

    fn bytes(&self) -> usize {
        let names: usize = self.joints.iter().map(|name| size_of::<String>() + name.len()).sum();
        let rows: usize = self.rows.iter().map(|row| size_of::<VertexRow>() + size_of_val(&*row.weights)).sum();
        size_of::<Self>() + self.name.len() + names + rows
    }

    /// Applies the rows, ignoring joints that the skin lacks. Also returns the number of rows that could not be
    /// applied, for example because the skin lacks all their joints.
    fn apply_to_influences(&self, own: &Influences, hierarchy: &Hierarchy, skin: &[NodeIndex]) -> (Influences, usize) {
        let slot_of: HashMap<NodeIndex, u16> = skin.iter().copied().zip(0..).collect();
        let slots: Vec<Option<u16>> =
            find_joints(hierarchy, &self.joints).into_iter().map(|node| slot_of.get(&node?).copied()).collect();
        let mut rows = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let found = row.weights.iter().filter_map(|(joint, w)| Some(((*slots.get(usize::from(*joint))?)?, *w)));
            let mut found: Vec<(u16, f32)> = found.filter(|(_, weight)| *weight > 0.0).collect();
            let sum: f64 = found.iter().map(|(_, weight)| f64::from(*weight)).sum();
            for (_, weight) in &mut found {
                *weight = (f64::from(*weight) / sum) as f32;
            }
            found.sort_by(|a, b| b.1.total_cmp(&a.1));
            if !found.is_empty() && (row.vertex as usize) < own.len() {
                rows.push((row.vertex, found));
            }
        }
        let lost = self.rows.len() - rows.len();
        (replaced(own, &rows), lost)
    }
}

struct VertexFinder<'a> {
    part: &'a PrimitiveRows,
    source: &'a Primitive,
    has_same_triangles: Option<bool>,
    by_place: Option<HashMap<[u32; 3], Vec<u32>>>,
}

impl VertexFinder<'_> {
    /// Returns the vertex with the same index if its position or the triangles are unchanged, otherwise all vertices at
    /// the stored position.
    fn vertices(&mut self, row: &VertexRow) -> Vec<u32> {
        let now = self.source.positions.get(row.vertex as usize);
        if now == Some(&row.at) {
            return vec![row.vertex];
        }
        let (part, source) = (self.part, self.source);
        if now.is_some() && *self.has_same_triangles.get_or_insert_with(|| checksum(source) == part.triangles) {
            return vec![row.vertex];
        }
        let by_place = self.by_place.get_or_insert_with(|| {
            let mut by_place: HashMap<[u32; 3], Vec<u32>> = HashMap::new();
            for (vertex, at) in (0..).zip(&source.positions) {
                by_place.entry(position_bits(*at)).or_default().push(vertex);
            }
            by_place
        });
        by_place.get(&position_bits(row.at)).cloned().unwrap_or_default()
    }
}

impl VertexRows {
    /// Returns the number of vertices.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the memory use in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns these rows transferred to a rig and overridden by `newer`. Drops rows that do not fit the rig.
    #[must_use]
    pub fn with(&self, newer: &Self, rig: &Rig) -> Self {
        let mut parts: BTreeMap<(usize, usize), PrimitiveRows> = BTreeMap::new();
        let placed = self.parts.iter().filter_map(|part| part.placed(rig).0);
        for part in placed.chain(newer.parts.iter().cloned()) {
            let known = parts.entry((part.mesh, part.primitive));
            known
                .or_insert_with(|| PrimitiveRows { joints: Vec::new(), rows: Vec::new(), ..part.clone() })
                .replace(&part);
        }
        parts.into_values().collect::<Vec<_>>().into()
    }

    /// Returns a rig's weights with these rows applied. `None` if cancelled. *Cost*: linear in vertices.
    pub fn applied(&self, rig: &Rig, progress: &Progress) -> Option<AppliedRows> {
        let mut applied = AppliedRows { weights: WeightSet::unchanged(rig), lost: 0 };
        for part in &*self.parts {
            progress.check_cancelled()?;
            let (placed, gone) = part.placed(rig);
            applied.lost += gone;
            let Some(placed) = placed else { continue };
            let skin = rig.instances.iter().find(|i| i.mesh == placed.mesh && i.skin.is_some()).and_then(|i| i.skin);
            let own = &rig.meshes[placed.mesh].primitives[placed.primitive].influences;
            // If several stored primitives map to one, later rows win.
            let own = applied.weights.get(placed.mesh, placed.primitive).or(own.as_ref());
            let Some((own, skin)) = own.zip(skin) else {
                applied.lost += placed.rows.len();
                continue;
            };
            let (influences, gone) = placed.apply_to_influences(own, &rig.hierarchy, &rig.skins[skin].joints);
            applied.lost += gone;
            applied.weights.set(placed.mesh, placed.primitive, influences);
        }
        Some(applied)
    }
}

/// Replaces the influences of some vertices by `rows`, heaviest first. The result has as many slots as the longest row
/// needs.
fn replaced(own: &Influences, rows: &[(u32, Vec<(u16, f32)>)]) -> Influences {
    let width = rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
    let slots = rows.iter().flat_map(|(_, row)| (0..width).map(|slot| row.get(slot).copied().unwrap_or_default()));
    let (joints, weights) = slots.unzip();
    let vertices = rows.iter().map(|(vertex, _)| *vertex).collect();
    StoredInfluences::new(width, vertices, joints, weights).applied_to(own)
}

/// Returns the FNV-1a checksum of a primitive's triangles and vertex count.
fn checksum(primitive: &Primitive) -> u32 {
    let numbers = primitive.indices.iter().copied().chain([primitive.positions.len() as u32]);
    numbers.fold(0x811C_9DC5, |hash, number| (hash ^ number).wrapping_mul(0x0100_0193))
}
