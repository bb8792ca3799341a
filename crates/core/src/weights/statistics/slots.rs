use std::collections::BTreeMap;

use super::weight_numbers::{InfluenceStatistics, JointWeightStatistics, WeightStatistics};
use crate::jobs::Progress;
use crate::rig::{NodeIndex, Rig};
use crate::weights::body::Body;

/// Computes the statistics of individual vertices; those that depend on neighbours stay 0.
pub(super) fn slots(rig: &Rig, bodies: &[Body], progress: &Progress) -> Option<WeightStatistics> {
    let row = |joint| JointWeightStatistics {
        joint,
        vertices: 0,
        weight_sum: 0.0,
        largest: 0.0,
        energy: 0.0,
        components: 0,
        islands: 0,
    };
    let joints = rig.hierarchy.nodes().filter(|&node| rig.is_joint(node)).map(row);
    let mut found = WeightStatistics { joints: joints.collect(), ..WeightStatistics::default() };
    let place: BTreeMap<NodeIndex, usize> = (0..).zip(&found.joints).map(|(at, row)| (row.joint, at)).collect();
    let mut counts: Vec<usize> = Vec::new();
    for part in bodies.iter().flat_map(|body| &body.parts) {
        progress.check_cancelled()?;
        let Some(influences) = &rig.meshes[part.mesh].primitives[part.primitive].influences else { continue };
        let places: Vec<Option<usize>> =
            rig.skins[part.skin].joints.iter().map(|node| place.get(node).copied()).collect();
        for vertex in 0..influences.len() {
            let (mut sum, mut count) = (0.0, 0);
            for (joint, weight) in influences.vertex(vertex).filter(|(_, weight)| *weight > 0.0) {
                let weight = f64::from(weight);
                (sum, count) = (sum + weight, count + 1);
                if let Some(&Some(at)) = places.get(joint) {
                    let row = &mut found.joints[at];
                    row.vertices += 1;
                    row.weight_sum += weight;
                    row.largest = row.largest.max(weight);
                }
            }
            counts.resize(counts.len().max(count + 1), 0);
            counts[count] += 1;
            found.without += usize::from(count == 0);
            found.sum_error = found.sum_error.max((sum - 1.0).abs());
        }
    }
    found.vertices = counts.iter().sum();
    found.influences = influence_numbers(&counts, found.vertices);
    Some(found)
}

fn influence_numbers(counts: &[usize], vertices: usize) -> Option<InfluenceStatistics> {
    let max = counts.iter().rposition(|count| *count > 0)?;
    let sum: usize = counts.iter().enumerate().map(|(influences, count)| influences * count).sum();
    let mut within = 0;
    let p99 = counts.iter().position(|count| {
        within += count;
        within * 100 >= vertices * 99
    });
    Some(InfluenceStatistics { mean: sum as f64 / vertices as f64, p99: p99.unwrap_or(max), max })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_hundred_vertices_one_may_have_more() {
        let numbers = |counts: &[usize]| influence_numbers(counts, counts.iter().sum()).unwrap();
        assert_eq!(numbers(&[0, 99, 0, 1]), InfluenceStatistics { mean: 1.02, p99: 1, max: 3 });
        assert_eq!(numbers(&[0, 98, 0, 2]).p99, 3);
        assert_eq!(influence_numbers(&[], 0), None);
    }
}
