//! What moves parts of a rig by itself, after the clip and the user: gaze, expressions of the face, node constraints, spring bones.
//!
//! # Place in the product
//! ```text
//! rest L_j -> clip A_j -> behaviours C_j -> user Ul_j -> world      W_j = W_p * C_j * Ul_j
//! ```
//! Behaviours are evaluated from what the clip and the user make of the joints that they follow, `A_s * Ul_s`. What they make of the joint that they turn,
//! `C_j`, takes the place of the clip's `A_j`, as the clip's takes that of `L_j`; where no behaviour turns a joint, `C_j = A_j`. A constraint replaces the rotation of
//! `A_j` and keeps its translation and scale. The user's `Ul_j` composes on top of `C_j`, so all that MATH.md says of reading and setting it holds with `C_j` in place
//! of `A_j`.
//!
//! # Where
//! [`super::evaluate_into`] is the one place in which behaviours run: between sampling the clip and forward kinematics. [`super::Posed::clip_local`] then holds
//! `C_j`, and [`super::Posed::replaced`] the `A_j` of the joints that were turned.
//!
//! # Order
//! The gaze runs before constraints, which so follow eyes that it turned. Expressions add to weights of morph targets and change materials, which nothing else reads.
//!
//! Constraints run in the order in which they depend on each other, which is found once for each rig. Those that depend on themselves, directly or in a circle,
//! never run ([`Behaviours::circular`]). Springs swing after them.

mod constraint;
mod expression;
mod gaze;
mod order;
mod springs;

use std::sync::Arc;

use glam::Affine3;
use serde::{Deserialize, Serialize};

use constraint::Worlds;
pub use constraint::{Axis, Constraint, ConstraintKind};
pub(super) use expression::express;
pub use expression::{BoundColor, ColorBind, CoordBind, Expression, Override, Procedural, shown_weights};
pub use gaze::{Gaze, GazeAngles, GazeBy, GazeRange};
pub(super) use springs::SpringRun;
pub use springs::{
    Collider, ColliderShape, RestPlaces, SpringBones, SpringChain, SpringDrive, SpringJoint, SpringState, SpringTurns,
    Springs,
};

use super::{Hierarchy, NodeIndex, Pose};

/// The behaviours of a rig, in the order in which they run.
#[derive(Clone, Debug, Default)]
pub struct Behaviours {
    constraints: Vec<Constraint>,
    circular: Vec<NodeIndex>,
    springs: Arc<Springs>,
}

/// Kinds of behaviours that are switched off: none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SwitchedOff {
    /// True where constraints do not run.
    #[serde(skip_serializing_if = "is_on")]
    pub constraints: bool,
    /// True where expressions are not shown.
    #[serde(skip_serializing_if = "is_on")]
    pub expressions: bool,
    /// True where the eyes do not follow a target.
    #[serde(skip_serializing_if = "is_on")]
    pub gaze: bool,
    /// True where springs do not swing.
    #[serde(skip_serializing_if = "is_on")]
    pub springs: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_on(is_off: &bool) -> bool {
    !is_off
}

impl SwitchedOff {
    /// All kinds.
    pub const ALL: Self = Self { constraints: true, expressions: true, gaze: true, springs: true };

    /// True where every kind runs.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// Memory of behaviours, kept between moments so that nothing is allocated.
#[derive(Clone, Debug, Default)]
pub(super) struct BehaviourBuffers {
    worlds: Worlds,
}

impl Behaviours {
    /// Behaviours of a rig with these constraints. A node has one constraint: of several the first counts.
    pub fn new(hierarchy: &Hierarchy, constraints: &[Constraint]) -> Self {
        if constraints.is_empty() {
            return Self::default();
        }
        let (constraints, mut circular) = order::ordered(hierarchy, constraints);
        circular.sort_unstable();
        Self { constraints, circular, springs: Arc::default() }
    }

