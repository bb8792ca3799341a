//! What the painted colours mean.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    Align, Button, Color32, DragValue, Frame, Layout, Mesh, PopupCloseBehavior, Rect, RichText, Sense, Shape, Ui,
    UiBuilder, pos2, vec2,
};

use super::side_color;
use crate::state::{AppState, Command};
use crate::view::{Overlay, Ramp, Side, Values};

/// Points.
const WIDTH: f32 = 200.0;
const HEIGHT: f32 = 62.0;
const MARGIN: f32 = 12.0;

/// Draws a legend for each side that is painted, in the corner of its area; `areas`: the view, or its two halves. How much of the last
/// area's corner they take, points from its lower edge.
pub fn ui(ui: &mut Ui, areas: &[Rect], state: &AppState, commands: &mut Vec<Command>) -> f32 {
    let sides = &state.open.view.sides;
    let (Some(&first), Some(&last)) = (areas.first(), areas.last()) else { return 0.0 };
    let mut top = last.bottom();
    for side in Side::ALL {
        let Some(overlay) = sides[side].overlay.filter(|_| state.open.view.compare.shows(side)) else { continue };
        let area = if side == Side::A { first } else { last };
        // One above the other where both are in one view.
        let is_above =
            areas.len() == 1 && side == Side::A && sides.b.overlay.is_some() && state.open.view.compare.shows(Side::B);
        let bottom = area.bottom() - MARGIN - if is_above { HEIGHT + 6.0 } else { 0.0 } - toolbar_room(area);
        let place = Rect::from_min_size(pos2(area.right() - MARGIN - WIDTH, bottom - HEIGHT), vec2(WIDTH, HEIGHT));
        ui.scope_builder(UiBuilder::new().max_rect(place).id_salt(side), |ui| card(ui, side, overlay, state, commands));
        if area == last {
            top = top.min(place.top());
        }
    }
    last.bottom() - top
}

/// Above the tools where the area is too narrow for both.
fn toolbar_room(area: Rect) -> f32 {
    if area.width() < 620.0 { 44.0 } else { 0.0 }
}

fn card(ui: &mut Ui, side: Side, overlay: Overlay, state: &AppState, commands: &mut Vec<Command>) {
    let frame = Frame::new().fill(ui.visuals().window_fill.gamma_multiply(0.94)).corner_radius(6).inner_margin(8);
    frame.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 3.0;
        let painted = state.painted(side).map(|p| p.values.as_ref());
        ui.horizontal(|ui| {
            let (dot, _) = ui.allocate_exact_size(vec2(8.0, 14.0), Sense::hover());
            ui.painter().circle_filled(dot.center(), 4.0, side_color(side));
            ui.label(RichText::new(overlay.title()).small().strong());
            if let Some(Values::Scalars { range, .. }) = painted {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    range_menu(ui, (side, overlay), *range, state.open.view.sides[side].range, commands);
                });
            }
        });
        match painted {
            Some(Values::Scalars { ramp, range, .. }) => {
                bar(ui, *ramp);
                ticks(ui, overlay, *range);
            }
            Some(Values::Colors { .. }) => {
                ui.label(RichText::new("A colour for each joint; point at the skin to read it").small().weak());
            }
            None if matches!(state.measured(), Some(Err(_))) => {
                ui.label(RichText::new("Not measured: see the line below").small().weak());
            }
            None => {
                ui.label(RichText::new("Measuring…").small().weak());
            }
        }
    });
}

/// The ramp from the low end to the high one.
fn bar(ui: &mut Ui, ramp: Ramp) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 10.0), Sense::hover());
    let colors = ramp.colors();
    let mut mesh = Mesh::default();
    let step = rect.width() / colors.len() as f32;
    for (i, &[r, g, b]) in colors.iter().enumerate() {
        let left = rect.left() + step * i as f32;
        let strip = Rect::from_min_max(pos2(left, rect.top()), pos2(left + step, rect.bottom()));
        mesh.add_colored_rect(strip, Color32::from_rgb(r, g, b));
    }
    ui.painter().add(Shape::mesh(mesh));
}

fn ticks(ui: &mut Ui, overlay: Overlay, [low, high]: [f32; 2]) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 12.0), Sense::hover());
    let font = egui::TextStyle::Small.resolve(ui.style());
    let color = ui.visuals().text_color();
    let middle = f32::midpoint(low, high);
    // Where values are whole numbers, so are the ticks, and one that would repeat an end is left out.
    let middle = if overlay.is_whole() { middle.round() } else { middle };
    let ticks =
        [(low, egui::Align2::LEFT_CENTER), (middle, egui::Align2::CENTER_CENTER), (high, egui::Align2::RIGHT_CENTER)];
    for (i, (value, align)) in ticks.into_iter().enumerate() {
        let text = overlay.text(value);
        if i == 1 && [low, high].iter().any(|end| overlay.text(*end) == text) {
            continue;
        }
        let share = if high > low { (value - low) / (high - low) } else { 0.0 };
        let at = pos2(rect.left() + rect.width() * share, rect.center().y);
        ui.painter().text(at, align, text, font.clone(), color);
    }
}

/// Fits what is painted, stays as it is, or is typed.
fn range_menu(
    ui: &mut Ui,
    (side, overlay): (Side, Overlay),
    shown: [f32; 2],
    chosen: Option<[f32; 2]>,
    commands: &mut Vec<Command>,
) {
    let mut set = |range| commands.push(Command::SetRange(side, range));
    let text = RichText::new(if chosen.is_some() { "Fixed" } else { "Auto" }).small();
    let button = Button::new(text).small();
    // A click into a field is no choice that closes the menu.
    let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (response, _) = MenuButton::from_button(button).config(stays).ui(ui, |ui| {
        if ui.radio(chosen.is_none(), "Auto").on_hover_text("The range fits what is painted").clicked() {
            set(None);
        }
        if ui
            .radio(chosen.is_some(), "Fixed")
            .on_hover_text("The range stays as it is, so that poses can be compared")
            .clicked()
        {
            set(Some(shown));
        }
        let [mut low, mut high] = chosen.unwrap_or(shown);
        let speed = f64::from((high - low).abs().max(1e-6)) * 0.01;
        let field = |ui: &mut Ui, value: &mut f32, name: &str| {
            let field = DragValue::new(value).speed(speed).max_decimals(4).suffix(suffix(overlay));
            ui.add(field).accessible_name(name).on_hover_text(name).changed()
        };
        ui.horizontal(|ui| {
            let from = field(ui, &mut low, "Low end");
            ui.label("to");
            let to = field(ui, &mut high, "High end");
            if (from || to) && low < high {
                set(Some([low, high]));
            }
        });
    });
    response.on_hover_text("Range of the colours").accessible_name(format!("Range of {side:?}"));
}

/// The unit in which a range is typed.
fn suffix(overlay: Overlay) -> String {
    match overlay.spec().unit {
        "" => String::new(),
        unit => format!(" {unit}"),
    }
}
