//! Preferences: all settings that are kept between runs and belong to no single panel.

use std::path::Path;

use egui::{ComboBox, Context, DragValue, Id, Label, Modal, RichText, ScrollArea, Ui, vec2};

use super::actions::{button_called, menu_toggle};
use super::image_menu;
use super::inspector::order_chooser;
use super::key_map::{KeyMap, consume};
use super::menu_bar::{GIZMO_SIZES, SMOOTHINGS};
use super::shortcut_editor;
use super::split_row::split_row;
use super::toolbar::orientation_hint;
use crate::fonts::drawn;
use crate::gizmo::{Orientation, Pivot};
use crate::state::{Action, AppState, Command, Commands, PosingOptions, Smoothing, ThemeChoice};

/// Interface scales that are offered. Ctrl + and Ctrl - reach others.
pub(super) const SCALES: [f32; 7] = [0.9, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0];

pub(super) fn scale_text(scale: f32) -> String {
    format!("{:.0} %", scale * 100.0)
}

#[derive(Default)]
pub(super) struct Preferences {
    is_open: bool,
}

impl Preferences {
    pub(super) fn toggle(&mut self) {
        self.is_open ^= true;
    }

    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    pub(super) fn ui(&mut self, ctx: &Context, state: &AppState, commands: &mut Commands) {
        if !self.is_open {
            return;
        }
        let window = ctx.content_rect().size();
        let modal = Modal::new(Id::unique("preferences")).show(ctx, |ui| {
            ui.set_width((window.x - 48.0).min(620.0));
            let is_closed = header(ui, commands);
            ui.separator();
            let height = window.y * 0.94 - 96.0;
            let scroll = ScrollArea::vertical().auto_shrink([false, true]);
            scroll.max_height(height).min_scrolled_height(height).show(ui, |ui| {
                // Leaves room for the scroll bar.
                ui.set_max_width(ui.available_width() - 12.0);
                sections(ui, state, commands);
            });
            is_closed
        });
        // The shortcut editor must not open under this dialog.
        let opens_keys = commands.iter().any(|command| matches!(command, Command::Do(Action::ToggleHelp)));
        let keys = KeyMap::keys(ctx, Action::TogglePreferences);
        let is_toggled = ctx.input_mut(|i| keys.iter().any(|key| consume(i, *key)));
        if modal.inner || is_toggled || opens_keys || modal.should_close() {
            self.is_open = false;
        }
    }
}

/// Draws title and close button. Returns whether the dialog should close.
fn header(ui: &mut Ui, commands: &mut Commands) -> bool {
    let mut is_closed = false;
    let title = |ui: &mut Ui, _: &mut Commands| _ = ui.label(RichText::new("Preferences").heading().strong());
    split_row(ui, commands, title, |ui, _| {
        is_closed = ui.button("✖").on_hover_text("Close (Esc)").accessible_name("Close preferences").clicked();
    });
    is_closed
}

type Section = fn(&mut Ui, &AppState, &mut Commands);

fn sections(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let all: [(&str, Section); 7] = [
        ("Interface", interface),
        ("Keys and mouse", keys),
        ("Posing", posing),
        ("Files", files),
        ("Images", image_menu::options),
        ("Image quality", quality),
        ("Graphics driver", |ui, state, _| driver_ui(ui, state)),
    ];
    for (title, section) in all {
        ui.label(RichText::new(title).strong());
        section(ui, state, commands);
        ui.add_space(12.0);
    }
}

/// Draws a setting: its name, then its control.
fn row(ui: &mut Ui, name: &str, hint: &str, control: impl FnOnce(&mut Ui)) {
    const NAME_WIDTH: f32 = 150.0;
    ui.horizontal_wrapped(|ui| {
        let size = vec2(NAME_WIDTH, ui.spacing().interact_size.y);
        ui.allocate_ui(size, |ui| {
            ui.set_min_width(NAME_WIDTH);
            ui.add(Label::new(name).truncate()).on_hover_text(hint);
        });
        control(ui);
    });
}

/// Draws a choice of a few values. Returns the value that was clicked.
fn chosen<T: Copy + PartialEq>(ui: &mut Ui, current: T, all: impl IntoIterator<Item = (T, String)>) -> Option<T> {
    let clicked = all.into_iter().filter(|(value, name)| ui.selectable_label(*value == current, name).clicked());
    clicked.last().map(|(value, _)| value)
}

fn interface(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    row(ui, "Theme", "Colours of the window", |ui| {
        let all = ThemeChoice::ALL.map(|theme| (theme, theme.name().to_owned()));
        commands.extend(chosen(ui, state.settings.theme, all).map(Command::SetTheme));
    });
    let scale = ui.ctx().zoom_factor();
    row(ui, &format!("Interface scale, {}", scale_text(scale)), "Ctrl + and Ctrl - change it too", |ui| {
        let all = SCALES.map(|scale| (scale, scale_text(scale)));
        commands.extend(chosen(ui, scale, all).map(Command::SetScale));
    });
    menu_toggle(ui, Action::ToggleFrameTimes, state.settings.frame_times, commands);
    menu_toggle(ui, Action::ToggleAllNodes, state.settings.all_nodes, commands);
}

