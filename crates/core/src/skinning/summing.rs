use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Palette, ScaleHandling, Stretch};

/// Treatment of `q` and `-q`, which are the same rotation, by methods that blend quaternions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Antipodality {
    /// Each quaternion's sign is chosen to agree with the vertex's heaviest joint.
    #[default]
    Checked,
    /// Signs are left as they are, so some vertices rotate the long way round, which shows up as spikes.
    Unchecked,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct BlendOptions {
    pub stretch: Stretch,
    /// Whether each quaternion's sign is chosen to agree with the pivot.
    pub checks_signs: bool,
}

impl BlendOptions {
    pub(super) fn new(scale: ScaleHandling, antipodality: Antipodality, palette: &Palette) -> Self {
        Self { stretch: Stretch::new(scale, palette.scaling()), checks_signs: antipodality == Antipodality::Checked }
    }
}
