//! Rows of the metrics. Distances are in units of the longest side of the reference's bounding box.

use rigscope_core::rows::rows;

rows! {
    /// Metrics of rigging papers: a rig against a reference. Distances are fractions of the longest side of the reference's bounding box.
    pub struct RiggingMetricsJson {
        /// The reference.
        pub reference: String,
        /// Longest side of the reference's bounding box at rest, metres.
        pub unit_m: f64,
        /// Joints, by their positions at rest.
        pub joints: JointMetricsJson,
        /// Weights; null if no vertices were matched.
        pub weights: Option<WeightMetricsJson>,
        /// Why weights were not compared.
        pub weights_off: Option<String>,
    }

    /// Joints of a rig against those of a reference.
    pub struct JointMetricsJson {
        /// Number of joints of the rig.
        pub count: usize,
        /// Number of joints of the reference.
        pub reference_count: usize,
        /// Number of joints with a partner within the tolerance; each joint has at most one partner.
        pub matched: usize,
        /// Fraction of the rig's joints that are matched.
        pub precision: f64,
        /// Fraction of the reference's joints that are matched.
        pub recall: f64,
        /// Twice the number of matched joints, divided by the number of all joints of both.
        pub iou: f64,
        /// Tolerance, averaged over the joints of the reference.
        pub mean_tolerance: f64,
        /// Chamfer distance between joints.
        pub cd_j2j: f64,
        /// Chamfer distance from joints to bones.
        pub cd_j2b: f64,
        /// Chamfer distance between bones.
        pub cd_b2b: f64,
        /// Names of the rig's joints without a partner.
        pub extra: Vec<String>,
        /// Names of the reference's joints without a partner.
        pub missing: Vec<String>,
    }

    /// Weights of matched vertices against those of a reference.
    pub struct WeightMetricsJson {
        /// Number of vertices of the reference that have weights and a counterpart.
        pub vertices: usize,
        /// Number of vertices of the reference that have weights.
        pub reference_vertices: usize,
        /// Weights above this count as an influence.
        pub threshold: f64,
        /// Fraction of the rig's influences that the reference has too.
        pub precision: f64,
        /// Fraction of the reference's influences that the rig has too.
        pub recall: f64,
        /// Sum of the absolute differences of a vertex's weights, averaged over vertices: 0 if equal, at most 2.
        pub l1: f64,
        /// Number of random poses.
        pub poses: usize,
        /// Distance between the vertices of the reference with its weights and with the rig's, averaged over vertices and poses; null if no vertex was measured.
        pub mean_deformation: Option<f64>,
        /// Largest of these distances; null if no vertex was measured.
        pub max_deformation: Option<f64>,
    }
}
