//! Locality: into how many pieces each joint's region falls.

use std::collections::BTreeSet;

use crate::jobs::Progress;
use crate::weights::body::Body;
use crate::weights::regions::Regions;
use crate::weights::shares::Shares;

/// The pieces of a joint's region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Region {
    /// Number of connected pieces.
    pub pieces: usize,
    /// Number of pieces beyond one on each connected surface that the region is on.
    pub islands: usize,
}

/// The pieces of all bones' regions, in the order of the bones. `None` if cancelled.
pub(super) fn regions(body: &Body, shares: &Shares, progress: &Progress) -> Option<Vec<Region>> {
    let pieces = Regions::of(body, shares, progress)?.pieces;
    let mut regions = vec![Region::default(); body.bones.len()];
    for piece in &pieces {
        regions[usize::from(piece.bone)].pieces += 1;
        regions[usize::from(piece.bone)].islands += 1;
    }
    for first in pieces.into_iter().collect::<BTreeSet<_>>() {
        regions[usize::from(first.bone)].islands -= 1;
    }
    Some(regions)
}
