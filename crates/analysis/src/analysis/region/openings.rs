//! Openings where a region is cut out of the surface, and the caps that close them. Except for rounding, results
//! don't depend on the order of vertices or triangles.

use std::collections::BTreeMap;

use glam::DVec3;

use rigscope_core::rig::{Corner, DisjointSets};

/// A fan has a facing direction if at least this fraction of its area faces one direction.
const MIN_FACING: f64 = 0.5;

/// Edge of a triangle, in the triangle's direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// Ends of the edge as welded points, which are equal on both sides of a seam.
    pub points: [usize; 2],
    /// Ends of the edge as vertex indices into the mesh.
    pub vertices: [u32; 2],
    /// Triangle, and the corner at which the edge starts.
    pub side: Corner,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::analysis) struct RimEdge<V> {
    pub ends: [V; 2],
    /// Fraction of the edge that is open: 1, or less if several triangles share the edge and some of them cancel.
    pub share: f64,
}

/// Unordered edges of a closed rim: at each point, as many edges start as end.
pub(in crate::analysis) type Rim<V> = Vec<RimEdge<V>>;

/// Returns the positions of each rim edge's ends, and the fraction of the edge that is open.
pub(in crate::analysis) fn placed<V: Copy>(
    rim: &Rim<V>,
    at: impl Fn(V) -> DVec3 + Copy,
) -> impl Iterator<Item = ([DVec3; 2], f64)> + Clone {
    rim.iter().map(move |edge| (edge.ends.map(at), edge.share))
}

/// Finds the rims: loops of edges with a triangle on one side only.
///
/// `next` returns the edge that follows a given edge along the region's rim, or `None` where the surface is
/// non-manifold. A rim that touches itself is split if the surface is split there. Where the surface branches, all
/// edges that meet belong to one rim.
pub(super) fn rims(edges: impl Iterator<Item = Edge>, next: impl Fn(Corner) -> Option<Corner>) -> Vec<Rim<u32>> {
    let rim = unmatched(edges);
    let mut at_point: BTreeMap<usize, [Vec<usize>; 2]> = BTreeMap::new();
    for (number, (edge, _)) in rim.iter().enumerate() {
        for (end, point) in edge.points.into_iter().enumerate() {
            at_point.entry(point).or_default()[end].push(number);
        }
    }
    let by_side: BTreeMap<Corner, usize> =
        rim.iter().enumerate().map(|(number, (edge, _))| (edge.side, number)).collect();
    let continued = |number: usize| {
        let (edge, share) = &rim[number];
        let next = by_side.get(&next(edge.side)?).copied();
        next.filter(|&next| *share == 1.0 && rim[next].1 == 1.0)
    };
    let mut sets = DisjointSets::new(rim.len());
    let mut join = |a: usize, b: usize| {
        sets.join(a as u32, b as u32);
    };
    for [starting, ending] in at_point.values() {
        let pairs: Option<Vec<usize>> =
            if starting.len() > 1 { ending.iter().map(|&number| continued(number)).collect() } else { None };
        match pairs {
            Some(nexts) => nexts.into_iter().zip(ending).for_each(|(next, &number)| join(number, next)),
            None => starting.iter().chain(ending).for_each(|&number| join(number, starting[0])),
        }
    }
    let mut by_set: BTreeMap<u32, Rim<u32>> = BTreeMap::new();
    for (number, (edge, share)) in rim.iter().enumerate() {
        by_set.entry(sets.first(number as u32)).or_default().push(RimEdge { ends: edge.vertices, share: *share });
    }
    by_set.into_values().collect()
}

