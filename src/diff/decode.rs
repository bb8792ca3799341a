//! How the coordinates that a mesh is stored in follow from those of the old version.
//!
//! Programs store a mesh in whatever coordinates suit them, as whole numbers between -1 and 1 after quantisation, and undo that in the inverse bind matrices
//! of its skin, or in the node that carries it: the *decode transform* `D^-1`, old from new. A vertex is drawn at `sum_j w_j W_j IB_j p`. With `p' = D p` and
//! `IB'_j = IB_j D^-1` for every joint that is the same point, whatever the pose, and so for a mesh on a node with `L' = L D^-1`; as dual quaternion skinning
//! stretches the skin space first where all joints agree, it holds for every method.
//!
//! So the new version is taken through `D^-1` before it is compared. That hides nothing, whatever `D` is: a vertex `D p + e` is told as moved by `D^-1 e`,
//! and a joint with `IB'_j != IB_j D^-1` as bound elsewhere; only where neither is there is every vertex drawn where it was. What is chosen is only which of
//! them is told. `D` is that of most joints, so one that was bound elsewhere stays one, and it counts only where the vertices followed it: binds that moved
//! past a mesh that did not are told as that, and a mesh that was scaled without its node too. A mirrored `D` turns triangles round and is none.

use glam::{Affine3, Vec3};

use super::rig_match::{Drawn, RigMatch};
use super::space::middle;
use super::version::bounds;
use crate::rig::{MeshInstance, NodeIndex, PointTree, Primitive};

/// Vertices by which it is judged whether a mesh follows.
const VERTICES: usize = 512;
/// Placed meshes that are asked for what their nodes undo.
const INSTANCES: usize = 64;
/// Of what a mesh misses as it is: one that follows misses less.
const FOLLOWS: f32 = 0.5;
/// Of the mesh's extent: what stays as near is not moved at all, but for rounding.
const ROUNDING: f32 = 2e-6;

/// `D^-1` of a mesh, to the old version's coordinates from the new one's; `None` where both have the same.
///
/// `instances` are all pairs that draw it, each the old one first.
pub(super) fn old_from_new(both: &RigMatch<'_>, drawn: [Drawn; 2], instances: &[(usize, usize)]) -> Option<Affine3> {
    let (old, new) = (&both.old.rig.meshes[drawn[0].0], &both.new.rig.meshes[drawn[1].0]);
    let candidates: Vec<Affine3> = match [drawn[0].1, drawn[1].1] {
        [Some(_), Some(_)] => both.binds(drawn).into_values().map(|[was, now]| was * now.inverse()).collect(),
        [None, None] => {
            instances.iter().take(INSTANCES).filter_map(|&pair| both.seats(pair)).map(Seats::undone).collect()
        }
        _ => Vec::new(),
    };
    let frame = Frame::of(&new.primitives)?;
    let found = shared(&candidates, &frame)?;
    let is_moved =
        frame.taken(&found).iter().zip(frame.0).any(|(to, from)| to.distance(from) > ROUNDING * frame.extent());
    let fit = is_moved.then(|| Fit::new(&old.primitives, &new.primitives))?;
    // A node that was moved besides undoes all of it but that: the middle of the mesh, which the node moves, tells where it stood.
    let centred = (drawn[0].1.is_none()).then(|| centred(&old.primitives, &new.primitives, found)).flatten();
    let mut best = (fit.miss(None), None);
    for map in std::iter::once(found).chain(centred) {
        let miss = fit.miss(Some(map));
        if miss < FOLLOWS * best.0 {
            best = (miss, Some(map));
        }
    }
    best.1
}

/// The map with a translation that takes the middle of the new mesh to that of the old one.
fn centred(old: &[Primitive], new: &[Primitive], map: Affine3) -> Option<Affine3> {
    let middle = |primitives| bounds(primitives).map(|(low, high): (Vec3, Vec3)| (low + high) * 0.5);
    Some(Affine3 { translation: middle(old)? - map.transform_vector3(middle(new)?), ..map })
}

