use std::collections::HashMap;
use std::sync::Arc;

use glam::Vec3;
use rayon::prelude::*;

use super::mesh_pair::{MeshPair, mesh_pairs};
use super::rig_match::{MeshAndSkin, RigMatch};
use super::rounding_m;
use crate::jobs::Progress;
use crate::rig::{PointTree, Pose, Primitive, Rig, evaluate};
use crate::skinning::{Method, Skinner, Skinning};

/// Match between all vertices of two characters, numbered across [`Rig::primitives`].
#[derive(Clone, Debug, PartialEq)]
pub enum VertexPairs {
    /// Equal vertex counts and equal triangle lists: each vertex is its own counterpart.
    InOrder,
    /// Matched within the same mesh by [`super::VertexMatch`], otherwise to the nearest vertex; `u32::MAX` if no vertex
    /// is close.
    ByPlace {
        /// Counterpart of each vertex of the first character.
        to_second: Vec<u32>,
        /// Counterpart of each vertex of the second character.
        to_first: Vec<u32>,
    },
}

const NONE: u32 = u32::MAX;
/// Characters with more vertices, counted in every mesh instance, are not matched by position.
const MAX_VERTICES: usize = 1 << 24;
/// Maximum distance between counterparts, as a fraction of the larger character's size.
const MAX_DISTANCE: f32 = 0.03;
const MIN_FRACTION: f32 = 0.5;

/// Why the vertices of two characters cannot be compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum VertexMatchError {
    /// A character has too many vertices to match by position.
    #[error("one of the files has too many vertices to compare")]
    TooLarge,
    /// Neither side shows the open character.
    #[error("neither side shows the open file")]
    TwoOthers,
    /// The shapes differ too much: only this fraction of vertices has a counterpart.
    #[error("only {:.0} % of the vertices lie near the other file's at rest", .0 * 100.0)]
    Apart(f32),
}

impl VertexPairs {
    /// Matches all vertices; `None` if cancelled. *Cost*: compares the triangle lists; if they differ, a few seconds
    /// per million vertices. *Errors*: the characters do not match.
    pub fn between(first: &Arc<Rig>, second: &Arc<Rig>, progress: &Progress) -> Option<Result<Self, VertexMatchError>> {
        if is_in_order(first, second) {
            return Some(Ok(Self::InOrder));
        }
        if first.vertex_count().max(second.vertex_count()) > MAX_VERTICES {
            return Some(Err(VertexMatchError::TooLarge));
        }
        let farthest = first.size().max(second.size()) * MAX_DISTANCE;
        let [mut to_second, mut to_first] = by_mesh(first, second, farthest, progress)?;
        if to_second.contains(&NONE) || to_first.contains(&NONE) {
            let (first_points, second_points) = (at_rest(first), at_rest(second));
            add_nearest(&mut to_second, &first_points, &second_points, farthest);
            progress.check_cancelled()?;
            add_nearest(&mut to_first, &second_points, &first_points, farthest);
        }
        let min_fraction = found_fraction(&to_second).min(found_fraction(&to_first));
        Some(if min_fraction < MIN_FRACTION {
            Err(VertexMatchError::Apart(min_fraction))
        } else {
            Ok(Self::ByPlace { to_second, to_first })
        })
    }

    /// Returns the fraction of the first character's vertices that have a counterpart.
    pub fn share(&self) -> f32 {
        match self {
            Self::InOrder => 1.0,
            Self::ByPlace { to_second, .. } => found_fraction(to_second),
        }
    }

    /// Returns the counterpart of each vertex of the first or second character; `None` if each vertex is its own.
    pub fn counterparts(&self, of_first: bool) -> Option<&[u32]> {
        match self {
            Self::InOrder => None,
            Self::ByPlace { to_second, to_first } => Some(if of_first { to_second } else { to_first }),
        }
    }

    /// Returns the match with the two characters swapped.
    #[must_use]
    pub fn turned(&self) -> Self {
        match self {
            Self::InOrder => Self::InOrder,
            Self::ByPlace { to_second, to_first } => {
                Self::ByPlace { to_second: to_first.clone(), to_first: to_second.clone() }
            }
        }
    }
}

