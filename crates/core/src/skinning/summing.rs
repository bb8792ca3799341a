use serde::{Deserialize, Serialize};

use super::{Palette, ScaleHandling, Stretch};

/// Treatment of `q` and `-q`, which are the same rotation, by methods that blend quaternions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Antipodality {
    /// Each quaternion gets the sign that agrees with the vertex's heaviest joint.
    #[default]
    Checked,
    /// Signs are kept: some vertices rotate along the longer arc, visible as spikes.
    Unchecked,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct BlendOptions {
    pub stretch: Stretch,
    /// Whether quaternions get the sign that agrees with the pivot.
    pub checks_signs: bool,
}

impl BlendOptions {
    pub(super) fn new(scale: ScaleHandling, antipodality: Antipodality, palette: &Palette) -> Self {
        Self { stretch: Stretch::new(scale, palette.scaling()), checks_signs: antipodality == Antipodality::Checked }
    }
}
