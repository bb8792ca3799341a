//! Turns of the twist and bend test: about the bone or the hinge, by an angle.

/// How a joint is turned in the test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Motion {
    /// A turn about the bone.
    #[default]
    Twist,
    /// A turn about the hinge.
    Bend,
}

impl Motion {
    /// Name of the motion in tables.
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
    /// Axis of the turn.
    pub motion: Motion,
    /// Angle of the turn, radians.
    pub angle: f32,
}
