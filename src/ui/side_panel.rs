//! Panels with a size chosen by the user. In a small window they are smaller, and if only one side panel fits, the other
//! is folded.

use std::f32::consts::FRAC_PI_2;

use egui::emath::Rot2;
use egui::epaint::TextShape;
use egui::{CursorIcon, Frame, Margin, Panel, Rangef, Role, Sense, TextStyle, Ui, UiBuilder, WidgetInfo, vec2};

use super::panel_grip::{GripEdge, PanelGrip};
use super::side_tabs;
use crate::state::{Action, AppState, Command, Commands, PanelEdge};

/// Draws a panel with the user's size, or its folded strip. Returns the grip of an open panel.
pub(super) fn show(
    ui: &mut Ui,
    edge: PanelEdge,
    range: Rangef,
    state: &AppState,
    commands: &mut Commands,
    contents: impl FnOnce(&mut Ui, &mut Commands),
) -> Option<PanelGrip> {
    if state.panels.is_open(edge, &state.settings) {
        return Some(open(ui, edge, range, state, |ui| contents(ui, commands)));
    }
    let folded_tab = state.panels.front_tab(edge, &state.settings).filter(|_| state.settings.is_panel_wanted(edge));
    if let Some(tab) = folded_tab {
        folded(ui, edge, side_tabs::spec(tab).name, commands);
    }
    None
}

/// Draws an open panel with the user's size, which is limited to a range.
pub(super) fn open(
    ui: &mut Ui,
    edge: PanelEdge,
    range: Rangef,
    state: &AppState,
    contents: impl FnOnce(&mut Ui),
) -> PanelGrip {
    let sizes = &state.settings.panels;
    let (panel, name, edge, chosen) = match edge {
        PanelEdge::Left => (Panel::left as fn(&'static str) -> Panel, "left panel", GripEdge::Right, sizes.left),
        PanelEdge::Right => (Panel::right as fn(&'static str) -> Panel, "right panel", GripEdge::Left, sizes.right),
        PanelEdge::Bottom => (Panel::bottom as fn(&'static str) -> Panel, "bottom panel", GripEdge::Top, sizes.bottom),
    };
    let frame = Frame::new().fill(ui.visuals().panel_fill).inner_margin(Margin::same(8));
    let shown = panel(name).frame(frame).resizable(false).exact_size(range.clamp(chosen)).show(ui, |ui| {
        // Long rows must not widen the panel.
        let room = ui.available_rect_before_wrap();
        contents(&mut ui.new_child(UiBuilder::new().max_rect(room)));
        ui.advance_cursor_after_rect(room);
    });
    PanelGrip { name, panel: shown.response.rect, edge, range }
}

/// Draws a folded panel. Clicking it opens this panel and folds the other one.
fn folded(ui: &mut Ui, edge: PanelEdge, tab: &str, commands: &mut Commands) {
    const WIDTH: f32 = 24.0;
    let (panel, action, turn) = match edge {
        PanelEdge::Left => (Panel::left("folded left panel"), Action::ToggleLeftPanel, -FRAC_PI_2),
        PanelEdge::Right => (Panel::right("folded right panel"), Action::ToggleRightPanel, FRAC_PI_2),
        // Folded panels stand beside the view; in a narrow window, none is at the bottom.
        PanelEdge::Bottom => return,
    };
    let frame = Frame::new().fill(ui.visuals().panel_fill);
    panel.frame(frame).resizable(false).exact_size(WIDTH).show(ui, |ui| {
        let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, action.spec().name));
        let visuals = ui.visuals();
        let color = if response.hovered() { visuals.strong_text_color() } else { visuals.text_color() };
        if response.hovered() {
            ui.painter().rect_filled(rect, 0.0, visuals.widgets.hovered.bg_fill);
        }
        let font = TextStyle::Body.resolve(ui.style());
        let galley = ui.painter().layout_no_wrap(format!("{tab}  ⏷"), font, color);
        let (middle, half) = (rect.center_top() + vec2(0.0, 24.0 + galley.size().x * 0.5), galley.size() * 0.5);
        let start = middle - Rot2::from_angle(turn) * half;
        ui.painter().add(TextShape::new(start, galley, color).with_angle(turn));
        let hint = format!("{}; folds the other panel", action.spec().hint);
        let response = response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(hint);
        commands.push_if(response.clicked(), Command::Do(action));
    });
}