    /// These behaviours with other springs.
    #[must_use]
    pub fn with_springs(self, springs: Springs) -> Self {
        Self { springs: Arc::new(springs), ..self }
    }

    /// Springs of the rig.
    pub fn springs(&self) -> &Springs {
        &self.springs
    }

    pub(super) fn shared_springs(&self) -> &Arc<Springs> {
        &self.springs
    }

    /// The constraints that run, each after those that it depends on.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// Nodes whose constraints depend on themselves and therefore do not run.
    pub fn circular(&self) -> &[NodeIndex] {
        &self.circular
    }

    /// True for a rig that does not move by itself.
    pub fn is_empty(&self) -> bool {
        self.constraints.is_empty() && self.springs.is_empty()
    }

    /// The constraint that turns a node in a pose, unless it is switched off.
    pub fn constraint_of(&self, node: NodeIndex, off: SwitchedOff) -> Option<&Constraint> {
        self.constraints.iter().filter(|_| !off.constraints).find(|constraint| constraint.node == node)
    }

    /// True where a constraint turns another way once the user turns a node. Some that would not are counted too.
    pub fn is_followed(&self, hierarchy: &Hierarchy, node: NodeIndex) -> bool {
        self.constraints.iter().any(|constraint| constraint.depends_on(hierarchy, node))
    }

    /// The spring of a node that swings in a pose, unless springs are switched off.
    pub fn spring_of(&self, node: NodeIndex, off: SwitchedOff) -> Option<&SpringJoint> {
        self.springs.joints().iter().filter(|_| !off.springs).find(|joint| joint.node == node)
    }

    /// True where springs swing in a pose.
    pub(super) fn swings(&self, pose: &Pose) -> bool {
        !self.springs.is_empty() && !pose.switched_off().springs
    }

    /// Puts `C_j` in the place of the `A_j` that a behaviour replaces; those are listed in `replaced`. Springs are turned as told, if at all.
    ///
    /// *Cost*: linear in constraints and springs, and where one aims, in nodes.
    pub(super) fn run(
        &self,
        hierarchy: &Hierarchy,
        (pose, turns): (&Pose, Option<&SpringTurns>),
        local: &mut [Affine3],
        (buffers, replaced): (&mut BehaviourBuffers, &mut Vec<(NodeIndex, Affine3)>),
    ) {
        if !self.constraints.is_empty() && !pose.switched_off().constraints {
            buffers.worlds.forget();
            for constraint in &self.constraints {
                let turned = constraint.turned(hierarchy, pose, local, &mut buffers.worlds);
                let clip_local = std::mem::replace(&mut local[constraint.node.index()], turned);
                replaced.push((constraint.node, clip_local));
            }
        }
        if let Some(turns) = turns {
            self.springs.swing(hierarchy, pose, turns, local, replaced);
        }
    }
}

/// Turns the eyes to the target of a pose: puts `C_j` in the place of their `A_j`, which are listed in `replaced`. The direction of the gaze; `None` where there is
/// no target.
pub(super) fn look(
    gaze: &Gaze,
    hierarchy: &Hierarchy,
    pose: &Pose,
    local: &mut [Affine3],
    (buffers, replaced): (&mut BehaviourBuffers, &mut Vec<(NodeIndex, Affine3)>),
) -> Option<GazeAngles> {
    if pose.face().gaze().is_none() || pose.switched_off().gaze {
        return None;
    }
    buffers.worlds.forget();
    let angles = gaze.angles(hierarchy, pose, local, &mut buffers.worlds)?;
    let turned: [Option<(NodeIndex, Affine3)>; 2] = {
        let mut turned = gaze.turned(hierarchy, local, angles);
        [turned.next(), turned.next()]
    };
    for (eye, after) in turned.into_iter().flatten() {
        replaced.push((eye, std::mem::replace(&mut local[eye.index()], after)));
    }
    Some(angles)
}

#[cfg(test)]
mod tests;
