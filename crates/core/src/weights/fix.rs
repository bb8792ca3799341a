//! Fixes the weight faults that lint reports.

use std::collections::BTreeMap;
use std::fmt;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::compute::compute;
use super::spec::WeightResult;
use super::weighting::Recipe;
use crate::jobs::Progress;
use crate::rig::{Influences, Rig, VertexList, WeightSet};

/// Smallest non-zero 8-bit weight.
const MIN_WEIGHT: f32 = 1.0 / 255.0;
/// Maximum number of influences per vertex that most engines support.
const MAX_INFLUENCES: usize = 4;

/// A kind of repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Repair {
    /// Normalizes weights that are negative or not finite, belong to unknown joints, or don't sum to 1. Import has
    /// already done this.
    Normalize,
    /// Computes weights for vertices that have none.
    Weight,
    /// Merges influences of the same joint.
    Merge,
    /// Drops influences below 1/255.
    Prune,
    /// Keeps the four heaviest influences.
    Limit,
}

impl Repair {
    /// All repairs, in order of application.
    pub const ALL: [Self; 5] = [Self::Normalize, Self::Weight, Self::Merge, Self::Prune, Self::Limit];
}

/// Vertices with a fault that import reported; used by [`Repair::Normalize`] and [`Repair::Weight`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFault {
    /// Repair for these vertices.
    pub repair: Repair,
    /// Index of the mesh in the file.
    pub mesh: usize,
    /// Index of the primitive in the file's mesh.
    pub primitive: usize,
    /// Indices in the primitive.
    pub vertices: VertexList,
}

/// A repair that changed a primitive. Displays as a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepairedPrimitive {
    /// Kind of repair.
    pub repair: Repair,
    /// Index of the mesh in the file.
    pub mesh: usize,
    /// Index of the primitive in the file's mesh.
    pub primitive: usize,
    /// Number of changed vertices.
    pub vertices: usize,
}

/// Result of [`fix()`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightRepairResult {
    /// Weights of the changed primitives.
    pub weights: WeightSet,
    /// Changed primitives, in the order of meshes and primitives.
    pub changes: Vec<RepairedPrimitive>,
    /// Notes on computed weights, as sentences.
    pub notes: Vec<String>,
}

/// Applies repairs to all vertices that need them; changed weights sum to 1. `None` if cancelled.
///
/// *Cost*: linear in vertices, plus the cost of [`compute()`] if some have no weight.
pub fn fix(rig: &Rig, repairs: &[Repair], stored: &[StoredFault], progress: &Progress) -> Option<WeightRepairResult> {
    let stored: Vec<&StoredFault> = stored.iter().filter(|fault| repairs.contains(&fault.repair)).collect();
    let needs_weights = stored.iter().any(|fault| fault.repair == Repair::Weight);
    let computed = if needs_weights { compute(rig, &Recipe::default(), progress)? } else { WeightResult::default() };
    let mut fixed =
        WeightRepairResult { weights: WeightSet::unchanged(rig), changes: Vec::new(), notes: computed.notes };
    for (mesh, source) in rig.meshes.iter().enumerate() {
        for (primitive, part) in source.primitives.iter().enumerate() {
            progress.check_cancelled()?;
            let Some(own) = &part.influences else { continue };
            let of_part = stored.iter().filter(|f| (f.mesh, f.primitive) == (source.source, part.source));
            let mut counts: BTreeMap<Repair, usize> = BTreeMap::new();
            let mut rows: Vec<Row> = (0..own.len()).into_par_iter().map(|vertex| row(own, vertex)).collect();
            for fault in of_part {
                *counts.entry(fault.repair).or_default() += fault.vertices.count();
                let made = computed.weights.get(mesh, primitive).filter(|_| fault.repair == Repair::Weight);
                for (made, &vertex) in
                    made.iter().flat_map(|made| fault.vertices.first().iter().map(move |v| (made, v)))
                {
                    if let Some(place) = rows.get_mut(vertex as usize) {
                        *place = row(made, vertex as usize);
                    }
                }
            }
            for (repair, repair_row) in ROW_REPAIRS.into_iter().filter(|(repair, _)| repairs.contains(repair)) {
                let repaired = rows.par_iter_mut().filter_map(|row| repair_row(row).then(|| normalize(row))).count();
                *counts.entry(repair).or_default() += repaired;
            }
            counts.retain(|_, vertices| *vertices > 0);
            if !counts.is_empty() {
                fixed.weights.set(mesh, primitive, Influences::from_rows(&rows));
            }
            let change = |(repair, vertices)| RepairedPrimitive {
                repair,
                mesh: source.source,
                primitive: part.source,
                vertices,
            };
            fixed.changes.extend(counts.into_iter().map(change));
        }
    }
    Some(fixed)
}

type Row = Vec<(u16, f32)>;

type RepairRow = fn(&mut Row) -> bool;

const ROW_REPAIRS: [(Repair, RepairRow); 3] = [(Repair::Merge, merge), (Repair::Prune, prune), (Repair::Limit, limit)];

fn row(influences: &Influences, vertex: usize) -> Row {
    if vertex >= influences.len() {
        return Vec::new();
    }
    influences
        .vertex(vertex)
        .filter(|(_, weight)| *weight > 0.0)
        .map(|(joint, weight)| (joint as u16, weight))
        .collect()
}

