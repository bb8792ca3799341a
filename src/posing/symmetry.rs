//! The symmetry plane of a character, the pairs of joints across it, and poses mirrored in it.

use std::collections::HashMap;

use glam::{Affine3, DVec3, Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::names::{BodySide, other_side};
use crate::rig::{Hierarchy, NodeIndex, Pose, PosedJoint, Rig, Trs, forward_kinematics, polar};

/// A plane in the world: all points `x` with `normal · x = offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Normal of the plane, of unit length.
    pub normal: Vec3,
    /// Distance of the plane from the origin along the normal, metres.
    pub offset: f32,
}

impl Plane {
    /// The mirror image of a point.
    pub fn mirrored_point(&self, point: Vec3) -> Vec3 {
        point - self.normal * (2.0 * (self.normal.dot(point) - self.offset))
    }

    /// The mirror image of a direction.
    pub fn mirrored_vector(&self, vector: Vec3) -> Vec3 {
        vector - self.normal * (2.0 * self.normal.dot(vector))
    }

    /// The mirror image of a rotation `q`: `M q M`, with the axis mirrored and the direction of rotation reversed.
    pub fn mirrored_rotation(&self, rotation: Quat) -> Quat {
        let axis = -self.mirrored_vector(rotation.xyz());
        Quat::from_xyzw(axis.x, axis.y, axis.z, rotation.w)
    }
}

/// Point that a mirror plane across an axis goes through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MirrorOrigin {
    /// The topmost joint at rest.
    #[default]
    Root,
    /// The origin of the file.
    World,
}

/// Plane in which poses are mirrored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MirrorPlane {
    /// The plane that [`Symmetry::found`] finds.
    #[default]
    Auto,
    /// A plane perpendicular to an axis of the world.
    Across {
        /// Axis: 0 for X, 1 for Y, 2 for Z.
        axis: u8,
        /// Point that the plane goes through.
        through: MirrorOrigin,
    },
}

impl MirrorPlane {
    /// The plane for a rig; `None` where it is to be found.
    fn plane(self, rig: &Rig, rest: &[Affine3]) -> Option<Plane> {
        let Self::Across { axis, through } = self else { return None };
        let normal = *Vec3::AXES.get(usize::from(axis))?;
        let is_root = |node: &NodeIndex| rig.skins.is_empty() || rig.is_joint(*node);
        // Parents come first, so the first joint is a topmost one.
        let root = rig.hierarchy.nodes().find(is_root).filter(|_| through == MirrorOrigin::Root);
        let origin = rig.hierarchy.from_file(DVec3::ZERO);
        let offset = normal.dot(root.map_or(origin, |root| rest[root.index()].translation));
        Some(Plane { normal, offset })
    }
}

/// Pairs of opposite joints across a plane.
///
/// Partners are found by name ([`other_side`]), or by position at rest where names do not tell.
///
/// A user transform is mirrored as a change *from rest, in world space*: with `F` the joint's rotation at rest, `Q = F q F^-1` becomes `M Q M`, which
/// is converted to the partner's own frame. So the orientation of the two frames does not matter: a rig whose left and right axes are not mirror
/// images of each other is mirrored as well. Mirroring twice changes nothing.
#[derive(Clone, Debug)]
pub struct Symmetry {
    plane: Plane,
    partners: Vec<Option<NodeIndex>>,
    /// Matrices at rest, world from joint.
    rest: Vec<Affine3>,
}

impl Symmetry {
    /// Symmetry across the chosen plane, or the one that is found. `None` if no joints pair up.
    pub fn chosen(rig: &Rig, plane: MirrorPlane) -> Option<Self> {
        let rest = rest_world(&rig.hierarchy);
        match plane.plane(rig, &rest) {
            Some(plane) => Some(Self::with_rest(rig, plane, rest)).filter(|s| s.pair_count() > 0),
            None => Self::found(rig),
        }
    }

