use crate::analysis::twist::Loss;

pub(super) const VOLUME_HINT: &str =
    "Volume of the skin moved by the joint and its parent, relative to 0°; cut openings are closed by fans";

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Metric {
    #[default]
    Volume,
    Area,
    Edge,
    Distance,
}

impl Metric {
    pub(super) const ALL: [Self; 4] = [Self::Volume, Self::Area, Self::Edge, Self::Distance];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Volume => "Volume",
            Self::Area => "Smallest area",
            Self::Edge => "Largest edge",
            Self::Distance => "Largest distance",
        }
    }

    pub(super) fn hint(self) -> &'static str {
        match self {
            Self::Volume => VOLUME_HINT,
            Self::Area => "Area of the worst triangle, relative to 0°",
            Self::Edge => "Length of the worst edge, relative to 0°",
            Self::Distance => "Distance to the other method's vertex, millimetres",
        }
    }

    /// Converts a loss to percent or millimetres.
    pub(super) fn value(self, loss: &Loss) -> f64 {
        match self {
            Self::Volume => f64::from(loss.volume_ratio) * 100.0,
            Self::Area => f64::from(loss.min_area_ratio) * 100.0,
            Self::Edge => f64::from(loss.max_edge_ratio) * 100.0,
            Self::Distance => f64::from(loss.largest_distance) * 1e3,
        }
    }

    pub(super) fn unit(self) -> &'static str {
        if self == Self::Distance { "mm" } else { "%" }
    }

    /// Formats a value as part of a sentence, such as "69.0 % left".
    pub(super) fn describe(self, value: f64) -> String {
        let rest = match self {
            Self::Volume | Self::Area => " left",
            Self::Edge => " of the rest length",
            Self::Distance => "",
        };
        format!("{value:.1} {}{rest}", self.unit())
    }

    /// Returns the range that the plot's value axis covers at least, so that noise looks small: 99 to 101 %, or 0 to a
    /// thousandth of the character's `size` (metres), in millimetres.
    pub(super) fn min_range(self, size: f32) -> [f64; 2] {
        if self == Self::Distance { [0.0, f64::from(size)] } else { [99.0, 101.0] }
    }

    /// Returns whether a value is worse than another: a lower volume or area, or a larger length or distance.
    pub(super) fn is_worse(self, value: f64, other: f64) -> bool {
        match self {
            Self::Volume | Self::Area => value < other,
            Self::Edge | Self::Distance => value > other,
        }
    }

    pub(super) fn unchanged(self) -> f64 {
        if self == Self::Distance { 0.0 } else { 100.0 }
    }
}
