//! How much joints move some points, on average.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::mesh::EditMesh;
use super::point_set::PointSet;
use crate::rig::{NodeIndex, Rig};

/// Points that one core takes at a time.
const CHUNK: usize = 8192;

/// Weights of a joint over several points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointMean {
    /// The joint, as a node.
    pub joint: NodeIndex,
    /// Mean of its weights over all of the points.
    pub mean: f32,
    /// Number of points that it moves.
    pub points: usize,
}

/// Sum of weights and number of points, by joint.
type Sums = BTreeMap<NodeIndex, (f64, usize)>;

/// Mean weights of joints over the points of a set in a rig with the meshes of `mesh`, heaviest first.
///
/// *Cost*: linear in the set, on all cores.
pub fn mean_weights(rig: &Rig, mesh: &EditMesh, points: &PointSet) -> Vec<JointMean> {
    let listed: Vec<u32> = points.iter().collect();
    // Chunks in their order, so that sums are the same whatever the number of threads.
    let chunks: Vec<Sums> = listed.par_chunks(CHUNK).map(|points| sums(rig, mesh, points)).collect();
    let all = chunks.into_iter().flatten().fold(Sums::new(), |mut all, (joint, (sum, count))| {
        let (known, known_count) = all.entry(joint).or_default();
        *known += sum;
        *known_count += count;
        all
    });
    let mean = |(joint, (sum, points)): (NodeIndex, (f64, usize))| JointMean {
        joint,
        mean: (sum / listed.len() as f64) as f32,
        points,
    };
    let mut means: Vec<JointMean> = all.into_iter().map(mean).collect();
    means.sort_by(|a, b| b.mean.total_cmp(&a.mean).then(a.joint.cmp(&b.joint)));
    means
}

fn sums(rig: &Rig, mesh: &EditMesh, points: &[u32]) -> Sums {
    let mut sums = Sums::new();
    for &point in points {
        // Vertices at one point have the same weights, or nearly: the first stands for all.
        let Some((mesh_number, primitive, vertex)) = mesh.vertices_at(point).next() else { continue };
        mesh.weights_of(rig, (mesh_number, primitive), vertex, |joint, weight| {
            let (sum, count) = sums.entry(joint).or_default();
            *sum += f64::from(weight);
            *count += 1;
        });
    }
    sums
}
