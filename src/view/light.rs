//! The light on the file's materials.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::surroundings::EnvironmentMap;

/// Surroundings of a character that light it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Environment {
    /// Soft boxes in a dim room: forms and gloss are read best.
    #[default]
    Studio,
    /// Even, colourless light: colours are read best.
    Neutral,
    /// The sun in a clear sky.
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
    /// True where the surroundings are seen behind the character, blurred, while the file's materials are shown.
    pub backdrop: bool,
}

/// A panorama that lights the character in place of a built-in environment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EnvironmentFile {
    /// Radiance file that was chosen; `None` for the built-in environment.
    pub wanted: Option<PathBuf>,
    /// The panorama that is shown: that of the file, or until it is read the one before.
    pub shown: Option<Arc<EnvironmentMap>>,
}

impl EnvironmentFile {
    /// Another choice of a file, or of none; the panorama that is shown stays until the file is read.
    #[must_use]
    pub fn chosen(&self, wanted: Option<PathBuf>) -> Self {
        Self { shown: self.shown.clone().filter(|_| wanted.is_some()), wanted }
    }

    /// The chosen file, while it is not read.
    pub fn unread(&self) -> Option<&Path> {
        let shown = self.shown.as_ref().map(|map| map.path());
        self.wanted.as_deref().filter(|wanted| shown != Some(*wanted))
    }

    /// Takes the panorama of a file, unless another one was chosen since; `None` where there is none, which leaves the one that is shown.
    pub fn take(&mut self, path: &Path, read: Option<Arc<EnvironmentMap>>) {
        if self.wanted.as_deref() == Some(path) {
            self.shown = read.or(self.shown.take());
            self.wanted = self.shown.as_ref().map(|map| map.path().to_owned());
        }
    }
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
