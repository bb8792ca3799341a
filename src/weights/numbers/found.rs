//! Results of judging weights.

use serde::Serialize;

use crate::rig::NodeIndex;

/// Faults of a file's weights, as they were before import put them right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StoredWeights {
    /// Largest distance of a vertex's sum from 1, as far as it is told.
    pub sum_error: f64,
    /// Vertices whose weights sum to 0.
    pub without: usize,
}

/// Quality numbers of a rig's weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightNumbers {
    /// Vertices that a skin moves, each of the file once.
    pub vertices: usize,
    /// Largest distance of a vertex's sum from 1.
    pub sum_error: f64,
    /// Vertices that no joint moves, as stored.
    pub without: usize,
    /// Joints that move a vertex; `None` without vertices.
    pub influences: Option<InfluenceNumbers>,
    /// Sum over the joints: see [`JointNumbers::energy`].
    pub energy: f64,
    /// Sum over the joints: see [`JointNumbers::islands`].
    pub islands: usize,
    /// Share of all weight that goes through the air: see [`crate::weights::leak()`]; the mean over the points.
    pub leak: f64,
    /// Agreement of both halves of the body; `None` where joints do not pair.
    pub balance: Option<Balance>,
    /// Numbers of every joint of a skin, in the order of the hierarchy.
    pub joints: Vec<JointNumbers>,
}

/// Joints with a weight above 0 of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct InfluenceNumbers {
    /// Mean over all vertices.
    pub mean: f64,
    /// Influences that 99 of 100 vertices do not exceed.
    pub p99: usize,
    /// Influences of the vertex that has most.
    pub most: usize,
}

/// Difference between the weights of a point and those of its mirror image, by the sum of absolute differences: 0 where they agree, 2 where they
/// share no joint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Balance {
    /// Mean over the points that have an image.
    pub mean_error: f64,
    /// Error of the worst point.
    pub largest_error: f64,
    /// Share of the points that have another point, or themselves, as their image.
    pub matched_share: f64,
}

/// Numbers of the vertices and weights of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointNumbers {
    /// The joint, as a node.
    pub joint: NodeIndex,
    /// Vertices that the joint moves by a weight above 0.
    pub vertices: usize,
    /// Sum of the joint's weights.
    pub weight_sum: f64,
    /// Largest of the joint's weights.
    pub largest: f64,
    /// Dirichlet energy of its weights over the surface at bind, ∫|∇w|² dA by the cotangent formula: no unit, whatever the size of the body. A band of length L around a limb of
    /// circumference C, over which the weight falls evenly from 1 to 0, has C/L.
    pub energy: f64,
    /// Connected pieces of the surface on which the joint's weight is at least 0.01.
    pub pieces: usize,
    /// Pieces that the joint need not have: those beyond the first on a connected surface.
    pub islands: usize,
}
