//! Joints that two skeletons have in common, by position.

use super::skeleton::{ChamferDistances, Skeleton};
use super::table::JointMetricsJson;
use rigscope_core::matching::RigMatch;
use rigscope_core::rows::rounded;

/// Compares the joints of a rig with those of a reference. `tolerances` belong to the joints of the reference, in units
/// of `unit` metres.
pub(super) fn joint_metrics(
    [judged, reference]: [&Skeleton; 2],
    tolerances: &[f64],
    unit: f64,
    both: &RigMatch<'_>,
) -> JointMetricsJson {
    let partners = matching([judged, reference], tolerances, unit);
    let matched = partners.iter().flatten().count();
    let counts = [judged.points.len(), reference.points.len()];
    let fraction = |of: usize| rounded(matched as f64 / of as f64);
    let is_matched: Vec<bool> = (0..counts[0]).map(|joint| partners.contains(&Some(joint))).collect();
    let distances = ChamferDistances::new([judged, reference], unit);
    let extra = judged.nodes.iter().zip(&is_matched).filter(|(_, is_matched)| !**is_matched);
    let missing = reference.nodes.iter().zip(&partners).filter(|(_, partner)| partner.is_none());
    JointMetricsJson {
        count: counts[0],
        reference_count: counts[1],
        matched,
        precision: fraction(counts[0]),
        recall: fraction(counts[1]),
        iou: rounded(2.0 * matched as f64 / (counts[0] + counts[1]) as f64),
        mean_tolerance: rounded(tolerances.iter().sum::<f64>() / counts[1] as f64),
        cd_j2j: rounded(distances.joints_to_joints / unit),
        cd_j2b: rounded(distances.joints_to_bones / unit),
        cd_b2b: rounded(distances.bones_to_bones / unit),
        extra: extra.map(|(node, _)| both.old.name(*node).to_owned()).collect(),
        missing: missing.map(|(node, _)| both.new.name(*node).to_owned()).collect(),
    }
}

/// Returns the partner of each joint of the reference in a matching with as many pairs as possible, in which each joint
/// is within the tolerance of its partner. Nearer partners are tried first.
fn matching([judged, reference]: [&Skeleton; 2], tolerances: &[f64], unit: f64) -> Vec<Option<usize>> {
    let near = |(point, tolerance): (&glam::Vec3, &f64)| {
        let distance = |other: &glam::Vec3| f64::from(point.distance(*other)) / unit;
        let mut near: Vec<(f64, usize)> = judged.points.iter().map(distance).zip(0..).collect();
        near.retain(|(distance, _)| distance <= tolerance);
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        near.into_iter().map(|(_, joint)| joint).collect()
    };
    let near: Vec<Vec<usize>> = reference.points.iter().zip(tolerances).map(near).collect();
    let mut partners = Partners { of_judged: vec![None; judged.points.len()], of_reference: vec![None; near.len()] };
    let mut order: Vec<usize> = (0..near.len()).collect();
    order.sort_by_key(|joint| near[*joint].len());
    for joint in order {
        partners.augment(joint, &near);
    }
    partners.of_reference
}

struct Partners {
    of_judged: Vec<Option<usize>>,
    of_reference: Vec<Option<usize>>,
}

impl Partners {
    /// Gives a joint of the reference a partner along the shortest alternating path, if there is one.
    fn augment(&mut self, start: usize, near: &[Vec<usize>]) {
        let mut reached_from: Vec<Option<usize>> = vec![None; self.of_judged.len()];
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(joint) = queue.pop_front() {
            for &other in &near[joint] {
                if reached_from[other].is_some() {
                    continue;
                }
                reached_from[other] = Some(joint);
                match self.of_judged[other] {
                    Some(next) => queue.push_back(next),
                    None => return self.flip(other, &reached_from),
                }
            }
        }
    }

    /// Pairs the joints along a path that ends at a free joint of the judged rig.
    fn flip(&mut self, end: usize, reached_from: &[Option<usize>]) {
        let mut free = Some(end);
        while let Some((other, joint)) = free.and_then(|other| Some((other, reached_from[other]?))) {
            free = self.of_reference[joint].replace(other);
            self.of_judged[other] = Some(joint);
        }
    }
}
