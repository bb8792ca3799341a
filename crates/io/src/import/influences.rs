//! Cleans the joints and weights of a primitive, so that skinning needs no checks.

use rayon::prelude::*;

use super::ImportWarning;
use super::report::ImportReport;
use super::warning::PrimitiveLocation;
use rigscope_core::findings::Code;
use rigscope_core::rig::{Influences, StoredInfluences, VertexList};
use rigscope_core::text::counted;

/// Four joints and weights per vertex; a primitive may have several sets.
#[derive(Default)]
pub(super) struct InfluenceSet {
    pub joints: Vec<[u16; 4]>,
    pub weights: Vec<[f32; 4]>,
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct WeightFaults {
    /// Vertices whose weights did not sum to 1, although all weights and joints were valid.
    pub renormalized: VertexList,
    /// Weight sum that is farthest from 1.
    pub worst_sum: Option<f32>,
    pub zero: VertexList,
    pub invalid: VertexList,
    pub out_of_range: VertexList,
    pub largest_joint: u16,
}

const VERTICES_PER_TASK: usize = 1 << 14;

pub(super) struct CleanInfluences {
    pub influences: Influences,
    /// Original influences of vertices whose weights were reordered or rescaled.
    pub stored: Option<StoredInfluences>,
    pub faults: WeightFaults,
}

/// Returns the memory use of stored influences in bytes.
pub(super) fn memory_size(stored: &StoredInfluences) -> u64 {
    let slots = (stored.per_vertex() as u64).saturating_mul(6).saturating_add(4);
    (stored.iter().count() as u64).saturating_mul(slots)
}

/// Merges the sets into valid [`Influences`]; see `w_ij` in `docs/mathematics.md`, Conventions.
pub(super) fn clean(sets: Vec<InfluenceSet>, vertex_count: usize, joint_count: usize) -> CleanInfluences {
    let slots = sets.len().saturating_mul(4).max(1);
    let (mut joints, mut weights) = joined(sets, vertex_count);
    let piece = slots.saturating_mul(VERTICES_PER_TASK);
    let pieces: Vec<CleanChunk> = if vertex_count <= VERTICES_PER_TASK {
        vec![clean_piece(0, &mut joints, &mut weights, slots, joint_count)]
    } else {
        let pieces = joints.par_chunks_mut(piece).zip(weights.par_chunks_mut(piece)).enumerate();
        let clean = |(piece, (joints, weights)): (usize, (&mut [u16], &mut [f32]))| {
            clean_piece(piece.saturating_mul(VERTICES_PER_TASK), joints, weights, slots, joint_count)
        };
        pieces.map(clean).collect()
    };
    let used = pieces.iter().map(|piece| piece.used).max().unwrap_or(1);
    if used < slots {
        joints = first_of_each(&joints, slots, used);
        weights = first_of_each(&weights, slots, used);
    }
    let (mut faults, mut stored) = (WeightFaults::default(), StoredSlots::default());
    for piece in pieces {
        faults.append(&piece.faults);
        stored.append(piece.stored);
    }
    CleanInfluences { influences: Influences::new(used, joints, weights), stored: stored.finish(slots), faults }
}

struct CleanChunk {
    used: usize,
    faults: WeightFaults,
    stored: StoredSlots,
}

#[derive(Default)]
struct StoredSlots {
    vertices: Vec<u32>,
    joints: Vec<u16>,
    weights: Vec<f32>,
}

impl StoredSlots {
    fn note(&mut self, vertex: usize, joints: &[u16], weights: &[f32], joint_count: usize) {
        const ROUNDING: f64 = 1e-5;
        let weight = |(joint, weight): (&u16, &f32)| {
            let is_valid = weight.is_finite() && *weight >= 0.0 && usize::from(*joint) < joint_count;
            if is_valid { *weight } else { 0.0 }
        };
        let valid = || joints.iter().zip(weights).map(weight);
        let sum: f64 = valid().map(f64::from).sum();
        if valid().is_sorted_by(|a, b| a >= b) && (sum - 1.0).abs() <= ROUNDING {
            return;
        }
        self.vertices.extend(u32::try_from(vertex));
        let used = joints.iter().zip(valid()).map(|(joint, weight)| if weight > 0.0 { *joint } else { 0 });
        self.joints.extend(used);
        self.weights.extend(valid());
    }

