//! Shading menu in the corner of the viewport, for surface shading, overlays and light.

use std::path::Path;

use egui::containers::menu::MenuButton;
use egui::{Button, Rect, ScrollArea, Slider, TextStyle, Ui, UiBuilder, Vec2, vec2};

use super::names::shortened;
use crate::fonts::drawn;
use crate::state::{Action, AppState, Command, Commands};
use crate::view::{Display, Environment, Lighting, Overlay, Shading, ShadingMode};

const MARGIN: Vec2 = vec2(12.0, 10.0);

const SHADINGS_WIDTH: f32 = 170.0;
/// Width of the environment map's radio button without its text, points.
const ENVIRONMENT_MAP_BUTTON: f32 = 24.0;
const VALUES_WIDTH: f32 = 190.0;

/// Draws the menu button. Returns the width, in points, that it occupies at the viewport's top edge.
pub(super) fn ui(ui: &mut Ui, viewport: Rect, state: &AppState, commands: &mut Commands) -> f32 {
    let place = Rect::from_min_max(viewport.min + MARGIN, viewport.max);
    let shown = state.open.stage.view.shading();
    let menu = |ui: &mut Ui| {
        let button = Button::new(format!("{} ⏷", shown.name())).fill(ui.visuals().panel_fill);
        let room = viewport.height() - 60.0;
        let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
            ScrollArea::vertical().max_height(room).min_scrolled_height(room.min(460.0)).show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    ui.vertical(|ui| {
                        ui.set_width(SHADINGS_WIDTH);
                        choices(ui, ShadingMode::ALL.into_iter().map(Shading::Mode), shown, commands);
                        ui.separator();
                        light(ui, state, commands);
                    });
                    ui.vertical(|ui| {
                        ui.set_width(VALUES_WIDTH);
                        choices(ui, Overlay::ALL.into_iter().map(Shading::Overlay), shown, commands);
                    });
                });
            });
        });
        response.on_hover_text("Shading of the skin").accessible_name("Shading").rect.width()
    };
    ui.scope_builder(UiBuilder::new().max_rect(place).id_salt("shading"), menu).inner + MARGIN.x
}

fn choices(ui: &mut Ui, all: impl Iterator<Item = Shading>, shown: Shading, commands: &mut Commands) {
    for shading in all {
        let is_clicked = ui.radio(shading == shown, shading.name()).on_hover_text(shading.hint()).clicked();
        commands.push_and_close(is_clicked, Command::Shade(shading), ui);
    }
}

fn light(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let (display, file) = (state.open.stage.view.display, state.open.stage.view.environment_file.wanted.as_deref());
    let mut light = display.light;
    for environment in Environment::ALL {
        let is_shown = file.is_none() && light.environment == environment;
        let response = ui.radio(is_shown, format!("Light: {}", environment.name().to_lowercase()));
        if response.on_hover_text(format!("{}; Shift + right drag rotates it", environment.hint())).clicked() {
            commands.push(Command::SetEnvironment(environment));
        }
    }
    environment_map(ui, file, commands);
    ui.checkbox(&mut light.backdrop, Action::ToggleEnvironmentBackground.spec().name)
        .on_hover_text(Action::ToggleEnvironmentBackground.spec().hint);
    let label = ui.label("Exposure, stops");
    ui.add(Slider::new(&mut light.exposure, Lighting::EXPOSURES).step_by(0.1))
        .on_hover_text("Brightness of the light on materials; each stop doubles it")
        .labelled_by(label.id);
    commands.push_if(light != display.light, Command::SetDisplay(Display { light, ..display }));
}

fn environment_map(ui: &mut Ui, file: Option<&Path>, commands: &mut Commands) {
    let spec = Action::LightByFile.spec();
    let name = file.and_then(Path::file_name).map_or_else(|| "environment map…".into(), |name| name.to_string_lossy());
    let text = format!("Light: {}", drawn(&name));
    let shown = shortened(ui, &text, ui.available_width() - ENVIRONMENT_MAP_BUTTON, &TextStyle::Button);
    let hint = format!("{}, initially as bright as the studio; Shift + right drag rotates it", spec.hint);
    let hint = file.map_or_else(|| hint.clone(), |file| format!("{hint}\n{}", drawn(&file.to_string_lossy())));
    let is_clicked = ui.radio(file.is_some(), shown).on_hover_text(hint).clicked();
    commands.push_and_close(is_clicked, Command::Do(spec.action), ui);
}