fn merge(row: &mut Row) -> bool {
    let mut merged = Row::new();
    for &(joint, weight) in row.iter() {
        match merged.iter_mut().find(|(known, _)| *known == joint) {
            Some((_, sum)) => *sum += weight,
            None => merged.push((joint, weight)),
        }
    }
    let is_shorter = merged.len() < row.len();
    *row = merged;
    is_shorter
}

fn prune(row: &mut Row) -> bool {
    let before = row.len();
    let mut is_first = true;
    // The heaviest influence always stays, so that every vertex follows a joint.
    row.retain(|(_, weight)| std::mem::take(&mut is_first) || *weight >= MIN_WEIGHT);
    row.len() < before
}

fn limit(row: &mut Row) -> bool {
    let before = row.len();
    row.truncate(MAX_INFLUENCES);
    row.len() < before
}

fn normalize(row: &mut Row) {
    let sum: f64 = row.iter().map(|(_, weight)| f64::from(*weight)).sum();
    for (_, weight) in row.iter_mut().filter(|_| sum > 0.0) {
        *weight = (f64::from(*weight) / sum) as f32;
    }
    row.sort_by(|a, b| b.1.total_cmp(&a.1));
}

impl fmt::Display for RepairedPrimitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { repair, mesh, primitive, vertices } = self;
        let what = match repair {
            Repair::Normalize => "weights normalised to sum to 1",
            Repair::Weight => "computed weights where there were none",
            Repair::Merge => "repeated joints merged",
            Repair::Prune => "influences under 1/255 removed",
            Repair::Limit => "limited to the four heaviest influences",
        };
        let noun = if *vertices == 1 { "vertex" } else { "vertices" };
        write!(f, "Mesh {mesh}, primitive {primitive}: {what}, of {vertices} {noun}.")
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::rig::{Mesh, Primitive, RigData};

    fn rig(slots: &[&[(u16, f32)]]) -> Rig {
        let rows: Vec<Row> = slots.iter().map(|row| row.to_vec()).collect();
        let primitive = Primitive {
            source: 2,
            positions: vec![Vec3::ZERO; rows.len()],
            influences: Some(Influences::from_rows(&rows)),
            ..Primitive::default()
        };
        let mesh = Mesh { source: 7, primitives: vec![primitive], ..Mesh::default() };
        Rig::new(RigData { meshes: vec![mesh], ..RigData::default() })
    }

    fn fixed(slots: &[&[(u16, f32)]], repairs: &[Repair]) -> (Vec<Row>, Vec<(Repair, usize)>) {
        let fixed = fix(&rig(slots), repairs, &[], &Progress::default()).unwrap();
        let rows = fixed.weights.get(0, 0).map_or_else(Vec::new, |w| (0..w.len()).map(|v| row(w, v)).collect());
        assert!(fixed.changes.iter().all(|change| (change.mesh, change.primitive) == (7, 2)));
        (rows, fixed.changes.iter().map(|change| (change.repair, change.vertices)).collect())
    }

    #[test]
    fn each_repair_does_its_own_and_nothing_else() {
        let odd: &[(u16, f32)] = &[(1, 0.5), (2, 0.125), (3, 0.125), (4, 0.125), (1, 0.123), (5, 0.002)];
        let fine: &[(u16, f32)] = &[(0, 0.75), (1, 0.25)];
        let (rows, changes) = fixed(&[odd, fine], &[Repair::Merge]);
        assert_eq!((rows[0].len(), rows[0][0]), (5, (1, 0.623)));
        assert_eq!((rows[1].as_slice(), changes), (fine, vec![(Repair::Merge, 1)]));
        let (rows, changes) = fixed(&[fine, odd], &[Repair::Prune]);
        assert_eq!((rows[1].len(), changes), (5, vec![(Repair::Prune, 1)]));
        let (rows, changes) = fixed(&[odd], &[Repair::Limit]);
        assert_eq!((rows[0].len(), changes), (4, vec![(Repair::Limit, 1)]));
        let (rows, changes) = fixed(&[odd], &Repair::ALL);
        assert_eq!(changes, [(Repair::Merge, 1), (Repair::Prune, 1)]);
        let sum: f32 = rows[0].iter().map(|(_, weight)| weight).sum();
        assert!((sum - 1.0).abs() < 1e-6 && rows[0].is_sorted_by(|a, b| a.1 >= b.1));
        assert_eq!(fixed(&[fine], &Repair::ALL), (vec![], vec![]), "nothing to do changes nothing");
    }

    #[test]
    fn values_repaired_by_the_import_are_exported_and_counted() {
        let fault = |repair| StoredFault { repair, mesh: 7, primitive: 2, vertices: (0..1).collect() };
        let rig = rig(&[&[(0, 1.0)], &[(1, 1.0)]]);
        let known = [fault(Repair::Normalize), StoredFault { mesh: 8, ..fault(Repair::Normalize) }];
        let fixed = fix(&rig, &[Repair::Normalize], &known, &Progress::default()).unwrap();
        let text: Vec<String> = fixed.changes.iter().map(ToString::to_string).collect();
        assert_eq!(text, ["Mesh 7, primitive 2: weights normalised to sum to 1, of 1 vertex."]);
        assert_eq!(fixed.weights.get(0, 0), rig.meshes[0].primitives[0].influences.as_ref());
        let other = fix(&rig, &[Repair::Prune], &known, &Progress::default()).unwrap();
        assert_eq!(other.changes, []);
        assert_eq!(fix(&rig, &[Repair::Prune], &known, &Progress::cancelled()), None);
    }
}