/// Returns the edges that more triangles traverse in one direction than in the other, with the fraction of each edge
/// that doesn't cancel.
fn unmatched(edges: impl Iterator<Item = Edge>) -> Vec<(Edge, f64)> {
    let mut edges: Vec<Edge> = edges.filter(|e| e.points[0] != e.points[1]).collect();
    let undirected = |e: &Edge| (e.points[0].min(e.points[1]), e.points[0].max(e.points[1]));
    edges.sort_unstable_by_key(|e| (undirected(e), e.points, e.side));
    let mut rim = Vec::new();
    for both in edges.chunk_by(|a, b| undirected(a) == undirected(b)) {
        let (there, back) = both.split_at(both.partition_point(|e| e.points[0] < e.points[1]));
        let (more, fewer) = if there.len() > back.len() { (there, back) } else { (back, there) };
        let left = more.len() - fewer.len();
        if left > 0 {
            rim.extend(more.iter().map(|&edge| (edge, left as f64 / more.len() as f64)));
        }
    }
    rim
}

/// Fan of triangles that closes a rim. Its centre is the mean of the rim's edges.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::analysis) struct Cap {
    /// Signed volume between the fan and the origin, m³.
    pub volume: f64,
    /// Maximum volume between the fan and any other cap that stays within the height range of the rim, m³.
    pub uncertainty: f64,
    area: f64,
    middle: DVec3,
    /// Unit direction that the fan faces; zero if it has none.
    facing: DVec3,
}

impl Cap {
    /// Closes a rim. The volume is 0 if a corner is not finite.
    pub(in crate::analysis) fn new(rim: impl Iterator<Item = ([DVec3; 2], f64)> + Clone) -> Self {
        let middle = middle(rim.clone());
        let (mut six_volumes, mut facing, mut area) = (0.0, DVec3::ZERO, 0.0);
        for ([from, to], share) in rim.clone() {
            let normal = (from - middle).cross(to - middle) * share;
            // The cap's triangles run against the rim's direction, like neighbours beyond the rim.
            six_volumes -= middle.dot(normal);
            facing += normal / 2.0;
            area += normal.length() / 2.0;
        }
        let faces = facing.length() >= MIN_FACING * area;
        let facing = if faces { facing.normalize_or_zero() } else { DVec3::ZERO };
        let mut cap = Self { volume: six_volumes / 6.0, uncertainty: 0.0, area, middle, facing };
        cap.uncertainty = cap.freedom(rim);
        if cap.volume.is_finite() && cap.uncertainty.is_finite() { cap } else { Self::default() }
    }

    /// Returns the volume, in m³, between the fan and either the highest or the lowest possible cap, whichever is
    /// larger.
    fn freedom(&self, rim: impl Iterator<Item = ([DVec3; 2], f64)> + Clone) -> f64 {
        let heights = rim.clone().map(|([from, _], _)| self.height(from));
        let (low, high) =
            heights.fold((f64::INFINITY, -f64::INFINITY), |(l, h), height| (l.min(height), h.max(height)));
        if self.facing == DVec3::ZERO {
            return if high > 0.0 { self.area * high } else { 0.0 };
        }
        let (mut above, mut below) = (0.0, 0.0);
        for ([from, to], share) in rim {
            let area = (from - self.middle).cross(to - self.middle).length() / 2.0 * share;
            let mean = (self.height(from) + self.height(to)) / 3.0;
            above += area * (high - mean);
            below += area * (mean - low);
        }
        above.max(below)
    }

    /// Returns a corner's height above the fan's centre along `facing`, or its distance from the centre if `facing` is
    /// zero.
    fn height(&self, corner: DVec3) -> f64 {
        if self.facing == DVec3::ZERO { corner.distance(self.middle) } else { (corner - self.middle).dot(self.facing) }
    }
}

fn middle(rim: impl Iterator<Item = ([DVec3; 2], f64)> + Clone) -> DVec3 {
    let weighted = rim.map(|([from, to], share)| ((from + to) / 2.0, from.distance(to) * share));
    let (sum, length) =
        weighted.clone().fold((DVec3::ZERO, 0.0), |(sum, length), (at, weight)| (sum + at * weight, length + weight));
    if length > 0.0 {
        return sum / length;
    }
    let (sum, count) = weighted.fold((DVec3::ZERO, 0), |(sum, count), (at, _)| (sum + at, count + 1));
    sum / f64::from(count.max(1))
}

