//! Weights that were made.

use crate::rig::WeightSet;

/// What came of a recipe, a refinement or a transfer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Computed {
    /// Of every skinned primitive that is drawn.
    pub weights: WeightSet,
    /// What could not be done as asked, and what was done in its place: a sentence each.
    pub notes: Vec<String>,
}
