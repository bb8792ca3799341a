//! Menus, the open file, and the switch between the skinning methods.

use std::path::Path;

use egui::{Align, Button, Color32, Layout, MenuBar, RichText, Ui};

use super::actions::{info, menu_item, menu_toggle};
use super::theme;
use crate::skinning::Method;
use crate::state::{Action, AppState, BuiltIn, Command, ShowMe, SidePanel, Source, ThemeChoice};

/// Draws the bar.
pub fn ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    MenuBar::new().ui(ui, |ui| {
        ui.menu_button("File", |ui| file_menu(ui, state, commands));
        ui.menu_button("Edit", |ui| edit_menu(ui, state, commands));
        ui.menu_button("Pose", |ui| pose_menu(ui, state, commands));
        ui.menu_button("View", |ui| view_menu(ui, state, commands));
        ui.menu_button("Show me", |ui| show_me_menu(ui, commands));
        ui.menu_button("Help", |ui| menu_item(ui, Action::ToggleHelp, state, commands));
        ui.add_space(8.0);
        ui.label(RichText::new(state.document.source.name()).weak()).on_hover_text(state.document.source.full_name());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| method_switch(ui, state, commands));
    });
}

/// The most important control: which method the picture shows.
fn method_switch(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    for method in Method::ALL.into_iter().rev() {
        let is_on = state.view.method == method;
        let (fill, ink) = if is_on {
            (theme::method_color(method), Color32::from_rgb(0x10, 0x12, 0x16))
        } else {
            (ui.visuals().widgets.inactive.bg_fill, ui.visuals().weak_text_color())
        };
        let text = RichText::new(method.label()).strong().size(14.0).color(ink);
        let button = Button::selectable(is_on, text).fill(fill).min_size([64.0, 26.0].into());
        let response = ui.add(button).on_hover_text(format!("{} (M for the other)", method.full_name()));
        if response.clicked() {
            commands.push(Command::SetMethod(method));
        }
    }
    ui.label(RichText::new("Skinning").weak());
}

fn file_menu(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    menu_item(ui, Action::Open, state, commands);
    ui.menu_button("Open recent", |ui| recent_menu(ui, state, commands));
    ui.menu_button("Open built-in", |ui| {
        for built_in in BuiltIn::ALL {
            if ui.button(built_in.name()).clicked() {
                commands.push(Command::Open(Source::BuiltIn(built_in)));
                ui.close();
            }
        }
    });
    menu_item(ui, Action::Reload, state, commands);
    ui.separator();
    menu_item(ui, Action::OpenPose, state, commands);
    menu_item(ui, Action::SavePose, state, commands);
    menu_item(ui, Action::SavePicture, state, commands);
    ui.separator();
    menu_item(ui, Action::Quit, state, commands);
}

fn recent_menu(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    if state.settings.recent_files.is_empty() {
        ui.label(RichText::new("No files yet").weak());
        return;
    }
    for path in &state.settings.recent_files {
        if ui.button(with_folder(path)).on_hover_text(path.display().to_string()).clicked() {
            commands.push(Command::Open(Source::File(path.clone())));
            ui.close();
        }
    }
    ui.separator();
    if ui.button("Clear list").clicked() {
        commands.push(Command::ClearRecent);
        ui.close();
    }
}

/// A file's name with its folder's: many are called scene.gltf.
fn with_folder(path: &Path) -> String {
    let name = Source::File(path.to_owned()).name();
    match path.parent().and_then(Path::file_name) {
        Some(folder) => format!("{}/{name}", folder.to_string_lossy()),
        None => name,
    }
}

fn edit_menu(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    named_step(ui, Action::Undo, state.history.undo_label(), commands);
    named_step(ui, Action::Redo, state.history.redo_label(), commands);
    ui.separator();
    for action in [Action::SelectParent, Action::SelectChild, Action::ClearSelection] {
        menu_item(ui, action, state, commands);
    }
}

fn pose_menu(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    for action in [Action::RestPose, Action::BindPose, Action::ClipPose, Action::UserPose] {
        menu_item(ui, action, state, commands);
    }
    ui.separator();
    for action in [Action::ResetRotation, Action::ResetJoint, Action::ResetSubtree, Action::ResetAll] {
        menu_item(ui, action, state, commands);
    }
}

/// Undo and redo say what they would do.
fn named_step(ui: &mut Ui, action: Action, label: Option<&str>, commands: &mut Vec<Command>) {
    let info = info(action);
    let text = label.map_or(info.name.to_owned(), |l| format!("{} {l}", info.name));
    let button = Button::new(text).shortcut_text(info.key_text().unwrap_or_default());
    if ui.add_enabled(label.is_some(), button).clicked() {
        commands.push(Command::Do(action));
        ui.close();
    }
}

fn view_menu(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let display = state.view.display;
    menu_toggle(ui, Action::ToggleBones, display.bones, commands);
    menu_toggle(ui, Action::ToggleBonesInFront, display.bones_in_front, commands);
    menu_toggle(ui, Action::ToggleGrid, display.grid, commands);
    menu_toggle(ui, Action::ToggleWireframe, display.wireframe, commands);
    menu_toggle(ui, Action::ToggleClay, display.clay, commands);
    menu_toggle(ui, Action::ToggleOrthographic, state.view.camera.is_orthographic, commands);
    ui.separator();
    menu_toggle(ui, Action::ShowLint, state.side_panel == SidePanel::Lint, commands);
    ui.separator();
    menu_item(ui, Action::FrameSelected, state, commands);
    menu_item(ui, Action::FrameAll, state, commands);
    ui.menu_button("Look from", |ui| {
        for action in [
            Action::ViewFront,
            Action::ViewBack,
            Action::ViewLeft,
            Action::ViewRight,
            Action::ViewTop,
            Action::ViewBottom,
        ] {
            menu_item(ui, action, state, commands);
        }
    });
    ui.separator();
    ui.menu_button("Theme", |ui| {
        for (theme, name) in
            [(ThemeChoice::Dark, "Dark"), (ThemeChoice::Light, "Light"), (ThemeChoice::System, "As the system")]
        {
            if ui.radio(state.settings.theme == theme, name).clicked() {
                commands.push(Command::SetTheme(theme));
                ui.close();
            }
        }
    });
}

fn show_me_menu(ui: &mut Ui, commands: &mut Vec<Command>) {
    for show_me in ShowMe::ALL {
        if ui.button(show_me.label()).on_hover_text(show_me.explanation()).clicked() {
            commands.push(Command::ShowMe(show_me));
            ui.close();
        }
    }
}
