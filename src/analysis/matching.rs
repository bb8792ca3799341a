//! Which vertex of one character is which of another.

use std::collections::HashMap;

use glam::{IVec3, Vec3};
use rayon::prelude::*;

use super::measurable;
use crate::jobs::Progress;
use crate::rig::{Pose, Rig, evaluate};
use crate::skinning::{Deformed, Method, Skinner, Skinning};
use std::sync::Arc;

/// For every vertex of two characters its counterpart in the other, in the order of [`Rig::primitives`], vertices numbered through all of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Matching {
    /// The meshes have the same vertices and triangles in the same order: each is its own counterpart.
    InOrder,
    /// The vertex that is nearest at rest; [`NONE`] where none is near.
    ByPlace {
        /// Of each vertex of the first.
        to_second: Vec<u32>,
        /// Of each vertex of the second.
        to_first: Vec<u32>,
    },
}

/// No counterpart.
pub const NONE: u32 = u32::MAX;

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
    #[error("only {:.0} % of the vertices lie near one of the other file at rest: distances between them say nothing", .0 * 100.0)]
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
        let share = |found: &[u32]| found.iter().filter(|v| **v != NONE).count() as f32 / found.len().max(1) as f32;
        let least = share(&to_second).min(share(&to_first));
        Some(if least < LEAST_SHARE { Err(Unmatched::Apart(least)) } else { Ok(Self::ByPlace { to_second, to_first }) })
    }

    /// The same seen from the other character.
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

fn is_in_order(first: &Rig, second: &Rig) -> bool {
    first.parts().count() == second.parts().count()
        && first.primitives().zip(second.primitives()).all(|((_, a), (_, b))| {
            let strokes = |p: &crate::rig::Primitive| (p.lines.len(), p.points.len());
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

/// Of each point the nearest of the others within a distance; of several the first.
fn nearest(points: &[Vec3], others: &[Vec3], farthest: f32) -> Vec<u32> {
    // Cells hold a few points each where these lie on a surface.
    let cell = (farthest / 8.0).max(f32::MIN_POSITIVE);
    let cell_of = |point: Vec3| (point / cell).floor().as_ivec3();
    let mut cells: HashMap<IVec3, Vec<u32>> = HashMap::new();
    for (number, point) in (0..).zip(others).filter(|(_, point)| point.is_finite()) {
        cells.entry(cell_of(*point)).or_default().push(number);
    }
    let most_rings = (farthest / cell).ceil() as i32;
    let find = |point: &Vec3| {
        let (middle, mut best) = (cell_of(*point), (farthest * farthest, NONE));
        for ring in 0..=most_rings {
            // What is farther out than what was found is not nearer.
            let reach = (ring - 1).max(0) as f32 * cell;
            if best.1 != NONE && reach * reach > best.0 {
                break;
            }
            for at in shell(middle, ring) {
                for &number in cells.get(&at).into_iter().flatten() {
                    let square = point.distance_squared(others[number as usize]);
                    if (square, number) < best {
                        best = (square, number);
                    }
                }
            }
        }
        best.1
    };
    points.par_iter().map(|point| if point.is_finite() { find(point) } else { NONE }).collect()
}

/// The cells whose largest distance from one along an axis is so many cells.
fn shell(middle: IVec3, ring: i32) -> impl Iterator<Item = IVec3> {
    let side = -ring..=ring;
    let is_on_it = move |offset: &IVec3| offset.abs().max_element() == ring;
    let row = move |x: i32, y: i32| {
        let is_face = x.abs() == ring || y.abs() == ring;
        let step = if is_face || ring == 0 { 1 } else { 2 * ring as usize };
        (-ring..=ring).step_by(step.max(1)).map(move |z| IVec3::new(x, y, z))
    };
    let (columns, rows) = (side.clone(), side);
    columns.flat_map(move |x| rows.clone().flat_map(move |y| row(x, y))).filter(is_on_it).map(move |o| middle + o)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_nearest_is_found_as_by_looking_at_all(
            points in prop::collection::vec(prop::array::uniform3(-1.0_f32..1.0), 1..40),
            others in prop::collection::vec(prop::array::uniform3(-1.0_f32..1.0), 1..40),
            farthest in 0.01_f32..1.0,
        ) {
            let [points, others] = [points, others].map(|list| list.into_iter().map(Vec3::from).collect::<Vec<_>>());
            for (point, found) in points.iter().zip(nearest(&points, &others, farthest)) {
                let least = others.iter().map(|o| point.distance_squared(*o)).fold(f32::INFINITY, f32::min);
                match others.get(found as usize) {
                    Some(other) => prop_assert_eq!(point.distance_squared(*other), least),
                    None => prop_assert!(least >= farthest * farthest * 0.999),
                }
            }
        }
    }

    #[test]
    fn shells_have_every_cell_once() {
        let all: Vec<IVec3> = (0..=3).flat_map(|ring| shell(IVec3::new(5, -2, 9), ring)).collect();
        let distinct: std::collections::HashSet<_> = all.iter().copied().collect();
        assert_eq!((all.len(), distinct.len()), (7 * 7 * 7, 7 * 7 * 7));
    }
}
