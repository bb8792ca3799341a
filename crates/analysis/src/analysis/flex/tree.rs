//! Bounding volume hierarchy of a surface's triangles, built once and refitted in each pose.

use std::ops::Range;

use glam::Vec3;

use rigscope_core::jobs::Progress;

const LEAF: usize = 4;

/// Group of triangles that move in different ways.
pub(super) const MIXED: u32 = u32::MAX;

/// Boxes around triangles, in depth-first order: the first half of a divided box follows the box.
pub(super) struct FittedTree {
    nodes: Vec<TreeNode>,
    /// Triangle numbers, in the order of the leaves.
    order: Vec<u32>,
}

#[derive(Clone, Copy)]
struct TreeNode {
    first: u32,
    count: u32,
    /// Offset from the box to its second half; 0 for leaves.
    second: u32,
}

/// Boxes of a [`FittedTree`] in one pose, reused between poses.
#[derive(Default)]
pub(super) struct TreeFit {
    boxes: Vec<FittedBox>,
    /// Corners of each triangle, in the order of the leaves.
    corners: Vec<[Vec3; 3]>,
    stack: Vec<[u32; 2]>,
}

#[derive(Clone, Copy)]
struct FittedBox {
    min: Vec3,
    max: Vec3,
    /// Motion that all triangles of the box share, or [`MIXED`].
    group: u32,
}

impl FittedTree {
    /// Builds the tree at rest. Triangles with a non-finite corner are left out. *Cost*: n log n.
    pub(super) fn new(points: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let center = |triangle: &[u32; 3]| triangle.iter().map(|&point| points[point as usize]).sum::<Vec3>();
        let mut centers: Vec<(Vec3, u32)> =
            triangles.iter().map(center).zip(0..).filter(|(center, _)| center.is_finite()).collect();
        let mut nodes = Vec::new();
        if !centers.is_empty() {
            divide(&mut nodes, &mut centers, 0);
        }
        Self { nodes, order: centers.into_iter().map(|(_, triangle)| triangle).collect() }
    }

    /// Fits the boxes to posed points. `groups` has the motion of each point: triangles whose points all share a group
    /// moved rigidly with it. *Cost*: linear.
    pub(super) fn fit(&self, points: &[Vec3], triangles: &[[u32; 3]], groups: &[u32], fit: &mut TreeFit) {
        fit.corners.clear();
        fit.corners.extend(self.order.iter().map(|&t| triangles[t as usize].map(|point| points[point as usize])));
        let empty = FittedBox { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY, group: MIXED };
        fit.boxes.clear();
        fit.boxes.resize(self.nodes.len(), empty);
        for (at, node) in self.nodes.iter().enumerate().rev() {
            fit.boxes[at] = if node.second > 0 {
                fit.boxes[at + 1].joined(fit.boxes[at + node.second as usize])
            } else {
                let corners = fit.corners[node.range()].as_flattened();
                let moved = self.order[node.range()].iter().flat_map(|&t| triangles[t as usize]);
                FittedBox {
                    min: corners.iter().copied().fold(Vec3::INFINITY, Vec3::min),
                    max: corners.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max),
                    group: moved.map(|point| groups[point as usize]).reduce(shared).unwrap_or(MIXED),
                }
            };
        }
    }

    /// Calls `found` with each pair of triangles whose bounds overlap and that did not move rigidly together: their
    /// numbers, and their corners. Each pair comes once. Ends after comparing the bounds of `max_tests` pairs, and returns
    /// whether all were compared; `None` if cancelled.
    pub(super) fn each_pair(
        &self,
        fit: &mut TreeFit,
        max_tests: usize,
        progress: &Progress,
        mut found: impl FnMut([u32; 2], [[Vec3; 3]; 2]),
    ) -> Option<bool> {
        /// Leaves between two checks whether the job is cancelled.
        const LEAVES: usize = 1 << 14;
        let TreeFit { boxes, corners, stack } = fit;
        stack.clear();
        stack.extend((!self.nodes.is_empty()).then_some([0, 0]));
        let (mut tests, mut leaves) = (0, 0_usize);
        while let Some([a, b]) = stack.pop() {
            if tests > max_tests {
                return Some(false);
            }
            let (of_a, of_b) = (boxes[a as usize], boxes[b as usize]);
            if of_a.group == of_b.group && of_a.group != MIXED || !of_a.overlaps(of_b) {
                continue;
            }
            let (node_a, node_b) = (self.nodes[a as usize], self.nodes[b as usize]);
            let halves = |at: u32, node: TreeNode| [at + 1, at + node.second];
            match (node_a.second > 0, node_b.second > 0) {
                (true, _) if a == b => {
                    let [first, second] = halves(a, node_a);
                    stack.extend([[first, first], [second, second], [first, second]]);
                }
                (true, true) if node_a.count < node_b.count => stack.extend(halves(b, node_b).map(|half| [a, half])),
                (true, _) => stack.extend(halves(a, node_a).map(|half| [half, b])),
                (false, true) => stack.extend(halves(b, node_b).map(|half| [a, half])),
                (false, false) => {
                    leaves += 1;
                    if leaves.is_multiple_of(LEAVES) {
                        progress.check_cancelled()?;
                    }
                    tests += (node_a.count * node_b.count) as usize;
                    for first in node_a.range() {
                        let others = if a == b { first + 1..node_b.range().end } else { node_b.range() };
                        for second in others {
                            let pair = [corners[first], corners[second]];
                            if bounds_overlap(pair) {
                                found([self.order[first], self.order[second]], pair);
                            }
                        }
                    }
                }
            }
        }
        Some(true)
    }
}