/// The candidate nearest to the median of all: where most agree one of those.
fn shared(candidates: &[Affine3], frame: &Frame) -> Option<Affine3> {
    let is_possible = |map: &&Affine3| map.is_finite() && map.matrix3.determinant() > 0.0;
    let possible: Vec<(Affine3, [Vec3; 4])> =
        candidates.iter().filter(is_possible).map(|map| (*map, frame.taken(map))).collect();
    let median = |corner: usize| {
        Vec3::from([0, 1, 2].map(|axis| middle(possible.iter().map(|(_, to)| to[corner][axis]).collect())))
    };
    let median = [0, 1, 2, 3].map(median);
    let away = |to: &[Vec3; 4]| to.iter().zip(median).map(|(to, median)| to.distance(median)).sum::<f32>();
    possible.iter().min_by(|(_, a), (_, b)| away(a).total_cmp(&away(b))).map(|(map, _)| *map)
}

/// A corner of a mesh's box and its neighbours: what tells two maps of the mesh apart, in lengths.
struct Frame([Vec3; 4]);

impl Frame {
    /// `None` of a mesh without vertices.
    fn of(primitives: &[Primitive]) -> Option<Self> {
        let (low, high) = bounds(primitives)?;
        let Vec3 { x, y, z } = high - low;
        Some(Self([low, low + Vec3::X * x, low + Vec3::Y * y, low + Vec3::Z * z]))
    }

    fn taken(&self, map: &Affine3) -> [Vec3; 4] {
        self.0.map(|point| map.transform_point3(point))
    }

    fn extent(&self) -> f32 {
        self.0.iter().map(|point| point.length()).fold(0.0, f32::max)
    }
}

/// Two meshes of which one is to be taken to the other.
struct Fit {
    /// Some vertices of the old one.
    asked: Vec<Vec3>,
    new: Vec<Vec3>,
}

impl Fit {
    fn new(old: &[Primitive], new: &[Primitive]) -> Self {
        let all =
            |primitives: &[Primitive]| -> Vec<Vec3> { primitives.iter().flat_map(|p| &p.positions).copied().collect() };
        let (old, new) = (all(old), all(new));
        Self { asked: old.iter().step_by(old.len() / VERTICES + 1).copied().collect(), new }
    }

    /// How far the old vertices are from the nearest new ones, summed; the median would not tell a mesh that slides along itself.
    fn miss(&self, old_from_new: Option<Affine3>) -> f32 {
        let moved: Vec<Vec3> =
            self.new.iter().map(|&place| old_from_new.map_or(place, |map| map.transform_point3(place))).collect();
        let tree = PointTree::new(&moved, (0..moved.len() as u32).collect());
        let nearest = |place| tree.nearest(place, f32::INFINITY, |_| true).map_or(0.0, |(_, distance)| distance);
        self.asked.iter().map(|&place| nearest(place)).sum()
    }
}

/// Where a mesh without skin hangs in both versions, from its own coordinates to those of a node that both hang on, or of the world; the old one in the
/// coordinates of the new version.
#[derive(Clone, Copy)]
pub(super) struct Seats {
    pub was: Affine3,
    pub now: Affine3,
    /// The node, of the new version.
    pub on: Option<NodeIndex>,
}

impl Seats {
    fn undone(self) -> Affine3 {
        self.was.inverse() * self.now
    }
}

impl RigMatch<'_> {
    /// Where two placed meshes hang; `None` for skinned ones, which no node moves.
    pub fn seats(&self, (from, to): (usize, usize)) -> Option<Seats> {
        let Self { old, new, joints, .. } = self;
        let [from, to]: [&MeshInstance; 2] = [&old.rig.instances[from], &new.rig.instances[to]];
        if from.skin.is_some() || to.skin.is_some() {
            return None;
        }
        let [from, to] = [from.node, to.node];
        // What carries nothing but the mesh may undo its coordinates; of any other node both the mesh and what hangs on it are seen.
        let own = usize::from(joints.new_of(from) == Some(to) && old.is_holder(from) && new.is_holder(to));
        let is_above =
            |node: NodeIndex| new.rig.hierarchy.subtree(node).contains(&to.index()) && (own == 0 || node != to);
        let candidates = std::iter::once(from).chain(old.rig.hierarchy.ancestors(from)).skip(own);
        let shared = candidates.filter_map(|node| Some((node, joints.new_of(node)?))).find(|(_, node)| is_above(*node));
        let on = shared.map(|(_, node)| node);
        let (was, now) = (old.path(from, shared.map(|(node, _)| node)), new.path(to, on));
        let grown = match shared {
            Some(_) => Affine3::from_scale(Vec3::splat(self.joint_factor)),
            None => self.space.affine(),
        };
        Some(Seats { was: grown * was, now, on })
    }
}
