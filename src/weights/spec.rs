//! What every weighting method has.

use super::body::Body;
use super::shares::Shares;
use crate::jobs::Progress;

/// What a weighting method is.
pub struct WeightingSpec {
    /// On the command line and in files.
    pub name: &'static str,
    /// In menus.
    pub title: &'static str,
    /// What it does, with its trade-off, in a sentence or two.
    pub hint: &'static str,
    /// Where it was published; empty for baselines.
    pub source: &'static str,
    /// Weights for every point; `None` where the job was cancelled.
    pub(super) make: fn(WeightingTask<'_>) -> Option<MadeShares>,
}

/// What a method is to do.
#[derive(Clone, Copy)]
pub(super) struct WeightingTask<'a> {
    /// With at least one bone.
    pub body: &'a Body,
    /// See [`super::Recipe::cells`].
    pub cells: Option<u16>,
    pub progress: &'a Progress,
}

/// What a method has done.
#[derive(Default)]
pub(super) struct MadeShares {
    /// Of every point; rows sum to 1.
    pub shares: Shares,
    /// See [`super::Computed::notes`].
    pub notes: Vec<String>,
}
