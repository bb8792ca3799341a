//! Locality: into how many pieces each joint's region falls.

use std::collections::BTreeSet;

use crate::jobs::Progress;
use crate::weights::body::Body;
use crate::weights::shares::Shares;

/// Least weight by which a point belongs to a joint's region.
const LEAST_WEIGHT: f32 = 0.01;

/// Triangles between two checks for cancellation.
const CHUNK: usize = 1 << 14;

/// The region of a joint: where its weight is at least [`LEAST_WEIGHT`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Region {
    /// Number of connected pieces.
    pub pieces: usize,
    /// Number of pieces beyond one on each connected surface that the region is on.
    pub islands: usize,
}

/// Regions of all bones in order, found by joining the ends of each edge.
pub(super) fn regions(body: &Body, shares: &Shares, progress: &Progress) -> Option<Vec<Region>> {
    let entries = Entries::new(shares);
    let mut surfaces = Joined::new(body.points.len());
    let mut of_bones = Joined::new(entries.bones.len());
    let mut is_on_surface = vec![false; body.points.len()];
    for triangles in body.triangles.chunks(CHUNK) {
        progress.go_on()?;
        for &[a, b, c] in triangles {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                surfaces.join(from, to);
                entries.each_common(from as usize, to as usize, |one, other| of_bones.join(one, other));
                is_on_surface[from as usize] = true;
            }
        }
    }
    let mut regions = vec![Region::default(); body.bones.len()];
    let mut surfaces_of_bones = BTreeSet::new();
    for point in (0..body.points.len()).filter(|&point| is_on_surface[point]) {
        for entry in entries.of(point).filter(|&entry| of_bones.first(entry) == entry) {
            let bone = entries.bones[entry as usize];
            regions[usize::from(bone)].pieces += 1;
            surfaces_of_bones.insert((bone, surfaces.first(point as u32)));
        }
    }
    for region in &mut regions {
        region.islands = region.pieces;
    }
    for (bone, _) in surfaces_of_bones {
        regions[usize::from(bone)].islands -= 1;
    }
    Some(regions)
}

/// The shares large enough to belong to regions, numbered through all points.
struct Entries {
    /// Index of each point's first entry, and at the end the number of entries.
    starts: Vec<u32>,
    /// Bones of the entries, rising within a point.
    bones: Vec<u16>,
}

impl Entries {
    fn new(shares: &Shares) -> Self {
        let mut entries = Self { starts: vec![0], bones: Vec::new() };
        for row in shares.rows() {
            entries.bones.extend(row.filter(|(_, share)| *share >= LEAST_WEIGHT).map(|(bone, _)| bone));
            entries.starts.push(entries.bones.len() as u32);
        }
        entries
    }

    fn of(&self, point: usize) -> std::ops::Range<u32> {
        self.starts[point]..self.starts[point + 1]
    }

    /// Calls `found` with the entries of two points that belong to the same bone.
    fn each_common(&self, a: usize, b: usize, mut found: impl FnMut(u32, u32)) {
        let (a, mut b) = (self.of(a), self.of(b).peekable());
        for one in a {
            let bone = self.bones[one as usize];
            while b.next_if(|&other| self.bones[other as usize] < bone).is_some() {}
            if let Some(other) = b.next_if(|&other| self.bones[other as usize] == bone) {
                found(one, other);
            }
        }
    }
}

/// Disjoint sets, each named by its first member. *Source*: Tarjan and van Leeuwen 1984, "Worst-case analysis of set union algorithms", path halving.
struct Joined(Vec<u32>);

impl Joined {
    fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    fn first(&mut self, mut member: u32) -> u32 {
        let Self(above) = self;
        while above[member as usize] != member {
            above[member as usize] = above[above[member as usize] as usize];
            member = above[member as usize];
        }
        member
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}
