//! Pairs of triangles that intersect in a pose and not at rest, grouped by the joints whose regions meet.

use std::collections::BTreeMap;

use glam::Vec3;

use super::intersect::{depth, intersect};
use super::tree::{FittedTree, MIXED, TreeFit};
use crate::analysis::weight_problems::RestSurface;
use rigscope_core::rig::NodeIndex;
use rigscope_core::rows::{Described, Shape};

/// Maximum number of pairs of triangles to test in a pose, per triangle. Skins that collapse to a point exceed it; then
/// the counts are lower bounds.
const MAX_TESTS: usize = 400;
/// Smaller regions count as this fraction of the surface, so that a few triangles don't decide.
const MIN_REGION: f64 = 0.01;

/// Number of pairs of triangles that may be tested in any case.
const MIN_TESTS: usize = 1 << 20;

rigscope_core::named_enum! {
    /// How surfaces meet.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum ContactKind {
        /// A connected surface folds into itself at a joint: the regions are those of one joint, or of a joint and its
        /// parent.
        Fold = "fold";
        /// Separate surfaces of one region cross, such as a sleeve and an arm.
        Layers = "layers";
        /// Regions of distant joints meet because the pose brings them together, such as an arm and the chest.
        Contact = "contact";
    }
}

impl Described for ContactKind {
    fn shape() -> Shape {
        Shape::Word(Self::ALL.map(Self::name).to_vec())
    }
}

/// Surfaces of two joints that intersect in a pose and not at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Joints whose regions meet, in ascending order; equal if a region meets itself.
    pub joints: [NodeIndex; 2],
    /// How they meet.
    pub kind: ContactKind,
    /// Number of intersecting pairs of triangles.
    pub count: usize,
    /// Area of the intersecting triangles as a fraction of the area of both regions at rest, 0 to 1.
    pub fraction: f32,
    /// Largest depth of a pair, metres: how far a triangle reaches through the other.
    pub depth: f32,
    /// A point of the deepest pair, as an index into the joined surface.
    pub(super) point: u32,
}

/// Surface of a rig with the joint that each triangle follows.
pub(super) struct ContactSurface {
    tree: FittedTree,
    /// Joint of each triangle.
    pub owners: Vec<NodeIndex>,
    /// Area of each triangle at rest, m².
    pub areas: Vec<f32>,
    /// Area of each joint's triangles at rest, m², by node.
    pub owned: Vec<f64>,
    whole: f64,
    /// Owner of each node's skin.
    owner: Vec<NodeIndex>,
    /// Parent of each node among the owners.
    above: Vec<Option<NodeIndex>>,
    /// Pairs that intersect at rest, in ascending order.
    at_rest: Vec<[u32; 2]>,
}

#[derive(Default)]
struct Meeting {
    count: usize,
    depth: f32,
    point: u32,
    triangles: Vec<u32>,
}

