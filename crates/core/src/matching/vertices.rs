use glam::Vec3;
use rayon::prelude::*;

use super::surface::MatchSurface;
use crate::jobs::Progress;
use crate::rig::{Bounds, PointTree, position_bits};

/// Match between the vertices of two meshes, numbered across primitives. Welded vertices may share a counterpart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VertexMatch {
    new_for: Vec<u32>,
    old_for: Vec<u32>,
    is_same_order: bool,
}

const NONE: u32 = u32::MAX;
const SEARCHED: usize = 64;
/// Maximum distance between vertices that are matched after moving, as a fraction of the mesh's diagonal.
const MOVED: f32 = 0.02;
/// An attribute difference of 1 counts like this fraction of the maximum distance.
const SEAM: f32 = 0.02;
/// Attribute and weight differences up to this value count as rounding.
const ALIKE: f32 = 1e-3;
/// Attribute and weight differences up to this value count as rounding to 8 bits.
const NEARLY: f32 = 0.05;

impl VertexMatch {
    /// Matches vertices with equal index and position, then vertices at equal positions by attributes and weights. The
    /// remaining vertices are matched by index if the order is unchanged, then share counterparts at equal positions,
    /// and are finally matched by distance. `None` if cancelled. Both surfaces must use the same coordinates; positions
    /// at most `reach` apart count as equal.
    pub(crate) fn between(
        old: &MatchSurface<'_>,
        new: &MatchSurface<'_>,
        reach: f32,
        progress: &Progress,
    ) -> Option<Self> {
        let mut found = Self {
            new_for: vec![NONE; old.vertex_count()],
            old_for: vec![NONE; new.vertex_count()],
            is_same_order: false,
        };
        let in_place: Vec<bool> = (0..old.vertex_count().min(new.vertex_count()))
            .into_par_iter()
            .map(|v| old.positions[v].distance(new.positions[v]) <= reach && unlike(old, new, v, v) <= ALIKE)
            .collect();
        (0..).zip(&in_place).filter(|(_, is_same)| **is_same).for_each(|(v, _)| found.join(v, v));
        progress.check_cancelled()?;
        // Match the most similar vertices first, so that no welded vertex gets the counterpart of another one.
        let by_looks = |max_rank: f32| {
            move |_: f32, from, to| {
                let rank = unlike(old, new, from as usize, to as usize);
                (rank <= max_rank).then_some(CandidateRank { rank, reach })
            }
        };
        found.join_exact(old, new, ALIKE);
        progress.check_cancelled()?;
        found.join_near(old, new, (reach, true), by_looks(NEARLY), progress)?;
        found.join_exact(old, new, f32::INFINITY);
        progress.check_cancelled()?;
        found.join_near(old, new, (reach, false), by_looks(f32::INFINITY), progress)?;
        let is_elsewhere = |&(from, to): &(usize, usize)| from != to && unlike(old, new, from, to) <= ALIKE;
        let elsewhere = found.pairs().filter(is_elsewhere).count();
        let changed = old.vertex_count() - in_place.iter().filter(|is_same| **is_same).count();
        // After sculpting, few vertices are at the old position of another vertex; after reordering, most are.
        if old.vertex_count() == new.vertex_count() && elsewhere <= changed / 2 && old.elements().eq(new.elements()) {
            return Some(Self::same_order(old.vertex_count()));
        }
        let far = MOVED * new.positions.iter().copied().collect::<Bounds>().diagonal();
        let near = || {
            let apart = old.positions.iter().zip(&new.positions).map(|(from, to)| from.distance(*to));
            apart.filter(|distance| *distance <= far).count()
        };
        let is_kept = || old.elements().eq(new.elements()) || near() > old.vertex_count() / 2;
        if old.vertex_count() == new.vertex_count() && elsewhere <= old.vertex_count() / 2 && is_kept() {
            for vertex in 0..old.vertex_count() as u32 {
                if found.is_free(vertex, vertex) {
                    found.join(vertex, vertex);
                }
            }
        }
        found.share(old, new, reach, progress)?;
        // At equal positions, such as on seams, prefer the vertex with the most similar attributes.
        let nearest = |distance: f32, from, to| {
            let rank = distance + SEAM * far * unlike(old, new, from as usize, to as usize);
            Some(CandidateRank { rank, reach: rank })
        };
        found.join_near(old, new, (far, false), nearest, progress)?;
        found.is_same_order =
            old.vertex_count() == new.vertex_count() && (0..).zip(&found.new_for).all(|(old, &new)| old == new);
        Some(found)
    }