fn keys(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.horizontal_wrapped(|ui| {
        shortcut_editor::preset(ui, &state.settings.shortcuts, commands);
        button_called(ui, Action::ToggleHelp, "Edit keys…", state, commands);
    });
}

fn posing(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let posing = state.settings.posing;
    row(ui, "Euler order", "Order of the angles in the Joint tab", |ui| {
        order_chooser(ui, state.settings.euler_order, commands);
    });
    row(ui, "Gizmo orientation", "Alignment of the gizmo's axes", |ui| {
        for orientation in Orientation::ALL {
            let is_chosen = state.settings.orientation == orientation;
            let response = ui.selectable_label(is_chosen, format!("{orientation:?}"));
            let is_clicked = response.on_hover_text(orientation_hint(orientation)).clicked();
            commands.push_if(is_clicked, Command::SetOrientation(orientation));
        }
    });
    row(ui, "Gizmo pivot", "Centre of rotation and scale for several joints", |ui| {
        let all = [(Pivot::Individual, "Individual".to_owned()), (Pivot::Active, "About active".to_owned())];
        let pivot = chosen(ui, posing.pivot, all);
        commands.extend(pivot.map(|pivot| Command::SetPosing(PosingOptions { pivot, ..posing })));
    });
    row(ui, "Gizmo size", "Size of the gizmo on the screen", |ui| {
        let current = GIZMO_SIZES[state.settings.gizmo_size as usize];
        let all = GIZMO_SIZES.map(|action| (action, action.spec().name.to_owned()));
        commands.extend(chosen(ui, current, all).map(Command::Do));
    });
    row(ui, "IK chain", "Bones in the IK chain; a pinned joint ends it", |ui| {
        let mut chain_bones = posing.chain_bones;
        let field = DragValue::new(&mut chain_bones).range(1..=32).suffix(" bones").speed(0.05);
        let is_changed = ui.add(field).accessible_name("Bones in the IK chain").changed();
        commands.push_if(is_changed, Command::SetPosing(PosingOptions { chain_bones, ..posing }));
    });
    menu_toggle(ui, Action::ToggleIk, posing.ik, commands);
    menu_toggle(ui, Action::ToggleSymmetry, posing.symmetry, commands);
}

fn files(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let settings = &state.settings;
    menu_toggle(ui, Action::ToggleReloadOnChange, settings.reload_on_change, commands);
    menu_toggle(ui, Action::ToggleKeepVersionBefore, settings.keeps_version_before, commands);
    ui.horizontal_wrapped(|ui| {
        ui.weak("Unsaved work is saved while you edit.");
        button_called(ui, Action::RestoreSession, "Restore last session", state, commands);
    });
}

fn quality(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    row(ui, "Anti-aliasing", "Samples per pixel of the viewport; saved images always have four", |ui| {
        let chosen = state.settings.smoothing;
        let name = |smoothing: Smoothing| SMOOTHINGS[smoothing as usize].spec().name;
        ComboBox::from_id_salt("anti-aliasing")
            .selected_text(name(chosen))
            .width(200.0)
            .show_ui(ui, |ui| {
                for (smoothing, action) in Smoothing::ALL.into_iter().zip(SMOOTHINGS) {
                    let response = ui.selectable_label(smoothing == chosen, action.spec().name);
                    commands.push_if(response.on_hover_text(action.spec().hint).clicked(), Command::Do(action));
                }
            })
            .response
            .accessible_name("Anti-aliasing");
    });
    let file = state.open.stage.view.environment_file.wanted.as_deref();
    row(ui, "Environment map", Action::LightByFile.spec().hint, |ui| {
        let name = file.and_then(Path::file_name).map(|name| name.to_string_lossy());
        let name = name.as_deref().map_or("None".into(), drawn);
        let label = ui.add(Label::new(name).truncate());
        if let Some(file) = file {
            label.on_hover_text(drawn(&file.to_string_lossy()));
        }
        button_called(ui, Action::LightByFile, "Choose…", state, commands);
        let remove = |ui: &mut Ui| ui.button("Remove").on_hover_text("Use the built-in light").clicked();
        let environment = state.open.stage.view.display.light.environment;
        commands.push_if(file.is_some() && remove(ui), Command::SetEnvironment(environment));
    });
    menu_toggle(ui, Action::ToggleEnvironmentBackground, state.open.stage.view.display.light.backdrop, commands);
}

/// Draws what the graphics driver reports about itself, with a button to copy it.
pub(super) fn driver_ui(ui: &mut Ui, state: &AppState) {
    let driver = &state.driver;
    let kind = if driver.is_software { "Software renderer" } else { "Graphics device" };
    let lines = [(kind, &driver.device), ("Vendor", &driver.vendor), ("OpenGL", &driver.version)];
    let lines: Vec<String> = lines.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    for line in &lines {
        ui.add(Label::new(line).wrap());
    }
    if ui.small_button("Copy").on_hover_text("Copy version and driver, for a report").clicked() {
        ui.copy_text(format!("Rigscope {}\n{}", env!("CARGO_PKG_VERSION"), lines.join("\n")));
    }
}
