//! The table of weighting methods.

use serde::{Deserialize, Serialize};

use super::helpers::Helper;
use super::spec::WeightingSpec;
use super::{auto, closest, heat, rigid, voxel};

/// Method that computes weights from a body and its bones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weighting {
    /// Weights by heat that comes through layers, from bones that reach through their regions.
    #[default]
    Auto,
    /// Weights by the distance to the nearest bones through the inside of the body.
    Voxel,
    /// Weights by heat that spreads along the surface from the bones that a point sees.
    Heat,
    /// Weights by the inverse square of the straight distance to the four nearest bones.
    Closest,
    /// Weights of the nearest bone alone.
    Rigid,
}

impl Weighting {
    /// All methods, in the order of menus.
    pub const ALL: [Self; 5] = [Self::Auto, Self::Voxel, Self::Heat, Self::Closest, Self::Rigid];

    /// True where the method gives no share of the body to a joint that looks like a helper.
    pub fn leaves_out(self, helper: &Helper) -> bool {
        self == Self::Auto || !helper.owns_pieces
    }

    /// Name, description and code of the method.
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
