//! The edge between a panel and the viewport, which resizes the panel. It is drawn after the viewport, because the
//! widget drawn last gets the pointer.

use egui::{CursorIcon, Id, Rangef, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, vec2};

/// Distance from the edge at which it can be dragged, points.
const REACH: f32 = 6.0;
/// Change of the size by one step of an assistive technology, points.
const STEP: f32 = 20.0;

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
    /// Returns the panel's new size while its edge is dragged or an assistive technology changes it, points.
    pub(super) fn ui(&self, ui: &Ui) -> Option<f32> {
        let panel = self.panel;
        let is_top = self.edge == GripEdge::Top;
        let line = match self.edge {
            GripEdge::Left => panel.with_max_x(panel.left()),
            GripEdge::Right => panel.with_min_x(panel.right()),
            GripEdge::Top => panel.with_max_y(panel.top()),
        };
        let (across, current) =
            if is_top { (vec2(0.0, REACH), panel.height()) } else { (vec2(REACH, 0.0), panel.width()) };
        let response =
            ui.interact(line.expand2(across), Id::unique(("panel edge", self.name)), Sense::click_and_drag());
        if response.hovered() || response.dragged() {
            ui.set_cursor_icon(if is_top { CursorIcon::ResizeVertical } else { CursorIcon::ResizeHorizontal });
            let widgets = &ui.visuals().widgets;
            let color = if response.dragged() { widgets.active.fg_stroke } else { widgets.hovered.fg_stroke }.color;
            ui.painter().line_segment([line.min, line.max], Stroke::new(1.0, color));
        }
        let dragged = response.interact_pointer_pos().filter(|_| response.dragged()).map(|pointer| match self.edge {
            GripEdge::Left => panel.right() - pointer.x,
            GripEdge::Right => pointer.x - panel.left(),
            GripEdge::Top => panel.bottom() - pointer.y,
        });
        let size = dragged.or_else(|| self.requested(ui, &response, current));
        size.map(|size| self.range.clamp(size)).filter(|size| (size - current).abs() > 0.5)
    }

    /// Exposes the edge to assistive technology as a splitter whose value is the panel's size in points. Returns the size that it
    /// requests.
    fn requested(&self, ui: &Ui, response: &Response, current: f32) -> Option<f32> {
        use egui::accesskit::{Action, ActionData, Orientation};
        response.widget_info(|| WidgetInfo {
            value: Some(current.into()),
            ..WidgetInfo::labeled(Role::Splitter, true, format!("Resize the {}", self.name))
        });
        ui.ctx().accesskit_node_builder(response.id, |node| {
            let is_top = self.edge == GripEdge::Top;
            node.set_orientation(if is_top { Orientation::Horizontal } else { Orientation::Vertical });
            node.set_min_numeric_value(self.range.min.into());
            node.set_max_numeric_value(self.range.max.into());
            node.set_numeric_value_step(STEP.into());
            node.add_action(Action::SetValue);
            if current < self.range.max {
                node.add_action(Action::Increment);
            }
            if current > self.range.min {
                node.add_action(Action::Decrement);
            }
        });
        ui.input(|input| {
            let count = |action| input.num_accesskit_action_requests(response.id, action) as f32;
            let steps = count(Action::Increment) - count(Action::Decrement);
            let set = input.accesskit_action_requests(response.id, Action::SetValue).filter_map(|request| {
                if let Some(ActionData::NumericValue(size)) = request.data { Some(size as f32) } else { None }
            });
            set.last().or_else(|| (steps != 0.0).then_some(current + steps * STEP))
        })
    }
}
