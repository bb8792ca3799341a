//! The result of computing weights.

use crate::rig::WeightSet;

/// Result of a recipe, a refinement or a transfer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Computed {
    /// Weights of every drawn, skinned primitive.
    pub weights: WeightSet,
    /// Notes, as sentences, on what could not be done as requested and was done instead.
    pub notes: Vec<String>,
}
