//! Which vertex of one character is which of another.

use std::sync::Arc;

use glam::Vec3;
use rayon::prelude::*;

use super::measurable;
use crate::jobs::Progress;
use crate::rig::{PointTree, Pose, Primitive, Rig, evaluate};
use crate::skinning::{Deformed, Method, Skinner, Skinning};

/// For every vertex of two characters its counterpart in the other, in the order of [`Rig::primitives`], vertices numbered through all of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Matching {
    /// The meshes have the same vertices and triangles in the same order: each is its own counterpart.
    InOrder,
    /// The vertex that is nearest at rest; `u32::MAX` where none is near.
    ByPlace {
        /// Of each vertex of the first.
        to_second: Vec<u32>,
        /// Of each vertex of the second.
        to_first: Vec<u32>,
    },
}

/// No counterpart.
const NONE: u32 = u32::MAX;

/// Farther apart at rest, as a share of the size of the larger character, two vertices are no counterparts.
const FARTHEST: f32 = 0.03;
/// A smaller share of vertices with a counterpart is no match.
const LEAST_SHARE: f32 = 0.5;

/// Why the vertices of two characters are not compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unmatched {
    /// One that is beyond [`super::MOST_VERTICES`].
    #[error("one of the files has more vertices than can be compared")]
    TooLarge,
    /// Neither is the open one.
    #[error("both sides show another file than the open one")]
    TwoOthers,
    /// Shapes that lie apart.
    #[error("only {:.0} % of the vertices lie near the other file's at rest", .0 * 100.0)]
    Apart(f32),
}

impl Matching {
    /// Matches two characters; `None` where it was cancelled.
    ///
    /// *Cost*: nothing where vertices are in order, else a few seconds for a million.
    ///
    /// *Errors*: characters that cannot be matched.
    pub fn between(first: &Arc<Rig>, second: &Arc<Rig>, progress: &Progress) -> Option<Result<Self, Unmatched>> {
        if is_in_order(first, second) {
            return Some(Ok(Self::InOrder));
        }
        if measurable(first).and(measurable(second)).is_none() {
            return Some(Err(Unmatched::TooLarge));
        }
        let (first_points, second_points) = (at_rest(first), at_rest(second));
        progress.go_on()?;
        let farthest = first.size().max(second.size()) * FARTHEST;
        let to_second = nearest(&first_points, &second_points, farthest);
        progress.go_on()?;
        let to_first = nearest(&second_points, &first_points, farthest);
        let least = found_share(&to_second).min(found_share(&to_first));
        Some(if least < LEAST_SHARE { Err(Unmatched::Apart(least)) } else { Ok(Self::ByPlace { to_second, to_first }) })
    }

    /// The share of the first character's vertices that have a counterpart.
    pub fn share(&self) -> f32 {
        match self {
            Self::InOrder => 1.0,
            Self::ByPlace { to_second, .. } => found_share(to_second),
        }
    }

    /// The matching with its two characters exchanged.
    #[must_use]
    pub fn turned(&self) -> Self {
        match self {
            Self::InOrder => Self::InOrder,
            Self::ByPlace { to_second, to_first } => {
                Self::ByPlace { to_second: to_first.clone(), to_first: to_second.clone() }
            }
        }
    }

    /// How far each vertex of both is from its counterpart, metres; NaN where it has none.
    ///
    /// *Shapes*: surfaces by mesh instance and primitive; results by part.
    pub fn distances(&self, first: &[Vec<Deformed>], second: &[Vec<Deformed>]) -> [Vec<Vec<f32>>; 2] {
        match self {
            Self::InOrder => {
                let both = super::field::distance(first, second);
                [both.clone(), both]
            }
            Self::ByPlace { to_second, to_first } => {
                [far_from(first, second, to_second), far_from(second, first, to_first)]
            }
        }
    }
}

fn far_from(own: &[Vec<Deformed>], others: &[Vec<Deformed>], counterparts: &[u32]) -> Vec<Vec<f32>> {
    let others: Vec<Vec3> = others.iter().flatten().flat_map(|part| part.positions.iter().copied()).collect();
    let mut first = 0;
    let part = |deformed: &Deformed| {
        let counterparts = counterparts.get(first..first + deformed.positions.len()).unwrap_or_default();
        first += deformed.positions.len();
        let pairs = deformed.positions.par_iter().zip(counterparts);
        pairs.map(|(p, at)| others.get(*at as usize).map_or(f32::NAN, |other| p.distance(*other))).collect()
    };
    own.iter().flatten().map(part).collect()
}

fn found_share(counterparts: &[u32]) -> f32 {
    counterparts.iter().filter(|vertex| **vertex != NONE).count() as f32 / counterparts.len().max(1) as f32
}

fn is_in_order(first: &Rig, second: &Rig) -> bool {
    first.parts().count() == second.parts().count()
        && first.primitives().zip(second.primitives()).all(|((_, a), (_, b))| {
            let strokes = |p: &Primitive| (p.lines.len(), p.points.len());
            a.positions.len() == b.positions.len() && a.indices == b.indices && strokes(a) == strokes(b)
        })
}

/// Every vertex in world space at rest, by linear blending.
fn at_rest(rig: &Arc<Rig>) -> Vec<Vec3> {
    let posed = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
    let skinner = Skinner::new(rig, &Skinning::new(Method::Lbs));
    let surfaces = skinner.map(|skinner| skinner.deform(&posed)).unwrap_or_default();
    surfaces.into_iter().flatten().flat_map(|part| part.positions).collect()
}

/// Of each point the nearest of the others within a distance.
fn nearest(points: &[Vec3], others: &[Vec3], farthest: f32) -> Vec<u32> {
    let tree = PointTree::new(others, (0..).zip(others).filter(|(_, o)| o.is_finite()).map(|(n, _)| n).collect());
    let find = |point: &Vec3| tree.nearest(*point, farthest, |_| true).map_or(NONE, |(number, _)| number);
    points.par_iter().map(|point| if point.is_finite() { find(point) } else { NONE }).collect()
}