impl ContactSurface {
    /// `owner` has the joint whose region each node's skin counts to, `above` the parent of each node among these.
    pub(super) fn new(surface: &RestSurface, owner: Vec<NodeIndex>, above: Vec<Option<NodeIndex>>) -> Self {
        let of_point = |point: u32| surface.heaviest(point).map(|node| owner[node.index()]);
        let of_triangle = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(of_point);
            if b == c { b } else { a }.unwrap_or(NodeIndex(0))
        };
        let area = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|point| surface.rest[point as usize]);
            Some((b - a).cross(c - a).length() / 2.0).filter(|area| area.is_finite()).unwrap_or(0.0)
        };
        let owners: Vec<NodeIndex> = surface.triangles.iter().map(of_triangle).collect();
        let areas: Vec<f32> = surface.triangles.iter().map(area).collect();
        let mut owned = vec![0.0; owner.len()];
        owners.iter().zip(&areas).for_each(|(owner, area)| owned[owner.index()] += f64::from(*area));
        let tree = FittedTree::new(&surface.rest, &surface.triangles);
        let whole = owned.iter().sum();
        let mut all = Self { tree, owners, areas, owned, whole, owner, above, at_rest: Vec::new() };
        let groups = vec![MIXED; surface.len()];
        all.at_rest = all.pairs(surface, &surface.rest, &groups, &mut TreeFit::default());
        all.at_rest.sort_unstable();
        all
    }

    /// Returns all intersecting pairs that don't share a point, in no particular order. Triangles that moved rigidly
    /// together are left out.
    pub(super) fn pairs(
        &self,
        surface: &RestSurface,
        positions: &[Vec3],
        groups: &[u32],
        fit: &mut TreeFit,
    ) -> Vec<[u32; 2]> {
        self.tree.fit(positions, &surface.triangles, groups, fit);
        let mut found = Vec::new();
        let max_tests = MIN_TESTS.max(MAX_TESTS * self.owners.len());
        self.tree.each_pair(fit, max_tests, |[a, b], [of_a, of_b]| {
            let [a_points, b_points] = [a, b].map(|triangle| surface.triangles[triangle as usize]);
            let is_neighbor = a_points.iter().any(|point| b_points.contains(point));
            if !is_neighbor && intersect(of_a, of_b) {
                found.push([a.min(b), a.max(b)]);
            }
        });
        found
    }

    /// Returns the pairs that intersect in a pose, not at rest, and are not neighbours within two edges, by joints and
    /// kind. `groups` has the rigid motion of each point.
    pub(super) fn contacts(
        &self,
        surface: &RestSurface,
        positions: &[Vec3],
        groups: &[u32],
        fit: &mut TreeFit,
    ) -> Vec<Contact> {
        let mut meetings: BTreeMap<([NodeIndex; 2], ContactKind), Meeting> = BTreeMap::new();
        for pair in self.new_pairs(surface, positions, groups, fit) {
            let mut joints = pair.map(|triangle| self.owners[triangle as usize]);
            joints.sort_unstable();
            let meeting = meetings.entry((joints, self.kind(surface, pair, joints))).or_default();
            let [a, b] = pair.map(|triangle| surface.corners(triangle, positions));
            let depth = depth(a, b);
            if depth >= meeting.depth {
                (meeting.depth, meeting.point) = (depth, surface.triangles[pair[0] as usize][0]);
            }
            meeting.count += 1;
            meeting.triangles.extend(pair);
        }
        let contact = |((joints, kind), mut meeting): (([NodeIndex; 2], ContactKind), Meeting)| {
            meeting.triangles.sort_unstable();
            meeting.triangles.dedup();
            let area: f64 = meeting.triangles.iter().map(|&t| f64::from(self.areas[t as usize])).sum();
            let [a, b] = joints.map(|joint| self.owned[joint.index()]);
            let fraction = self.fraction(area, if joints[0] == joints[1] { a } else { a + b });
            Contact { joints, kind, count: meeting.count, fraction, depth: meeting.depth, point: meeting.point }
        };
        meetings.into_iter().map(contact).collect()
    }

    /// Returns the pairs that count as new intersections, in ascending order.
    pub(super) fn new_pairs(
        &self,
        surface: &RestSurface,
        positions: &[Vec3],
        groups: &[u32],
        fit: &mut TreeFit,
    ) -> Vec<[u32; 2]> {
        let mut pairs = self.pairs(surface, positions, groups, fit);
        pairs.retain(|pair| self.at_rest.binary_search(pair).is_err() && !are_near(surface, *pair));
        pairs.sort_unstable();
        pairs
    }

    /// Returns the area of the regions of a joint and its parent at rest, m².
    pub(super) fn pair_area(&self, joint: NodeIndex) -> f64 {
        let owner = self.owner[joint.index()];
        let above = self.above[owner.index()].map_or(0.0, |above| self.owned[above.index()]);
        self.owned[owner.index()] + above
    }

    /// Returns an area as a fraction of that of a region. Small regions count as [`MIN_REGION`] of the surface.
    pub(super) fn fraction(&self, area: f64, region: f64) -> f32 {
        let region = region.max(MIN_REGION * self.whole);
        if region > 0.0 { (area / region).min(1.0) as f32 } else { 0.0 }
    }

    fn kind(&self, surface: &RestSurface, pair: [u32; 2], [a, b]: [NodeIndex; 2]) -> ContactKind {
        let above = |joint: NodeIndex| self.above[joint.index()];
        if a != b && above(a) != Some(b) && above(b) != Some(a) {
            return ContactKind::Contact;
        }
        let [one, other] = pair.map(|triangle| surface.components[surface.triangles[triangle as usize][0] as usize]);
        if one == other { ContactKind::Fold } else { ContactKind::Layers }
    }
}

/// Returns whether two edges or fewer lead from one triangle to the other.
fn are_near(surface: &RestSurface, pair: [u32; 2]) -> bool {
    let [a, b] = pair.map(|triangle| surface.triangles[triangle as usize]);
    let around = |points: [u32; 3]| points.into_iter().flat_map(|point| surface.graph.neighbors(point)).copied();
    let mut near_b: Vec<u32> = around(b).chain(b).collect();
    near_b.sort_unstable();
    around(a).chain(a).any(|point| near_b.binary_search(&point).is_ok())
}
