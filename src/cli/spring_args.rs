//! What drives springs, as the command line says it.

use std::str::FromStr;

use clap::Args;
use glam::Vec3;

use super::numbers;
use crate::rig::SpringSettings;

/// What drives springs besides joints and colliders.
#[derive(Args, Clone, Debug)]
pub(super) struct SpringArgs {
    /// Let springs settle for S seconds in the pose, or before the clip starts [default: 0, springs at rest]
    #[arg(long, value_name = "S", default_value_t = 0.0, hide_default_value = true, value_parser = settle_secs)]
    settle: f32,

    /// Constant wind on springs, metres per second, added to their gravity; without a clip it needs --settle
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    wind: Option<Wind>,
}

impl SpringArgs {
    /// The drive that these options mean.
    pub(super) fn drive(&self) -> SpringSettings {
        SpringSettings { settle_secs: self.settle, wind: self.wind.map_or(Vec3::ZERO, |wind| wind.0) }
    }
}

/// A wind, metres per second: `X,Y,Z`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Wind(Vec3);

impl FromStr for Wind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Result<Vec<f32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
        let wind = numbers.ok().and_then(|numbers| <[f32; 3]>::try_from(numbers).ok()).map(Vec3::from_array);
        let wind = wind.filter(|wind| wind.length() <= SpringSettings::STRONGEST_WIND);
        let most = SpringSettings::STRONGEST_WIND;
        wind.map(Self).ok_or_else(|| format!("give X,Y,Z in metres per second, at most {most} together"))
    }
}

/// Seconds for which springs settle.
fn settle_secs(text: &str) -> Result<f32, String> {
    numbers::within(text, 0.0..=SpringSettings::LONGEST_SETTLE_SECS, "seconds")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wind_is_three_numbers_of_sense() {
        assert_eq!("1, -2.5,0".parse(), Ok(Wind(Vec3::new(1.0, -2.5, 0.0))));
        for bad in ["", "1", "1,2", "1,2,3,4", "x,y,z", "nan,0,0", "inf,0,0", "101,0,0", "1e38,1e38,0"] {
            assert!(bad.parse::<Wind>().is_err(), "{bad}");
        }
    }
}
