//! Specification of a weighting method.

use super::body::Body;
use super::shares::Shares;
use crate::jobs::Progress;

/// Name, description and code of a weighting method.
pub struct WeightingSpec {
    /// Name on the command line and in files.
    pub name: &'static str,
    /// Title in menus.
    pub title: &'static str,
    /// What the method does, with its trade-off, in a sentence or two.
    pub hint: &'static str,
    /// Publication; empty for baselines.
    pub source: &'static str,
    /// Weights for every point; `None` where the job was cancelled.
    pub(super) make: fn(WeightingTask<'_>) -> Option<MadeShares>,
}

/// Input of a weighting method.
#[derive(Clone, Copy)]
pub(super) struct WeightingTask<'a> {
    /// The body, with at least one bone.
    pub body: &'a Body,
    /// See [`super::Recipe::cells`].
    pub cells: Option<u16>,
    pub progress: &'a Progress,
}

/// Output of a weighting method.
#[derive(Default)]
pub(super) struct MadeShares {
    /// Shares of every point; rows sum to 1.
    pub shares: Shares,
    /// See [`super::Computed::notes`].
    pub notes: Vec<String>,
}
