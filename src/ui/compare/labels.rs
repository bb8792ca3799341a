//! Which side is which, written over the picture.

use egui::{Align2, Color32, FontId, Pos2, Rect, Ui, Vec2, vec2};

use super::wipe::WipeLine;
use super::{side_color, side_name};
use crate::state::AppState;
use crate::ui::theme;
use crate::view::{Layout, Side};

/// From the view's edge, points.
const MARGIN: Vec2 = vec2(14.0, 12.0);

/// Between neighbours, points.
const GAP: f32 = 8.0;

/// From the upper end of the line, points.
const BELOW_END: f32 = 30.0;

/// Draws a label for each side that is shown. `areas`: the view, or its two halves, of which the first has something else in its left
/// corner, so many points wide.
pub fn paint(ui: &Ui, areas: &[Rect], left: f32, state: &AppState) {
    let compare = &state.open.view.compare;
    let (Some(&first), Some(&last)) = (areas.first(), areas.last()) else { return };
    let corner = first.min + vec2(left + GAP, MARGIN.y);
    match compare.shown_layout() {
        Layout::Single if compare.is_blinking => pill(ui, first, Side::B, state, corner, Align2::LEFT_TOP),
        Layout::Single => method_pill(ui, first, corner, state),
        Layout::SideBySide => {
            pill(ui, first, Side::A, state, corner, Align2::LEFT_TOP);
            pill(ui, last, Side::B, state, last.min + MARGIN, Align2::LEFT_TOP);
        }
        Layout::Ghost => {
            let below = PILL_HEIGHT + 6.0;
            pill(ui, first, Side::A, state, corner, Align2::LEFT_TOP);
            pill(ui, first, Side::B, state, corner + vec2(0.0, below), Align2::LEFT_TOP);
        }
        Layout::Wipe => {
            let line = WipeLine::new(first, compare.wipe);
            let (at, across) = (line.near_end(BELOW_END), line.across());
            for (side, direction) in [(Side::A, -across), (Side::B, across)] {
                pill_beside(ui, first, side, state, at, direction);
            }
        }
    }
}

/// With its nearest corner or side at a gap from a point.
fn pill_beside(ui: &Ui, clip: Rect, side: Side, state: &AppState, at: Pos2, direction: Vec2) {
    let size = layout(ui, &side_name(state, side)).size() + PADDING * 2.0;
    let reach = (size.x * direction.x.abs() + size.y * direction.y.abs()) * 0.5 + 12.0;
    pill(ui, clip, side, state, at + direction * reach, Align2::CENTER_CENTER);
}

/// Points.
const PILL_HEIGHT: f32 = 22.0;
const PADDING: Vec2 = vec2(9.0, 3.0);

fn layout(ui: &Ui, text: &str) -> std::sync::Arc<egui::Galley> {
    ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(13.0), theme::INK)
}

fn pill(ui: &Ui, clip: Rect, side: Side, state: &AppState, at: Pos2, anchor: Align2) {
    filled(ui, clip, &side_name(state, side), (side_color(side), theme::INK), at, anchor);
}

/// Alone, a method is no side and has no colour.
fn method_pill(ui: &Ui, rect: Rect, at: Pos2, state: &AppState) {
    let colors = (ui.visuals().panel_fill, ui.visuals().text_color());
    filled(ui, rect, &side_name(state, Side::A), colors, at, Align2::LEFT_TOP);
}

/// Stays inside the view, below its top.
fn filled(ui: &Ui, clip: Rect, text: &str, (fill, ink): (Color32, Color32), at: Pos2, anchor: Align2) {
    let galley = layout(ui, text);
    let rect = anchor.anchor_size(at, galley.size() + PADDING * 2.0);
    let room = clip.shrink(8.0);
    let inside = (room.min - rect.min).max(Vec2::ZERO) - (rect.max - room.max).max(Vec2::ZERO);
    let rect = rect.translate(inside);
    let painter = ui.painter().with_clip_rect(clip);
    painter.rect_filled(rect, rect.height() * 0.5, fill);
    painter.galley_with_override_text_color(rect.min + PADDING, galley, ink);
}
