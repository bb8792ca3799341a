use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    Align, Button, DragValue, FontId, Frame, Label, Layout, Mesh, PopupCloseBehavior, Rect, RichText, Sense, Shape,
    TextStyle, Ui, UiBuilder, pos2, vec2,
};
use glam::Vec2 as Point;

use crate::caption::{CaptionRect, JOINT_COLORS_NOTE, Legend, PILL_PADDING, labels, legends, missing, ticks};
use crate::fonts::drawn;
use crate::state::{AppState, Command, Commands};
use crate::ui::inspector::FieldEdit;
use crate::ui::{names, theme};
use crate::view::{Overlay, Ramp, Values};

/// Draws the legends, above the toolbar if they don't fit next to it. Returns their height in B's area, in points.
pub(crate) fn ui(ui: &mut Ui, areas: [Rect; 2], tools: Rect, state: &AppState, commands: &mut Commands) -> f32 {
    let last = areas[1];
    let mut top = last.bottom();
    let beside = legends(&state.open.stage, areas.map(region), 0.0);
    let is_beside = !beside.iter().any(|legend| rect(legend.region).expand(GAP).intersects(tools));
    let lift = if is_beside { 0.0 } else { areas[0].bottom() - tools.top() - GAP };
    for legend in legends(&state.open.stage, areas.map(region), lift) {
        let place = rect(legend.region);
        let builder = UiBuilder::new().max_rect(place).id_salt(legend.first());
        ui.scope_builder(builder, |ui| card(ui, legend, state, commands));
        if last.intersects(place) {
            top = top.min(place.top());
        }
    }
    last.bottom() - top
}

const GAP: f32 = 6.0;

fn card(ui: &mut Ui, legend: Legend, state: &AppState, commands: &mut Commands) {
    let (side, overlay) = (legend.first(), legend.overlay);
    let frame = Frame::new().fill(ui.visuals().window_fill.gamma_multiply(0.94)).corner_radius(6).inner_margin(8);
    frame.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 3.0;
        let painted = state.open.stage.measured.painted(&state.open.stage.view, side).map(|p| p.values.as_ref());
        let missing = missing(&state.open.stage, side, overlay);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            for &side in legend.sides {
                let (dot, _) = ui.allocate_exact_size(vec2(8.0, 14.0), Sense::hover());
                ui.painter().circle_filled(dot.center(), 4.0, theme::side_color(side));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if let (None, Some(Values::Scalars { range, .. })) = (&missing, painted) {
                    range_menu(ui, legend, *range, state.open.stage.view.range(side), commands);
                }
                let title = state.open.stage.view.overlay_title(overlay, state.open.stage.rig());
                let title = Label::new(RichText::new(drawn(&title)).small().strong()).truncate();
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(title).on_hover_text(overlay.spec().hint)
                });
            });
        });
        let note = |ui: &mut Ui, text: &str| _ = ui.label(RichText::new(text).small().weak());
        match (missing, painted) {
            (Some(missing), _) => note(ui, &missing),
            (None, Some(Values::Scalars { ramp, range, .. })) => {
                bar(ui, *ramp);
                tick_row(ui, overlay, *range);
            }
            (None, Some(Values::Colors { .. })) => {
                note(ui, &format!("{JOINT_COLORS_NOTE}; point at the skin to read it"));
            }
            (None, None) if matches!(state.open.stage.measured.result(), Some(Err(_))) => {
                note(ui, "Not measured: see the status bar");
            }
            (None, None) => note(ui, "Measuring…"),
        }
    });
}

fn bar(ui: &mut Ui, ramp: Ramp) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 10.0), Sense::hover());
    let colors = ramp.colors();
    let mut mesh = Mesh::default();
    let step = rect.width() / colors.len() as f32;
    for (i, &color) in colors.iter().enumerate() {
        let left = rect.left() + step * i as f32;
        let strip = Rect::from_min_max(pos2(left, rect.top()), pos2(left + step, rect.bottom()));
        mesh.add_colored_rect(strip, theme::opaque(color));
    }
    ui.painter().add(Shape::mesh(mesh));
}