    fn append(&mut self, mut next: Self) {
        self.vertices.append(&mut next.vertices);
        self.joints.append(&mut next.joints);
        self.weights.append(&mut next.weights);
    }

    fn finish(self, slots: usize) -> Option<StoredInfluences> {
        let Self { vertices, joints, weights } = self;
        (!vertices.is_empty()).then(|| StoredInfluences::new(slots, vertices, joints, weights))
    }
}

fn joined(sets: Vec<InfluenceSet>, vertex_count: usize) -> (Vec<u16>, Vec<f32>) {
    if let [_] = sets.as_slice() {
        let only = sets.into_iter().next().unwrap_or_default();
        return (only.joints.into_flattened(), only.weights.into_flattened());
    }
    let vertices = 0..vertex_count;
    let joints = vertices.clone().flat_map(|v| sets.iter().filter_map(move |s| s.joints.get(v))).flatten();
    let weights = vertices.flat_map(|v| sets.iter().filter_map(move |s| s.weights.get(v))).flatten();
    (joints.copied().collect(), weights.copied().collect())
}

fn clean_piece(first: usize, joints: &mut [u16], weights: &mut [f32], slots: usize, joint_count: usize) -> CleanChunk {
    let (mut used, mut findings, mut stored) = (1, WeightFaults::default(), StoredSlots::default());
    if slots == 4 {
        let vertices = joints.as_chunks_mut::<4>().0.iter_mut().zip(weights.as_chunks_mut::<4>().0);
        for (vertex, (joints, weights)) in (first..).zip(vertices) {
            stored.note(vertex, joints, weights, joint_count);
            if !clean_usual(joints, weights, joint_count) {
                clean_vertex(vertex, joints, weights, joint_count, &mut findings);
            }
            used = used.max(weights.iter().map(|w| usize::from(*w > 0.0)).sum());
        }
    } else {
        let vertices = joints.chunks_mut(slots).zip(weights.chunks_mut(slots));
        for (vertex, (joints, weights)) in (first..).zip(vertices) {
            stored.note(vertex, joints, weights, joint_count);
            clean_vertex(vertex, joints, weights, joint_count, &mut findings);
            used = used.max(weights.iter().filter(|w| **w > 0.0).count());
        }
    }
    CleanChunk { used, faults: findings, stored }
}

fn first_of_each<T: Copy>(values: &[T], slots: usize, used: usize) -> Vec<T> {
    values.chunks(slots.max(1)).flat_map(|c| c.iter().take(used).copied()).collect()
}

impl WeightFaults {
    /// Warns about the faults. `joints`: number of joints in the smallest skin of the mesh.
    pub(super) fn warn(self, report: &ImportReport, location: &PrimitiveLocation, joints: usize) {
        let warning = |code, vertices: &VertexList, what: String| {
            let message = format!("{location}: {what}.");
            (!vertices.is_empty()).then(|| ImportWarning::new(code, location.vertices(vertices.clone()), message))
        };
        let Self { renormalized, worst_sum, zero, invalid, out_of_range, largest_joint } = &self;
        let sums = format!(
            "the weights of {} did not sum to 1 (worst: {:.3})",
            counted(renormalized.count(), "vertex", "vertices"),
            worst_sum.unwrap_or(1.0)
        );
        let refer = counted(out_of_range.count(), "vertex refers", "vertices refer");
        let refer = format!("{refer} to joints up to index {largest_joint}");
        let warnings = [
            warning(
                Code::WeightInvalid,
                invalid,
                counted(
                    invalid.count(),
                    "vertex has weights that are negative or not finite; these count as 0",
                    "vertices have weights that are negative or not finite; these count as 0",
                ),
            ),
            warning(
                Code::JointOutOfRange,
                out_of_range,
                format!("{refer}, but the skin has {joints}; their weights count as 0"),
            ),
            warning(
                Code::WeightZero,
                zero,
                counted(
                    zero.count(),
                    "vertex has no weight; it follows the first joint that the file lists for it",
                    "vertices have no weight; they follow the first joint that the file lists for them",
                ),
            ),
            warning(Code::WeightSum, renormalized, format!("{sums}; they were normalised in memory"))
                .map(|warning| ImportWarning { worst_sum: *worst_sum, ..warning }),
        ];
        warnings.into_iter().flatten().for_each(|warning| report.warn(warning));
    }

