//! Layout and text of overlay legends. `ui` draws them in the window, `drawing` draws them into images.

use glam::Vec2;

use super::CaptionRect;
use crate::stage::Stage;
use crate::view::{Overlay, OverlayInput, Side};

const SIZE: Vec2 = Vec2::new(224.0, 62.0);
const MARGIN: f32 = 12.0;
const GAP: f32 = 6.0;

/// Text shown instead of the ramp if every joint has its own colour.
pub const JOINT_COLORS_NOTE: &str = "A colour for each joint";

/// Legend of an overlay on one side, or on both sides if their colours have the same meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Legend {
    pub sides: &'static [Side],
    pub overlay: Overlay,
    pub region: CaptionRect,
}

impl Legend {
    pub fn first(self) -> Side {
        self.sides[0]
    }
}

/// Returns the legends, which are in the lower right corner of each area, `above_edge` points above its lower edge.
/// Sides with the same overlay and range share a legend. For `areas`, see [`labels`](fn@super::labels).
pub fn legends(stage: &Stage, areas: [CaptionRect; 2], above_edge: f32) -> Vec<Legend> {
    let view = &stage.view;
    let painted = |side: Side| view.overlay(side).filter(|_| view.compare.shows(side));
    let lowest = |right: f32, area: CaptionRect, lift: f32| {
        CaptionRect::new(Vec2::new(right, area.max.y - MARGIN - lift) - SIZE, SIZE)
    };
    if let Some(overlay) = painted(Side::A).filter(|overlay| is_shared(stage, *overlay)) {
        let [a, b] = areas;
        let right = if a == b { b.max.x - MARGIN } else { f32::midpoint(a.max.x, b.min.x) + SIZE.x / 2.0 };
        return vec![Legend { sides: &Side::ALL, overlay, region: lowest(right, b, above_edge) }];
    }
    let shares_corner = areas[0] == areas[1] && painted(Side::B).is_some();
    let legend = |(sides, area, is_above): (&'static [Side], CaptionRect, bool)| {
        let lift = above_edge + if is_above { SIZE.y + GAP } else { 0.0 };
        let region = lowest(area.max.x - MARGIN, area, lift);
        painted(sides[0]).map(|overlay| Legend { sides, overlay, region })
    };
    let each: [(&[Side], _, _); 2] = [(&[Side::A], areas[0], shares_corner), (&[Side::B], areas[1], false)];
    each.into_iter().filter_map(legend).collect()
}

fn is_shared(stage: &Stage, overlay: Overlay) -> bool {
    let [a, b] = Side::ALL.map(|side| (stage.view.overlay(side), stage.view.range(side)));
    a == b && stage.view.compare.shows(Side::B) && missing(stage, Side::A, overlay) == missing(stage, Side::B, overlay)
}

/// Explains why an overlay shows no values; `None` if it shows some.
pub fn missing(stage: &Stage, side: Side, overlay: Overlay) -> Option<String> {
    let is_of_other = stage.other_on(side).is_some();
    let missing = match (overlay, overlay.spec().topic) {
        (_, OverlayInput::ActiveJoint) if stage.view.active_joint().is_none() => {
            Some("Select a joint to see it".to_owned())
        }
        (_, OverlayInput::MorphTarget) if stage.view.morph.is_none() => {
            Some("Choose a morph target to see it".to_owned())
        }
        (_, OverlayInput::Findings) if is_of_other => Some("Findings are only available for the open file".to_owned()),
        (Overlay::Distance, _) => {
            stage.characters.matched_versions().and_then(Result::err).map(|why| format!("No distances: {why}"))
        }
        (Overlay::WeightDifference, _) => {
            stage.characters.matched_versions().and_then(Result::err).map(|why| format!("No differences: {why}"))
        }
        _ => None,
    };
    missing.or_else(|| identical(stage, side, overlay))
}

fn identical(stage: &Stage, side: Side, overlay: Overlay) -> Option<String> {
    let said = match overlay {
        Overlay::Distance => "Identical: no vertex differs",
        Overlay::WeightDifference => "Identical: both sides have the same weights",
        _ => return None,
    };
    stage.measured.extremes(&stage.view, side).filter(|extremes| *extremes == [0.0; 2]).map(|_| said.to_owned())
}

#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Position along the ramp, from 0 (low) to 1 (high).
    pub share: f32,
    /// Fraction of the text's width that is to the left of this position, 0 to 1.
    pub left: f32,
    pub text: String,
}

/// Returns ticks at both ends and in the middle. Omits the middle tick if its text would repeat that of an end.
pub fn ticks(overlay: Overlay, [low, high]: [f32; 2]) -> Vec<Tick> {
    let middle = f32::midpoint(low, high);
    let middle = if overlay.is_whole() { middle.round() } else { middle };
    let share = |value: f32| if high > low { (value - low) / (high - low) } else { 0.0 };
    let tick = |value: f32, left: f32| Tick { share: share(value), left, text: overlay.text(value) };
    let ends = [tick(low, 0.0), tick(high, 1.0)];
    let middle = Some(tick(middle, 0.5)).filter(|middle| ends.iter().all(|end| end.text != middle.text));
    ends.into_iter().chain(middle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_middle_that_repeats_an_end_is_left_out_and_counts_have_whole_ones() {
        let texts = |overlay, range| ticks(overlay, range).into_iter().map(|tick| tick.text).collect::<Vec<_>>();
        assert_eq!(texts(Overlay::Weight, [0.0, 1.0]), ["0.00", "1.00", "0.50"]);
        assert_eq!(texts(Overlay::InfluenceCount, [0.0, 1.0]), ["0", "1"]);
        assert_eq!(texts(Overlay::InfluenceCount, [0.0, 5.0]), ["0", "5", "3"]);
        assert_eq!(ticks(Overlay::InfluenceCount, [0.0, 5.0])[2].share, 0.6, "where 3 is, not where 2.5 is");
    }
}