fn tick_row(ui: &mut Ui, overlay: Overlay, range: [f32; 2]) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 12.0), Sense::hover());
    let font = egui::TextStyle::Small.resolve(ui.style());
    let color = ui.visuals().text_color();
    for tick in ticks(overlay, range) {
        let text = ui.painter().layout_no_wrap(tick.text, font.clone(), color);
        let at = pos2(rect.left() + rect.width() * tick.share - text.size().x * tick.left, rect.center().y);
        ui.painter().galley(at - vec2(0.0, text.size().y * 0.5), text, color);
    }
}

fn range_menu(ui: &mut Ui, legend: Legend, shown: [f32; 2], chosen: Option<[f32; 2]>, commands: &mut Commands) {
    let set = |range| Command::SetRange(legend.sides, range);
    let text = RichText::new(if chosen.is_some() { "Fixed" } else { "Auto" }).small();
    let button = Button::new(text).small();
    // Clicking a field must not close the menu.
    let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (response, _) = MenuButton::from_button(button).config(stays).ui(ui, |ui| {
        if ui.radio(chosen.is_none(), "Auto").on_hover_text("Fit the range to the values shown").clicked() {
            commands.push(set(None));
        }
        if ui.radio(chosen.is_some(), "Fixed").on_hover_text("Keep the range fixed to compare poses").clicked() {
            commands.push(set(Some(shown)));
        }
        let [mut low, mut high] = chosen.unwrap_or(shown);
        let speed = f64::from((high - low).abs().max(1e-6)) * 0.01;
        let field = |ui: &mut Ui, value: &mut f32, name: &str| {
            let field = DragValue::new(value).speed(speed).max_decimals(4).suffix(suffix(legend.overlay));
            ui.add(field).accessible_name(name).on_hover_text(name)
        };
        ui.horizontal(|ui| {
            let from = field(ui, &mut low, "Low end");
            ui.label("to");
            let to = field(ui, &mut high, "High end");
            let mut edit = FieldEdit::new(&[from, to]);
            edit.changed &= low < high;
            edit.emit(|| set(Some([low, high])), commands);
        });
    });
    let sides: Vec<String> = legend.sides.iter().map(|side| format!("{side:?}")).collect();
    response.on_hover_text("Range of the colours").accessible_name(format!("Range of {}", sides.join(" and ")));
}

fn suffix(overlay: Overlay) -> String {
    match overlay.spec().unit {
        "" => String::new(),
        unit => format!(" {unit}"),
    }
}

const MARGIN: f32 = 12.0;

/// `left` is the width, in points, already occupied in the upper left corner of A's area.
pub(crate) fn paint_labels(ui: &Ui, areas: [Rect; 2], left: f32, state: &AppState) {
    for label in labels(&state.open.stage, areas.map(region), left) {
        let visuals = ui.visuals();
        let (fill, ink) =
            label.side.map_or((visuals.panel_fill, visuals.text_color()), |side| (theme::side_color(side), theme::INK));
        let painter = ui.painter().with_clip_rect(rect(label.area));
        let room = rect(label.area).width() - left.max(MARGIN) - 2.0 * PILL_PADDING.x - MARGIN;
        let text = names::shortened(ui, &label.text, room, &TextStyle::Body);
        let galley = painter.layout_no_wrap(text, FontId::proportional(13.0), ink);
        let pill = rect(label.region(Point::new(galley.size().x, galley.size().y)));
        painter.rect_filled(pill, pill.height() * 0.5, fill);
        painter.galley(pill.min + egui::vec2(PILL_PADDING.x, PILL_PADDING.y), galley, ink);
    }
}

fn region(Rect { min, max }: Rect) -> CaptionRect {
    CaptionRect { min: Point::new(min.x, min.y), max: Point::new(max.x, max.y) }
}

fn rect(CaptionRect { min, max }: CaptionRect) -> Rect {
    Rect { min: pos2(min.x, min.y), max: pos2(max.x, max.y) }
}