    fn same_order(count: usize) -> Self {
        let all: Vec<u32> = (0..count as u32).collect();
        Self { new_for: all.clone(), old_for: all, is_same_order: true }
    }

    /// Returns the new counterpart of an old vertex.
    pub fn new_for(&self, old: usize) -> Option<usize> {
        self.new_for.get(old).filter(|v| **v != NONE).map(|v| *v as usize)
    }

    /// Returns the old counterpart of a new vertex.
    pub fn old_for(&self, new: usize) -> Option<usize> {
        self.old_for.get(new).filter(|v| **v != NONE).map(|v| *v as usize)
    }

    /// Returns whether all vertices kept their indices.
    pub fn is_same_order(&self) -> bool {
        self.is_same_order
    }

    /// Iterates over matched `(old, new)` vertices.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let from = self.new_for.iter().enumerate().filter(|(_, new)| **new != NONE);
        let from = from.map(|(old, new)| (old, *new as usize));
        let to = self.old_for.iter().enumerate().filter(|(_, old)| **old != NONE);
        let is_shared = |&(old, new): &(usize, usize)| self.new_for[old] as usize != new;
        from.chain(to.map(|(new, old)| (*old as usize, new)).filter(is_shared))
    }

    /// Returns the numbers of unmatched vertices in the old and the new mesh.
    pub fn left(&self) -> [usize; 2] {
        [&self.new_for, &self.old_for].map(|list| list.iter().filter(|v| **v == NONE).count())
    }

    fn join(&mut self, old: u32, new: u32) {
        self.new_for[old as usize] = new;
        self.old_for[new as usize] = old;
    }

    fn is_free(&self, old: u32, new: u32) -> bool {
        self.new_for[old as usize] == NONE && self.old_for[new as usize] == NONE
    }

    fn free(list: &[u32]) -> Vec<u32> {
        (0..).zip(list).filter(|(_, other)| **other == NONE).map(|(number, _)| number).collect()
    }

    /// Lets unmatched vertices, such as welded or split vertices, share the most similar counterpart at the same
    /// position. `None` if cancelled.
    fn share(&mut self, old: &MatchSurface<'_>, new: &MatchSurface<'_>, reach: f32, progress: &Progress) -> Option<()> {
        let (from, to) = (Self::free(&self.new_for), Self::free(&self.old_for));
        let all = |surface: &MatchSurface<'_>| (0..surface.vertex_count() as u32).collect::<Vec<u32>>();
        let closest = |tree: &PointTree<'_>, place: Vec3, rank: &dyn Fn(u32) -> f32| {
            let mut best: Option<(f32, u32)> = None;
            tree.visit(place, reach, |other, _| {
                let rank = rank(other);
                best = best.filter(|(min_rank, _)| *min_rank <= rank).or(Some((rank, other)));
                Some(reach)
            });
            best.map(|(_, other)| other)
        };
        if !from.is_empty() {
            let tree = PointTree::new(&new.positions, all(new));
            for vertex in from {
                progress.check_cancelled()?;
                let rank = |other: u32| unlike(old, new, vertex as usize, other as usize);
                let other = closest(&tree, old.positions[vertex as usize], &rank);
                self.new_for[vertex as usize] = other.unwrap_or(NONE);
            }
        }
        if !to.is_empty() {
            let tree = PointTree::new(&old.positions, all(old));
            for vertex in to {
                progress.check_cancelled()?;
                let rank = |other: u32| unlike(old, new, other as usize, vertex as usize);
                let other = closest(&tree, new.positions[vertex as usize], &rank);
                self.old_for[vertex as usize] = other.unwrap_or(NONE);
            }
        }
        Some(())
    }

    /// Matches unmatched vertices at bit-identical positions whose attributes and weights differ by at most `max_rank`.
    fn join_exact(&mut self, old: &MatchSurface<'_>, new: &MatchSurface<'_>, max_rank: f32) {
        let sorted = |list: &[u32], positions: &[Vec3]| {
            let mut keyed: Vec<([u32; 3], u32)> =
                Self::free(list).into_iter().map(|v| (position_bits(positions[v as usize]), v)).collect();
            keyed.par_sort_unstable();
            keyed
        };
        let (from, to) = (sorted(&self.new_for, &old.positions), sorted(&self.old_for, &new.positions));
        let mut rest = to.as_slice();
        for group in from.chunk_by(|a, b| a.0 == b.0) {
            let key = group[0].0;
            rest = &rest[rest.partition_point(|(other, _)| *other < key)..];
            let here = rest.iter().take_while(|(other, _)| *other == key).count();
            let (same, behind) = rest.split_at(here);
            rest = behind;
            let mut same: Vec<u32> = same.iter().rev().map(|(_, vertex)| *vertex).collect();
            for (_, vertex) in group {
                let searched = same.len().saturating_sub(SEARCHED)..same.len();
                let rank = |at: usize| unlike(old, new, *vertex as usize, same[at] as usize);
                let ranked = searched.rev().map(|at| (rank(at), at));
                let Some((rank, best)) = ranked.min_by_key(|(rank, _)| rank.to_bits()) else { break };
                if rank <= max_rank {
                    self.join(*vertex, same.remove(best));
                }
            }
        }
    }

    /// Matches unmatched vertices to their best-ranked candidates within `reach`. If `waits` is set, skips vertices
    /// that are much more similar to a candidate that is already matched. `None` if cancelled.
    fn join_near(
        &mut self,
        old: &MatchSurface<'_>,
        new: &MatchSurface<'_>,
        (reach, waits): (f32, bool),
        ranked: impl Fn(f32, u32, u32) -> Option<CandidateRank>,
        progress: &Progress,
    ) -> Option<()> {
        let (from, to) = (Self::free(&self.new_for), Self::free(&self.old_for));
        if from.is_empty() || to.is_empty() {
            return Some(());
        }
        let among = if waits { (0..new.vertex_count() as u32).collect() } else { to };
        let tree = PointTree::new(&new.positions, among);
        for vertex in from {
            progress.check_cancelled()?;
            let mut best: Option<(f32, u32)> = None;
            let mut taken = f32::INFINITY;
            tree.visit(old.positions[vertex as usize], reach, |other, distance| {
                let found = ranked(distance, vertex, other)?;
                if self.old_for[other as usize] != NONE {
                    taken = taken.min(found.rank);
                    return None;
                }
                let is_best = best.is_none_or(|(min_rank, _)| found.rank < min_rank);
                is_best.then(|| {
                    best = Some((found.rank, other));
                    found.reach
                })
            });
            if let Some((_, other)) = best.filter(|(rank, _)| !waits || *rank <= taken + ALIKE) {
                self.join(vertex, other);
            }
        }
        Some(())
    }
}

