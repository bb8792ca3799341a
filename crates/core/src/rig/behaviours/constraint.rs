//! VRM node constraints (`VRMC_node_constraint` 1.0). Rotations are in node space; products use double precision.

use std::fmt;

use glam::{Affine3, DAffine3, DMat3, DQuat, DVec3};

use crate::rig::{Hierarchy, NodeIndex, Pose, polar_f64};

/// A constraint that makes the rotation of a node follow another node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    /// Constrained node.
    pub node: NodeIndex,
    /// Source node.
    pub source: NodeIndex,
    /// Kind of constraint and its parameters.
    pub kind: ConstraintKind,
    /// Fraction of the constraint's rotation that is applied, clamped to the range 0 to 1.
    pub weight: f32,
}

/// Kind of constraint: how the source moves the constrained node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintKind {
    /// Roll: copies the source's rotation about one axis of the constrained node.
    Roll(ConstraintAxis),
    /// Aim: points an axis of the constrained node at the source.
    Aim {
        /// Axis that points at the source.
        axis: ConstraintAxis,
        /// Whether the negative axis points at the source.
        is_negative: bool,
    },
    /// Rotation: copies the source's full rotation relative to rest, on top of the constrained node's rest rotation.
    Rotation,
}

/// An axis of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ConstraintAxis {
    X,
    Y,
    Z,
}

impl ConstraintAxis {
    fn unit(self) -> DVec3 {
        DVec3::AXES[self as usize]
    }
}

impl ConstraintKind {
    /// Returns the kind's name in the file format.
    pub fn name(self) -> &'static str {
        match self {
            Self::Roll(_) => "roll",
            Self::Aim { .. } => "aim",
            Self::Rotation => "rotation",
        }
    }
}

impl fmt::Display for ConstraintKind {
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
    /// glTF extension that defines constraints.
    pub const EXTENSION: &str = "VRMC_node_constraint";

    /// Returns `C_j` of the constrained node: `A_j` with its rotation replaced by the constraint's rotation. `local`
    /// holds `C_j` of nodes whose constraint has already run, and `A_j` of all others. `worlds` must be computed from
    /// `local`.
    pub(super) fn turned(
        &self,
        hierarchy: &Hierarchy,
        pose: &Pose,
        local: &[Affine3],
        worlds: &mut WorldCache,
    ) -> Affine3 {
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

    /// Computes the unit vector from the constrained node's origin, without its user transform, to the source, in
    /// parent space; zero if undefined. Using parent space keeps the aim exact even below a stretched or mirrored
    /// parent.
    fn direction_to_source(
        &self,
        hierarchy: &Hierarchy,
        pose: &Pose,
        local: &[Affine3],
        worlds: &mut WorldCache,
    ) -> DVec3 {
        let source = worlds.world(hierarchy, pose, local, self.source).translation;
        let parent = hierarchy.parent(self.node).map(|parent| worlds.world(hierarchy, pose, local, parent));
        let in_parent = parent.map_or(source, |parent| parent.inverse().transform_point3(source));
        let to = in_parent - local[self.node.index()].translation.as_dvec3();
        to.try_normalize().unwrap_or(DVec3::ZERO)
    }

    /// Returns whether a user rotation of `node` may affect the result; false positives are possible.
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

/// Cache of world matrices at one moment, computed on demand in file coordinates and double precision.
#[derive(Clone, Debug, Default)]
pub(super) struct WorldCache {
    made: Vec<DAffine3>,
    is_made: Vec<bool>,
    path: Vec<NodeIndex>,
}

impl WorldCache {
    pub(super) fn forget(&mut self) {
        self.is_made.clear();
    }

    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.is_made.iter().filter(|is_made| **is_made).count()
    }

    /// Returns `W_j`. The transforms of the node and its ancestors must not change until [`Self::forget`] is called;
    /// the order of the constraints ensures this.
    pub(super) fn world(&mut self, hierarchy: &Hierarchy, pose: &Pose, local: &[Affine3], node: NodeIndex) -> DAffine3 {
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

pub(super) fn rest_rotation(hierarchy: &Hierarchy, node: NodeIndex) -> DQuat {
    let rotation = hierarchy.rest(node).rotation.as_dquat();
    let length = rotation.length();
    if length > 0.0 { rotation * length.recip() } else { DQuat::IDENTITY }
}

/// Computes the rotation of a local transform relative to rest, in parent axes. Scale and mirroring of the rest
/// transform have no effect.
pub(super) fn turn_from_rest(hierarchy: &Hierarchy, local: &Affine3, node: NodeIndex) -> DQuat {
    let rest = hierarchy.rest_local(node).matrix3;
    if local.matrix3 == rest {
        return DQuat::IDENTITY;
    }
    polar_f64(local.matrix3.as_dmat3() * rest.as_dmat3().inverse()).0
}

/// Like [`turn_from_rest`], but includes the user's rotation.
fn turn_in_parent(hierarchy: &Hierarchy, pose: &Pose, local: &[Affine3], node: NodeIndex) -> DQuat {
    let rest = rest_rotation(hierarchy, node);
    let user = pose.user_local(node).rotation.as_dquat();
    turn_from_rest(hierarchy, &local[node.index()], node) * rest * user * rest.conjugate()
}

/// Computes the smallest rotation between unit vectors; the identity if `to` is zero. Opposite vectors get an arbitrary
/// axis.
pub(super) fn shortest_arc(from: DVec3, to: DVec3) -> DQuat {
    let across =
        if from.x.abs() > from.z.abs() { DVec3::new(-from.y, from.x, 0.0) } else { DVec3::new(0.0, -from.z, from.y) };
    let real = from.dot(to) + 1.0;
    let arc = if real < f64::EPSILON { across.extend(0.0) } else { from.cross(to).extend(real) };
    DQuat::from_vec4(arc.try_normalize().unwrap_or(glam::DVec4::W))
}

fn share(turn: DQuat, share: f64) -> DQuat {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let sine = turn.xyz().length();
    if sine <= 0.0 {
        return DQuat::IDENTITY;
    }
    let half = sine.atan2(turn.w) * share.clamp(0.0, 1.0);
    DQuat::from_vec4((turn.xyz() * (half.sin() / sine)).extend(half.cos()))
}