impl TreeNode {
    fn range(self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

impl FittedBox {
    fn joined(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max), group: shared(self.group, other.group) }
    }

    fn overlaps(self, other: Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }
}

fn shared(a: u32, b: u32) -> u32 {
    if a == b { a } else { MIXED }
}

fn bounds_overlap([[a, b, c], [d, e, f]]: [[Vec3; 3]; 2]) -> bool {
    a.min(b).min(c).cmple(d.max(e).max(f)).all() && d.min(e).min(f).cmple(a.max(b).max(c)).all()
}

fn divide(nodes: &mut Vec<TreeNode>, centers: &mut [(Vec3, u32)], first: usize) {
    let at = nodes.len();
    nodes.push(TreeNode { first: first as u32, count: centers.len() as u32, second: 0 });
    if centers.len() <= LEAF {
        return;
    }
    let min = centers.iter().map(|(center, _)| *center).fold(Vec3::INFINITY, Vec3::min);
    let max = centers.iter().map(|(center, _)| *center).fold(Vec3::NEG_INFINITY, Vec3::max);
    let axis = (max - min).max_position();
    let middle = centers.len() / 2;
    centers.select_nth_unstable_by(middle, |a, b| a.0[axis].total_cmp(&b.0[axis]).then(a.1.cmp(&b.1)));
    let (low, high) = centers.split_at_mut(middle);
    divide(nodes, low, first);
    nodes[at].second = (nodes.len() - at) as u32;
    divide(nodes, high, first + middle);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rigscope_core::rig::testing::any_vector;

    fn pairs(points: &[Vec3], rest: &[Vec3], groups: &[u32]) -> Vec<[u32; 2]> {
        let triangles: Vec<[u32; 3]> = (0..points.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let tree = FittedTree::new(rest, &triangles);
        let mut fit = TreeFit::default();
        tree.fit(points, &triangles, groups, &mut fit);
        let mut found = Vec::new();
        let is_complete = tree.each_pair(&mut fit, usize::MAX, &Progress::default(), |[a, b], corners| {
            assert_eq!(corners, [a, b].map(|t| triangles[t as usize].map(|point| points[point as usize])));
            found.push([a.min(b), a.max(b)]);
        });
        assert_eq!(is_complete, Some(true));
        found.sort_unstable();
        found
    }

    proptest! {
        /// A tree built for other positions finds every pair whose bounds overlap, once.
        #[test]
        fn a_refitted_tree_finds_all_pairs(points in prop::collection::vec((any_vector(1.0), any_vector(1.0)), 3..120)) {
            let (rest, posed): (Vec<Vec3>, Vec<Vec3>) = points.into_iter().unzip();
            let corners = |t: u32| [3 * t, 3 * t + 1, 3 * t + 2].map(|point| posed[point as usize]);
            let count = posed.len() as u32 / 3;
            let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
            let expected: Vec<[u32; 2]> = all.filter(|pair| bounds_overlap(pair.map(corners))).collect();
            prop_assert_eq!(pairs(&posed, &rest, &vec![MIXED; posed.len()]), expected);
        }

        /// Pairs that move together are left out, and only those.
        #[test]
        fn pairs_of_one_group_are_left_out(points in prop::collection::vec((any_vector(1.0), 0_u32..3), 3..120)) {
            let (points, of_triangles): (Vec<Vec3>, Vec<u32>) = points.into_iter().unzip();
            let groups: Vec<u32> = (0..points.len()).map(|point| of_triangles[point / 3]).collect();
            let mut all = pairs(&points, &points, &vec![MIXED; points.len()]);
            let some = pairs(&points, &points, &groups);
            all.retain(|[a, b]| of_triangles[*a as usize] != of_triangles[*b as usize] || some.contains(&[*a, *b]));
            prop_assert_eq!(all, some);
            prop_assert!(pairs(&points, &points, &vec![0; points.len()]).is_empty(), "all move together");
        }
    }
}