fn by_mesh(first: &Rig, second: &Rig, farthest: f32, progress: &Progress) -> Option<[Vec<u32>; 2]> {
    let both = RigMatch::new(first, second);
    let meshes = both.mesh_match();
    let pairs = mesh_pairs(&both, &meshes, rounding_m(first), progress)?;
    let mut found: HashMap<[MeshAndSkin; 2], [Vec<u32>; 2]> = HashMap::new();
    for pair in &pairs {
        progress.check_cancelled()?;
        found.insert(both.drawn(pair.instances.into()), counterparts(pair, farthest * pair.metre));
    }
    let starts = [starts(first), starts(second)];
    let mut all = starts.each_ref().map(|starts| vec![NONE; starts.last().copied().unwrap_or_default()]);
    for (old, new) in meshes.pairs() {
        let Some([to_new, to_old]) = found.get(&both.drawn((old, new))) else { continue };
        for (side, own, other, counterparts) in [(0, old, new, to_new), (1, new, old, to_old)] {
            let into = all[side][starts[side][own]..].iter_mut().zip(counterparts);
            let begin = starts[1 - side][other] as u32;
            into.for_each(|(slot, &at)| *slot = if at == NONE { NONE } else { begin + at });
        }
    }
    Some(all)
}

/// Returns the counterparts of one mesh's vertices in both directions: those of the vertex match, and for the remaining
/// vertices the nearest vertex within `farthest`, in old mesh coordinates.
fn counterparts(pair: &MeshPair<'_>, farthest: f32) -> [Vec<u32>; 2] {
    let (mut to_new, mut to_old) = (vec![NONE; pair.old.vertex_count()], vec![NONE; pair.new.vertex_count()]);
    for (old, new) in pair.vertices.pairs() {
        (to_new[old], to_old[new]) = (new as u32, old as u32);
    }
    add_nearest(&mut to_new, &pair.old.positions, &pair.new.positions, farthest);
    add_nearest(&mut to_old, &pair.new.positions, &pair.old.positions, farthest);
    [to_new, to_old]
}

fn starts(rig: &Rig) -> Vec<usize> {
    let mut starts = vec![0];
    for instance in &rig.instances {
        let count: usize = rig.meshes[instance.mesh].primitives.iter().map(|p| p.positions.len()).sum();
        starts.push(starts.last().copied().unwrap_or_default() + count);
    }
    starts
}

fn found_fraction(counterparts: &[u32]) -> f32 {
    counterparts.iter().filter(|vertex| **vertex != NONE).count() as f32 / counterparts.len().max(1) as f32
}

fn is_in_order(first: &Rig, second: &Rig) -> bool {
    first.parts().count() == second.parts().count()
        && first.primitives().zip(second.primitives()).all(|((_, a), (_, b))| {
            let strokes = |p: &Primitive| (p.lines.len(), p.points.len());
            a.positions.len() == b.positions.len() && a.indices == b.indices && strokes(a) == strokes(b)
        })
}

fn at_rest(rig: &Arc<Rig>) -> Vec<Vec3> {
    let posed = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
    let skinner = Skinner::new(rig, &Skinning::new(Method::Lbs));
    let surfaces = skinner.map(|skinner| skinner.deform(&posed)).unwrap_or_default();
    surfaces.into_iter().flatten().flat_map(|part| part.positions).collect()
}

fn add_nearest(counterparts: &mut [u32], points: &[Vec3], others: &[Vec3], farthest: f32) {
    if !counterparts.contains(&NONE) {
        return;
    }
    let tree = PointTree::new(others, (0..).zip(others).filter(|(_, o)| o.is_finite()).map(|(n, _)| n).collect());
    let find = |point: Vec3| tree.nearest(point, farthest, |_| true).map_or(NONE, |(number, _)| number);
    let left = counterparts.par_iter_mut().zip(points).filter(|(at, point)| **at == NONE && point.is_finite());
    left.for_each(|(at, point)| *at = find(*point));
}
