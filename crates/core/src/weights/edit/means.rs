use super::mesh::EditMesh;
use super::point_set::PointSet;
use crate::jobs::{Progress, try_ranges};
use crate::rig::{NodeIndex, Rig};

const CHUNK: usize = 8192;

/// Mean weight of a joint over several points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointMean {
    /// Joint, as a node.
    pub joint: NodeIndex,
    /// Mean over all points, including those it does not move.
    pub mean: f32,
    /// Number of points with a weight above 0.
    pub points: usize,
}

/// Sum of weights and number of points, by node.
type Sums = Vec<(f64, usize)>;

/// Computes the mean weight of each joint over the points, heaviest first. `None` if cancelled. *Cost*: linear in the
/// set.
pub fn mean_weights(rig: &Rig, mesh: &EditMesh, points: &PointSet, progress: &Progress) -> Option<Vec<JointMean>> {
    let listed: Vec<u32> = points.iter().collect();
    let mut all: Sums = vec![(0.0, 0); rig.hierarchy.len()];
    // A fixed order of chunks keeps sums independent of the number of threads.
    let chunks = try_ranges((listed.len(), CHUNK), progress, |range| Some(sums(rig, mesh, &listed[range])))?;
    for sums in chunks {
        for ((sum, count), (more, further)) in all.iter_mut().zip(sums) {
            *sum += more;
            *count += further;
        }
    }
    let moving = rig.hierarchy.nodes().zip(all).filter(|(_, (_, points))| *points > 0);
    let mut means: Vec<JointMean> = moving
        .map(|(joint, (sum, points))| JointMean { joint, mean: (sum / listed.len() as f64) as f32, points })
        .collect();
    means.sort_by(|a, b| b.mean.total_cmp(&a.mean).then(a.joint.cmp(&b.joint)));
    Some(means)
}

fn sums(rig: &Rig, mesh: &EditMesh, points: &[u32]) -> Sums {
    let mut sums = vec![(0.0, 0); rig.hierarchy.len()];
    for (joint, weight) in points.iter().flat_map(|point| mesh.weights_of(rig, *point)) {
        let (sum, count) = &mut sums[joint.index()];
        *sum += f64::from(weight);
        *count += 1;
    }
    sums
}