struct CandidateRank {
    rank: f32,
    reach: f32,
}

fn unlike(old: &MatchSurface<'_>, new: &MatchSurface<'_>, from: usize, to: usize) -> f32 {
    let weights: f32 = weight_changes(old, new, from, to).map(|(_, change)| change.abs()).sum();
    old.attributes(from).unlike(&new.attributes(to)) + weights
}

/// Iterates over `(shared joint ID, weight change)` from an old to a new vertex.
pub fn weight_changes<'a>(
    old: &'a MatchSurface<'_>,
    new: &'a MatchSurface<'_>,
    from: usize,
    to: usize,
) -> impl Iterator<Item = (u32, f32)> + 'a {
    let weight = |surface: &MatchSurface<'_>, vertex, joint| {
        surface.weights(vertex).filter(|(other, _)| *other == joint).map(|(_, weight)| weight).sum::<f32>()
    };
    let is_first = |surface: &MatchSurface<'_>, vertex, at, joint| {
        surface.weights(vertex).take(at).all(|(other, _)| other != joint)
    };
    let now = new.weights(to).enumerate().filter(move |(at, (joint, _))| is_first(new, to, *at, *joint));
    let was = old.weights(from).enumerate().filter(move |(at, (joint, _))| is_first(old, from, *at, *joint));
    let lost = was.filter(move |(_, (joint, _))| new.weights(to).all(|(other, _)| other != *joint));
    let gained = now.map(move |(_, (joint, _))| (joint, weight(new, to, joint) - weight(old, from, joint)));
    gained.chain(lost.map(move |(_, (joint, _))| (joint, -weight(old, from, joint))))
}
