//! Bounding volume hierarchy of triangles for nearest points and line crossings.

use glam::Vec3;

const LEAF: usize = 4;

/// Typical maximum number of pending boxes during traversal: each box has half the triangles of its parent.
const MAX_TREE_DEPTH: usize = 32;

const AT_ONCE: usize = 1 << 14;

/// Triangles in a bounding volume hierarchy.
#[derive(Debug, Default)]
pub struct TriangleTree {
    /// In depth-first order: the first half of a divided box follows the box.
    boxes: Vec<TreeBox>,
    /// Corners and index of each triangle, in box order.
    triangles: Vec<([Vec3; 3], u32)>,
}

#[derive(Debug)]
struct TreeBox {
    min: Vec3,
    max: Vec3,
    first: u32,
    count: u32,
    /// Offset from the box to its second half; 0 for leaves.
    second: u32,
}

/// Nearest point on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestTriangle {
    pub triangle: usize,
    /// Barycentric coordinates.
    pub shares: [f32; 3],
    pub distance: f32,
}

impl TriangleTree {
    /// Builds a tree of the triangles with the indices in `kept`, ignoring those with non-finite corners.
    pub fn new(points: &[Vec3], triangles: &[[u32; 3]], kept: impl Iterator<Item = usize>) -> Self {
        let placed = |number: usize| (triangles[number].map(|point| points[point as usize]), number as u32);
        let is_finite = |(corners, _): &([Vec3; 3], u32)| corners.iter().all(|corner| corner.is_finite());
        let mut triangles: Vec<([Vec3; 3], u32)> = kept.map(placed).filter(is_finite).collect();
        let mut boxes = Vec::new();
        if !triangles.is_empty() {
            divide(&mut boxes, &mut triangles, 0);
        }
        Self { boxes, triangles }
    }

    /// Returns the nearest point within `reach`; among equally near points, the first in the tree.
    pub fn nearest(&self, point: Vec3, reach: f32) -> Option<ClosestTriangle> {
        let mut best: Option<ClosestTriangle> = None;
        let mut reach = reach;
        let mut open = Vec::with_capacity(MAX_TREE_DEPTH);
        open.push(0);
        while let Some(at) = open.pop() {
            let Some(place) = self.boxes.get(at).filter(|place| place.distance(point) <= reach) else { continue };
            if place.second > 0 {
                let (first, second) = (at + 1, at + place.second as usize);
                let is_first_nearer = self.boxes[first].distance(point) <= self.boxes[second].distance(point);
                open.extend(if is_first_nearer { [second, first] } else { [first, second] });
                continue;
            }
            for (corners, number) in self.held(place) {
                let shares = closest_barycentric(*corners, point);
                let on = corners[0] * shares[0] + corners[1] * shares[1] + corners[2] * shares[2];
                let distance = on.distance(point);
                if distance < reach || (best.is_none() && distance <= reach) {
                    reach = distance;
                    best = Some(ClosestTriangle { triangle: *number as usize, shares, distance });
                }
            }
        }
        best
    }

    /// Returns true if a triangle crosses the line between two points, excluding the ends of the line.
    pub(crate) fn is_crossed(&self, from: Vec3, to: Vec3) -> bool {
        self.any_crossing(from, to, |_, _| true)
    }

    /// Calls `counts` with each triangle that crosses the line between two points, and with the crossing's position as
    /// a fraction of the line, until `counts` returns true. Returns whether it did.
    pub(crate) fn any_crossing(&self, from: Vec3, to: Vec3, mut counts: impl FnMut(usize, f32) -> bool) -> bool {
        /// Excluded fraction of the line at either end.
        const LEFT_OUT: f32 = 1e-3;
        let way = to - from;
        // No component may be 0: a line along the side of a box would give 0 / 0.
        let per_way =
            Vec3::from(way.to_array().map(|x| if x.abs() > f32::MIN_POSITIVE { x } else { f32::MIN_POSITIVE })).recip();
        let mut open = Vec::with_capacity(MAX_TREE_DEPTH);
        open.push(0);
        while let Some(at) = open.pop() {
            let Some(place) = self.boxes.get(at).filter(|place| place.is_crossed(from, per_way)) else { continue };
            if place.second > 0 {
                open.extend([at + place.second as usize, at + 1]);
                continue;
            }
            for (corners, number) in self.held(place) {
                let share = crossing(*corners, from, way).filter(|share| (LEFT_OUT..=1.0 - LEFT_OUT).contains(share));
                if share.is_some_and(|share| counts(*number as usize, share)) {
                    return true;
                }
            }
        }
        false
    }

    fn held(&self, place: &TreeBox) -> &[([Vec3; 3], u32)] {
        &self.triangles[place.first as usize..][..place.count as usize]
    }
}

impl TreeBox {
    fn distance(&self, point: Vec3) -> f32 {
        point.distance(point.clamp(self.min, self.max))
    }

    fn is_crossed(&self, from: Vec3, per_way: Vec3) -> bool {
        let (a, b) = ((self.min - from) * per_way, (self.max - from) * per_way);
        a.min(b).max_element().max(0.0) <= a.max(b).min_element().min(1.0)
    }
}

