use std::collections::HashMap;

use glam::{Affine3, DVec3, Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::names::{BodySide, other_side};
use crate::rig::{Bounds, Hierarchy, NodeIndex, Pose, PosedJoint, Rig, Trs, forward_kinematics, polar};

/// A plane: all points `x` with `normal · x = offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit normal.
    pub normal: Vec3,
    /// Distance from the origin along the normal, metres.
    pub offset: f32,
}

impl Plane {
    /// Mirrors a point.
    pub fn mirrored_point(&self, point: Vec3) -> Vec3 {
        point - self.normal * (2.0 * (self.normal.dot(point) - self.offset))
    }

    /// Mirrors a direction.
    pub fn mirrored_vector(&self, vector: Vec3) -> Vec3 {
        vector - self.normal * (2.0 * self.normal.dot(vector))
    }

    /// Mirrors a rotation: `M q M`, which mirrors the axis and reverses the direction.
    pub fn mirrored_rotation(&self, rotation: Quat) -> Quat {
        let axis = -self.mirrored_vector(rotation.xyz());
        Quat::from_xyzw(axis.x, axis.y, axis.z, rotation.w)
    }
}

/// Point through which an axis-aligned mirror plane passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MirrorOrigin {
    /// The topmost joint at rest.
    #[default]
    Root,
    /// The origin of the file.
    World,
}

/// Choice of the mirror plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MirrorPlane {
    /// Detected by [`JointPairs::find`].
    #[default]
    Auto,
    /// Perpendicular to a world axis.
    Across {
        /// Axis: 0 for X, 1 for Y, 2 for Z.
        axis: u8,
        /// Point on the plane.
        through: MirrorOrigin,
    },
}

impl MirrorPlane {
    /// Returns the plane for a rig; `None` for automatic detection.
    fn plane(self, rig: &Rig, rest: &[Affine3]) -> Option<Plane> {
        let Self::Across { axis, through } = self else { return None };
        let normal = *Vec3::AXES.get(usize::from(axis))?;
        let is_root = |node: &NodeIndex| rig.counts_as_joint(*node);
        // Parents come first, so the first joint is a topmost one.
        let root = rig.hierarchy.nodes().find(is_root).filter(|_| through == MirrorOrigin::Root);
        let origin = rig.hierarchy.from_file(DVec3::ZERO);
        let offset = normal.dot(root.map_or(origin, |root| rest[root.index()].translation));
        Some(Plane { normal, offset })
    }
}

/// Opposite joints may deviate this far from mirrored positions, as a fraction of the character's size.
const NEAR: f32 = 5e-3;

/// Like [`NEAR`], but for joints paired by name.
const NEAR_NAMED: f32 = 0.03;

/// Like [`NEAR`], but for joints in the mirror plane that descend from another joint in the plane.
const NEAR_CENTER: f32 = 1e-2;

/// Mirror plane of a skeleton in one pose, and each joint's opposite joint.
#[derive(Clone, Debug)]
pub struct JointPairs {
    plane: Plane,
    partners: Vec<Option<NodeIndex>>,
}

impl JointPairs {
    /// Detects the mirror plane and pairs the joints across it. The plane is midway between joints named left and right
    /// or, without such joints, the axis-aligned plane through `origin` that pairs the most joints. `None` if no plane
    /// is found. `positions` has one entry per node, in any space, NaN if unknown; `size` is the character's size.
    pub fn find(hierarchy: &Hierarchy, positions: &[Vec3], origin: Vec3, size: f32) -> Option<Self> {
        if let Some(plane) = plane_by_names(hierarchy, positions, size) {
            return Some(Self::across(hierarchy, positions, plane, size));
        }
        let across = [Vec3::X, Vec3::Z, Vec3::Y].map(|normal| {
            let plane = Plane { normal, offset: normal.dot(origin) };
            let pairs = Self::across(hierarchy, positions, plane, size);
            (pairs.count(), pairs)
        });
        let (count, best) = across.into_iter().reduce(|best, next| if next.0 > best.0 { next } else { best })?;
        (count > 0).then_some(best)
    }

    /// Pairs joints across a plane: first by name ([`other_side`]) if their positions are also opposite, then by
    /// position, then by name alone. A joint above both joints of a pair is its own partner if its name has no side.
    /// For the parameters, see [`Self::find`].
    pub fn across(hierarchy: &Hierarchy, positions: &[Vec3], plane: Plane, size: f32) -> Self {
        Self { plane, partners: partners(hierarchy, positions, &plane, size) }
    }

