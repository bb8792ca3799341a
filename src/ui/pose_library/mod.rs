//! The character's pose library as cards, for applying, blending, renaming and deleting poses.

mod card;

use std::path::Path;

use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Align, Button, Key, Layout, Panel, RichText, ScrollArea, Slider, TextEdit, TextureHandle, Ui, vec2};

use super::actions;
use super::inspector::FieldEdit;
use super::search::Filter;
use super::thumbnails::thumbnail_texture;
use crate::state::{
    Action, AppState, CardPose, Command, Commands, LibraryCommand, LibraryPoseOptions, PoseCard, PoseNaming,
    name_problem,
};

#[derive(Default)]
pub(super) struct PoseLibraryPanel {
    filter: String,
    name: Option<(PoseNaming, String)>,
    options: LibraryPoseOptions,
}

/// The filter is shown for more poses than this.
const MANY: usize = 8;
/// Number of cards in a row.
const COLUMNS: usize = 2;
/// Space between cards, points.
const GAP: f32 = 8.0;

impl PoseLibraryPanel {
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        header(ui, state, commands);
        self.name_field(ui, state, commands);
        let library = &state.open.library;
        let Some(listing) = &library.listing else {
            ui.weak("Reading poses…");
            return;
        };
        if let Some(problem) = &listing.problem {
            ui.label(RichText::new(problem).color(ui.visuals().warn_fg_color));
        }
        if listing.cards.is_empty() {
            empty(ui, state);
            return;
        }
        if listing.cards.len() > MANY {
            let field =
                TextEdit::singleline(&mut self.filter).hint_text("🔍 Filter poses").desired_width(f32::INFINITY);
            ui.add(field).accessible_name("Filter poses").on_hover_text("Filter by name");
        } else {
            self.filter.clear();
        }
        if let Some(card) = library.selected.as_deref().and_then(|path| library.card(path)) {
            let frame = egui::Frame::new().inner_margin(egui::Margin { top: 8, ..egui::Margin::ZERO });
            Panel::bottom("pose of the library")
                .frame(frame)
                .resizable(false)
                .show(ui, |ui| self.selected(ui, card, state, commands));
        }
        self.cards(ui, &listing.cards, state, commands);
    }

    fn cards(&self, ui: &mut Ui, cards: &[PoseCard], state: &AppState, commands: &mut Commands) {
        let wanted = Filter::new(&self.filter);
        let shown: Vec<&PoseCard> = cards.iter().filter(|c| wanted.is_in(&c.name)).collect();
        if shown.is_empty() {
            ui.weak("No matching poses");
        }
        ui.spacing_mut().item_spacing = vec2(GAP, GAP);
        let bar = ui.spacing().scroll.allocated_width();
        let width = ((ui.available_width() - bar - GAP * (COLUMNS - 1) as f32) / COLUMNS as f32).max(40.0);
        let size = vec2(width, card::height(width));
        ScrollArea::vertical().auto_shrink(false).show_rows(ui, size.y, shown.len().div_ceil(COLUMNS), |ui, rows| {
            for row in rows {
                ui.horizontal(|ui| {
                    for &card in shown.iter().skip(row * COLUMNS).take(COLUMNS) {
                        let thumbnail = card.thumbnail.as_ref();
                        let texture = thumbnail.map(|thumbnail| thumbnail_texture(ui.ctx(), thumbnail));
                        self.card(ui, size, card, texture.as_ref(), state, commands);
                    }
                });
            }
        });
    }

    fn card(
        &self,
        ui: &mut Ui,
        size: egui::Vec2,
        card: &PoseCard,
        texture: Option<&TextureHandle>,
        state: &AppState,
        commands: &mut Commands,
    ) {
        let path = &card.file.path;
        let is_selected = state.open.library.selected.as_ref() == Some(path);
        let response = card::ui(ui, size, card, texture, is_selected);
        if response.clicked() {
            response.request_focus();
            commands.push(if is_selected && card.content.is_ok() {
                blend(path, 1.0, self.options)
            } else {
                Command::Library(LibraryCommand::Select(Some(path.clone())))
            });
        }
        if response.has_focus() && ui.input(|i| i.key_pressed(Key::Delete)) {
            commands.push(Command::Library(LibraryCommand::Delete(path.clone())));
        }
        if response.secondary_clicked() {
            commands.push(Command::Library(LibraryCommand::Select(Some(path.clone()))));
        }
        response.context_menu(|ui| file_menu(ui, path, state, commands));
        match &card.content {
            Ok(CardPose { about, .. }) => {
                response.on_hover_text(format!("{}\n{about}\nClick again to apply it", card.name))
            }
            Err(problem) => response.on_hover_text(format!("{} cannot be read.\n{problem}", path.display())),
        };
    }

    fn selected(&mut self, ui: &mut Ui, card: &PoseCard, state: &AppState, commands: &mut Commands) {
        let path = &card.file.path;
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.menu_button("More ⏷", |ui| file_menu(ui, path, state, commands))
                    .response
                    .accessible_name("More for this pose")
                    .on_hover_text("Overwrite, rename or delete");
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(egui::Label::new(RichText::new(&card.name).strong()).truncate());
                });
            });
        });
        if let Err(problem) = &card.content {
            ui.label(RichText::new(problem).color(ui.visuals().error_fg_color));
            return;
        }
        self.parts(ui, state);
        let mut percent = state.open.library.share(&state.open.stage, path, self.options) * 100.0;
        ui.horizontal(|ui| {
            let apply = Button::new("Apply").min_size(vec2(72.0, 26.0));
            let hint = "Apply the pose completely (or click the card again)";
            if ui.add(apply).on_hover_text(hint).clicked() {
                commands.push(blend(path, 1.0, self.options));
            }
            let number = ui.spacing().interact_size.x + 24.0;
            ui.spacing_mut().slider_width = (ui.available_width() - number - ui.spacing().item_spacing.x).max(40.0);
            let slider = Slider::new(&mut percent, 0.0..=100.0).suffix(" %").fixed_decimals(0).trailing_fill(true);
            let response = ui.add(slider).accessible_name("To this pose");
            FieldEdit::new(std::array::from_ref(&response))
                .emit(|| blend(path, percent / 100.0, self.options), commands);
            response.on_hover_text("Blend from the previous pose (0 %) to this one (100 %)");
        });
    }

    fn parts(&mut self, ui: &mut Ui, state: &AppState) {
        let has_selection = state.open.stage.view.active_joint().is_some();
        self.options.selected_only &= has_selection;
        ui.horizontal_wrapped(|ui| {
            let only = egui::Checkbox::new(&mut self.options.selected_only, "Selected joints only");
            ui.add_enabled(has_selection, only)
                .on_hover_text("The other joints stay as they are")
                .on_disabled_hover_text("Select joints first");
            ui.checkbox(&mut self.options.is_mirrored, "Mirrored").on_hover_text("Swap left and right");
        });
    }

    fn name_field(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        let Some(naming) = &state.open.library.naming else {
            self.name = None;
            return;
        };
        let is_new = self.name.as_ref().is_none_or(|(of, _)| of != naming);
        if is_new {
            self.name = Some((naming.clone(), first_name(naming, state)));
        }
        let Some((_, name)) = &mut self.name else { return };
        let problem = name_problem(name);
        let (title, verb) = match naming {
            PoseNaming::New if state.open.library.of_name(name).is_some() => ("Name of the pose", "Replace"),
            PoseNaming::New => ("Name of the pose", "Save"),
            PoseNaming::Rename(_) => ("New name", "Rename"),
        };
        let field = TextEdit::singleline(name).hint_text(title).desired_width(f32::INFINITY);
        let field = ui.add(field).accessible_name(title);
        if is_new {
            field.request_focus();
            // Selects the suggested name, so that typing replaces it.
            let all = CCursorRange::two(CCursor::default(), CCursor::new(name.chars().count()));
            let mut edit = TextEditState::load(ui.ctx(), field.id).unwrap_or_default();
            edit.cursor.set_char_range(Some(all));
            edit.store(ui.ctx(), field.id);
        }
        let (is_entered, is_left) = ui.input(|i| (i.key_pressed(Key::Enter), i.key_pressed(Key::Escape)));
        let (is_entered, is_left) = (is_entered && field.lost_focus(), is_left && field.lost_focus());
        ui.horizontal(|ui| {
            let save = ui.add_enabled(problem.is_none(), Button::new(verb)).on_hover_text("Enter");
            let save = save.on_disabled_hover_text(problem.clone().unwrap_or_default());
            if problem.is_none() && (save.clicked() || is_entered) {
                commands.push(Command::Library(named(naming, name)));
            } else if ui.button("Cancel").on_hover_text("Esc").clicked() || is_left {
                commands.push(Command::Library(LibraryCommand::Name(None)));
            } else if is_entered {
                field.request_focus();
            }
        });
        if let Some(problem) = problem.filter(|_| !name.is_empty()) {
            ui.label(RichText::new(problem).small().color(ui.visuals().warn_fg_color));
        }
        ui.add_space(4.0);
    }
}

