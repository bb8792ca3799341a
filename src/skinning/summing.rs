//! Options for summing the rigid motions of a vertex's joints.

use serde::{Deserialize, Serialize};

use super::{Palette, ScaleHandling, Stretch};

/// What a method that blends quaternions does with `q` and `-q`, which are the same rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Antipodality {
    /// Each quaternion takes the sign that agrees with the vertex's heaviest joint.
    #[default]
    Checked,
    /// Signs stay as they are: some vertices rotate the long way round, which shows as spikes.
    Unchecked,
}

/// How rigid motions are summed, for methods that do so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summing {
    pub stretch: Stretch,
    /// True where each quaternion takes the sign that agrees with the pivot's.
    pub checks_signs: bool,
}

impl Summing {
    pub(super) fn new(scale: ScaleHandling, antipodality: Antipodality, palette: &Palette) -> Self {
        Self { stretch: Stretch::new(scale, palette.scaling()), checks_signs: antipodality == Antipodality::Checked }
    }
}
