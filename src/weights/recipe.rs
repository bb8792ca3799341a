//! Recipe for making weights: small enough for a session, and enough to get the same ones again.

use serde::{Deserialize, Serialize};

use super::weighting::Weighting;

/// A weighting method, its settings and what is done to its result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Recipe {
    /// The method that makes the weights.
    pub weighting: Weighting,
    /// Cells along the longest side of the body for methods that divide space; `None` where the thinnest limb decides.
    pub cells: Option<u16>,
    /// Names of joints that get no weight, in place of those that look like helpers.
    pub left_out: Option<Vec<String>>,
    /// True where the halves of a symmetric body may differ by the automatic method too.
    pub is_asymmetric: bool,
    /// What is done to the made weights.
    pub refinement: Refinement,
}

/// Steps applied to weights wherever they come from, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Refinement {
    /// Times that weights are smoothed along the surface.
    pub smoothing: u8,
    /// True where both halves of the body get the same weights.
    pub is_symmetric: bool,
    /// Weight under which weights are left out.
    pub prune: f32,
    /// Influences that a vertex keeps at most; `None` for all.
    pub most: Option<u8>,
}

impl Default for Refinement {
    fn default() -> Self {
        Self { smoothing: 0, is_symmetric: false, prune: 1.0 / 255.0, most: Some(4) }
    }
}