fn header(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.add_space(12.0);
    ui.horizontal(|ui| {
        ui.strong("Library").on_hover_text(places(state));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            actions::button_called(ui, Action::SavePoseToLibrary, "Save pose…", state, commands);
        });
    });
}

fn places(state: &AppState) -> String {
    let folders: Vec<String> = state.open.library.folders().iter().map(|f| f.display().to_string()).collect();
    format!("Pose files in {}", folders.join("\nand, where that cannot be written, in "))
}

fn empty(ui: &mut Ui, state: &AppState) {
    ui.add_space(8.0);
    let text = "No saved poses for this character yet. Pose it and choose Save pose.";
    ui.weak(text).on_hover_text(places(state));
}

fn first_name(naming: &PoseNaming, state: &AppState) -> String {
    match naming {
        PoseNaming::Rename(path) => state.open.library.card(path).map(|card| card.name.clone()).unwrap_or_default(),
        PoseNaming::New => {
            let names = (1..).map(|number| format!("Pose {number}"));
            names
                .take(state.open.library.cards().len() + 1)
                .find(|n| state.open.library.of_name(n).is_none())
                .unwrap_or_default()
        }
    }
}

fn named(naming: &PoseNaming, name: &str) -> LibraryCommand {
    match naming {
        PoseNaming::New => LibraryCommand::Save(name.to_owned()),
        PoseNaming::Rename(path) => LibraryCommand::Rename(path.clone(), name.to_owned()),
    }
}

fn blend(path: &Path, share: f32, options: LibraryPoseOptions) -> Command {
    Command::Library(LibraryCommand::Blend { path: path.to_owned(), share, options })
}

fn file_menu(ui: &mut Ui, path: &Path, state: &AppState, commands: &mut Commands) {
    let is_posed = state.open.stage.pose().is_any_posed();
    let of = || path.to_owned();
    for (name, hint, is_enabled, command) in [
        (
            "Save over",
            "Replace with the current pose; the old file moves to the trash",
            is_posed,
            LibraryCommand::SaveOver(of()),
        ),
        ("Rename…", "Rename the pose file", true, LibraryCommand::Name(Some(PoseNaming::Rename(of())))),
        ("Delete", "Move to the trash; can be undone (Del)", true, LibraryCommand::Delete(of())),
    ] {
        let is_clicked = ui.add_enabled(is_enabled, Button::new(name)).on_hover_text(hint).clicked();
        commands.push_and_close(is_clicked, Command::Library(command), ui);
    }
}
