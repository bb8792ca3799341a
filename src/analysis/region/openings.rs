//! The loops along which a region is cut out of the surface, and the fans that close it there.

use std::collections::BTreeMap;

use glam::DVec3;

/// An edge in the direction of its triangle, with its ends both as points, which seams do not split, and as vertices.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub points: [usize; 2],
    pub vertices: [u32; 2],
}

/// The closed loops of edges that no triangle shares from the other side: the vertices at which each edge starts, in order.
///
/// Works for any triangles: as many edges end at a point as start there, so a walk along them can only end where it began.
pub(super) fn loops(edges: impl Iterator<Item = Edge>) -> Vec<Vec<u32>> {
    let mut edges: Vec<Edge> = edges.filter(|e| e.points[0] != e.points[1]).collect();
    let undirected = |e: &Edge| (e.points[0].min(e.points[1]), e.points[0].max(e.points[1]));
    edges.sort_unstable_by_key(|e| (undirected(e), e.points, e.vertices));
    let mut starting: BTreeMap<usize, Vec<Edge>> = BTreeMap::new();
    for both in edges.chunk_by(|a, b| undirected(a) == undirected(b)) {
        let (there, back) = both.split_at(both.partition_point(|e| e.points[0] < e.points[1]));
        let (more, fewer) = if there.len() > back.len() { (there, back) } else { (back, there) };
        for edge in &more[fewer.len()..] {
            starting.entry(edge.points[0]).or_default().push(*edge);
        }
    }
    let mut loops = Vec::new();
    while let Some((&first, _)) = starting.first_key_value() {
        let (mut at, mut walked) = (first, Vec::new());
        while let Some(edge) = take(&mut starting, at) {
            walked.push(edge.vertices[0]);
            at = edge.points[1];
        }
        loops.push(walked);
    }
    loops
}

/// Removes and returns an edge that starts at a point.
fn take(starting: &mut BTreeMap<usize, Vec<Edge>>, point: usize) -> Option<Edge> {
    let edges = starting.get_mut(&point)?;
    let edge = edges.pop();
    if edges.is_empty() {
        starting.remove(&point);
    }
    edge
}

/// Signed volume between a fan that closes a loop, from its mean, and the point from which its corners are seen; 0 where a corner is not finite.
pub(in crate::analysis) fn fan_volume(corners: impl ExactSizeIterator<Item = DVec3> + Clone) -> f64 {
    let middle = corners.clone().sum::<DVec3>() / corners.len().max(1) as f64;
    let next = corners.clone().skip(1).chain(corners.clone().next());
    // Against the direction of the loop, as the triangle on the other side would be.
    let volume: f64 = corners.zip(next).map(|(from, to)| to.dot(from.cross(middle)) / 6.0).sum();
    if volume.is_finite() { volume } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(triangles: &[[u32; 3]]) -> impl Iterator<Item = Edge> + '_ {
        let edge = |[a, b]: [u32; 2]| Edge { points: [a as usize, b as usize], vertices: [a, b] };
        triangles.iter().flat_map(move |&[a, b, c]| [[a, b], [b, c], [c, a]].map(edge))
    }

    #[test]
    fn a_closed_surface_has_no_loops_and_an_open_one_has_its_rim() {
        let tetrahedron = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        assert!(loops(edges(&tetrahedron)).is_empty());
        assert_eq!(loops(edges(&tetrahedron[..3])), [[0, 2, 3]].map(Vec::from));
        let apart = [[0, 1, 2], [3, 4, 5]];
        assert_eq!(loops(edges(&apart)), [[0, 1, 2], [3, 4, 5]].map(Vec::from));
    }

    #[test]
    fn odd_triangles_make_closed_loops_too() {
        // Three triangles at one edge, one of them twice, one without area, and two that meet in a point.
        let odd = [[0, 1, 2], [0, 1, 3], [0, 1, 3], [1, 0, 4], [5, 5, 6], [0, 7, 8]];
        let found = loops(edges(&odd));
        let steps: usize = found.iter().map(Vec::len).sum();
        assert_eq!((found.is_empty(), steps), (false, 13), "{found:?}");
        for walked in &found {
            let next = walked.iter().cycle().skip(1);
            for (from, to) in walked.iter().zip(next) {
                assert!(edges(&odd).any(|e| e.vertices == [*from, *to]), "{from} {to}: {found:?}");
            }
        }
    }

    #[test]
    fn a_fan_closes_a_box_without_its_lid() {
        let corner = |i: u32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2));
        let quads = [[0, 2, 3, 1], [0, 1, 5, 4], [1, 3, 7, 5], [3, 2, 6, 7], [2, 0, 4, 6]];
        let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let about = DVec3::new(3.0, -1.0, 0.5);
        let at = |i: u32| corner(i) - about;
        let sides: f64 = triangles.iter().map(|&[a, b, c]| at(a).dot(at(b).cross(at(c))) / 6.0).sum();
        let rims = loops(edges(&triangles));
        assert_eq!(rims.len(), 1);
        assert!((sides + fan_volume(rims[0].iter().map(|&i| at(i))) - 1.0).abs() < 1e-12);
        assert_eq!(fan_volume([DVec3::NAN; 3].into_iter()), 0.0);
    }
}
