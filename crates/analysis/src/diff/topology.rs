use rayon::prelude::*;

use rigscope_core::matching::{MatchSurface, VertexMatch};
use rigscope_core::rig::{DisjointSets, weld};

/// Counts removed and added triangles, lines and points. Ignores the order of elements and treats coincident vertices
/// as equal.
pub(super) fn changed_elements(old: &MatchSurface<'_>, new: &MatchSurface<'_>, vertices: &VertexMatch) -> [usize; 2] {
    let is_same = || old.elements().eq(new.elements());
    if vertices.is_same_order() && is_same() {
        return [0, 0];
    }
    let mut points = DisjointSets::new(old.vertex_count() + new.vertex_count());
    for (surface, first) in [(old, 0), (new, old.vertex_count() as u32)] {
        for (vertex, at) in (0..).zip(weld(&surface.positions)) {
            points.join(vertex + first, at + first);
        }
    }
    for (from, to) in vertices.pairs() {
        points.join(from as u32, (old.vertex_count() + to) as u32);
    }
    let mut sorted = |surface: &MatchSurface<'_>, first: usize| {
        let placed = surface.elements().map(|corners| corners.map(|corner| points.first(corner + first as u32)));
        let mut all: Vec<[u32; 3]> = placed.map(turned).collect();
        all.par_sort_unstable();
        all
    };
    let (from, to) = (sorted(old, 0), sorted(new, old.vertex_count()));
    let both = common(&from, &to);
    [from.len() - both, to.len() - both]
}

/// Rotates the corners of a triangle so that the smallest index comes first. This preserves the orientation.
fn turned([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a == b || b == c || c == a {
        let (lowest, highest) = (a.min(b).min(c), a.max(b).max(c));
        [lowest, highest, highest]
    } else if a < b && a < c {
        [a, b, c]
    } else if b < c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

fn common(a: &[[u32; 3]], b: &[[u32; 3]]) -> usize {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        count += usize::from(x == y);
        (i, j) = (i + usize::from(x <= y), j + usize::from(y <= x));
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_are_the_same_from_whichever_corner_but_not_from_behind() {
        assert_eq!([[1, 2, 3], [2, 3, 1], [3, 1, 2]].map(turned), [[1, 2, 3]; 3]);
        assert_eq!(turned([3, 2, 1]), [1, 3, 2]);
        assert_eq!([[1, 1, 2], [1, 2, 1], [2, 1, 1], [2, 2, 1], [2, 1, 2], [1, 2, 2]].map(turned), [[1, 2, 2]; 6]);
        assert_eq!(turned([3; 3]), [3; 3]);
        assert_eq!(common(&[[0; 3], [1; 3], [1; 3], [4; 3]], &[[1; 3], [2; 3], [4; 3]]), 2);
    }
}
