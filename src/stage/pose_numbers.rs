//! Numbers comparing two skinnings in one pose.

use serde::Serialize;

use crate::analysis::measure::{Size, WorstVertex};
use crate::analysis::sides::Measured;
use crate::rig::{Rig, joint_names};

/// Comparison of two skinnings, A and B, in one pose, as printed by `rigscope compare --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PoseNumbers {
    /// Names of the two skinnings.
    pub methods: [String; 2],
    /// Enclosed volume, m³.
    pub volume_m3: [f64; 2],
    /// Surface area, m².
    pub area_m2: [f64; 2],
    /// Maximum distance between corresponding vertices, metres; `None` if vertices are not matched.
    pub max_distance_m: Option<f64>,
    /// Mean distance between corresponding vertices, metres; `None` if vertices are not matched.
    pub mean_distance_m: Option<f64>,
    /// [`Self::max_distance_m`] as a fraction of the rig's size.
    pub max_distance_share: Option<f64>,
    /// [`Self::mean_distance_m`] as a fraction of the rig's size.
    pub mean_distance_share: Option<f64>,
    /// Why there are no distances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distances_off: Option<String>,
    /// Vertex of maximum distance; `None` if all distances are 0.
    pub worst: Option<WorstVertex>,
}

impl PoseNumbers {
    /// Numbers of a measurement, with names from the rig.
    pub fn new(rig: &Rig, methods: [String; 2], measured: &Measured) -> Self {
        let off = measured.unmatched.as_ref();
        let known = |value: f64| Some(value).filter(|_| off.is_none());
        let distance = &measured.distance;
        let [max_distance_share, mean_distance_share] = measured.shares;
        Self {
            methods,
            volume_m3: measured.sizes.map(|size: Size| size.volume).into(),
            area_m2: measured.sizes.map(|size| size.area).into(),
            max_distance_m: known(distance.max),
            mean_distance_m: known(distance.mean),
            max_distance_share: known(max_distance_share),
            mean_distance_share: known(mean_distance_share),
            distances_off: off.map(ToString::to_string),
            worst: WorstVertex::new(rig, distance, &|joint| joint_names(&rig.hierarchy, &[joint]).concat()),
        }
    }
}
