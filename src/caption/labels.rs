use glam::Vec2;

use super::{CaptionRect, PILL_PADDING};
use crate::stage::Stage;
use crate::view::{Layout, Side};

/// Distance from the image edge, in points.
const MARGIN: Vec2 = Vec2::new(14.0, 12.0);
const GAP: f32 = 8.0;
/// Distance of labels from the wipe line, in points.
const FROM_LINE: f32 = 12.0;
/// Distance of labels from the upper end of the wipe line, in points.
const BELOW_END: f32 = 30.0;
const LINE: f32 = 28.0;
const MIN_MARGIN: f32 = 8.0;

/// Label that names a side, on a background in the side's colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    pub text: String,
    /// Side that gives the label its colour; `None` if only one side is visible.
    pub side: Option<Side>,
    pub area: CaptionRect,
    place: LabelPosition,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum LabelPosition {
    Corner(Vec2),
    /// Anchor point, and unit direction from it to the label.
    Beside(Vec2, Vec2),
}

impl Label {
    pub fn region(&self, text: Vec2) -> CaptionRect {
        let size = text + PILL_PADDING * 2.0;
        let min = match self.place {
            LabelPosition::Corner(corner) => corner,
            LabelPosition::Beside(at, direction) => {
                let reach = (size * direction.abs()).element_sum() * 0.5 + FROM_LINE;
                at + direction * reach - size * 0.5
            }
        };
        CaptionRect::new(min, size).moved_into(self.area.shrunk(Vec2::splat(MIN_MARGIN)))
    }
}

/// Returns the labels of the visible sides. `areas` are equal if A and B share an area. `corner_width` is the width, in
/// points, that is already occupied in the upper left corner of A's area.
pub fn labels(stage: &Stage, areas: [CaptionRect; 2], corner_width: f32) -> Vec<Label> {
    let compare = &stage.view.compare;
    let label =
        |side: Side, area: CaptionRect, place| Label { text: stage.side_name(side), side: Some(side), area, place };
    let [a, b] = areas;
    let corner = a.min + MARGIN + Vec2::X * (corner_width + GAP - MARGIN.x).max(0.0);
    let first = |side| label(side, a, LabelPosition::Corner(corner));
    match compare.shown_layout() {
        Layout::Single if compare.is_blinking => vec![first(Side::B)],
        Layout::Single => vec![Label { side: None, ..first(Side::A) }],
        Layout::SideBySide => vec![first(Side::A), label(Side::B, b, LabelPosition::Corner(b.min + MARGIN))],
        Layout::Ghost => {
            vec![first(Side::A), label(Side::B, a, LabelPosition::Corner(corner + Vec2::Y * LINE))]
        }
        Layout::Wipe => {
            let (wipe, size) = (compare.wipe, a.size());
            let [upper, lower] = wipe.ends(size);
            let share = (BELOW_END / upper.distance(lower).max(1.0)).min(0.5);
            let (at, across) = (a.min + upper.lerp(lower, share), wipe.normal());
            let beside = |side, direction| label(side, a, LabelPosition::Beside(at, direction));
            vec![beside(Side::A, -across), beside(Side::B, across)]
        }
    }
}
