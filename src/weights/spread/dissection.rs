//! Orders points so that a factor of their network stays sparse.
//!
//! Points are halved by position again and again; those of one half with neighbours in the other come last, so that nothing is filled in between the halves.
//!
//! *Source*: George 1973, *Nested dissection of a regular finite element mesh*.

use glam::Vec3;

use crate::weights::surface::Network;

/// Number of points below which they are not divided further.
const LEAF: usize = 24;

/// Orders some points for elimination.
pub(super) fn order(places: &[Vec3], network: &Network, mut points: Vec<u32>) -> Vec<u32> {
    let mut dissection = Dissection { places, network, is_high: vec![false; network.len()] };
    dissection.sort(&mut points);
    points
}

struct Dissection<'a> {
    places: &'a [Vec3],
    network: &'a Network,
    /// Whether each point is in the upper of the two current halves; false elsewhere.
    is_high: Vec<bool>,
}

impl Dissection<'_> {
    fn sort(&mut self, points: &mut [u32]) {
        if points.len() <= LEAF {
            return;
        }
        let place = |point: u32| self.places[point as usize];
        let min = points.iter().map(|&point| place(point)).fold(Vec3::INFINITY, Vec3::min);
        let max = points.iter().map(|&point| place(point)).fold(Vec3::NEG_INFINITY, Vec3::max);
        let size = max - min;
        let axis = (0..3).max_by(|&a, &b| size[a].total_cmp(&size[b])).unwrap_or(0);
        let middle = points.len() / 2;
        points.select_nth_unstable_by(middle, |&a, &b| place(a)[axis].total_cmp(&place(b)[axis]).then(a.cmp(&b)));
        points[middle..].iter().for_each(|&point| self.is_high[point as usize] = true);
        let between = |point: &u32| self.network.around(*point as usize).any(|(other, _)| self.is_high[other]);
        let (separator, low): (Vec<u32>, Vec<u32>) = points[..middle].iter().partition(|point| between(point));
        points[middle..].iter().for_each(|&point| self.is_high[point as usize] = false);
        points.rotate_left(middle);
        let high = points.len() - middle;
        points[high..high + low.len()].copy_from_slice(&low);
        points[high + low.len()..].copy_from_slice(&separator);
        let (halves, _) = points.split_at_mut(high + low.len());
        let (high, low) = halves.split_at_mut(high);
        self.sort(high);
        self.sort(low);
    }
}
