use super::body::Body;
use super::bone_weights::PointWeights;
use crate::jobs::Progress;
use crate::rig::WeightSet;

/// A weighting method.
pub struct WeightingSpec {
    /// Name on the command line and in files.
    pub name: &'static str,
    /// Title in menus.
    pub title: &'static str,
    /// What the method does and its drawbacks, in one or two sentences.
    pub hint: &'static str,
    /// Publication that describes the method; empty for baselines.
    pub source: &'static str,
    pub(super) make: fn(WeightingTask<'_>) -> Option<WeightingResult>,
}

#[derive(Clone, Copy)]
pub(super) struct WeightingTask<'a> {
    /// Has at least one bone.
    pub body: &'a Body,
    /// See [`super::Recipe::cells`].
    pub cells: Option<u16>,
    pub progress: &'a Progress,
}

#[derive(Default)]
pub(super) struct WeightingResult {
    /// Each row sums to 1.
    pub shares: PointWeights,
    /// See [`WeightResult::notes`].
    pub notes: Vec<String>,
}

/// Result of a recipe, a refinement or a transfer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightResult {
    /// Weights of every drawn, skinned primitive.
    pub weights: WeightSet,
    /// Requests that could not be met, as sentences.
    pub notes: Vec<String>,
}
