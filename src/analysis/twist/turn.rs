//! How joints are turned.

/// How a joint is turned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Motion {
    /// About its bone.
    #[default]
    Twist,
    /// About its hinge.
    Bend,
}

impl Motion {
    /// In tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Twist => "twist",
            Self::Bend => "bend",
        }
    }
}

/// A joint turned about one of its axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// About which.
    pub motion: Motion,
    /// Radians.
    pub angle: f32,
}
