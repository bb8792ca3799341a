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
    /// What the method does, with its drawbacks, in one or two sentences.
    pub hint: &'static str,
    /// Publication that describes the method; empty for baselines.
    pub source: &'static str,
    /// Computes the weights of each point; `None` if cancelled.
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
    pub shares: Shares,
    /// See [`super::Computed::notes`].
    pub notes: Vec<String>,
}
