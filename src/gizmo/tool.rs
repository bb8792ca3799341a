//! Tools and pivots of a drag.

use serde::{Deserialize, Serialize};

use super::Orientation;
use crate::rig::EulerOrder;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tool {
    #[default]
    Rotate,
    Move,
    Scale,
}

impl Tool {
    /// All tools, in the order of the toolbar.
    pub const ALL: [Self; 3] = [Self::Rotate, Self::Move, Self::Scale];
}

/// Point about which several joints turn and scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pivot {
    /// Each joint about its own origin, along its own axes.
    #[default]
    Individual,
    /// All joints as one about the active joint's origin.
    Active,
}

impl Pivot {
    /// All pivots, in the order of the toolbar.
    pub const ALL: [Self; 2] = [Self::Individual, Self::Active];
}

/// Tool, orientation and pivot of the handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GizmoOptions {
    pub tool: Tool,
    /// Alignment of the handles.
    pub orientation: Orientation,
    /// Order of the axes of [`Orientation::Gimbal`].
    pub order: EulerOrder,
    /// Point about which several joints turn and scale.
    pub pivot: Pivot,
}
