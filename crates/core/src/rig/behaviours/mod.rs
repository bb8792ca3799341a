//! Behaviours that move a rig automatically: look-at, facial expressions, node constraints, spring bones.
//!
//! ```text
//! rest L_j -> clip A_j -> behaviours C_j -> user Ul_j -> world      W_j = W_p * C_j * Ul_j
//! ```
//! Behaviours read `A_s * Ul_s` of their source joints. For each joint that they rotate, `C_j` takes the place of
//! `A_j`; for all other joints, `C_j = A_j`. A constraint replaces only the rotation in `A_j`. The rules in `docs/mathematics.md`,
//! Setting a pose, hold with `C_j` in place of `A_j`.
//!
//! Look-at, constraints, pins and springs run in this order. Look-at and constraints run again if pins moved joints.
//! Constraints run in dependency order; cyclic constraints never run ([`Behaviours::circular`]). Expressions only
//! change morph weights and materials, so their order doesn't matter.

mod constraint;
mod expression;
mod look_at;
mod order;
mod springs;

use std::sync::Arc;

use glam::Affine3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use constraint::WorldCache;
pub use constraint::{Constraint, ConstraintAxis, ConstraintKind};
pub(super) use expression::apply_expressions;
pub use expression::{BoundColor, ColorBind, CoordBind, Expression, ExpressionOverride, Procedural, shown_weights};
pub use look_at::{LookAt, LookAtAngles, LookAtOutput, LookAtRange};
pub(super) use springs::SpringRun;
pub use springs::{
    Collider, ColliderShape, RestWorlds, SpringBones, SpringChain, SpringJoint, SpringRotations, SpringSettings,
    SpringState, Springs,
};

use super::{Hierarchy, NodeIndex, Pose};

/// Constraints and springs of a rig, in evaluation order.
#[derive(Clone, Debug, Default)]
pub struct Behaviours {
    constraints: Vec<Constraint>,
    circular: Vec<NodeIndex>,
    springs: Arc<Springs>,
}

/// Kinds of behaviours that are disabled; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DisabledBehaviours {
    /// Whether constraints are disabled.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub constraints: bool,
    /// Whether expressions are disabled.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub expressions: bool,
    /// Whether look-at is disabled.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub look_at: bool,
    /// Whether springs are disabled.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub springs: bool,
}

impl DisabledBehaviours {
    /// Disables all kinds.
    pub const ALL: Self = Self { constraints: true, expressions: true, look_at: true, springs: true };

    /// Returns whether no kind is disabled.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct BehaviourBuffers {
    worlds: WorldCache,
}

impl Behaviours {
    /// Sorts constraints into dependency order. If a node has several constraints, only the first is used.
    pub fn new(hierarchy: &Hierarchy, constraints: &[Constraint]) -> Self {
        if constraints.is_empty() {
            return Self::default();
        }
        let (constraints, mut circular) = order::ordered(hierarchy, constraints);
        circular.sort_unstable();
        Self { constraints, circular, springs: Arc::default() }
    }

    /// Replaces the springs.
    #[must_use]
    pub fn with_springs(self, springs: Springs) -> Self {
        Self { springs: Arc::new(springs), ..self }
    }

    /// Returns the springs.
    pub fn springs(&self) -> &Springs {
        &self.springs
    }

    pub(super) fn shared_springs(&self) -> &Arc<Springs> {
        &self.springs
    }

    /// Returns the constraints that run, each after the constraints that it depends on.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// Returns the nodes of cyclic constraints, which don't run.
    pub fn circular(&self) -> &[NodeIndex] {
        &self.circular
    }

    /// Returns whether there are neither constraints nor springs.
    pub fn is_empty(&self) -> bool {
        self.constraints.is_empty() && self.springs.is_empty()
    }

    /// Returns the constraint that rotates a node, unless constraints are disabled.
    pub fn active_constraint(&self, node: NodeIndex, off: DisabledBehaviours) -> Option<&Constraint> {
        self.constraints.iter().filter(|_| !off.constraints).find(|constraint| constraint.node == node)
    }

    /// Returns whether a user rotation of `node` may affect the result of a constraint; false positives are possible.
    pub fn is_followed(&self, hierarchy: &Hierarchy, node: NodeIndex) -> bool {
        self.constraints.iter().any(|constraint| constraint.depends_on(hierarchy, node))
    }

    /// Returns the spring of a node, unless springs are disabled.
    pub fn active_spring(&self, node: NodeIndex, off: DisabledBehaviours) -> Option<&SpringJoint> {
        self.springs.joints().iter().filter(|_| !off.springs).find(|joint| joint.node == node)
    }

    pub(super) fn swings(&self, pose: &Pose) -> bool {
        !self.springs.is_empty() && !pose.disabled_behaviours().springs
    }

    /// Computes `C_j` of each constrained node and passes it to `turn`, which stores it in the local transforms.
    pub(super) fn constrain(
        &self,
        hierarchy: &Hierarchy,
        pose: &Pose,
        local: &mut [Affine3],
        buffers: &mut BehaviourBuffers,
        mut turn: impl FnMut(&mut [Affine3], NodeIndex, Affine3),
    ) {
        if !self.constraints.is_empty() && !pose.disabled_behaviours().constraints {
            buffers.worlds.forget();
            for constraint in &self.constraints {
                let turned = constraint.turned(hierarchy, pose, local, &mut buffers.worlds);
                turn(local, constraint.node, turned);
            }
        }
    }

    /// Replaces `A_j` with `C_j` for nodes with a spring, and appends their previous transforms to `replaced`. `turns`
    /// holds the spring rotations.
    pub(super) fn swing(
        &self,
        hierarchy: &Hierarchy,
        (pose, turns): (&Pose, Option<&SpringRotations>),
        local: &mut [Affine3],
        replaced: &mut Vec<(NodeIndex, Affine3)>,
    ) {
        if let Some(turns) = turns {
            self.springs.swing(hierarchy, pose, turns, local, replaced);
        }
    }
}

/// Computes `C_j` of each eye that follows the pose's look-at target and passes it to `turn`, which stores it in the
/// local transforms. Returns the look-at direction; `None` without a target.
pub(super) fn apply_look_at(
    look_at: &LookAt,
    hierarchy: &Hierarchy,
    pose: &Pose,
    local: &mut [Affine3],
    buffers: &mut BehaviourBuffers,
    mut turn: impl FnMut(&mut [Affine3], NodeIndex, Affine3),
) -> Option<LookAtAngles> {
    if pose.face().look_at().is_none() || pose.disabled_behaviours().look_at {
        return None;
    }
    buffers.worlds.forget();
    let angles = look_at.angles(hierarchy, pose, local, &mut buffers.worlds)?;
    let turned: [Option<(NodeIndex, Affine3)>; 2] = {
        let mut turned = look_at.turned(hierarchy, local, angles);
        [turned.next(), turned.next()]
    };
    for (eye, after) in turned.into_iter().flatten() {
        turn(local, eye, after);
    }
    Some(angles)
}

#[cfg(test)]
mod tests;
