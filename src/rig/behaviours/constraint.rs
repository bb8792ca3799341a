//! One node constraint: what it follows, and the rotation that it gives to its node.
//!
//! *Source*: `VRMC_node_constraint` 1.0 of the VRM specification. Rotations of nodes are local, as there; all products are made in double precision.

use std::fmt;

use glam::{Affine3, DAffine3, DMat3, DQuat, DVec3};

use crate::rig::{Hierarchy, NodeIndex, Pose, polar_f64};

/// A rotation of a node that follows another node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    /// The node that is turned.
    pub node: NodeIndex,
    /// The node that is followed.
    pub source: NodeIndex,
    /// What is followed.
    pub kind: ConstraintKind,
    /// Share of the way from the rest rotation to the rotation that the constraint asks for; 0 to 1, beyond which it counts as the nearest of the two.
    pub weight: f32,
}

/// Part of the source's motion that a constraint takes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintKind {
    /// The turn of the source about an axis of the constrained node; what the source turns about other axes is left out.
    Roll(Axis),
    /// The position of the source, at which an axis of the constrained node points.
    Aim {
        /// Axis of the constrained node that points at the source.
        axis: Axis,
        /// True where the negative end of the axis points at the source.
        is_negative: bool,
    },
    /// The turn of the source, in the axes of the source and of the constrained node.
    Rotation,
}

/// An axis of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    fn unit(self) -> DVec3 {
        match self {
            Self::X => DVec3::X,
            Self::Y => DVec3::Y,
            Self::Z => DVec3::Z,
        }
    }
}

impl ConstraintKind {
    /// Name of the kind, as the file has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Roll(_) => "roll",
            Self::Aim { .. } => "aim",
            Self::Rotation => "rotation",
        }
    }
}

impl fmt::Display for ConstraintKind {
    /// Kind and axis, such as `roll X` and `aim -Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Roll(axis) => write!(f, "roll {axis:?}"),
            Self::Aim { axis, is_negative: false } => write!(f, "aim {axis:?}"),
            Self::Aim { axis, is_negative: true } => write!(f, "aim -{axis:?}"),
            Self::Rotation => f.write_str("rotation"),
        }
    }
}

impl Constraint {
    /// Name of the glTF extension that has constraints.
    pub const EXTENSION: &str = "VRMC_node_constraint";

    /// `C_j` of the constrained node: `A_j` with the rotation of the constraint.
    ///
    /// `local` is `A` or, where a constraint has run already, `C` of every node; `worlds` are of the same moment.
    pub(super) fn turned(&self, hierarchy: &Hierarchy, pose: &Pose, local: &[Affine3], worlds: &mut Worlds) -> Affine3 {
        let node = self.node.index();
        let rest = rest_rotation(hierarchy, self.node);
        let of_source = || turn_in_parent(hierarchy, pose, local, self.source);
        let turn = match self.kind {
            ConstraintKind::Roll(axis) => {
                let turn = rest.conjugate() * of_source() * rest;
                shortest_arc(turn * axis.unit(), axis.unit()) * turn
            }
            ConstraintKind::Rotation => {
                let source_rest = rest_rotation(hierarchy, self.source);
                source_rest.conjugate() * of_source() * source_rest
            }
            ConstraintKind::Aim { axis, is_negative } => {
                let axis = if is_negative { -axis.unit() } else { axis.unit() };
                let to = self.direction_to_source(hierarchy, pose, local, worlds);
                rest.conjugate() * shortest_arc(rest * axis, to) * rest
            }
        };
        let clip_turn = turn_from_rest(hierarchy, &local[node], self.node);
        let share = share(turn, f64::from(self.weight));
        let onto = DMat3::from_quat(rest * share * rest.conjugate() * clip_turn.conjugate());
        let before = local[node];
        let matrix3 = (onto * before.matrix3.as_dmat3()).as_mat3();
        if matrix3.is_finite() { Affine3 { matrix3, ..before } } else { before }
    }

    /// Unit vector from the origin of the constrained node, before the user's transform, to that of the source, in the space of the node's parent; 0 where they
    /// coincide or something above scales by 0.
    ///
    /// That space is where the node turns: an axis that points there points at the source in the world, also below a parent that is stretched or mirrored.
    fn direction_to_source(&self, hierarchy: &Hierarchy, pose: &Pose, local: &[Affine3], worlds: &mut Worlds) -> DVec3 {
        let source = worlds.of(hierarchy, pose, local, self.source).translation;
        let parent = hierarchy.parent(self.node).map(|parent| worlds.of(hierarchy, pose, local, parent));
        let in_parent = parent.map_or(source, |parent| parent.inverse().transform_point3(source));
        let to = in_parent - local[self.node.index()].translation.as_dvec3();
        to.try_normalize().unwrap_or(DVec3::ZERO)
    }

