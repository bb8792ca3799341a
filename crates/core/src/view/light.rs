use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::environment::EnvironmentMap;

crate::named_enum! {
    /// Built-in environment that lights the character.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum Environment {
        /// Soft boxes in a dim room; best for judging shape and gloss.
        #[default]
        Studio = "Studio", "Soft boxes in a dim room; best for judging shape and gloss";
        /// Even, colourless light; best for judging colours.
        Neutral = "Neutral", "Even, colourless light; best for judging colours";
        /// The sun in a clear sky.
        Outdoor = "Outdoor", "The sun in a clear sky";
    }
}

/// Source, direction and strength of the light.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Lighting {
    /// Built-in environment.
    pub environment: Environment,
    /// Rotation about +Y relative to the character's front, radians, counter-clockwise seen from above.
    pub angle: f32,
    /// Exposure, stops; +1 doubles the light.
    pub exposure: f32,
    /// True to show the blurred environment as background of textured shading.
    pub backdrop: bool,
}

/// An environment map file that replaces the built-in environment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EnvironmentFile {
    /// Chosen file; `None` for the built-in environment.
    pub wanted: Option<PathBuf>,
    /// Displayed environment map. The previous map stays until the chosen file is loaded.
    pub shown: Option<Arc<EnvironmentMap>>,
}

impl EnvironmentFile {
    /// Returns a copy with `wanted` as the chosen file. The displayed map stays until that file is loaded; if `wanted`
    /// is `None`, the map is removed.
    #[must_use]
    pub fn chosen(&self, wanted: Option<PathBuf>) -> Self {
        Self { shown: self.shown.clone().filter(|_| wanted.is_some()), wanted }
    }

    /// Returns the chosen file if it is not loaded yet.
    pub fn unread(&self) -> Option<&Path> {
        let shown = self.shown.as_ref().map(|map| map.path());
        self.wanted.as_deref().filter(|wanted| shown != Some(*wanted))
    }

    /// Stores a loaded map unless another file has been chosen since. `None` (loading failed) keeps the displayed map.
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

    /// Returns the lighting rotated by `by` radians, wrapped to ±π.
    #[must_use]
    pub fn turned(self, by: f32) -> Self {
        use std::f32::consts::{PI, TAU};
        Self { angle: (self.angle + by + PI).rem_euclid(TAU) - PI, ..self }
    }
}