    fn with_others(self, others: &Self) -> Vec<Option<NodeIndex>> {
        let is_alone = |node: NodeIndex| self.partners[node.index()].is_none();
        let other =
            |(own, other): (Option<NodeIndex>, Option<NodeIndex>)| own.or(other.filter(|&other| is_alone(other)));
        self.partners.iter().copied().zip(others.partners.iter().copied()).map(other).collect()
    }

    fn count(&self) -> usize {
        self.partners.iter().enumerate().filter(|(i, p)| p.is_some_and(|p| p.index() != *i)).count() / 2
    }

    /// Returns the mirror plane, in the space of the positions.
    pub fn plane(&self) -> Plane {
        self.plane
    }

    /// Returns the opposite joint: itself for a joint in the plane, `None` if the joint has no mirror image.
    pub fn partner(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.partners.get(node.index()).copied().flatten()
    }
}

/// Pairs of opposite joints of a rig, used to mirror poses.
///
/// User transforms are mirrored as changes *from rest, in world space*. For a joint with rest rotation `F`, a user
/// rotation `q` is `Q = F q F^-1` in world space. Its partner gets `M Q M`, converted to the partner's own frame. The
/// frames of left and right joints therefore need not be mirror images. Mirroring twice restores the original
/// transform.
#[derive(Clone, Debug)]
pub struct Symmetry {
    pairs: JointPairs,
    rest: Vec<Affine3>,
}

impl Symmetry {
    /// Returns the symmetry across the chosen or detected plane; `None` if no joints are paired.
    pub fn chosen(rig: &Rig, plane: MirrorPlane) -> Option<Self> {
        let rest = rest_world(&rig.hierarchy);
        match plane.plane(rig, &rest) {
            Some(plane) => Some(Self::across(rig, plane)).filter(|symmetry| symmetry.pairs.count() > 0),
            None => Self::find(rig),
        }
    }

    /// Detects the symmetry; see [`JointPairs::find`]. Pairs found in the bind pose take precedence over pairs found in
    /// the rest pose.
    pub fn find(rig: &Rig) -> Option<Self> {
        let rest = rest_world(&rig.hierarchy);
        let origin = rig.hierarchy.from_file(DVec3::ZERO);
        let mut pairs = JointPairs::find(&rig.hierarchy, &positions(&rest), origin, rig.size())?;
        if let Some(bound) = bound_positions(rig) {
            let bounds: Bounds = bound.iter().copied().collect();
            if let Some(bound) = JointPairs::find(&rig.hierarchy, &bound, Vec3::ZERO, bounds.diagonal()) {
                pairs.partners = bound.with_others(&pairs);
            }
        }
        Some(Self { pairs, rest })
    }

    /// Pairs joints across a given plane.
    pub fn across(rig: &Rig, plane: Plane) -> Self {
        let rest = rest_world(&rig.hierarchy);
        Self { pairs: JointPairs::across(&rig.hierarchy, &positions(&rest), plane, rig.size()), rest }
    }

    /// Returns the mirror plane, world space.
    pub fn plane(&self) -> Plane {
        self.pairs.plane
    }

    /// Returns the opposite joint, see [`JointPairs::partner`].
    pub fn partner(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.pairs.partner(node)
    }

    /// Returns a joint's partner with the mirrored user transform; `None` without a partner.
    pub fn mirrored(&self, node: NodeIndex, user_local: &Trs) -> Option<PosedJoint> {
        let partner = self.partner(node)?;
        let (from, to) = (self.rest[node.index()].matrix3, self.rest[partner.index()].matrix3);
        let ((from_turn, _), (to_turn, _)) = (polar(from), polar(to));
        let in_world = from_turn * user_local.rotation * from_turn.inverse();
        let rotation = to_turn.inverse() * self.plane().mirrored_rotation(in_world) * to_turn;
        let moved = self.plane().mirrored_vector(from * user_local.translation);
        let translation = inverse(to).map_or(Vec3::ZERO, |joint_from_world| joint_from_world * moved);
        let scale = self.mirrored_scale(user_local.scale, from_turn, to_turn);
        let user_local = Trs { translation, rotation: rotation.normalize(), scale };
        Some(PosedJoint { node: partner, user_local })
    }

