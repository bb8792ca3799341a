//! Tolerances of a comparison.

use crate::matching::rounding_m;
use crate::rig::Rig;
use crate::rows::rows;

rows! {
    /// Differences up to these values are ignored.
    #[derive(Copy)]
    pub struct Tolerances {
        /// Distance, metres in the old version's world.
        pub distance_m: f32,
        /// Angle, degrees.
        pub angle_deg: f32,
        /// Difference of weights, scale factors, colours and texture coordinates.
        pub share: f32,
        /// Time, seconds.
        pub time_secs: f32,
    }
}

impl Tolerances {
    /// Returns tolerances for a rig that cover rounding by file formats and quantisation.
    pub fn for_rig(rig: &Rig) -> Self {
        Self { distance_m: rounding_m(rig), angle_deg: 0.1, share: 0.005, time_secs: 0.001 }
    }
}
