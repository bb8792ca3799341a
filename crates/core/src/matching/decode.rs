//! The transform between the mesh coordinates of two versions of a file.
//!
//! An exporter may store vertices in different coordinates, `p' = D p`, for example to quantize them, and compensate
//! for `D` in the inverse bind matrices (`IB'_j = IB_j D^-1`) or, for an unskinned mesh, in its node (`L' = L D^-1`).
//! The new file then looks the same in every pose and with every skinning method, so the new mesh is transformed by
//! `D^-1` before it is compared. This hides no changes: a vertex stored at `D p + e` is reported as moved by `D^-1 e`,
//! and a joint with a different `IB'_j` is reported as a changed bind pose. `D` is the transform on which most joints
//! agree, so a single rebound joint is still reported. `D` is used only if the vertices moved with it. Mirroring is
//! rejected because it would turn triangles inside out.

use glam::{Affine3, Vec3};

use super::rig_at_rest::bounds;
use super::rig_match::{MeshAndSkin, RigMatch};
use super::space::median;
use crate::rig::{MeshInstance, NodeIndex, PointTree, Primitive};

const VERTICES: usize = 512;
const INSTANCES: usize = 64;
/// The transform is used only if it reduces the distance between the meshes to less than this fraction.
const FOLLOWS: f32 = 0.5;
const ROUNDING: f32 = 2e-6;

/// Returns `D^-1`, the transform from new to old mesh coordinates; `None` if the coordinates are the same or no
/// transform fits. `instances` lists the `(old, new)` indices of matched instances that draw the mesh.
pub(crate) fn old_from_new(
    both: &RigMatch<'_>,
    drawn: [MeshAndSkin; 2],
    instances: &[(usize, usize)],
) -> Option<Affine3> {
    let (old, new) = (&both.old.rig.meshes[drawn[0].0], &both.new.rig.meshes[drawn[1].0]);
    let candidates: Vec<Affine3> = match [drawn[0].1, drawn[1].1] {
        [Some(_), Some(_)] => both.binds(drawn).into_values().map(|[was, now]| was * now.inverse()).collect(),
        [None, None] => instances
            .iter()
            .take(INSTANCES)
            .filter_map(|&pair| both.mesh_placements(pair))
            .map(MeshPlacements::undone)
            .collect(),
        _ => Vec::new(),
    };
    let frame = BoxCorners::new(&new.primitives)?;
    let found = shared(&candidates, &frame)?;
    let is_moved =
        frame.taken(&found).iter().zip(frame.0).any(|(to, from)| to.distance(from) > ROUNDING * frame.extent());
    let fit = is_moved.then(|| MeshFit::new(&old.primitives, &new.primitives))?;
    // If the node was also moved, the translation of `D^-1` is wrong. Aligning the meshes' centres corrects it.
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

fn centred(old: &[Primitive], new: &[Primitive], map: Affine3) -> Option<Affine3> {
    let middle = |primitives| bounds(primitives).map(|(low, high): (Vec3, Vec3)| (low + high) * 0.5);
    Some(Affine3 { translation: middle(old)? - map.transform_vector3(middle(new)?), ..map })
}

/// Returns the candidate nearest to the median of all candidates. If most candidates agree, the result is one of those.
fn shared(candidates: &[Affine3], frame: &BoxCorners) -> Option<Affine3> {
    let is_possible = |map: &&Affine3| map.is_finite() && map.matrix3.determinant() > 0.0;
    let possible: Vec<(Affine3, [Vec3; 4])> =
        candidates.iter().filter(is_possible).map(|map| (*map, frame.taken(map))).collect();
    let median = |corner: usize| {
        Vec3::from([0, 1, 2].map(|axis| median(possible.iter().map(|(_, to)| to[corner][axis]).collect())))
    };
    let median = [0, 1, 2, 3].map(median);
    let away = |to: &[Vec3; 4]| to.iter().zip(median).map(|(to, median)| to.distance(median)).sum::<f32>();
    possible.iter().min_by(|(_, a), (_, b)| away(a).total_cmp(&away(b))).map(|(map, _)| *map)
}

/// A corner of a mesh's bounding box and its three neighbours, used to measure how much transforms differ.
struct BoxCorners([Vec3; 4]);

impl BoxCorners {
    fn new(primitives: &[Primitive]) -> Option<Self> {
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

struct MeshFit {
    asked: Vec<Vec3>,
    new: Vec<Vec3>,
}

impl MeshFit {
    fn new(old: &[Primitive], new: &[Primitive]) -> Self {
        let all =
            |primitives: &[Primitive]| -> Vec<Vec3> { primitives.iter().flat_map(|p| &p.positions).copied().collect() };
        let (old, new) = (all(old), all(new));
        Self { asked: old.iter().step_by(old.len() / VERTICES + 1).copied().collect(), new }
    }

    /// Returns the sum of distances from sampled old vertices to the nearest new vertex. A median would not detect a
    /// mesh that slides along itself.
    fn miss(&self, old_from_new: Option<Affine3>) -> f32 {
        let moved: Vec<Vec3> =
            self.new.iter().map(|&place| old_from_new.map_or(place, |map| map.transform_point3(place))).collect();
        let tree = PointTree::new(&moved, (0..moved.len() as u32).collect());
        let nearest = |place| tree.nearest(place, f32::INFINITY, |_| true).map_or(0.0, |(_, distance)| distance);
        self.asked.iter().map(|&place| nearest(place)).sum()
    }
}

/// Transforms of an unskinned mesh in both versions, relative to a shared ancestor or the world, in the coordinates of
/// the new version.
#[derive(Clone, Copy)]
pub struct MeshPlacements {
    /// Placement in the old version.
    pub was: Affine3,
    /// Placement in the new version.
    pub now: Affine3,
    /// The shared ancestor, as a node of the new version; `None` for the world.
    pub on: Option<NodeIndex>,
}

impl MeshPlacements {
    fn undone(self) -> Affine3 {
        self.was.inverse() * self.now
    }
}

impl RigMatch<'_> {
    /// Returns the placements of a matched instance; `None` if either version is skinned, because nodes don't move
    /// skinned meshes.
    pub fn mesh_placements(&self, (from, to): (usize, usize)) -> Option<MeshPlacements> {
        let Self { old, new, joints, .. } = self;
        let [from, to]: [&MeshInstance; 2] = [&old.rig.instances[from], &new.rig.instances[to]];
        if from.skin.is_some() || to.skin.is_some() {
            return None;
        }
        let [from, to] = [from.node, to.node];
        // A node that carries only the mesh may compensate for `D`, so the shared ancestor must be above that node.
        // Transforms of other nodes affect more than the mesh and are compared separately.
        let own = usize::from(joints.new_for(from) == Some(to) && old.is_holder(from) && new.is_holder(to));
        let is_above =
            |node: NodeIndex| new.rig.hierarchy.subtree(node).contains(&to.index()) && (own == 0 || node != to);
        let candidates = std::iter::once(from).chain(old.rig.hierarchy.ancestors(from)).skip(own);
        let shared =
            candidates.filter_map(|node| Some((node, joints.new_for(node)?))).find(|(_, node)| is_above(*node));
        let on = shared.map(|(_, node)| node);
        let (was, now) = (old.path(from, shared.map(|(node, _)| node)), new.path(to, on));
        let grown = match shared {
            Some(_) => Affine3::from_scale(Vec3::splat(self.joint_factor)),
            None => self.space.affine(),
        };
        Some(MeshPlacements { was: grown * was, now, on })
    }
}
