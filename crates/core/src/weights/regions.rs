//! Regions: connected components of the surface where a bone's weight is at least [`MIN_WEIGHT`].

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::jobs::{Progress, try_ranges};
use crate::weights::body::Body;
use crate::weights::bone_weights::PointWeights;

const MIN_WEIGHT: f32 = 0.01;

const CHUNK: usize = 1 << 14;

const NONE: u32 = u32::MAX;

pub(super) struct Regions<'a> {
    shares: &'a PointWeights,
    entries: Entries,
    piece_of: Vec<u32>,
    /// Components in the order of their first points.
    pub pieces: Vec<RegionComponent>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RegionComponent {
    pub bone: u16,
    /// First point of the connected surface that contains the component; it identifies the surface.
    pub surface: u32,
}

impl<'a> Regions<'a> {
    pub(super) fn new(body: &Body, shares: &'a PointWeights, progress: &Progress) -> Option<Self> {
        let entries = Entries::new(shares);
        let surfaces = ConcurrentSets::new(body.points.len());
        let of_bones = ConcurrentSets::new(entries.bones.len());
        let is_on_surface: Vec<AtomicBool> = body.points.iter().map(|_| AtomicBool::new(false)).collect();
        try_ranges((body.triangles.len(), CHUNK), progress, |range| {
            for &[a, b, c] in &body.triangles[range] {
                for [from, to] in [[a, b], [b, c], [c, a]] {
                    surfaces.join(from, to);
                    entries.each_common(from as usize, to as usize, |one, other| of_bones.join(one, other));
                    is_on_surface[from as usize].store(true, Ordering::Relaxed);
                }
            }
            Some(())
        })?;
        let mut regions = Self { shares, piece_of: vec![NONE; entries.bones.len()], pieces: Vec::new(), entries };
        for point in (0..body.points.len()).filter(|&point| is_on_surface[point].load(Ordering::Relaxed)) {
            for entry in regions.entries.range(point) {
                let first = of_bones.first(entry);
                if first == entry {
                    regions.piece_of[entry as usize] = regions.pieces.len() as u32;
                    let bone = regions.entries.bones[entry as usize];
                    regions.pieces.push(RegionComponent { bone, surface: surfaces.first(point as u32) });
                }
                regions.piece_of[entry as usize] = regions.piece_of[first as usize];
            }
        }
        Some(regions)
    }

    /// Returns bone, weight and component index of each influence of a point. The component is `None` below
    /// [`MIN_WEIGHT`].
    pub(super) fn row(&self, point: usize) -> impl Iterator<Item = (u16, f32, Option<usize>)> + '_ {
        let mut entries = self.entries.range(point);
        self.shares.row(point).map(move |(bone, share)| {
            let entry = if share >= MIN_WEIGHT { entries.next() } else { None };
            let piece = entry.map(|entry| self.piece_of[entry as usize]).filter(|piece| *piece != NONE);
            (bone, share, piece.map(|piece| piece as usize))
        })
    }
}

struct Entries {
    /// Index of each point's first entry; ends with the number of entries.
    starts: Vec<u32>,
    bones: Vec<u16>,
}

impl Entries {
    fn new(shares: &PointWeights) -> Self {
        let mut entries = Self { starts: vec![0], bones: Vec::new() };
        for row in shares.rows() {
            entries.bones.extend(row.filter(|(_, share)| *share >= MIN_WEIGHT).map(|(bone, _)| bone));
            entries.starts.push(entries.bones.len() as u32);
        }
        entries
    }

    fn range(&self, point: usize) -> std::ops::Range<u32> {
        self.starts[point]..self.starts[point + 1]
    }

    /// Calls `found` with the entry indices of each bone that two points have in common.
    fn each_common(&self, a: usize, b: usize, mut found: impl FnMut(u32, u32)) {
        let (a, mut b) = (self.range(a), self.range(b).peekable());
        for one in a {
            let bone = self.bones[one as usize];
            while b.next_if(|&other| self.bones[other as usize] < bone).is_some() {}
            if let Some(other) = b.next_if(|&other| self.bones[other as usize] == bone) {
                found(one, other);
            }
        }
    }
}

/// Lock-free disjoint sets. Each set is represented by its lowest member, regardless of thread timing.
/// *Source*: Anderson and Woll 1991, "Wait-free parallel algorithms for the union-find problem"; path halving by
/// Tarjan and van Leeuwen 1984, "Worst-case analysis of set union algorithms".
struct ConcurrentSets(Vec<AtomicU32>);

impl ConcurrentSets {
    fn new(count: usize) -> Self {
        Self((0..count as u32).map(AtomicU32::new).collect())
    }

    fn above(&self, member: u32) -> u32 {
        self.0[member as usize].load(Ordering::Relaxed)
    }

    fn first(&self, mut member: u32) -> u32 {
        loop {
            let above = self.above(member);
            let higher = self.above(above);
            if higher == above {
                return above;
            }
            self.0[member as usize].store(higher, Ordering::Relaxed);
            member = higher;
        }
    }

    fn join(&self, a: u32, b: u32) {
        loop {
            let (a, b) = (self.first(a), self.first(b));
            let (low, high) = (a.min(b), a.max(b));
            // The exchange fails if another thread has just joined that set to an earlier one.
            let joined = || self.0[high as usize].compare_exchange(high, low, Ordering::Relaxed, Ordering::Relaxed);
            if low == high || joined().is_ok() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rayon::prelude::*;

    use super::*;

    #[test]
    fn sets_that_several_threads_join_have_the_names_of_their_first_members() {
        let (count, sets) = (70_000, 7);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        for _ in 0..8 {
            let joined = ConcurrentSets::new(count as usize);
            // Each join names the last member of a set, so that threads contend for the same set.
            let members: Vec<u32> = (0..count - sets).rev().collect();
            let join = |&member: &u32| joined.join(count - sets + member % sets, member);
            pool.install(|| members.par_iter().with_max_len(1).for_each(join));
            assert!((0..count).all(|member| joined.first(member) == member % sets));
        }
    }
}