fn divide(boxes: &mut Vec<TreeBox>, triangles: &mut [([Vec3; 3], u32)], first: usize) {
    let corners = || triangles.iter().flat_map(|(corners, _)| corners);
    let min = corners().copied().fold(Vec3::INFINITY, Vec3::min);
    let max = corners().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    let at = boxes.len();
    boxes.push(TreeBox { min, max, first: first as u32, count: triangles.len() as u32, second: 0 });
    if triangles.len() <= LEAF {
        return;
    }
    let size = max - min;
    let axis = (0..3).max_by(|&a, &b| size[a].total_cmp(&size[b])).unwrap_or(0);
    let key = |(corners, number): &([Vec3; 3], u32)| (corners[0][axis] + corners[1][axis] + corners[2][axis], *number);
    let middle = triangles.len() / 2;
    triangles.select_nth_unstable_by(middle, |a, b| {
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
    });
    let (low, high) = triangles.split_at_mut(middle);
    if low.len() < AT_ONCE {
        divide(boxes, low, first);
        boxes[at].second = (boxes.len() - at) as u32;
        divide(boxes, high, first + middle);
    } else {
        let mut of_high = Vec::new();
        rayon::join(|| divide(boxes, low, first), || divide(&mut of_high, high, first + middle));
        boxes[at].second = (boxes.len() - at) as u32;
        boxes.append(&mut of_high);
    }
}

/// Returns the barycentric coordinates of the point of the triangle that is nearest to `point`. *Source*: Ericson 2005,
/// *Real-Time Collision Detection*, section 5.1.5.
pub fn closest_barycentric([a, b, c]: [Vec3; 3], point: Vec3) -> [f32; 3] {
    let (ab, ac) = (b - a, c - a);
    let [(d1, d2), (d3, d4), (d5, d6)] = [a, b, c].map(|corner| (ab.dot(point - corner), ac.dot(point - corner)));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let v = d1 / (d1 - d3);
        return [1.0 - v, v, 0.0];
    }
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let w = d2 / (d2 - d6);
        return [1.0 - w, 0.0, w];
    }
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - w, w];
    }
    let sum = va + vb + vc;
    [va / sum, vb / sum, vc / sum]
}

/// Returns where a line crosses a triangle, as a fraction of the line; `None` if it misses. *Source*: Möller and
/// Trumbore 1997, *Fast, minimum storage ray/triangle intersection*.
fn crossing([a, b, c]: [Vec3; 3], from: Vec3, way: Vec3) -> Option<f32> {
    let (ab, ac) = (b - a, c - a);
    let across = way.cross(ac);
    let determinant = ab.dot(across);
    let to_start = from - a;
    let u = to_start.dot(across) / determinant;
    let turned = to_start.cross(ab);
    let v = way.dot(turned) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0).then(|| ac.dot(turned) / determinant)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rig::testing::any_vector;

    fn soup() -> impl Strategy<Value = Vec<Vec3>> {
        prop::collection::vec(any_vector(1.0), 3..60)
    }

    fn tree(points: &[Vec3]) -> (TriangleTree, Vec<[u32; 3]>) {
        let triangles: Vec<[u32; 3]> = (0..points.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        (TriangleTree::new(points, &triangles, 0..triangles.len()), triangles)
    }

    proptest! {
        #[test]
        fn the_nearest_of_all_is_found(points in soup(), point in any_vector(2.0)) {
            let (tree, triangles) = tree(&points);
            let found = tree.nearest(point, f32::INFINITY).unwrap();
            let place = |triangle: &[u32; 3], shares: [f32; 3]| -> Vec3 {
                triangle.iter().zip(shares).map(|(&p, share)| points[p as usize] * share).sum()
            };
            prop_assert!((place(&triangles[found.triangle], found.shares).distance(point) - found.distance).abs() < 1e-5);
            for triangle in &triangles {
                for step in 0..=24_u8 {
                    let u = f32::from(step / 5) / 4.0;
                    let v = (1.0 - u) * f32::from(step % 5) / 4.0;
                    prop_assert!(place(triangle, [u, v, 1.0 - u - v]).distance(point) >= found.distance - 1e-5);
                }
            }
        }

        #[test]
        fn a_way_through_a_triangle_is_crossed(points in soup(), from in any_vector(2.0), shares in (0.1_f32..0.4, 0.1_f32..0.4)) {
            let (tree, _) = tree(&points);
            let inside = points[0] * shares.0 + points[1] * shares.1 + points[2] * (1.0 - shares.0 - shares.1);
            let normal = (points[1] - points[0]).cross(points[2] - points[0]).normalize_or_zero();
            prop_assume!(normal.dot(inside - from).abs() > 0.05);
            prop_assert!(tree.is_crossed(from, from + (inside - from) * 2.0));
        }
    }

    #[test]
    fn the_ends_of_a_way_do_not_cross_it() {
        let (tree, _) = tree(&[Vec3::ZERO, Vec3::X, Vec3::Y]);
        let on = Vec3::new(0.2, 0.2, 0.0);
        assert!(!tree.is_crossed(on, on + Vec3::Z) && !tree.is_crossed(on - Vec3::Z, on));
        assert!(tree.is_crossed(on - Vec3::Z, on + Vec3::Z));
        assert!(!TriangleTree::default().is_crossed(on, on + Vec3::Z));
    }
}
