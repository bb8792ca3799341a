//! Expressions and the gaze, as the command line names them.

use std::str::FromStr;

use super::morphs::{named_weight, unknown};
use crate::rig::{ExpressionIndex, LookAtTarget, Rig};

/// Weight of an expression: `NAME=W`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ExpressionWeight {
    pub name: String,
    pub weight: f32,
}

impl FromStr for ExpressionWeight {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        named_weight(text, 0.0..=1.0, "happy=0.5").map(|(name, weight)| Self { name, weight })
    }
}

/// What the eyes look at: `X,Y,Z`, `YAW,PITCH` or `camera`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LookAtArg(pub LookAtTarget);

impl FromStr for LookAtArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "camera" {
            return Ok(Self(LookAtTarget::Camera));
        }
        let number = |part: &str| part.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
        match numbers.as_deref() {
            Some(&[x, y, z]) => Ok(Self(LookAtTarget::Point([x, y, z]))),
            Some(&[yaw, pitch]) => Ok(Self(LookAtTarget::Angles { yaw_deg: yaw as f32, pitch_deg: pitch as f32 })),
            _ => Err("give a point as X,Y,Z in metres, two angles as YAW,PITCH in degrees, or camera".to_owned()),
        }
    }
}

/// The expression with this name.
///
/// *Errors*: none has it; names similar ones, else all.
pub(super) fn find_expression(rig: &Rig, name: &str) -> Result<ExpressionIndex, String> {
    let names = || rig.expressions.iter().map(|expression| expression.name.as_str());
    rig.expression_named(name).ok_or_else(|| unknown("expression", name, names()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_and_targets_are_read() {
        let weight = |name: &str, weight| Ok(ExpressionWeight { name: name.to_owned(), weight });
        assert_eq!("happy=0.5".parse(), weight("happy", 0.5));
        assert_eq!("a=b=1".parse(), weight("a=b", 1.0));
        for bad in ["happy", "happy=", "happy=1.5", "happy=-1"] {
            assert!(bad.parse::<ExpressionWeight>().is_err(), "{bad}");
        }
        assert_eq!("camera".parse(), Ok(LookAtArg(LookAtTarget::Camera)));
        assert_eq!("1, -2,3.5".parse(), Ok(LookAtArg(LookAtTarget::Point([1.0, -2.0, 3.5]))));
        assert_eq!("-10,5".parse(), Ok(LookAtArg(LookAtTarget::Angles { yaw_deg: -10.0, pitch_deg: 5.0 })));
        for bad in ["", "1", "1,2,3,4", "x,y", "nan,1", "1e400,0,0"] {
            assert!(bad.parse::<LookAtArg>().is_err(), "{bad}");
        }
    }

    #[test]
    fn an_unknown_expression_is_told_with_what_there_is() {
        let told = find_expression(&Rig::default(), "happy").unwrap_err();
        assert_eq!(told, "There is no expression \"happy\"; this file has no expressions");
    }
}
