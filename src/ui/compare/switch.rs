//! Comparison controls in the menu bar: methods of both sides and their layout.

use egui::containers::menu::MenuButton;
use egui::{Button, Response, RichText, TextStyle, Ui};

use super::icons;
use crate::skinning::{Method, Skinning};
use crate::state::{Action, AppState, Command, Commands};
use crate::ui::{names, theme};
use crate::view::{Layout, Side};

const MIN_WIDTH_FOR_EXTRAS: f32 = 900.0;

pub(crate) fn action(layout: Layout) -> Action {
    match layout {
        Layout::Single => Action::LayoutSingle,
        Layout::Wipe => Action::LayoutWipe,
        Layout::SideBySide => Action::LayoutSideBySide,
        Layout::Ghost => Action::LayoutGhost,
    }
}

pub(crate) fn has_room_for_extras(ui: &Ui) -> bool {
    ui.ctx().content_rect().width() >= MIN_WIDTH_FOR_EXTRAS
}

pub(crate) fn ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    // egui gives buttons in a menu bar almost no padding.
    ui.spacing_mut().button_padding.x = 8.0;
    let is_single = state.open.stage.view.compare.layout == Layout::Single;
    if is_single && state.open.stage.rig().skins.is_empty() {
        // Methods change nothing without a skin.
    } else if is_single {
        if has_room_for_extras(ui) {
            ui.weak("Skinning");
        }
        method_switch(ui, state, commands);
    } else {
        chooser(ui, Side::A, state, commands);
        let info = Action::SwapSides.spec();
        if icons::swap_button(ui).accessible_name(info.name).on_hover_text(info.hover_text(ui.ctx())).clicked() {
            commands.push(Command::Do(Action::SwapSides));
        }
        chooser(ui, Side::B, state, commands);
    }
    ui.add_space(8.0);
    for layout in Layout::ALL {
        layout_button(ui, layout, state, commands);
    }
}

fn layout_button(ui: &mut Ui, layout: Layout, state: &AppState, commands: &mut Commands) {
    let info = action(layout).spec();
    let cycle = Action::NextLayout.spec().key_text(ui.ctx());
    let hint = cycle.map_or(info.hint.to_owned(), |key| format!("{}: {} ({key} for next)", info.name, info.hint));
    let response = icons::layout_button(ui, layout, state.open.stage.view.compare.layout == layout);
    commands.push_if(response.accessible_name(info.name).on_hover_text(hint).clicked(), Command::Do(info.action));
}

fn method_switch(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let shown = state.open.stage.view.sides.a.skinning.method;
    let further = (!Method::ALL.contains(&shown)).then_some(shown);
    for method in Method::ALL.into_iter().chain(further) {
        let name = if method == shown { state.open.stage.method_name(Side::A) } else { method.label().to_owned() };
        commands.push_if(segment(ui, method, name, method == shown).clicked(), Command::SetMethod(method));
    }
    let button = MenuButton::from_button(Button::new("⏷").min_size([22.0, 26.0].into()));
    let (response, _) = button.ui(ui, |ui| method_menu(ui, Side::A, state, commands));
    response.accessible_name("All methods").on_hover_text("All methods");
}

fn segment(ui: &mut Ui, method: Method, name: String, is_on: bool) -> Response {
    let visuals = ui.visuals();
    // Side colours are used only while two sides are visible.
    let (fill, ink) = if is_on {
        (visuals.selection.bg_fill, visuals.strong_text_color())
    } else {
        (visuals.widgets.inactive.bg_fill, visuals.weak_text_color())
    };
    let text = RichText::new(name).strong().size(14.0).color(ink);
    let button = Button::selectable(is_on, text).fill(fill).min_size([64.0, 26.0].into());
    let key = Action::NextMethod.spec().key_text(ui.ctx());
    let hint = key.map_or(String::new(), |key| format!(" ({key} to switch)"));
    ui.add(button).on_hover_text(format!("{}{hint}", method.full_name()))
}

fn chooser(ui: &mut Ui, side: Side, state: &AppState, commands: &mut Commands) {
    const MAX_WIDTH: f32 = 0.14;
    let name = format!("{side:?}  {}", state.open.stage.side_name(side));
    let shown = names::shortened(ui, &name, MAX_WIDTH * ui.ctx().content_rect().width(), &TextStyle::Button);
    let text = RichText::new(shown).strong().color(theme::INK);
    let button = Button::new(text).fill(theme::side_color(side)).min_size([64.0, 26.0].into());
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| method_menu(ui, side, state, commands));
    let response = response.accessible_name(&name);
    response.on_hover_text(format!("Side {name}: {}", state.open.stage.view.sides[side].skinning.method.full_name()));
}

pub(super) fn method_menu(ui: &mut Ui, side: Side, state: &AppState, commands: &mut Commands) {
    if state.open.stage.points_on(side).is_some() {
        ui.label("Points of another program have no method.");
        return;
    }
    let skinning = &state.open.stage.view.sides[side].skinning;
    for method in Method::CHOICES {
        // All `Method::Blend`s count as one method, regardless of their weight.
        let is_on = std::mem::discriminant(&skinning.method) == std::mem::discriminant(&method);
        if ui.radio(is_on, method.full_name()).on_hover_text(method.tradeoff()).clicked() {
            commands.push(Command::SetSkinning(side, Skinning { method, ..skinning.clone() }));
            ui.close();
        }
    }
}