pub(in crate::analysis) struct CapAtRest {
    pub cap: Cap,
    /// Height of each edge's start, metres.
    heights: Vec<f64>,
}

impl CapAtRest {
    pub(in crate::analysis) fn new(rim: impl Iterator<Item = ([DVec3; 2], f64)> + Clone) -> Self {
        let cap = Cap::new(rim.clone());
        Self { heights: rim.map(|([from, _], _)| cap.height(from)).collect(), cap }
    }

    /// Returns the maximum change, in m³, in the volume between the fan and any other cap; 0 if the rim moved rigidly.
    /// The height of a cap is assumed to change by no more than the height of its rim.
    pub(in crate::analysis) fn change(&self, now: &Cap, rim: impl Iterator<Item = ([DVec3; 2], f64)>) -> f64 {
        let heights = rim.zip(&self.heights);
        let max_offset =
            heights.map(|(([from, _], _), at_rest)| (now.height(from) - at_rest).abs()).fold(0.0, f64::max);
        let reach = self.heights.iter().map(|height| height.abs()).fold(0.0, f64::max);
        let change = now.area.max(self.cap.area) * max_offset + (now.area - self.cap.area).abs() * reach;
        if change.is_finite() { change } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(triangles: &[[u32; 3]]) -> impl Iterator<Item = Edge> + '_ {
        triangles.iter().enumerate().flat_map(|(triangle, corners)| {
            [0, 1, 2].map(|corner| {
                let vertices = [corners[corner], corners[(corner + 1) % 3]];
                Edge { points: vertices.map(|v| v as usize), vertices, side: Corner { triangle, corner } }
            })
        })
    }

    fn find_rims(triangles: &[[u32; 3]]) -> Vec<Vec<[u32; 2]>> {
        let within = |side: Corner| Some(Corner { corner: (side.corner + 1) % 3, ..side });
        let ends = |rim: Rim<u32>| {
            let mut ends: Vec<[u32; 2]> = rim.iter().map(|edge| edge.ends).collect();
            ends.sort_unstable();
            ends
        };
        let mut found: Vec<_> = rims(edges(triangles), within).into_iter().map(ends).collect();
        found.sort();
        found
    }

    #[test]
    fn a_closed_surface_has_no_rims_and_an_open_one_has_one() {
        let tetrahedron = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        assert!(find_rims(&tetrahedron).is_empty());
        assert_eq!(find_rims(&tetrahedron[..3]), [vec![[0, 2], [2, 3], [3, 0]]]);
        let apart = [[0, 1, 2], [3, 4, 5]];
        assert_eq!(find_rims(&apart), [vec![[0, 1], [1, 2], [2, 0]], vec![[3, 4], [4, 5], [5, 3]]]);
    }

    #[test]
    fn triangles_that_meet_in_a_point_have_a_rim_each_unless_the_surface_branches_there() {
        let parted = [vec![[0, 1], [1, 2], [2, 0]], vec![[0, 7], [7, 8], [8, 0]]];
        assert_eq!(find_rims(&[[0, 1, 2], [0, 7, 8]]), parted);
        assert_eq!(find_rims(&[[7, 8, 0], [2, 0, 1]]), parted);
        let branched = rims(edges(&[[0, 1, 2], [0, 7, 8]]), |_| None);
        assert_eq!(branched.iter().map(Vec::len).collect::<Vec<_>>(), [6]);
    }

    #[test]
    fn of_several_triangles_at_an_edge_each_counts_for_what_is_left_over() {
        // Edge 0–1 has three triangles in one direction and one in the other; one triangle is repeated, and one is
        // degenerate.
        let odd = [[0, 1, 2], [0, 1, 3], [0, 1, 3], [1, 0, 4], [5, 5, 6]];
        let found = rims(edges(&odd), |_| None);
        let at = |from: u32, to: u32| {
            let all = found.iter().flatten().filter(move |edge| edge.ends == [from, to]);
            all.map(|edge| edge.share).collect::<Vec<_>>()
        };
        assert_eq!((at(0, 1), at(1, 0)), (vec![2.0 / 3.0; 3], Vec::new()), "{found:?}");
        for rim in &found {
            for point in 0..7 {
                let ends = |end: usize| rim.iter().filter(move |e| e.ends[end] == point).map(|e| e.share).sum::<f64>();
                assert!((ends(0) - ends(1)).abs() < 1e-12, "{point}: {found:?}");
            }
        }
    }