    fn append(&mut self, next: &Self) {
        self.renormalized.append(&next.renormalized);
        self.zero.append_listed(&next.zero);
        self.invalid.append(&next.invalid);
        self.out_of_range.append(&next.out_of_range);
        self.largest_joint = self.largest_joint.max(next.largest_joint);
        if next.worst_error() > self.worst_error() {
            self.worst_sum = next.worst_sum;
        }
    }

    fn worst_error(&self) -> f32 {
        self.worst_sum.map_or(0.0, |worst| (worst - 1.0).abs())
    }
}

/// Weight sums that differ from 1 by no more than this cause no warning.
const OFF_ONE: f64 = 1e-3;

/// Returns the factor that normalizes weights with this sum. If the sum is 1 up to rounding, the factor is exactly 1,
/// so that re-importing an export changes nothing.
#[inline]
fn scale(sum: f64) -> f64 {
    const ROUNDING: f64 = 1e-7;
    if (sum - 1.0).abs() <= ROUNDING { 1.0 } else { sum.recip() }
}

/// Fast path of [`clean_vertex`] for four valid slots. Returns false and changes nothing if a slot is invalid.
#[inline]
fn clean_usual(joints: &mut [u16; 4], weights: &mut [f32; 4], joint_count: usize) -> bool {
    let [a, b, c, d] = weights.map(f64::from);
    let sum = a + b + c + d;
    let largest = joints.iter().fold(0, |largest, joint| (*joint).max(largest));
    // `min` ignores NaN, but a NaN makes the test of the sum fail.
    let is_usual = a.min(b).min(c).min(d) >= 0.0 && (sum - 1.0).abs() <= OFF_ONE;
    if !is_usual || usize::from(largest) >= joint_count {
        return false;
    }
    let scale = scale(sum);
    *weights = [a, b, c, d].map(|weight| (weight * scale) as f32);
    if !weights.is_sorted_by(|a, b| a >= b) {
        sort_four_falling(joints, weights);
    }
    true
}

/// Branch-free [`sort_falling`] for four slots. The bit patterns of non-negative floats sort like their values.
fn sort_four_falling(joints: &mut [u16; 4], weights: &mut [f32; 4]) {
    let [a, b, c, d] = *weights;
    let [i, j, k, l] = *joints;
    let key = |weight: f32, joint: u16, tie: u64| u64::from(weight.to_bits()) << 32 | tie << 16 | u64::from(joint);
    let falling = |a: u64, b: u64| (a.max(b), a.min(b));
    let ((a, b), (c, d)) = (falling(key(a, i, 3), key(b, j, 2)), falling(key(c, k, 1), key(d, l, 0)));
    let ((a, c), (b, d)) = (falling(a, c), falling(b, d));
    let (b, c) = falling(b, c);
    *joints = [a, b, c, d].map(|key| key as u16);
    *weights = [a, b, c, d].map(|key| f32::from_bits((key >> 32) as u32));
}

/// Cleans one vertex. Afterwards, weights are finite, non-negative and sum to 1, all joints exist, and slots are sorted
/// by descending weight.
#[inline]
fn clean_vertex(
    vertex: usize,
    joints: &mut [u16],
    weights: &mut [f32],
    joint_count: usize,
    findings: &mut WeightFaults,
) {
    let first_joint = joints.first().copied().unwrap_or(0);
    let (mut has_invalid, mut has_out_of_range, mut has_lost) = (false, false, false);
    let mut sum = 0.0_f64;
    for (joint, weight) in joints.iter_mut().zip(weights.iter_mut()) {
        if !weight.is_finite() || *weight < 0.0 {
            has_invalid = true;
            *weight = 0.0;
        }
        if usize::from(*joint) >= joint_count {
            (has_out_of_range, has_lost) = (true, has_lost || *weight > 0.0);
            findings.largest_joint = findings.largest_joint.max(*joint);
            (*joint, *weight) = (0, 0.0);
        }
        sum += f64::from(*weight);
    }
    findings.invalid.extend(has_invalid.then_some(vertex));
    findings.out_of_range.extend(has_out_of_range.then_some(vertex));
    if sum <= 0.0 {
        // Lists every such vertex, so that the user can assign weights to it.
        findings.zero.push_listed(vertex);
        if let (Some(joint), Some(weight)) = (joints.first_mut(), weights.first_mut()) {
            (*joint, *weight) = (if usize::from(first_joint) < joint_count { first_joint } else { 0 }, 1.0);
        }
        return;
    }
    if (sum - 1.0).abs() > OFF_ONE && !has_invalid && !has_lost {
        findings.renormalized.push(vertex);
        if (sum - 1.0).abs() > f64::from(findings.worst_error()) {
            findings.worst_sum = Some(sum as f32);
        }
    }
    let scale = scale(sum);
    for weight in weights.iter_mut() {
        *weight = (f64::from(*weight) * scale) as f32;
    }
    if !weights.is_sorted_by(|a, b| a >= b) {
        sort_falling(joints, weights);
    }
}

/// Sorts the slots of a vertex by descending weight. Slots of equal weight stay in file order. Intended for few slots.
fn sort_falling(joints: &mut [u16], weights: &mut [f32]) {
    let mut slots: Vec<(u16, f32)> = joints.iter().copied().zip(weights.iter().copied()).collect();
    slots.sort_by(|a, b| b.1.total_cmp(&a.1));
    for ((joint, weight), slot) in joints.iter_mut().zip(weights).zip(slots) {
        (*joint, *weight) = slot;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(sets: &[([u16; 4], [f32; 4])], joint_count: usize) -> (Influences, WeightFaults) {
        let sets: Vec<InfluenceSet> =
            sets.iter().map(|(j, w)| InfluenceSet { joints: vec![*j], weights: vec![*w] }).collect();
        let CleanInfluences { influences, faults, .. } = clean(sets, 1, joint_count);
        (influences, faults)
    }

    fn influences(joints: &[u16], weights: &[f32]) -> Influences {
        Influences::new(joints.len(), joints.to_vec(), weights.to_vec())
    }

    #[test]
    fn four_slots_are_sorted_as_any_number_is() {
        let numbers = [0.0_f32, 0.25, 0.25, 0.5, 1.0, 0.75];
        for code in 0..6_usize.pow(4) {
            let weights = [1, 6, 36, 216].map(|divisor| numbers[code / divisor % 6]);
            let (mut four, mut any) = (([7, 5, 6, 8], weights), ([7, 5, 6, 8], weights));
            sort_four_falling(&mut four.0, &mut four.1);
            sort_falling(&mut any.0, &mut any.1);
            assert_eq!(four, any);
        }
    }

    #[test]
    fn heavier_joints_come_first_and_ties_stay() {
        let (found, findings) = cleaned(&[([5, 6, 7, 8], [0.125, 0.25, 0.125, 0.5])], 9);
        assert_eq!(found, influences(&[8, 6, 5, 7], &[0.5, 0.25, 0.125, 0.125]));
        assert_eq!(findings, WeightFaults::default());
    }

    #[test]
    fn stored_weights_are_kept_if_cleaning_changes_them() {
        let set = |weights: &[[f32; 4]]| InfluenceSet {
            joints: vec![[5, 6, 7, 9]; weights.len()],
            weights: weights.to_vec(),
        };
        let rows =
            [[0.5, 0.5, 0.0, 0.0], [0.25, 0.75, 0.0, 0.0], [1.0, 0.5, 0.0, 0.0], [1.0, f32::NAN, 0.0, 9.0], [0.0; 4]];
        let stored = clean(vec![set(&rows)], 5, 9).stored.unwrap();
        let found: Vec<_> = stored.iter().collect();
        let expected: [(u32, &[u16], &[f32]); 3] = [
            (1, &[5, 6, 0, 0], &[0.25, 0.75, 0.0, 0.0]),
            (2, &[5, 6, 0, 0], &[1.0, 0.5, 0.0, 0.0]),
            (4, &[0; 4], &[0.0; 4]),
        ];
        assert_eq!(found, expected, "sorted weights that sum to 1 are not kept twice, nor invalid ones");
        assert_eq!(clean(vec![set(&rows[..1])], 1, 9).stored, None);
    }

    #[test]
    fn all_sets_count_and_unused_slots_go() {
        let (found, _) = cleaned(&[([1, 0, 0, 0], [0.25, 0.0, 0.0, 0.0]), ([2, 3, 0, 0], [0.5, 0.25, 0.0, 0.0])], 9);
        assert_eq!(found, influences(&[2, 1, 3], &[0.5, 0.25, 0.25]));
    }

    #[test]
    fn a_joint_named_twice_is_not_merged() {
        assert_eq!(cleaned(&[([4, 4, 0, 0], [0.5, 0.5, 0.0, 0.0])], 9).0, influences(&[4, 4], &[0.5, 0.5]));
    }

    #[test]
    fn weights_of_another_sum_are_divided_by_it() {
        let (found, findings) = cleaned(&[([1, 2, 0, 0], [1.5, 0.5, 0.0, 0.0])], 9);
        assert_eq!(found, influences(&[1, 2], &[0.75, 0.25]));
        assert_eq!((findings.renormalized.count(), findings.worst_sum), (1, Some(2.0)));
        let (found, _) = cleaned(&[([1, 2, 0, 0], [f32::MAX, f32::MAX, 0.0, 0.0])], 9);
        assert_eq!(found, influences(&[1, 2], &[0.5, 0.5]));
    }

    #[test]
    fn no_weight_means_the_first_slot() {
        let (found, findings) = cleaned(&[([3, 2, 1, 0], [0.0; 4])], 9);
        assert_eq!((found, findings.zero.count()), (influences(&[3], &[1.0]), 1));
        let (found, findings) = cleaned(&[([3, 2, 1, 0], [0.0; 4])], 2);
        assert_eq!((found, findings.zero.count(), findings.out_of_range.count()), (influences(&[0], &[1.0]), 1, 1));
    }

    #[test]
    fn invalid_weights_and_joints_count_as_nothing() {
        let (found, findings) = cleaned(&[([1, 2, 3, 4], [f32::NAN, -1.0, 0.5, f32::INFINITY])], 9);
        assert_eq!((found, findings.invalid.count()), (influences(&[3], &[1.0]), 1));
        let (found, findings) = cleaned(&[([1, 200, 3, 4], [0.25, 0.5, 0.25, 0.0])], 4);
        assert_eq!(found, influences(&[1, 3], &[0.5, 0.5]));
        assert_eq!((findings.out_of_range.count(), findings.largest_joint), (1, 200));
        assert!(findings.renormalized.is_empty(), "one fault is reported once");
        let (found, findings) = cleaned(&[([1, 200, 0, 0], [1.0, 0.0, 0.0, 0.0])], 4);
        assert_eq!((found, findings.out_of_range.count()), (influences(&[1], &[1.0]), 1), "at weight 0 too");
    }
}
