//! Pairs of triangles that intersect in a pose and not at rest, grouped by the joints whose regions meet.

use std::collections::BTreeMap;

use glam::Vec3;

use super::intersect::{depth, intersect};
use super::tree::{FittedTree, MIXED, TreeFit};
use crate::analysis::weight_problems::{RestSurface, cross};
use rigscope_core::jobs::Progress;
use rigscope_core::rig::NodeIndex;
use rigscope_core::rows::{Described, Shape};

/// Maximum number of pairs of triangles to test in a pose, per triangle. Skins that collapse to a point exceed it; then
/// the counts are lower bounds. If the rest pose exceeds it, no contacts are known.
const MAX_TESTS: usize = 400;

/// Smaller regions count as this fraction of the surface, so that a few triangles don't decide.
const MIN_REGION: f64 = 0.01;

/// Number of pairs of triangles that may be tested in any case.
const MIN_TESTS: usize = 1 << 20;

/// Maximum number of intersecting pairs that are kept in a pose: 16 MiB.
const MAX_PAIRS: usize = 1 << 21;

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
    /// Pairs that intersect at rest, in ascending order; `None` if there are too many.
    at_rest: Option<Vec<[u32; 2]>>,
}

/// Intersecting pairs of triangles.
struct Pairs {
    list: Vec<[u32; 2]>,
    is_complete: bool,
}

#[derive(Default)]
struct Meeting {
    count: usize,
    depth: f32,
    point: u32,
    triangles: Vec<u32>,
}

impl ContactSurface {
    /// `owner` has the joint whose region each node's skin counts to, `above` the parent of each node among these. `None`
    /// if cancelled.
    pub(super) fn new(
        surface: &RestSurface,
        owner: Vec<NodeIndex>,
        above: Vec<Option<NodeIndex>>,
        progress: &Progress,
    ) -> Option<Self> {
        let area = |triangle: u32| {
            let area = cross(surface.corners(triangle, &surface.rest)).length() / 2.0;
            if area.is_finite() { area } else { 0.0 }
        };
        let of_triangle = |points: &[u32; 3]| owner[surface.followed(*points).index()];
        let owners: Vec<NodeIndex> = surface.triangles.iter().map(of_triangle).collect();
        let areas: Vec<f32> = (0..surface.triangles.len() as u32).map(area).collect();
        let mut owned = vec![0.0; owner.len()];
        owners.iter().zip(&areas).for_each(|(owner, area)| owned[owner.index()] += f64::from(*area));
        let tree = FittedTree::new(&surface.rest, &surface.triangles);
        let whole = owned.iter().sum();
        let mut all = Self { tree, owners, areas, owned, whole, owner, above, at_rest: None };
        let groups = vec![MIXED; surface.len()];
        let mut at_rest = all.pairs(surface, (&surface.rest, &groups), &mut TreeFit::default(), progress)?;
        at_rest.list.sort_unstable();
        all.at_rest = at_rest.is_complete.then_some(at_rest.list);
        Some(all)
    }

    /// Returns the joint whose region a node's skin counts to.
    pub(super) fn owner(&self, node: NodeIndex) -> NodeIndex {
        self.owner[node.index()]
    }

    /// Returns all intersecting pairs that don't share a point, in no particular order. Triangles that moved rigidly
    /// together are left out; each point has its position and the group with which it moved. `None` if cancelled.
    fn pairs(
        &self,
        surface: &RestSurface,
        (positions, groups): (&[Vec3], &[u32]),
        fit: &mut TreeFit,
        progress: &Progress,
    ) -> Option<Pairs> {
        self.tree.fit(positions, &surface.triangles, groups, fit);
        let mut list = Vec::new();
        let max_tests = MIN_TESTS.max(MAX_TESTS * self.owners.len());
        let mut is_full = false;
        let is_complete = self.tree.each_pair(fit, max_tests, progress, |[a, b], [of_a, of_b]| {
            let [a_points, b_points] = [a, b].map(|triangle| surface.triangles[triangle as usize]);
            let is_neighbor = a_points.iter().any(|point| b_points.contains(point));
            // The tree leaves out pairs of boxes that move rigidly together. A box may also hold other triangles.
            let group = groups[a_points[0] as usize];
            let mut points = a_points.iter().chain(&b_points);
            let is_rigid = group != MIXED && points.all(|&point| groups[point as usize] == group);
            is_full |= list.len() == MAX_PAIRS;
            if !is_full && !is_neighbor && !is_rigid && intersect(of_a, of_b) {
                list.push([a.min(b), a.max(b)]);
            }
        })?;
        Some(Pairs { list, is_complete: is_complete && !is_full })
    }

    /// Returns the pairs that intersect in a pose, not at rest, and are not neighbours within two edges, by joints and
    /// kind. Each point has its position and the group with which it moved. `None` if cancelled.
    pub(super) fn contacts(
        &self,
        surface: &RestSurface,
        points: (&[Vec3], &[u32]),
        fit: &mut TreeFit,
        progress: &Progress,
    ) -> Option<Vec<Contact>> {
        let positions = points.0;
        let mut meetings: BTreeMap<([NodeIndex; 2], ContactKind), Meeting> = BTreeMap::new();
        for pair in self.new_pairs(surface, points, fit, progress)? {
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
        Some(meetings.into_iter().map(contact).collect())
    }

    /// Returns the pairs that count as new intersections, in ascending order. `None` if cancelled.
    pub(super) fn new_pairs(
        &self,
        surface: &RestSurface,
        points: (&[Vec3], &[u32]),
        fit: &mut TreeFit,
        progress: &Progress,
    ) -> Option<Vec<[u32; 2]>> {
        let Some(at_rest) = &self.at_rest else { return Some(Vec::new()) };
        let mut pairs = self.pairs(surface, points, fit, progress)?.list;
        pairs.retain(|pair| at_rest.binary_search(pair).is_err() && !are_near(surface, *pair));
        pairs.sort_unstable();
        Some(pairs)
    }

    /// Returns the area of the regions of a joint and its parent at rest, m².
    pub(super) fn pair_area(&self, joint: NodeIndex) -> f64 {
        let owner = self.owner(joint);
        let above = self.above[owner.index()].map_or(0.0, |above| self.owned[above.index()]);
        self.owned[owner.index()] + above
    }

    /// Returns an area as a fraction of that of a region. Regions smaller than [`MIN_REGION`] of the surface
    /// are treated as that size.
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
