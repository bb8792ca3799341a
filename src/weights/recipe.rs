//! Recipe for computing weights: small enough for a session, and enough to get the same weights again.

use serde::{Deserialize, Serialize};

use super::weighting::Weighting;

/// A weighting method, its settings, and the refinement of its result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Recipe {
    /// The method that computes the weights.
    pub weighting: Weighting,
    /// Cells along the longest side of the body, for methods that divide space; `None` to choose by the thinnest limb.
    pub cells: Option<u16>,
    /// Names of joints that get no weight, instead of those that look like helpers.
    pub left_out: Option<Vec<String>>,
    /// True where the automatic method too may give the halves of a symmetric body different weights.
    pub is_asymmetric: bool,
    /// Refinement of the computed weights.
    pub refinement: Refinement,
}

/// Steps applied to any weights, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Refinement {
    /// Number of times that weights are smoothed along the surface.
    pub smoothing: u8,
    /// True where both halves of the body get the same weights.
    pub is_symmetric: bool,
    /// Weights below this are dropped.
    pub prune: f32,
    /// Most influences per vertex; `None` for no limit.
    pub most: Option<u8>,
}

impl Default for Refinement {
    fn default() -> Self {
        Self { smoothing: 0, is_symmetric: false, prune: 1.0 / 255.0, most: Some(4) }
    }
}
