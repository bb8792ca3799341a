use glam::Vec3;
use rayon::prelude::*;

use super::cover::DoubleCover;
use crate::jobs::Progress;
use crate::rig::{DisjointSets, JaggedArray};

/// Minimum edge weight, so that edges opposite right angles (cotangent 0) stay connected.
const MIN_STIFFNESS: f64 = 1e-6;

const CHUNK: usize = 4096;

/// A positive Laplacian of a surface: `(L x)_i = Σ_j w_ij (x_i - x_j)`, by rows.
#[derive(Clone, Debug, Default)]
pub(in crate::weights) struct Network {
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    /// Cotangent weights, `w_ij > 0`.
    weights: Vec<f64>,
    /// A third of the area of each point's triangles, m².
    pub areas: Vec<f64>,
}

impl Network {
    /// Builds the network of a surface, ignoring triangles with non-finite corners. `None` if cancelled.
    pub(crate) fn new(points: &[Vec3], triangles: &[[u32; 3]], progress: &Progress) -> Option<Self> {
        let is_finite = |triangle: &&[u32; 3]| triangle.iter().all(|&point| points[point as usize].is_finite());
        let triangles: Vec<[u32; 3]> = triangles.iter().filter(is_finite).copied().collect();
        let cover = DoubleCover::new(points, &triangles, progress)?;
        let starting = JaggedArray::new(points.len(), (0_u32..).zip(&cover.starts).map(|(h, &start)| (start, h)));
        // Each side of the cover counts half.
        let joins = |point: usize, joins: &mut Vec<(u32, f64)>| {
            for h in starting.row(point).iter().map(|&h| h as usize) {
                let end = cover.end(h);
                if end as usize != point {
                    joins.push((end, (cover.cotangent(h) + cover.cotangent(cover.twins[h] as usize)) / 4.0));
                }
            }
        };
        let area = |point: usize| {
            starting.row(point).iter().fold(0.0, |sum, &h| sum + cover.angles[h as usize / 3].area / 6.0)
        };
        let areas = (0..points.len()).into_par_iter().map(area).collect();
        let network = Self::joined(points.len(), joins);
        progress.check_cancelled()?;
        Some(Self { areas, ..network })
    }

    /// Builds a network of `count` points. `joins` lists the connections of a point; both ends must list each
    /// connection. Weights of repeated connections are summed.
    pub(crate) fn joined(count: usize, joins: impl Fn(usize, &mut Vec<(u32, f64)>) + Sync) -> Self {
        let parts = (0..count).into_par_iter().step_by(CHUNK).map_init(Vec::new, |around, first| {
            let mut part = Self::default();
            for point in first..count.min(first + CHUNK) {
                around.clear();
                joins(point, around);
                // A stable sort keeps the order of sums fixed.
                around.sort_by_key(|(other, _)| *other);
                for same in around.chunk_by(|a, b| a.0 == b.0) {
                    part.neighbours.push(same[0].0);
                    part.weights.push(same.iter().map(|join| join.1).sum::<f64>().max(MIN_STIFFNESS));
                }
                part.starts.push(part.neighbours.len() as u32);
            }
            part
        });
        let mut network = Self { starts: vec![0], areas: vec![0.0; count], ..Self::default() };
        for part in parts.collect::<Vec<Self>>() {
            let before = network.neighbours.len() as u32;
            network.starts.extend(part.starts.iter().map(|end| end + before));
            network.neighbours.extend(part.neighbours);
            network.weights.extend(part.weights);
        }
        network
    }

    pub(crate) fn len(&self) -> usize {
        self.areas.len()
    }

    /// Returns the neighbours of a point, ascending, with edge weights.
    pub(crate) fn around(&self, point: usize) -> impl ExactSizeIterator<Item = (usize, f64)> + Clone + '_ {
        let range = self.starts[point] as usize..self.starts[point + 1] as usize;
        self.neighbours[range.clone()].iter().map(|&other| other as usize).zip(self.weights[range].iter().copied())
    }

    /// Returns the connected component of each point, and the number of components.
    pub(crate) fn components(&self) -> (Vec<u32>, usize) {
        let mut sets = DisjointSets::new(self.len());
        for point in 0..self.len() {
            for (other, _) in self.around(point) {
                sets.join(point as u32, other as u32);
            }
        }
        sets.numbered()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_has_the_weights_of_its_sides() {
        let points = [Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y, Vec3::Z];
        let network = Network::new(&points, &[[0, 1, 2], [0, 2, 3]], &Progress::default()).unwrap();
        let sides: Vec<(usize, f64)> = network.around(0).filter(|(_, weight)| *weight > 1e-3).collect();
        assert!(matches!(sides[..], [(1, a), (3, b)] if (a - 0.5).abs() < 1e-9 && (b - 0.5).abs() < 1e-9), "{sides:?}");
        assert!((network.areas.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert_eq!(network.components(), (vec![0, 0, 0, 0, 1], 2));
    }

    #[test]
    fn all_weights_are_positive_and_both_ways_the_same() {
        let points = [Vec3::ZERO, Vec3::X * 9.0, Vec3::new(5.0, 0.1, 0.0), Vec3::new(4.0, -0.1, 0.3), Vec3::NAN];
        let book = [[0, 1, 2], [1, 0, 3], [0, 2, 3], [0, 1, 3], [0, 1, 4]];
        let network = Network::new(&points, &book, &Progress::default()).unwrap();
        for point in 0..points.len() {
            for (other, weight) in network.around(point) {
                assert!(weight > 0.0);
                assert!(network.around(other).any(|(back, same)| back == point && (same - weight).abs() < 1e-12));
            }
        }
    }
}
