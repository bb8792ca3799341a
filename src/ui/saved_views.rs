use egui::containers::menu::{MenuConfig, SubMenuButton};
use egui::{Align2, Grid, Id, PopupCloseBehavior, TextEdit, Ui, vec2};

use super::actions::menu_item;
use crate::state::{Action, AppState, Command, Commands, SavedViewCommand};

const NAME: f32 = 140.0;

pub(super) fn menu(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    // Clicking a name field must not close the menu.
    let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    SubMenuButton::new("Saved views").config(stays).ui(ui, |ui| {
        menu_item(ui, Action::SaveView, state, commands);
        if state.open.stage.view.saved.is_empty() {
            return;
        }
        ui.separator();
        Grid::new("saved views").num_columns(4).spacing([6.0, 4.0]).show(ui, |ui| {
            for view in &state.open.stage.view.saved {
                row(ui, &view.name, view.follows.as_deref(), commands);
                ui.end_row();
            }
        });
    });
}

fn row(ui: &mut Ui, name: &str, follows: Option<&str>, commands: &mut Commands) {
    rename(ui, name, commands);
    let mut button = |text: &str, hint: &str, closes: bool, command: fn(String) -> SavedViewCommand| {
        let response = ui.button(text).on_hover_text(hint);
        if response.accessible_name(format!("{text} {name}")).clicked() {
            commands.push(Command::SavedView(command(name.to_owned())));
            closes.then(|| ui.close());
        }
    };
    let shown = follows.map_or("Look from there".to_owned(), |joint| format!("Look from there and follow {joint}"));
    button("Show", &shown, true, SavedViewCommand::Show);
    button("Replace", "Replace with the current view", false, SavedViewCommand::Replace);
    button("Delete", "Forget this view; Undo brings it back", false, SavedViewCommand::Delete);
}

/// Draws a field with a view's name. The view is renamed when the field loses focus.
fn rename(ui: &mut Ui, name: &str, commands: &mut Commands) {
    let id = Id::unique(("name of saved view", name));
    let mut text = ui.data(|data| data.get_temp(id)).unwrap_or_else(|| name.to_owned());
    let field = TextEdit::singleline(&mut text).id(id).align(Align2::LEFT_CENTER);
    let size = vec2(NAME, ui.spacing().interact_size.y);
    let response = ui.add_sized(size, field).on_hover_text("The name; Enter renames the view");
    if response.changed() {
        ui.data_mut(|data| data.insert_temp(id, text.clone()));
    }
    if response.lost_focus() {
        ui.data_mut(|data| data.remove::<String>(id));
        let command = SavedViewCommand::Rename(name.to_owned(), text.clone());
        commands.extend((text != name).then_some(Command::SavedView(command)));
    }
    response.accessible_name(format!("Name of {name}"));
}