    /// Finds the plane of a rig: half-way between joints named left and right, else the plane across an axis of the world that pairs most joints.
    /// `None` if no joints pair up.
    pub fn found(rig: &Rig) -> Option<Self> {
        let rest = rest_world(&rig.hierarchy);
        if let Some(plane) = plane_by_names(&rig.hierarchy, &rest, rig.size()) {
            return Some(Self::with_rest(rig, plane, rest));
        }
        let across = [Vec3::X, Vec3::Z, Vec3::Y].map(|normal| {
            let offset = normal.dot(rig.hierarchy.from_file(DVec3::ZERO));
            let symmetry = Self::with_rest(rig, Plane { normal, offset }, rest.clone());
            (symmetry.pair_count(), symmetry)
        });
        let (count, best) = across.into_iter().reduce(|best, next| if next.0 > best.0 { next } else { best })?;
        (count > 0).then_some(best)
    }

    /// The partners across a given plane.
    pub fn across(rig: &Rig, plane: Plane) -> Self {
        Self::with_rest(rig, plane, rest_world(&rig.hierarchy))
    }

    fn with_rest(rig: &Rig, plane: Plane, rest: Vec<Affine3>) -> Self {
        let partners = partners(&rig.hierarchy, &rest, &plane, 1e-3 * rig.size());
        Self { plane, partners, rest }
    }

    fn pair_count(&self) -> usize {
        self.partners.iter().enumerate().filter(|(i, p)| p.is_some_and(|p| p.index() != *i)).count() / 2
    }

    /// Mirror plane, world space.
    pub fn plane(&self) -> Plane {
        self.plane
    }

    /// The opposite joint. A joint in the plane is its own partner; `None` for one without a mirror image.
    pub fn partner(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.partners.get(node.index()).copied().flatten()
    }

    /// The partner of `node` with the mirrored user transform; `None` for a joint without a partner.
    pub fn mirrored(&self, node: NodeIndex, user_local: &Trs) -> Option<PosedJoint> {
        let partner = self.partner(node)?;
        let (from, to) = (self.rest[node.index()].matrix3, self.rest[partner.index()].matrix3);
        let ((from_turn, _), (to_turn, _)) = (polar(from), polar(to));
        let in_world = from_turn * user_local.rotation * from_turn.inverse();
        let rotation = to_turn.inverse() * self.plane.mirrored_rotation(in_world) * to_turn;
        let moved = self.plane.mirrored_vector(from * user_local.translation);
        let translation = inverse(to).map_or(Vec3::ZERO, |joint_from_world| joint_from_world * moved);
        let scale = self.mirrored_scale(user_local.scale, from_turn, to_turn);
        let user_local = Trs { translation, rotation: rotation.normalize(), scale };
        Some(PosedJoint { node: partner, user_local })
    }

    /// Scale for the other side: each factor goes to the partner's axis nearest to the mirror image of its own axis.
    fn mirrored_scale(&self, scale: Vec3, from_turn: Quat, to_turn: Quat) -> Vec3 {
        let images = Vec3::AXES.map(|axis| self.plane.mirrored_vector(from_turn * axis));
        let factor = |axis: Vec3| {
            let along = |i: &usize| images[*i].dot(to_turn * axis).abs();
            (0..3).max_by(|a, b| along(a).total_cmp(&along(b))).map_or(1.0, |i| scale[i])
        };
        Vec3::from(Vec3::AXES.map(factor))
    }

    /// The mirrored pose; joints without a partner keep their transforms.
    pub fn mirrored_pose(&self, hierarchy: &Hierarchy, pose: &Pose) -> Pose {
        let mut mirrored = pose.clone();
        mirrored.set_joints(hierarchy.nodes().filter_map(|node| self.mirrored(node, pose.user_local(node))));
        mirrored
    }
}

fn rest_world(hierarchy: &Hierarchy) -> Vec<Affine3> {
    let local: Vec<Affine3> = hierarchy.nodes().map(|node| *hierarchy.rest_local(node)).collect();
    forward_kinematics(hierarchy, &local, &Pose::rest(hierarchy))
}

fn inverse(matrix: Mat3) -> Option<Mat3> {
    Some(matrix.inverse()).filter(Mat3::is_finite)
}

