//! Unit, up axis and handedness of another program's points.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use glam::DVec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PointFrame;

/// A length unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct PointUnit {
    metres: f64,
}

/// Names, and length in metres.
const UNITS: [(&str, &str, f64); 4] =
    [("m", "metres", 1.0), ("cm", "centimetres", 0.01), ("mm", "millimetres", 0.001), ("in", "inches", 0.0254)];

// The number is finite.
impl Eq for PointUnit {}

impl PointUnit {
    /// The metre.
    pub const METRE: Self = Self { metres: 1.0 };

    /// Returns the units with a name, metres first.
    pub fn named() -> impl Iterator<Item = Self> {
        UNITS.into_iter().map(|(_, _, metres)| Self { metres })
    }

    /// Returns the length in metres; finite and greater than 0.
    pub fn metres(self) -> f64 {
        self.metres
    }

    /// Returns the plural in text, such as "centimetres".
    pub fn title(self) -> String {
        let named = UNITS.into_iter().find(|(_, _, metres)| *metres == self.metres);
        named.map_or_else(|| format!("units of {} m", self.metres), |(_, title, _)| title.to_owned())
    }
}

impl Display for PointUnit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match UNITS.into_iter().find(|(_, _, metres)| *metres == self.metres) {
            Some((name, ..)) => f.write_str(name),
            None => write!(f, "{}", self.metres),
        }
    }
}

impl FromStr for PointUnit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = UNITS.into_iter().find(|(name, ..)| *name == text).map(|(_, _, metres)| metres);
        let metres = named.or_else(|| text.parse().ok()).filter(|metres: &f64| metres.is_finite() && *metres > 0.0);
        metres.map(|metres| Self { metres }).ok_or_else(|| "give m, cm, mm, in or a number of metres".to_owned())
    }
}

impl TryFrom<String> for PointUnit {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<PointUnit> for String {
    fn from(unit: PointUnit) -> Self {
        unit.to_string()
    }
}

/// The axis that points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UpAxis {
    /// +Y, as in glTF.
    #[default]
    Y,
    /// +Z; -Y is forward.
    Z,
}

impl UpAxis {
    /// Both axes.
    pub const ALL: [Self; 2] = [Self::Y, Self::Z];

    /// Returns the name in options and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Y => "y",
            Self::Z => "z",
        }
    }
}

impl FromStr for UpAxis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|axis| axis.name() == text).ok_or_else(|| "give y or z".to_owned())
    }
}

/// The axis along which left-handed points are mirrored, after +Y is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MirrorAxis {
    /// X, as in Unity's import of glTF.
    X,
    /// Z, as in DirectX.
    Z,
}

/// Unit, up axis and handedness of points. The default is that of glTF: metres, +Y up, right-handed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointSpace {
    /// Unit.
    pub unit: PointUnit,
    /// Axis that points up.
    pub up: UpAxis,
    /// Axis along which the points are mirrored; `None` if they are right-handed.
    pub mirror: Option<MirrorAxis>,
}

impl Default for PointSpace {
    fn default() -> Self {
        Self::stated(None, None)
    }
}

impl PointSpace {
    /// Returns the right-handed space with a unit and an up axis; what isn't stated is as in glTF.
    pub fn stated(unit: Option<PointUnit>, up: Option<UpAxis>) -> Self {
        Self { unit: unit.unwrap_or(PointUnit::METRE), up: up.unwrap_or_default(), mirror: None }
    }

    /// Converts a point to metres, +Y up, right-handed.
    pub fn point(self, point: DVec3) -> DVec3 {
        self.direction(point) * self.unit.metres
    }

    /// Converts a direction to +Y up, right-handed.
    pub fn direction(self, direction: DVec3) -> DVec3 {
        let DVec3 { x, y, z } = direction;
        let upright = if self.up == UpAxis::Z { DVec3::new(x, z, -y) } else { direction };
        match self.mirror {
            None => upright,
            Some(MirrorAxis::X) => upright * DVec3::new(-1.0, 1.0, 1.0),
            Some(MirrorAxis::Z) => upright * DVec3::new(1.0, 1.0, -1.0),
        }
    }

    /// Converts all points and normals of a frame.
    #[must_use]
    pub fn frame(self, mut frame: PointFrame) -> PointFrame {
        for group in &mut frame.groups {
            group.positions.iter_mut().for_each(|point| *point = self.point(*point));
            group.normals.iter_mut().flatten().for_each(|normal| *normal = self.direction(*normal));
        }
        frame
    }

    /// Describes what differs from glTF, such as "in centimetres, +Z up"; `None` if nothing does.
    pub fn description(self) -> Option<String> {
        let unit = (self.unit != PointUnit::METRE).then(|| format!("in {}", self.unit.title()));
        let up = (self.up == UpAxis::Z).then(|| "+Z up".to_owned());
        let mirror = self.mirror.map(|axis| match axis {
            MirrorAxis::X => "left-handed (x mirrored)".to_owned(),
            MirrorAxis::Z => "left-handed (z mirrored)".to_owned(),
        });
        let parts: Vec<String> = [unit, up, mirror].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_names_or_metres_and_survive_text() {
        let metres = |text: &str| text.parse().map(PointUnit::metres);
        assert_eq!((metres("cm"), metres("0.3048")), (Ok(0.01), Ok(0.3048)));
        for bad in ["", "0", "-1", "inf", "NaN", "ell"] {
            assert!(metres(bad).is_err(), "{bad}");
        }
        for unit in PointUnit::named().chain("0.3048".parse()) {
            assert_eq!(unit.to_string().parse(), Ok(unit));
        }
    }

    #[test]
    fn a_space_converts_to_that_of_gltf() {
        let space = PointSpace { unit: "cm".parse().unwrap(), up: UpAxis::Z, mirror: Some(MirrorAxis::X) };
        assert_eq!(space.point(DVec3::new(100.0, 200.0, 300.0)), DVec3::new(-1.0, 3.0, -2.0));
        assert_eq!(space.description().unwrap(), "in centimetres, +Z up, left-handed (x mirrored)");
        let p = DVec3::new(1.0, 2.0, 3.0);
        assert_eq!((PointSpace::default().point(p), PointSpace::default().description()), (p, None));
    }
}
