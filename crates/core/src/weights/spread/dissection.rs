//! Nested dissection: orders points so that the factor of their network stays sparse. Points are halved by position
//! recursively. Points of one half with neighbours in the other (the separator) come last, so that no fill-in connects
//! the halves. *Source*: George 1973, *Nested dissection of a regular finite element mesh*.

use std::sync::atomic::{AtomicBool, Ordering};

use glam::Vec3;

use crate::weights::surface::Network;

const LEAF: usize = 24;
/// Other axes are tried if the separator has more points than this times the square root of the point count. For a
/// square grid, the ratio is 1.
const FEW: f64 = 3.0;

/// Consecutive points in the order: two halves that are not adjacent to each other, then the separator.
pub(super) struct DissectionBlock {
    pub len: usize,
    pub between: usize,
    pub halves: Option<Box<[Self; 2]>>,
}

pub(super) fn order(places: &[Vec3], network: &Network, mut points: Vec<u32>) -> (Vec<u32>, DissectionBlock) {
    let part = Dissection::new(places, network).sort(&mut points);
    (points, part)
}

struct Dissection<'a> {
    places: &'a [Vec3],
    network: &'a Network,
    /// True for points in the upper half. Concurrent divisions don't interfere, because their points are not adjacent.
    is_high: Vec<AtomicBool>,
}

impl<'a> Dissection<'a> {
    fn new(places: &'a [Vec3], network: &'a Network) -> Self {
        Self { places, network, is_high: (0..network.len()).map(|_| AtomicBool::new(false)).collect() }
    }

    fn sort(&self, points: &mut [u32]) -> DissectionBlock {
        let len = points.len();
        if len <= LEAF {
            return DissectionBlock { len, between: len, halves: None };
        }
        let middle = points.len() / 2;
        self.halve(points);
        self.mark(&points[middle..], true);
        let (separator, low): (Vec<u32>, Vec<u32>) =
            points[..middle].iter().partition(|point| self.is_between(**point));
        self.mark(&points[middle..], false);
        points.rotate_left(middle);
        let high = points.len() - middle;
        points[high..high + low.len()].copy_from_slice(&low);
        points[high + low.len()..].copy_from_slice(&separator);
        let (halves, _) = points.split_at_mut(high + low.len());
        let (high, low) = halves.split_at_mut(high);
        let (high, low) = rayon::join(|| self.sort(high), || self.sort(low));
        DissectionBlock { len, between: separator.len(), halves: Some(Box::new([high, low])) }
    }

    /// Moves the half of the points that is lower along their longest axis to the front. If the separator is large,
    /// uses the axis with the smallest separator instead: a thick limb of closely spaced rings is cut between two
    /// rings, not lengthwise.
    fn halve(&self, points: &mut [u32]) {
        let few = FEW * (points.len() as f64).sqrt();
        let mut axes = [0, 1, 2];
        let size = self.size(points);
        axes.sort_by(|&a, &b| size[b].total_cmp(&size[a]));
        let mut best = (usize::MAX, axes[0]);
        for axis in axes {
            self.halve_along(points, axis);
            let count = self.count_between(points);
            best = best.min((count, axis));
            if count as f64 <= few {
                return;
            }
        }
        self.halve_along(points, best.1);
    }

    fn size(&self, points: &[u32]) -> Vec3 {
        let places = || points.iter().map(|&point| self.places[point as usize]);
        places().fold(Vec3::NEG_INFINITY, Vec3::max) - places().fold(Vec3::INFINITY, Vec3::min)
    }

    fn halve_along(&self, points: &mut [u32], axis: usize) {
        let place = |point: u32| self.places[point as usize][axis];
        let middle = points.len() / 2;
        points.select_nth_unstable_by(middle, |&a, &b| place(a).total_cmp(&place(b)).then(a.cmp(&b)));
    }

    /// Returns the size of the separator: points in the lower half with neighbours in the upper half.
    fn count_between(&self, points: &[u32]) -> usize {
        let (low, high) = points.split_at(points.len() / 2);
        self.mark(high, true);
        let count = low.iter().filter(|point| self.is_between(**point)).count();
        self.mark(high, false);
        count
    }

    fn mark(&self, points: &[u32], is_high: bool) {
        for &point in points {
            self.is_high[point as usize].store(is_high, Ordering::Relaxed);
        }
    }

    fn is_between(&self, point: u32) -> bool {
        self.network.around(point as usize).any(|(other, _)| self.is_high[other].load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::Progress;

    fn grid(width: u32, height: u32, step: f32) -> (Vec<Vec3>, Network) {
        let points: Vec<Vec3> =
            (0..height).flat_map(|y| (0..width).map(move |x| Vec3::new(x as f32, y as f32 * step, 0.0))).collect();
        let at = |x, y| y * width + x;
        let squares = (0..height - 1).flat_map(|y| (0..width - 1).map(move |x| (x, y)));
        let triangles: Vec<[u32; 3]> = squares
            .flat_map(|(x, y)| [[at(x, y), at(x + 1, y), at(x + 1, y + 1)], [at(x, y), at(x + 1, y + 1), at(x, y + 1)]])
            .collect();
        let network = Network::new(&points, &triangles, &Progress::default()).unwrap();
        (points, network)
    }

    fn separator(width: u32, height: u32, step: f32) -> usize {
        let (points, network) = grid(width, height, step);
        let dissection = Dissection::new(&points, &network);
        let mut all: Vec<u32> = (0..points.len() as u32).collect();
        dissection.halve(&mut all);
        dissection.count_between(&all)
    }

    #[test]
    fn rings_that_lie_close_together_are_halved_along_the_limb() {
        // Twice as wide as long, with 200 rings of 8 points.
        assert_eq!(separator(8, 200, 0.02), 8);
        assert_eq!(separator(30, 30, 1.0), 30, "a square is halved along either side");
        assert_eq!(separator(200, 8, 1.0), 8);
    }
}