    /// Returns the mirrored scale: each factor goes to the partner's axis nearest to the mirrored axis.
    fn mirrored_scale(&self, scale: Vec3, from_turn: Quat, to_turn: Quat) -> Vec3 {
        let images = Vec3::AXES.map(|axis| self.plane().mirrored_vector(from_turn * axis));
        let factor = |axis: Vec3| {
            let along = |i: &usize| images[*i].dot(to_turn * axis).abs();
            (0..3).max_by(|a, b| along(a).total_cmp(&along(b))).map_or(1.0, |i| scale[i])
        };
        Vec3::from(Vec3::AXES.map(factor))
    }

    /// Mirrors a pose; joints without a partner keep their transforms.
    pub fn mirrored_pose(&self, hierarchy: &Hierarchy, pose: &Pose) -> Pose {
        let mut mirrored = pose.clone();
        mirrored.set_joints(hierarchy.nodes().filter_map(|node| self.mirrored(node, pose.user_local(node))));
        mirrored
    }
}

fn rest_world(hierarchy: &Hierarchy) -> Vec<Affine3> {
    forward_kinematics(hierarchy, hierarchy.rest_locals(), &Pose::rest(hierarchy))
}

fn inverse(matrix: Mat3) -> Option<Mat3> {
    Some(matrix.inverse()).filter(Mat3::is_finite)
}

/// Returns bind positions in skin space, NaN for unbound nodes. `None` if skins were bound in different spaces.
fn bound_positions(rig: &Rig) -> Option<Vec<Vec3>> {
    let mut bound = vec![Vec3::NAN; rig.hierarchy.len()];
    for skin in &rig.skins {
        for (joint, joint_from_skin) in skin.joints.iter().zip(&skin.inverse_bind) {
            let (known, position) = (&mut bound[joint.index()], joint_from_skin.inverse().translation);
            if known.is_finite() && known.distance(position) > NEAR * position.length().max(known.length()) {
                return None;
            }
            *known = position;
        }
    }
    bound.iter().any(|position| position.is_finite()).then_some(bound)
}

fn positions(world: &[Affine3]) -> Vec<Vec3> {
    world.iter().map(|matrix| matrix.translation).collect()
}

fn plane_by_names(hierarchy: &Hierarchy, positions: &[Vec3], size: f32) -> Option<Plane> {
    let pairs = named_pairs(hierarchy).into_iter().map(|pair| pair.map(|node| positions[node.index()]));
    let pairs: Vec<[Vec3; 2]> = pairs.filter(|pair| pair.iter().all(|position| position.is_finite())).collect();
    let across: Vec3 = pairs.iter().map(|[left, right]| left - right).sum();
    let normal = snapped(across.try_normalize().filter(|_| across.length() > 1e-3 * size)?);
    let middle: f32 = pairs.iter().map(|[left, right]| normal.dot(left + right) * 0.5).sum();
    Some(Plane { normal, offset: middle / pairs.len() as f32 })
}

fn snapped(normal: Vec3) -> Vec3 {
    let nearest = Vec3::AXES.into_iter().find(|axis| axis.dot(normal).abs() > 0.999);
    nearest.map_or(normal, |axis| axis * axis.dot(normal).signum())
}

fn named_pairs(hierarchy: &Hierarchy) -> Vec<[NodeIndex; 2]> {
    let mut by_name: HashMap<&str, Option<NodeIndex>> = HashMap::new();
    for node in hierarchy.nodes() {
        by_name.entry(hierarchy.name(node)).and_modify(|other| *other = None).or_insert(Some(node));
    }
    let of = |name: &str| by_name.get(name).copied().flatten();
    let left = hierarchy.nodes().filter(|&node| of(hierarchy.name(node)) == Some(node));
    left.filter_map(|node| match other_side(hierarchy.name(node))? {
        (BodySide::Left, right) => Some([node, of(&right)?]),
        (BodySide::Right, _) => None,
    })
    .collect()
}

