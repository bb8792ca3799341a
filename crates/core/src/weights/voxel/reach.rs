use super::queue::BucketQueue;
use super::solid::Solid;
use crate::jobs::Progress;

/// Maximum distance of a bone, relative to the distance of the nearest bone. The falloff gives farther bones less than
/// 1/256, which is less than one step of 8-bit weights.
pub(super) const RATIO: f32 = 4.0;

/// Maximum ratio of the length of a path along cells to the straight distance.
const DETOUR: f32 = 1.14;

const CHUNK: usize = 4096;

/// Returns for each cell the maximum distance, in cells, at which a bone may affect a point whose path leads through
/// the cell: [`RATIO`] times the point's distance to its nearest bone, minus the rest of the path.
pub(super) fn limits(
    solid: &Solid,
    holds_points: &[bool],
    nearest: impl Fn(u32) -> f32,
    progress: &Progress,
) -> Option<Vec<f32>> {
    // Distances apply to a cell's centre, from which the point may be half a cell's diagonal away.
    let own = |cell: u32| RATIO * (nearest(cell) + 1.0) + 1.0;
    let cells = 0..solid.len() as u32;
    let sources = cells.filter(|&cell| holds_points[cell as usize] && nearest(cell).is_finite());
    let max_reach = sources.clone().map(own).fold(0.0, f32::max);
    let mut limits = vec![0.0; solid.len()];
    let mut is_known = vec![false; solid.len()];
    let mut queue = BucketQueue::default();
    for cell in sources {
        limits[cell as usize] = own(cell);
        queue.push(max_reach - own(cell), cell);
    }
    let mut known = 0_usize;
    while let Some(cell) = queue.pop() {
        if std::mem::replace(&mut is_known[cell as usize], true) {
            continue;
        }
        known += 1;
        if known.is_multiple_of(CHUNK) {
            progress.check_cancelled()?;
        }
        let (own, middle) = (limits[cell as usize], solid.middle(cell));
        solid.for_each_neighbour(cell, |beside| {
            let limit = own - solid.middle(beside).distance(middle) / DETOUR;
            if limit > limits[beside as usize] {
                limits[beside as usize] = limit;
                queue.push(max_reach - limit, beside);
            }
        });
    }
    Some(limits)
}
