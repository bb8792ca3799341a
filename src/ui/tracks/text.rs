use crate::analysis::tracks::{LineOwner, OddKey, TrackKind};
use crate::ui::compare::length;
use crate::ui::counts::grouped;

pub(super) fn value(kind: TrackKind, value: f32) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    match kind {
        TrackKind::Volume | TrackKind::LeastArea | TrackKind::Loss => format!("{:.1} %", value * 100.0),
        TrackKind::WorstDistance | TrackKind::MeanDistance => length(f64::from(value)),
        TrackKind::Flipped => grouped(value as usize),
        TrackKind::AngularSpeed => format!("{value:.0} °/s"),
        TrackKind::Rotation => format!("{value:.1}°"),
    }
}

/// Returns the text that a track shows if no frame is worse than the rest pose.
pub(super) fn nothing(kind: TrackKind) -> &'static str {
    match kind {
        TrackKind::Volume => "Never less than at rest",
        TrackKind::WorstDistance | TrackKind::MeanDistance => "A and B are the same",
        TrackKind::LeastArea => "No triangle shrinks",
        TrackKind::Flipped => "No triangle is flipped",
        TrackKind::Loss => "Nothing is lost",
        TrackKind::AngularSpeed | TrackKind::Rotation => "Not rotated by this clip",
    }
}

pub(super) fn letter(owner: LineOwner) -> String {
    if let LineOwner::Side(side) = owner { format!("{side:?}") } else { String::new() }
}

pub(super) fn odd_key(odd: OddKey) -> &'static str {
    match odd {
        OddKey::Jump => "The rotation jumps to this key and back (RIG161)",
        OddKey::SignFlip => "Quaternion sign flips at this key: naive interpolation spins here",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_units() {
        let cases = [
            (TrackKind::Volume, 0.9321, "93.2 %"),
            (TrackKind::WorstDistance, 0.0124, "12.4 mm"),
            (TrackKind::Flipped, 1234.0, "1,234"),
            (TrackKind::AngularSpeed, 359.6, "360 °/s"),
            (TrackKind::Rotation, 90.04, "90.0°"),
            (TrackKind::Loss, f32::NAN, "–"),
        ];
        for (kind, number, text) in cases {
            assert_eq!(value(kind, number), text, "{kind:?}");
        }
    }
}