    /// True where the constraint turns another way once the user turns `node`. Some that would not are counted too.
    pub(super) fn depends_on(&self, hierarchy: &Hierarchy, node: NodeIndex) -> bool {
        match self.kind {
            ConstraintKind::Roll(_) | ConstraintKind::Rotation => self.source == node,
            ConstraintKind::Aim { .. } => {
                let below = hierarchy.subtree(node);
                below.contains(&self.source.index()) != below.contains(&self.node.index())
            }
        }
    }
}

/// World matrices of some nodes at one moment, in the file's coordinates and double precision, made as they are asked for.
///
/// *Cost*: each node is multiplied once, whatever is asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Worlds {
    made: Vec<DAffine3>,
    is_made: Vec<bool>,
    path: Vec<NodeIndex>,
}

impl Worlds {
    /// Forgets the matrices of the last moment.
    pub(super) fn forget(&mut self) {
        self.is_made.clear();
    }

    /// Number of matrices that were made since [`Self::forget`].
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.is_made.iter().filter(|is_made| **is_made).count()
    }

    /// `W_j`. What it depends on must not change until [`Self::forget`], which the order of constraints sees to.
    pub(super) fn of(&mut self, hierarchy: &Hierarchy, pose: &Pose, local: &[Affine3], node: NodeIndex) -> DAffine3 {
        let Self { made, is_made, path } = self;
        if is_made.is_empty() {
            made.resize(hierarchy.len(), DAffine3::IDENTITY);
            is_made.resize(hierarchy.len(), false);
        }
        path.clear();
        let mut above = Some(node);
        while let Some(node) = above.filter(|node| !is_made[node.index()]) {
            path.push(node);
            above = hierarchy.parent(node);
        }
        let mut world = above.map_or(DAffine3::IDENTITY, |above| made[above.index()]);
        for node in path.iter().rev() {
            world *= local[node.index()].as_daffine3();
            if let Some(user) = pose.user_matrix(*node) {
                world *= user.as_daffine3();
            }
            (made[node.index()], is_made[node.index()]) = (world, true);
        }
        world
    }
}

/// Rest rotation of a node, a unit quaternion.
pub(super) fn rest_rotation(hierarchy: &Hierarchy, node: NodeIndex) -> DQuat {
    let rotation = hierarchy.rest(node).rotation.as_dquat();
    let length = rotation.length();
    if length > 0.0 { rotation * length.recip() } else { DQuat::IDENTITY }
}

/// By how much a local transform is turned from the rest of its node, in the axes of the parent; scale and mirrors do not enter as long as the rest has them too.
pub(super) fn turn_from_rest(hierarchy: &Hierarchy, local: &Affine3, node: NodeIndex) -> DQuat {
    let rest = hierarchy.rest_local(node).matrix3;
    if local.matrix3 == rest {
        return DQuat::IDENTITY;
    }
    polar_f64(local.matrix3.as_dmat3() * rest.as_dmat3().inverse()).0
}

/// By how much a node is turned from its rest by clip, constraint and user, in the axes of its parent.
fn turn_in_parent(hierarchy: &Hierarchy, pose: &Pose, local: &[Affine3], node: NodeIndex) -> DQuat {
    let rest = rest_rotation(hierarchy, node);
    let user = pose.user_local(node).rotation.as_dquat();
    turn_from_rest(hierarchy, &local[node.index()], node) * rest * user * rest.conjugate()
}

/// The smallest rotation from one direction to another, both of length 1; none where the second has no length. For opposite directions, where any axis across them
/// would do, one across the larger of the first's x and z.
pub(super) fn shortest_arc(from: DVec3, to: DVec3) -> DQuat {
    let across =
        if from.x.abs() > from.z.abs() { DVec3::new(-from.y, from.x, 0.0) } else { DVec3::new(0.0, -from.z, from.y) };
    let real = from.dot(to) + 1.0;
    let arc = if real < f64::EPSILON { across.extend(0.0) } else { from.cross(to).extend(real) };
    DQuat::from_vec4(arc.try_normalize().unwrap_or(glam::DVec4::W))
}

/// A share of a turn, along the shorter way.
fn share(turn: DQuat, share: f64) -> DQuat {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let sine = turn.xyz().length();
    if sine <= 0.0 {
        return DQuat::IDENTITY;
    }
    let half = sine.atan2(turn.w) * share.clamp(0.0, 1.0);
    DQuat::from_vec4((turn.xyz() * (half.sin() / sine)).extend(half.cos()))
}
