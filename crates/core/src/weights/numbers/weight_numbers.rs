//! Weight statistics.

use crate::rig::NodeIndex;
use crate::rows::rows;

/// Faults of a file's weights before import fixed them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StoredWeights {
    /// Maximum deviation from 1 of a vertex's sum of weights, as far as import reported it.
    pub sum_error: f64,
    /// Number of vertices whose weights sum to 0.
    pub without: usize,
}

/// Quality numbers of a rig's weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightNumbers {
    /// Number of skinned vertices, each vertex of the file once.
    pub vertices: usize,
    /// Maximum deviation from 1 of a vertex's sum of weights.
    pub sum_error: f64,
    /// Number of vertices without weight in the file.
    pub without: usize,
    /// Number of joints per vertex; `None` without vertices.
    pub influences: Option<InfluenceNumbers>,
    /// Sum of [`JointNumbers::energy`] over the joints.
    pub energy: f64,
    /// Sum of [`JointNumbers::islands`] over the joints.
    pub islands: usize,
    /// Fraction of all weight that leaks: the mean of [`crate::weights::leak()`] over the points.
    pub leak: f64,
    /// Difference between the halves of the body; `None` if joints do not pair.
    pub balance: Option<Balance>,
    /// Statistics of every joint of a skin, in hierarchy order.
    pub joints: Vec<JointNumbers>,
}

rows! {
    /// Numbers of joints with a weight above 0 per vertex.
    #[derive(Copy)]
    pub struct InfluenceNumbers {
        /// Mean number of influences over all vertices.
        pub mean: f64,
        /// Number of influences that 99 of 100 vertices do not exceed.
        pub p99: usize,
        /// Number of influences of the vertex that has the most.
        pub most: usize,
    }

    /// Difference between the weights of points and their mirror images, as the sum of absolute differences: 0 where they agree, 2 where they have no joint in common.
    #[derive(Copy)]
    pub struct Balance {
        /// Mean difference over the points that have an image.
        pub mean_error: f64,
        /// Difference at the worst point.
        pub largest_error: f64,
        /// Share of the points that have an image: another point, or themselves.
        pub matched_share: f64,
    }
}

/// Statistics of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointNumbers {
    /// Joint, as a node.
    pub joint: NodeIndex,
    /// Number of vertices with a weight above 0.
    pub vertices: usize,
    /// Sum of the joint's weights.
    pub weight_sum: f64,
    /// Largest weight.
    pub largest: f64,
    /// Dirichlet energy of the joint's weights over the bound surface, ∫|∇w|² dA by the cotangent formula. Unitless and
    /// independent of the body's size: a band of length L around a limb of circumference C, over which the weight falls
    /// linearly from 1 to 0, has C/L.
    pub energy: f64,
    /// Number of connected components of the surface where the weight is at least 0.01.
    pub pieces: usize,
    /// Number of components beyond the first on each connected surface.
    pub islands: usize,
}
