//! The light on the file's materials.

/// Surroundings of a character that light it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Environment {
    /// Soft boxes in a dim room: forms and gloss are read best.
    #[default]
    Studio,
    /// Soft boxes in a dim room: shows form and gloss best.
    Neutral,
    /// Even, colourless light: shows colours best.
    Outdoor,
}

impl Environment {
    /// All environments.
    pub const ALL: [Self; 3] = [Self::Studio, Self::Neutral, Self::Outdoor];

    /// Name in menus.
    pub fn name(self) -> &'static str {
        match self {
            Self::Studio => "Studio",
            Self::Neutral => "Neutral",
            Self::Outdoor => "Outdoor",
        }
    }

    /// Use of the environment, in a sentence without its end.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Studio => "Soft boxes in a dim room, in which forms and gloss are read best",
            Self::Neutral => "Even, colourless light, in which colours are read best",
            Self::Outdoor => "The sun in a clear sky",
        }
    }
}

/// Light: its source, direction and strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Lighting {
    /// Surroundings that light the character.
    pub environment: Environment,
    /// Turn of the light about the vertical from its initial direction, which depends on the character's front; radians, counter-clockwise seen from above.
    pub turn: f32,
    /// Exposure, stops; one more doubles the light.
    pub exposure: f32,
}

impl Lighting {
    /// Range of the exposure, stops.
    pub const EXPOSURES: std::ops::RangeInclusive<f32> = -6.0..=6.0;

    /// The light turned further, wrapped to ±π.
    #[must_use]
    pub fn turned(self, by: f32) -> Self {
        use std::f32::consts::{PI, TAU};
        Self { turn: (self.turn + by + PI).rem_euclid(TAU) - PI, ..self }
    }
}
