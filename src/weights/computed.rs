//! Weights that were made.

use crate::rig::WeightSet;

/// Result of a recipe, a refinement or a transfer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Computed {
    /// Weights of every skinned primitive that is drawn.
    pub weights: WeightSet,
    /// Sentences on what could not be done as asked, and what was done in its place.
    pub notes: Vec<String>,
}
