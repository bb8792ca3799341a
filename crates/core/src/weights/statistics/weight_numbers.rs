use crate::rig::NodeIndex;
use crate::rows::rows;

/// Faults of a file's weights before import fixed them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StoredWeights {
    /// Maximum deviation of a vertex's weight sum from 1, as far as import reported it.
    pub sum_error: f64,
    /// Number of vertices whose weights sum to 0.
    pub without: usize,
}

/// Weight statistics of a rig.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightStatistics {
    /// Number of skinned vertices; each vertex of the file counts once.
    pub vertices: usize,
    /// Maximum deviation of a vertex's weight sum from 1.
    pub sum_error: f64,
    /// Number of vertices without weight in the file.
    pub without: usize,
    /// Joints per vertex; `None` if there are no vertices.
    pub influences: Option<InfluenceStatistics>,
    /// Sum of [`JointWeightStatistics::energy`].
    pub energy: f64,
    /// Sum of [`JointWeightStatistics::islands`].
    pub islands: usize,
    /// Fraction of all weight that leaks: mean of [`crate::weights::leak()`] over all points.
    pub leak: f64,
    /// Difference between the halves of the body; `None` if there are no pairs of left and right joints.
    pub balance: Option<WeightSymmetry>,
    /// All joints of all skins, in hierarchy order.
    pub joints: Vec<JointWeightStatistics>,
}

rows! {
    /// Number of joints with a weight above 0 per vertex.
    #[derive(Copy)]
    pub struct InfluenceStatistics {
        /// Mean number of influences over all vertices.
        pub mean: f64,
        /// 99th percentile of influences per vertex.
        pub p99: usize,
        /// Maximum number of influences per vertex.
        pub max: usize,
    }

    /// Difference between the weights of a point and of its mirror image: the sum of absolute differences, from 0 (equal) to 2 (no joint in common).
    #[derive(Copy)]
    pub struct WeightSymmetry {
        /// Mean difference over points that have a mirror image.
        pub mean_error: f64,
        /// Difference at the worst point.
        pub largest_error: f64,
        /// Fraction of the points whose mirror image is on the body's surface.
        pub matched_fraction: f64,
    }
}

/// Statistics of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointWeightStatistics {
    /// Node of the joint.
    pub joint: NodeIndex,
    /// Number of vertices with a weight above 0.
    pub vertices: usize,
    /// Sum of the joint's weights.
    pub weight_sum: f64,
    /// Largest of the joint's weights.
    pub largest: f64,
    /// Dirichlet energy ∫|∇w|² dA of the weights over the bound surface, by the cotangent formula. Unitless: C/L if
    /// the weight falls linearly from 1 to 0 over a length L of a limb with circumference C.
    pub energy: f64,
    /// Number of connected components of the surface where the weight is at least 0.01.
    pub components: usize,
    /// Number of these components beyond the first on each connected surface.
    pub islands: usize,
}
