//! Which side is which.

use glam::Vec2;

use super::{PILL_PADDING, Region};
use crate::stage::Stage;
use crate::view::{Layout, Side};

/// Distance from the picture's edge, points.
const MARGIN: Vec2 = Vec2::new(14.0, 12.0);
/// Distance between neighbours, points.
const GAP: f32 = 8.0;
/// Distance from the line of the wipe, points.
const FROM_LINE: f32 = 12.0;
/// Distance from the upper end of the wipe's line, points.
const BELOW_END: f32 = 30.0;
/// Distance from one label to the one below, points.
const LINE: f32 = 28.0;
/// Least distance from an edge, points.
const MIN_MARGIN: f32 = 8.0;

/// Name of what a side shows, on a ground of the side's colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Text of [`Stage::side_name`].
    pub text: String,
    /// Side whose colour the label has; `None` where one method is shown alone.
    pub side: Option<Side>,
    /// Area that the label stays in.
    pub area: Region,
    place: LabelPlace,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum LabelPlace {
    /// Position of its upper left corner.
    Corner(Vec2),
    /// Point that its nearest edge or corner is at a gap from, and the direction from there, unit length.
    Beside(Vec2, Vec2),
}

impl Label {
    /// Ground of a text of this width and height.
    pub fn region(&self, text: Vec2) -> Region {
        let size = text + PILL_PADDING * 2.0;
        let min = match self.place {
            LabelPlace::Corner(corner) => corner,
            LabelPlace::Beside(at, direction) => {
                let reach = (size * direction.abs()).element_sum() * 0.5 + FROM_LINE;
                at + direction * reach - size * 0.5
            }
        };
        Region::new(min, size).moved_into(self.area.shrunk(Vec2::splat(MIN_MARGIN)))
    }
}

/// The label of each side that is shown. `areas`: those of A and B, which are one where the sides share it, and what A's has in its upper left
/// corner is so many points wide.
pub fn labels(stage: &Stage, areas: [Region; 2], corner_width: f32) -> Vec<Label> {
    let compare = &stage.view.compare;
    let label = |side: Side, area: Region, place| Label { text: stage.side_name(side), side: Some(side), area, place };
    let [a, b] = areas;
    let corner = a.min + MARGIN + Vec2::X * (corner_width + GAP - MARGIN.x).max(0.0);
    let first = |side| label(side, a, LabelPlace::Corner(corner));
    match compare.shown_layout() {
        Layout::Single if compare.is_blinking => vec![first(Side::B)],
        Layout::Single => vec![Label { side: None, ..first(Side::A) }],
        Layout::SideBySide => vec![first(Side::A), label(Side::B, b, LabelPlace::Corner(b.min + MARGIN))],
        Layout::Ghost => {
            vec![first(Side::A), label(Side::B, a, LabelPlace::Corner(corner + Vec2::Y * LINE))]
        }
        Layout::Wipe => {
            let (wipe, size) = (compare.wipe, a.size());
            let [upper, lower] = wipe.ends(size);
            let share = (BELOW_END / upper.distance(lower).max(1.0)).min(0.5);
            let (at, across) = (a.min + upper.lerp(lower, share), wipe.normal());
            let beside = |side, direction| label(side, a, LabelPlace::Beside(at, direction));
            vec![beside(Side::A, -across), beside(Side::B, across)]
        }
    }
}