fn partners(hierarchy: &Hierarchy, positions: &[Vec3], plane: &Plane, size: f32) -> Vec<Option<NodeIndex>> {
    let mut partners = vec![None; hierarchy.len()];
    let pair = |partners: &mut Vec<Option<NodeIndex>>, [left, right]: [NodeIndex; 2]| {
        (partners[left.index()], partners[right.index()]) = (Some(right), Some(left));
    };
    let named = named_pairs(hierarchy);
    let is_opposite = |[left, right]: [NodeIndex; 2]| {
        plane.mirrored_point(positions[left.index()]).distance(positions[right.index()]) <= NEAR_NAMED * size
    };
    // Some exporters number one arm downwards and the other upwards, so that names pair a shoulder with a hand.
    let (opposite, elsewhere): (Vec<_>, Vec<_>) = named.iter().copied().partition(|&pair| is_opposite(pair));
    for named in opposite {
        pair(&mut partners, named);
    }
    for node in above_both_sides(hierarchy, &named) {
        partners[node.index()].get_or_insert(node);
    }
    let side = |node: NodeIndex| other_side(hierarchy.name(node)).map(|(side, _)| side);
    let grid = Grid::new(hierarchy, positions, NEAR * size);
    for node in hierarchy.nodes() {
        let at = positions[node.index()];
        if partners[node.index()].is_some() || !at.is_finite() {
            continue;
        }
        let image = plane.mirrored_point(at);
        let hangs_in_plane = hierarchy.parent(node).is_some_and(|parent| partners[parent.index()] == Some(parent));
        let is_in_plane = |reach: f32| image.distance(at) <= 2.0 * reach * size;
        let (side_of_node, depth) = (side(node), hierarchy.ancestors(node).count());
        let is_free = |other: &NodeIndex| {
            let is_other_side = side_of_node.is_none() || side(*other) != side_of_node;
            let is_unpaired = *other != node && partners[other.index()].is_none();
            is_unpaired && is_other_side && hierarchy.ancestors(*other).count() == depth
        };
        let away = |other: &NodeIndex| positions[other.index()].distance(image);
        let opposite = || grid.near(image).filter(is_free).min_by(|a, b| away(a).total_cmp(&away(b)));
        let is_center = side_of_node.is_none() && is_in_plane(0.1 * NEAR);
        let partner = if is_center { Some(node) } else { opposite() };
        let reach = if hangs_in_plane { NEAR_CENTER } else { NEAR };
        let partner = partner.or((side_of_node.is_none() && is_in_plane(reach)).then_some(node));
        if let Some(partner) = partner {
            pair(&mut partners, [node, partner]);
        }
    }
    for named in elsewhere {
        if named.iter().all(|node| partners[node.index()].is_none()) {
            pair(&mut partners, named);
        }
    }
    partners
}

/// Returns joints that have descendants on both sides and no side in their names, such as hips, spine and chest.
fn above_both_sides(hierarchy: &Hierarchy, named: &[[NodeIndex; 2]]) -> Vec<NodeIndex> {
    let mut is_above = [0, 1].map(|side| {
        let mut is_above = vec![false; hierarchy.len()];
        for pair in named {
            is_above[pair[side].index()] = true;
        }
        is_above
    });
    for node in hierarchy.nodes().rev() {
        if let Some(parent) = hierarchy.parent(node) {
            for is_above in &mut is_above {
                is_above[parent.index()] |= is_above[node.index()];
            }
        }
    }
    let is_center = |node: &NodeIndex| {
        is_above.iter().all(|is_above| is_above[node.index()]) && other_side(hierarchy.name(*node)).is_none()
    };
    hierarchy.nodes().filter(is_center).collect()
}

struct Grid<'a> {
    cells: HashMap<[i64; 3], Vec<NodeIndex>>,
    positions: &'a [Vec3],
    size: f32,
}

impl<'a> Grid<'a> {
    fn new(hierarchy: &Hierarchy, positions: &'a [Vec3], size: f32) -> Self {
        let mut grid = Self { cells: HashMap::new(), positions, size };
        for node in hierarchy.nodes().filter(|node| positions[node.index()].is_finite()) {
            let cell = grid.cell(positions[node.index()]);
            grid.cells.entry(cell).or_default().push(node);
        }
        grid
    }

    fn cell(&self, point: Vec3) -> [i64; 3] {
        (point / self.size).to_array().map(|x| x.floor() as i64)
    }

    fn near(&self, point: Vec3) -> impl Iterator<Item = NodeIndex> + '_ {
        let [x, y, z] = self.cell(point);
        let around = |c: i64| c.saturating_sub(1)..=c.saturating_add(1);
        let cells = around(x).flat_map(move |x| around(y).flat_map(move |y| around(z).map(move |z| [x, y, z])));
        let nodes = cells.filter_map(|cell| self.cells.get(&cell)).flatten().copied();
        nodes.filter(move |node| self.positions[node.index()].distance(point) <= self.size)
    }
}

#[cfg(test)]
mod tests;