    #[test]
    fn a_cap_closes_a_box_without_its_lid() {
        let corner = |i: u32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2));
        let quads = [[0, 2, 3, 1], [0, 1, 5, 4], [1, 3, 7, 5], [3, 2, 6, 7], [2, 0, 4, 6]];
        let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let about = DVec3::new(3.0, -1.0, 0.5);
        let at = |i: u32| corner(i) - about;
        let sides: f64 = triangles.iter().map(|&[a, b, c]| at(a).dot(at(b).cross(at(c))) / 6.0).sum();
        let found = rims(edges(&triangles), |_| None);
        assert_eq!(found.len(), 1);
        let cap = Cap::new(placed(&found[0], at));
        assert!((sides + cap.volume - 1.0).abs() < 1e-12 && cap.uncertainty < 1e-12, "{cap:?}");
        let unknown = Cap::new([([DVec3::NAN; 2], 1.0); 3].into_iter());
        assert_eq!((unknown.volume, unknown.uncertainty), (0.0, 0.0));
    }

    fn ring(height: impl Fn(f64) -> f64) -> Vec<([DVec3; 2], f64)> {
        let at = |i: i32| {
            let angle = f64::from(i) * std::f64::consts::TAU / 360.0;
            DVec3::new(angle.cos(), angle.sin(), 3.0 + height(angle))
        };
        (0..360).map(|i| ([at(i), at(i + 1)], 1.0)).collect()
    }

    #[test]
    fn the_truth_is_within_the_uncertainty_of_a_bent_rim() {
        // A cylinder of radius 1 cuts a saddle, z = a (x² - y²), and a half pipe, z = a x². Both volumes are known.
        let saddle = ring(|angle| 0.4 * (2.0 * angle).cos());
        let pipe = ring(|angle| 0.4 * angle.cos().powi(2));
        for (rim, truth) in [(saddle, 3.0 * std::f64::consts::PI), (pipe, 3.1 * std::f64::consts::PI)] {
            let cap = Cap::new(rim.iter().copied());
            // The floor contains the origin and adds no volume, so the whole volume is that of the wall and the cap.
            let wall: f64 = rim.iter().map(|([from, to], _)| wall_volume(*from, *to)).sum();
            let off = (wall - cap.volume - truth).abs();
            assert!(off <= cap.uncertainty + 2e-3, "{off} {cap:?}");
            assert!(cap.uncertainty < 0.9 * std::f64::consts::PI, "no more than the depth allows: {cap:?}");
        }
    }

    /// Returns the volume between the origin and the wall that extends from an edge down to z = 0.
    fn wall_volume(from: DVec3, to: DVec3) -> f64 {
        let [a, b] = [from, to].map(|p| p.with_z(0.0));
        (a.dot(b.cross(to)) + a.dot(to.cross(from))) / 6.0
    }

    #[test]
    fn a_rim_that_moves_as_a_whole_changes_nothing_and_one_that_bends_does() {
        let rim = ring(|angle| 0.2 * (3.0 * angle).cos());
        let at_rest = CapAtRest::new(rim.iter().copied());
        let turn = glam::DQuat::from_rotation_x(1.0);
        let turned = rim.iter().map(|(ends, share)| (ends.map(|p| turn * p + DVec3::X), *share));
        assert!(at_rest.change(&Cap::new(turned.clone()), turned) < 1e-9);
        let flat = ring(|_| 0.0);
        let now = Cap::new(flat.iter().copied());
        let change = at_rest.change(&now, flat.iter().copied());
        assert!(change > 0.19 * std::f64::consts::PI && change >= at_rest.cap.uncertainty * 0.9, "{change}");
    }
}
