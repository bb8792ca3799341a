use glam::Vec3;

/// Implicit k-d tree for nearest-neighbour searches. The middle element of each range of `order` splits the range along
/// one axis.
pub struct PointTree<'a> {
    points: &'a [Vec3],
    order: Vec<u32>,
}

const LEAF: usize = 8;
/// Maximum number of points visited per search. Limits the time if many points coincide.
const BUDGET: usize = 256;

impl<'a> PointTree<'a> {
    /// Builds a tree of the points whose indices are in `numbers`. *Cost*: n log n for n indices.
    pub fn new(points: &'a [Vec3], numbers: Vec<u32>) -> Self {
        Self::new_while(points, numbers, || true).unwrap_or(Self { points, order: Vec::new() })
    }

    /// Like [`Self::new`], but stops and returns `None` as soon as `goes_on` returns false.
    pub fn new_while(points: &'a [Vec3], mut numbers: Vec<u32>, goes_on: impl Fn() -> bool) -> Option<Self> {
        let mut ranges = vec![(0, numbers.len(), 0)];
        while let Some((begin, end, axis)) = ranges.pop() {
            if end - begin <= LEAF {
                continue;
            }
            if !goes_on() {
                return None;
            }
            let middle = (end - begin) / 2;
            let along = |i: &u32| points[*i as usize][axis];
            numbers[begin..end].select_nth_unstable_by(middle, |a, b| along(a).total_cmp(&along(b)));
            let next = (axis + 1) % 3;
            ranges.extend([(begin, begin + middle, next), (begin + middle + 1, end, next)]);
        }
        Some(Self { points, order: numbers })
    }

    /// Finds the point nearest to `place`, within `reach`, for which `is_asked_for` returns true. Returns the point's
    /// index and distance.
    pub fn nearest(&self, place: Vec3, reach: f32, is_asked_for: impl Fn(u32) -> bool) -> Option<(u32, f32)> {
        let mut best = None;
        self.visit(place, reach, |number, distance| {
            if !is_asked_for(number) || best.is_some_and(|(_, min_distance)| distance >= min_distance) {
                return None;
            }
            best = Some((number, distance));
            Some(distance)
        });
        best
    }

    /// Calls `call` with the index and the distance of each point within `reach` of `place`. If `call` returns a value,
    /// `reach` shrinks to that value.
    pub(crate) fn visit(&self, place: Vec3, mut reach: f32, mut call: impl FnMut(u32, f32) -> Option<f32>) {
        let mut left = BUDGET;
        let mut ranges = vec![(0, self.order.len(), 0, 0.0_f32)];
        while let Some((begin, end, axis, at_least)) = ranges.pop() {
            if at_least > reach || left == 0 {
                continue;
            }
            let is_leaf = end - begin <= LEAF;
            let middle = begin + (end - begin) / 2;
            let looked_at = if is_leaf { begin..end } else { middle..middle + 1 };
            for &number in &self.order[looked_at] {
                left = left.saturating_sub(1);
                let distance = self.points[number as usize].distance(place);
                if distance <= reach {
                    reach = call(number, distance).map_or(reach, |less| less.min(reach));
                }
            }
            if !is_leaf {
                let beyond = place[axis] - self.points[self.order[middle] as usize][axis];
                let next = (axis + 1) % 3;
                let (below, above) = ((begin, middle, next), (middle + 1, end, next));
                let (near, far) = if beyond < 0.0 { (below, above) } else { (above, below) };
                ranges.push((far.0, far.1, far.2, beyond.abs()));
                ranges.push((near.0, near.1, near.2, at_least));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_nearest_is_found(points in prop::collection::vec(prop::array::uniform3(-9_i8..9), 0..200),
                                place in prop::array::uniform3(-9.0_f32..9.0), reach in 0.5_f32..9.0) {
            let points: Vec<Vec3> = points.iter().map(|p| Vec3::from(p.map(f32::from))).collect();
            let tree = PointTree::new(&points, (0..points.len() as u32).collect());
            let odd = |i: u32| i % 2 == 1;
            let found = tree.nearest(Vec3::from(place), reach, odd).map(|(_, distance)| distance);
            let all = points.iter().skip(1).step_by(2).map(|p| p.distance(Vec3::from(place)));
            prop_assert_eq!(found, all.filter(|d| *d <= reach).min_by(f32::total_cmp));
        }
    }

    #[test]
    fn sorting_ends_where_it_is_to_end() {
        let points = vec![Vec3::ONE; 1000];
        let asked = std::cell::Cell::new(0);
        let goes_on = || {
            asked.set(asked.get() + 1);
            asked.get() < 5
        };
        assert!(PointTree::new_while(&points, (0..1000).collect(), goes_on).is_none());
        assert_eq!(asked.get(), 5);
    }

    #[test]
    fn a_search_among_points_at_one_place_ends() {
        let points = vec![Vec3::ONE; 100_000];
        let tree = PointTree::new(&points, (0..100_000).collect());
        let mut looked_at = 0;
        tree.visit(Vec3::ONE, 1.0, |_, _| {
            looked_at += 1;
            None
        });
        assert!((1..=BUDGET + LEAF).contains(&looked_at), "{looked_at}");
    }
}
