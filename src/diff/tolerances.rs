//! How far two versions may differ and still count as the same.

use crate::matching::rounding_m;
use crate::rig::Rig;
use crate::rows::rows;

rows! {
    /// Differences up to these are ignored.
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
    /// Tolerances that cover rounding by file formats and quantisation, for the size of a rig.
    pub fn of(rig: &Rig) -> Self {
        Self { distance_m: rounding_m(rig), angle_deg: 0.1, share: 0.005, time_secs: 0.001 }
    }
}
