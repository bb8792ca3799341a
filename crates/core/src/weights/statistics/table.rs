use super::weight_numbers::{InfluenceStatistics, WeightStatistics, WeightSymmetry};
use crate::rows::{columns, csv, rounded, rows};

rows! {
    /// Weight statistics. Each vertex of the file counts once.
    pub struct WeightNumbersJson {
        /// Number of vertices that a skin moves.
        pub vertices: usize,
        /// Maximum deviation of a vertex's weight sum from 1.
        pub sum_error: f64,
        /// Number of vertices without weight in the file.
        pub without: usize,
        /// Number of joints per vertex.
        pub influences: Option<InfluenceStatistics>,
        /// Sum of the energies of the joints.
        pub energy: f64,
        /// Sum of the islands of the joints.
        pub islands: usize,
        /// Fraction of all weight that leaks: its joint is much closer to the vertex in a straight line than through
        /// the body.
        pub leak: f64,
        /// Difference between the two halves of the body; null without pairs of left and right joints.
        pub symmetry: Option<WeightSymmetry>,
        /// Every joint of a skin, in the order of the hierarchy.
        pub joints: Vec<JointWeightsJson>,
    }

    /// Vertices and weights of a joint.
    pub struct JointWeightsJson {
        /// Name of the joint.
        pub joint: String,
        /// Number of vertices that the joint moves.
        pub vertices: usize,
        /// Sum of the joint's weights.
        pub weight_sum: f64,
        /// Largest of the joint's weights.
        pub largest: f64,
        /// Dirichlet energy of the joint's weights over the bound surface, unitless: C/L if the weight falls linearly from 1 to 0 over a length L of a limb with circumference C.
        pub energy: f64,
        /// Number of connected surface components where the joint's weight is at least 0.01.
        pub components: usize,
        /// Number of these components beyond the first on each connected surface.
        pub islands: usize,
    }
}

impl WeightNumbersJson {
    /// Converts statistics to rows, with one name per joint.
    pub fn new(numbers: &WeightStatistics, names: Vec<String>) -> Self {
        let joints = numbers.joints.iter().zip(names).map(|(row, joint)| JointWeightsJson {
            joint,
            vertices: row.vertices,
            weight_sum: rounded(row.weight_sum),
            largest: rounded(row.largest),
            energy: rounded(row.energy),
            components: row.components,
            islands: row.islands,
        });
        Self {
            vertices: numbers.vertices,
            sum_error: numbers.sum_error,
            without: numbers.without,
            influences: numbers.influences,
            energy: rounded(numbers.energy),
            islands: numbers.islands,
            leak: rounded(numbers.leak),
            symmetry: numbers.balance,
            joints: joints.collect(),
        }
    }

    /// Formats the rows as CSV with a line for each joint.
    pub fn csv(&self) -> String {
        let columns = columns![|row: &JointWeightsJson|
            joint: row.joint,
            vertices: row.vertices,
            weight_sum: row.weight_sum,
            largest: row.largest,
            energy: row.energy,
            components: row.components,
            islands: row.islands,
        ];
        csv(&columns, &self.joints)
    }
}
