//! The edge between a panel and the viewport, which resizes the panel. It is drawn after the viewport, because the
//! widget drawn last gets the pointer.

use egui::{CursorIcon, Id, Rangef, Rect, Role, Sense, Stroke, Ui, WidgetInfo, vec2};

/// Distance from the edge at which it can be dragged, points.
const REACH: f32 = 6.0;

/// Edge of a panel that faces the viewport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GripEdge {
    Left,
    Right,
    Top,
}

/// A panel that can be resized.
pub(super) struct PanelGrip {
    /// Name of the panel.
    pub name: &'static str,
    pub panel: Rect,
    pub edge: GripEdge,
    /// Allowed sizes, points.
    pub range: Rangef,
}

impl PanelGrip {
    /// Returns the panel's new size while its edge is dragged, points.
    pub(super) fn ui(&self, ui: &Ui) -> Option<f32> {
        let panel = self.panel;
        let (line, cursor) = match self.edge {
            GripEdge::Left => (panel.with_max_x(panel.left()), CursorIcon::ResizeHorizontal),
            GripEdge::Right => (panel.with_min_x(panel.right()), CursorIcon::ResizeHorizontal),
            GripEdge::Top => (panel.with_max_y(panel.top()), CursorIcon::ResizeVertical),
        };
        let across = if self.edge == GripEdge::Top { vec2(0.0, REACH) } else { vec2(REACH, 0.0) };
        let response =
            ui.interact(line.expand2(across), Id::unique(("panel edge", self.name)), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Splitter, true, format!("Resize the {}", self.name)));
        if response.hovered() || response.dragged() {
            ui.set_cursor_icon(cursor);
            let widgets = &ui.visuals().widgets;
            let color = if response.dragged() { widgets.active.fg_stroke } else { widgets.hovered.fg_stroke }.color;
            ui.painter().line_segment([line.min, line.max], Stroke::new(1.0, color));
        }
        let pointer = response.interact_pointer_pos().filter(|_| response.dragged())?;
        let (size, current) = match self.edge {
            GripEdge::Left => (panel.right() - pointer.x, panel.width()),
            GripEdge::Right => (pointer.x - panel.left(), panel.width()),
            GripEdge::Top => (panel.bottom() - pointer.y, panel.height()),
        };
        let size = self.range.clamp(size);
        ((size - current).abs() > 0.5).then_some(size)
    }
}
