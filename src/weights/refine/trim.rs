//! Drops small influences.

use crate::weights::recipe::Refinement;
use crate::weights::shares::normalize;

/// Drops influences that are too small, then those beyond the limit, and divides the rest by its sum. The heaviest stays. Returns false, with the row
/// unchanged, if there is nothing to drop.
///
/// Of equal influences those of lower bone numbers stay, so that vertices which differ only in the order of their slots stay equal.
pub(super) fn trim(row: &mut Vec<(u16, f32)>, refinement: Refinement) -> bool {
    let most = refinement.most.map_or(usize::MAX, |most| usize::from(most).max(1));
    if row.len() <= most && row.iter().all(|(_, share)| *share >= refinement.prune) || row.len() < 2 {
        return false;
    }
    row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let kept = row.iter().take(most).take_while(|(_, share)| *share >= refinement.prune).count();
    row.truncate(kept.max(1));
    normalize(row);
    true
}
