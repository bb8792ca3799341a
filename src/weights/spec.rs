//! Specification of a weighting method.

use super::body::Body;
use super::shares::Shares;
use crate::jobs::Progress;

/// Name, description and implementation of a weighting method.
pub struct WeightingSpec {
    /// Name on the command line and in files.
    pub name: &'static str,
    /// Title in menus.
    pub title: &'static str,
    /// What the method does, with its drawbacks, in a sentence or two.
    pub hint: &'static str,
    /// Publication that describes the method; empty for baselines.
    pub source: &'static str,
    /// Function that gives each point its weights; `None` if cancelled.
    pub(super) make: fn(WeightingTask<'_>) -> Option<MadeShares>,
}

/// Input of a weighting method.
#[derive(Clone, Copy)]
pub(super) struct WeightingTask<'a> {
    /// The body, with at least one bone.
    pub body: &'a Body,
    /// Cells along the longest side, see [`super::Recipe::cells`].
    pub cells: Option<u16>,
    pub progress: &'a Progress,
}

/// Output of a weighting method.
#[derive(Default)]
pub(super) struct MadeShares {
    /// Shares of every point; each row sums to 1.
    pub shares: Shares,
    /// Notes on what could not be done as requested, see [`super::Computed::notes`].
    pub notes: Vec<String>,
}
