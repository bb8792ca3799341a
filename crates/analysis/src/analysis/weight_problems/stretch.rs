//! Edges that stretch in a pose.

use glam::Vec3;
use rayon::prelude::*;

/// An edge is reported if its length relative to rest exceeds this.
pub(super) const MAX_STRETCH: f32 = 3.0;

/// Growth of an edge up to this, relative to the rig's size, is not visible.
const MIN_GROWTH: f32 = 0.01;

const CHUNK: usize = 1 << 12;

pub(super) struct EdgeStretch<'a> {
    edges: &'a [[u32; 2]],
    lengths: Vec<f32>,
    worst: Vec<WorstStretch>,
    min_growth: f32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct WorstStretch {
    /// Length relative to rest; 0 for edges that have zero length at rest.
    pub ratio: f32,
    pub pose: u32,
}

impl WorstStretch {
    pub(super) fn worse(self, other: Self) -> Self {
        if other.ratio > self.ratio { other } else { self }
    }
}

impl<'a> EdgeStretch<'a> {
    pub(super) fn new(edges: &'a [[u32; 2]], rest: &[Vec3], size: f32) -> Self {
        let length = |[a, b]: &[u32; 2]| rest[*a as usize].distance(rest[*b as usize]);
        let lengths = edges.par_iter().map(length).collect();
        Self { edges, lengths, worst: vec![WorstStretch::default(); edges.len()], min_growth: MIN_GROWTH * size }
    }

    pub(super) fn add_pose(&mut self, positions: &[Vec3], pose: u32) {
        let Self { edges, lengths, worst, .. } = self;
        let all = worst.par_chunks_mut(CHUNK).zip(edges.par_chunks(CHUNK)).zip(lengths.par_chunks(CHUNK));
        all.for_each(|((worst, edges), lengths)| {
            for ((worst, [a, b]), rest) in worst.iter_mut().zip(edges).zip(lengths) {
                let ratio = positions[*a as usize].distance(positions[*b as usize]) / rest;
                if ratio > worst.ratio && ratio.is_finite() {
                    *worst = WorstStretch { ratio, pose };
                }
            }
        });
    }

    pub(super) fn worst(&self) -> impl Iterator<Item = ([u32; 2], WorstStretch)> + '_ {
        self.edges.iter().copied().zip(self.worst.iter().copied())
    }

    pub(super) fn overstretched(&self) -> impl Iterator<Item = ([u32; 2], WorstStretch)> + '_ {
        let is_seen = |length: f32, ratio: f32| ratio > MAX_STRETCH && (ratio - 1.0) * length > self.min_growth;
        self.worst()
            .zip(&self.lengths)
            .filter(move |((_, worst), length)| is_seen(**length, worst.ratio))
            .map(|(e, _)| e)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ends of the edge are 1 m from the origin. The chord of an angle is 2 sin(angle / 2).
    #[test]
    fn a_turned_edge_is_as_long_as_its_chord() {
        let at = |degrees: f32| Vec3::new(degrees.to_radians().cos(), degrees.to_radians().sin(), 0.0);
        let chord = |degrees: f32| 2.0 * (degrees.to_radians() / 2.0).sin();
        let mut stretch = EdgeStretch::new(&[[0, 1]], &[at(0.0), at(20.0)], 1.0);
        for (pose, degrees) in (0..).zip([40.0, 80.0, 60.0]) {
            stretch.add_pose(&[at(0.0), at(degrees)], pose);
        }
        let [(_, worst)] = stretch.worst().collect::<Vec<_>>()[..] else { panic!("one edge") };
        assert!((worst.ratio - chord(80.0) / chord(20.0)).abs() < 1e-4 && worst.pose == 1, "{worst:?}");
        assert_eq!(stretch.overstretched().count(), 1);
        let mut less = EdgeStretch::new(&[[0, 1]], &[at(0.0), at(20.0)], 1.0);
        less.add_pose(&[at(0.0), at(58.0)], 0);
        assert_eq!(less.overstretched().count(), 0, "2.8 times is not 3");
    }

    #[test]
    fn an_edge_without_length_and_a_growth_that_nobody_sees_are_none() {
        let (rest, now) = ([Vec3::ZERO, Vec3::ZERO, Vec3::X * 1e-3], [Vec3::ZERO, Vec3::X, Vec3::X * 6e-3]);
        let mut stretch = EdgeStretch::new(&[[0, 1], [0, 2]], &rest, 1.0);
        stretch.add_pose(&now, 0);
        assert_eq!(stretch.overstretched().count(), 0);
    }
}
