//! What a drag does, and about which point where several joints are selected.

use serde::{Deserialize, Serialize};

use super::Orientation;
use crate::rig::EulerOrder;

/// What the handles do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tool {
    /// Turns.
    #[default]
    Rotate,
    /// Moves.
    Move,
    /// Scales.
    Scale,
}

impl Tool {
    /// In the order of the toolbar.
    pub const ALL: [Self; 3] = [Self::Rotate, Self::Move, Self::Scale];
}

/// About which point several joints turn and scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pivot {
    /// Each about its own origin, along its own axes.
    #[default]
    Individual,
    /// All as one about the active joint's origin.
    Active,
}

impl Pivot {
    /// In the order of the toolbar.
    pub const ALL: [Self; 2] = [Self::Individual, Self::Active];
}

/// What the handles do, how they stand and about which point several joints turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GizmoOptions {
    /// What they do.
    pub tool: Tool,
    /// What they are aligned with.
    pub orientation: Orientation,
    /// Of the axes of [`Orientation::Gimbal`].
    pub order: EulerOrder,
    /// About which point several joints turn and scale.
    pub pivot: Pivot,
}