/// Plane half-way between the joints of the two sides.
fn plane_by_names(hierarchy: &Hierarchy, rest: &[Affine3], size: f32) -> Option<Plane> {
    let pairs = named_pairs(hierarchy);
    let at = |node: NodeIndex| rest[node.index()].translation;
    let across: Vec3 = pairs.iter().map(|&(left, right)| at(left) - at(right)).sum();
    let normal = snapped(across.try_normalize().filter(|_| across.length() > 1e-3 * size)?);
    let middle: f32 = pairs.iter().map(|&(left, right)| normal.dot(at(left) + at(right)) * 0.5).sum();
    Some(Plane { normal, offset: middle / pairs.len() as f32 })
}

/// The normal, snapped to an axis of the world if it is nearly along one.
fn snapped(normal: Vec3) -> Vec3 {
    let nearest = Vec3::AXES.into_iter().find(|axis| axis.dot(normal).abs() > 0.999);
    nearest.map_or(normal, |axis| axis * axis.dot(normal).signum())
}

/// Pairs of left and right, where exactly one joint has each name.
fn named_pairs(hierarchy: &Hierarchy) -> Vec<(NodeIndex, NodeIndex)> {
    let mut by_name: HashMap<&str, Option<NodeIndex>> = HashMap::new();
    for node in hierarchy.nodes() {
        by_name.entry(hierarchy.name(node)).and_modify(|other| *other = None).or_insert(Some(node));
    }
    let of = |name: &str| by_name.get(name).copied().flatten();
    let left = hierarchy.nodes().filter(|&node| of(hierarchy.name(node)) == Some(node));
    left.filter_map(|node| match other_side(hierarchy.name(node))? {
        (BodySide::Left, right) => Some((node, of(&right)?)),
        (BodySide::Right, _) => None,
    })
    .collect()
}

fn partners(hierarchy: &Hierarchy, rest: &[Affine3], plane: &Plane, tolerance: f32) -> Vec<Option<NodeIndex>> {
    let mut partners = vec![None; hierarchy.len()];
    for (left, right) in named_pairs(hierarchy) {
        (partners[left.index()], partners[right.index()]) = (Some(right), Some(left));
    }
    let grid = Grid::new(hierarchy, rest, tolerance);
    for node in hierarchy.nodes() {
        if partners[node.index()].is_some() {
            continue;
        }
        let at = rest[node.index()].translation;
        let image = plane.mirrored_point(at);
        partners[node.index()] = if image.distance(at) <= tolerance {
            Some(node)
        } else {
            // Of several in one place, the first one free at the same depth.
            let depth = hierarchy.ancestors(node).count();
            let free = |other: &NodeIndex| {
                partners[other.index()].is_none_or(|p| p == node) && hierarchy.ancestors(*other).count() == depth
            };
            grid.near(image).find(free)
        };
        if let Some(partner) = partners[node.index()] {
            partners[partner.index()] = Some(node);
        }
    }
    partners
}

/// Joints by position, so that 10,000 of them can be paired at once.
struct Grid<'a> {
    cells: HashMap<[i64; 3], Vec<NodeIndex>>,
    rest: &'a [Affine3],
    size: f32,
}

impl<'a> Grid<'a> {
    fn new(hierarchy: &Hierarchy, rest: &'a [Affine3], size: f32) -> Self {
        let mut grid = Self { cells: HashMap::new(), rest, size };
        for node in hierarchy.nodes() {
            let cell = grid.cell(rest[node.index()].translation);
            grid.cells.entry(cell).or_default().push(node);
        }
        grid
    }

    fn cell(&self, point: Vec3) -> [i64; 3] {
        (point / self.size).to_array().map(|x| x.floor() as i64)
    }

    /// Joints near a point, within the size of a cell.
    fn near(&self, point: Vec3) -> impl Iterator<Item = NodeIndex> + '_ {
        let [x, y, z] = self.cell(point);
        let around = |c: i64| c.saturating_sub(1)..=c.saturating_add(1);
        let cells = around(x).flat_map(move |x| around(y).flat_map(move |y| around(z).map(move |z| [x, y, z])));
        let nodes = cells.filter_map(|cell| self.cells.get(&cell)).flatten().copied();
        nodes.filter(move |node| self.rest[node.index()].translation.distance(point) <= self.size)
    }
}

#[cfg(test)]
mod tests;
