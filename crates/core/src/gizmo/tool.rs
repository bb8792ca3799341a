use serde::{Deserialize, Serialize};

use super::{GizmoSize, Orientation};
use crate::rig::EulerOrder;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tool {
    #[default]
    Rotate,
    Move,
    Scale,
}

impl Tool {
    pub const ALL: [Self; 3] = [Self::Rotate, Self::Move, Self::Scale];
}

/// Centre of rotation and scale when several joints are selected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pivot {
    #[default]
    Individual,
    Active,
}

impl Pivot {
    pub const ALL: [Self; 2] = [Self::Individual, Self::Active];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GizmoOptions {
    pub tool: Tool,
    pub orientation: Orientation,
    pub order: EulerOrder,
    pub pivot: Pivot,
    pub size: GizmoSize,
}
