use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::helpers::Helper;
use super::spec::WeightingSpec;
use super::{auto, closest, heat, rigid, voxel};

/// A method that computes weights from a body and its bones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Weighting {
    /// Like heat, but points also see bones through clothing layers, and bones are extended through their
    /// regions.
    #[default]
    Auto,
    /// Distance to the nearest bones through the inside of the body.
    Voxel,
    /// Heat along the surface from the bones that a point sees.
    Heat,
    /// Inverse square of the straight distance to the four nearest bones.
    Closest,
    /// Nearest bone alone.
    Rigid,
}

impl Weighting {
    /// All methods, in menu order.
    pub const ALL: [Self; 5] = [Self::Auto, Self::Voxel, Self::Heat, Self::Closest, Self::Rigid];

    /// Returns true if the method gives a helper joint no weight.
    pub fn leaves_out(self, helper: &Helper) -> bool {
        self == Self::Auto || !helper.owns_pieces
    }

    /// Returns name, description and code of the method.
    pub fn spec(self) -> &'static WeightingSpec {
        match self {
            Self::Auto => &auto::SPEC,
            Self::Voxel => &voxel::SPEC,
            Self::Heat => &heat::SPEC,
            Self::Closest => &closest::SPEC,
            Self::Rigid => &rigid::SPEC,
        }
    }
}

/// A method, its settings, and the refinement of its result. Reproduces computed weights.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Recipe {
    /// Method that computes the weights.
    pub weighting: Weighting,
    /// Voxels along the longest side of the body, for methods that use them; `None` to derive the number from the
    /// thinnest limb.
    pub cells: Option<u16>,
    /// Names of joints that get no weight; `None` for the joints that look like helpers.
    pub left_out: Option<Vec<String>>,
    /// True to allow the automatic method to give the halves of a symmetric body different weights.
    pub is_asymmetric: bool,
    /// Applied to the computed weights.
    pub refinement: WeightRefinement,
}

/// Refinement steps, applied in this order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WeightRefinement {
    /// Number of smoothing steps along the surface.
    pub smoothing: u8,
    /// True to give both halves of the body the same weights.
    pub is_symmetric: bool,
    /// Minimum weight; smaller ones are dropped.
    pub prune: f32,
    /// Maximum influences per vertex; `None` for no limit.
    pub max: Option<u8>,
}

impl Default for WeightRefinement {
    fn default() -> Self {
        Self { smoothing: 0, is_symmetric: false, prune: 1.0 / 255.0, max: Some(4) }
    }
}
