//! Small influences left out.

use crate::weights::recipe::Refinement;
use crate::weights::shares::normalize;

/// Leaves out what is too small, then what is too much, and divides the rest by its sum; false, with the row as it was, where nothing is. The heaviest stays.
///
/// Of equal ones the bones of lower numbers stay, so that vertices which differ in the order of their slots alone stay equal.
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
