use egui::{FontId, Rect, TextStyle, Ui, pos2};
use glam::Vec2 as Point;

use super::colors::side_color;
use crate::caption::{CaptionRect, PILL_PADDING, labels};
use crate::state::AppState;
use crate::ui::{names, theme};

const MARGIN: f32 = 12.0;

/// Draws the side labels. `left` is the occupied width in the left corner of A's area, points.
pub(crate) fn paint(ui: &Ui, areas: [Rect; 2], left: f32, state: &AppState) {
    for label in labels(&state.open.stage, areas.map(region), left) {
        let visuals = ui.visuals();
        let (fill, ink) =
            label.side.map_or((visuals.panel_fill, visuals.text_color()), |side| (side_color(side), theme::INK));
        let painter = ui.painter().with_clip_rect(rect(label.area));
        let room = rect(label.area).width() - left.max(MARGIN) - 2.0 * PILL_PADDING.x - MARGIN;
        let text = names::shortened(ui, &label.text, room, &TextStyle::Body);
        let galley = painter.layout_no_wrap(text, FontId::proportional(13.0), ink);
        let pill = rect(label.region(Point::new(galley.size().x, galley.size().y)));
        painter.rect_filled(pill, pill.height() * 0.5, fill);
        painter.galley(pill.min + egui::vec2(PILL_PADDING.x, PILL_PADDING.y), galley, ink);
    }
}

pub(super) fn region(Rect { min, max }: Rect) -> CaptionRect {
    CaptionRect { min: Point::new(min.x, min.y), max: Point::new(max.x, max.y) }
}

pub(super) fn rect(CaptionRect { min, max }: CaptionRect) -> Rect {
    Rect { min: pos2(min.x, min.y), max: pos2(max.x, max.y) }
}
