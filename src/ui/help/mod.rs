//! Help sheet with keys, mouse actions and lint codes. While it is open, all other shortcuts are disabled.

mod sheet;

use egui::{Context, Grid, Id, Key, Modal, RichText, ScrollArea, TextEdit, Ui};

use super::key_map::{KeyMap, consume};
use super::shortcut_editor::{self, ShortcutEditor};
use super::split_row::split_row;
use super::theme::severity_icon;
use crate::analysis::lint::Code;
use crate::state::{Action, AppState, Commands};
use sheet::HelpSearch;

#[derive(Default)]
pub(super) struct Help {
    is_open: bool,
    is_new: bool,
    page: HelpPage,
    query: String,
    editor: ShortcutEditor,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum HelpPage {
    #[default]
    Keys,
    Codes,
}

impl Help {
    pub(super) fn toggle(&mut self) {
        *self = Self { is_open: !self.is_open, is_new: true, page: self.page, ..Self::default() };
    }

    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    pub(super) fn ui(&mut self, ctx: &Context, state: &AppState, commands: &mut Commands) {
        if !self.is_open {
            return;
        }
        let window = ctx.content_rect().size();
        let modal = Modal::new(Id::unique("help")).show(ctx, |ui| {
            ui.set_width((window.x - 48.0).min(1240.0));
            // Must run before the search field, which would insert the key as text.
            self.editor.record(ui, &state.settings.shortcuts, commands);
            let is_closed = self.header(ui, state, commands);
            ui.separator();
            let height = window.y * 0.94 - 96.0;
            let scroll = ScrollArea::vertical().id_salt(self.page == HelpPage::Keys).auto_shrink(false);
            scroll.max_height(height).min_scrolled_height(height).show(ui, |ui| {
                let search = HelpSearch::new(&self.query);
                match self.page {
                    HelpPage::Keys => sheet::ui(ui, &search, &mut self.editor, state, commands),
                    HelpPage::Codes => codes(ui, &search),
                }
            });
            is_closed
        });
        // Typing a question mark into the search field must not close the sheet.
        let keys = KeyMap::keys(ctx, Action::ToggleHelp);
        let closes = |key: &egui::KeyboardShortcut| key.logical_key != Key::Questionmark || self.query.len() < 2;
        let is_toggled = !self.editor.takes_keys()
            && ctx.input_mut(|i| keys.iter().filter(|key| closes(key)).any(|key| consume(i, *key)));
        if modal.inner || is_toggled || modal.should_close() {
            self.toggle();
        }
    }

    /// Draws tabs, preset and search. Returns whether the sheet should close.
    fn header(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) -> bool {
        let (page, mut is_closed) = (&mut self.page, false);
        let pages = |ui: &mut Ui, _: &mut Commands| {
            ui.selectable_value(page, HelpPage::Keys, "Keys");
            ui.selectable_value(page, HelpPage::Codes, "Lint codes");
        };
        split_row(ui, commands, pages, |ui, _| {
            is_closed =
                ui.button("✖").on_hover_text("Close (Esc)").accessible_name("Close the sheet of keys").clicked();
        });
        ui.horizontal_wrapped(|ui| {
            shortcut_editor::preset(ui, &state.settings.shortcuts, commands);
            let field = TextEdit::singleline(&mut self.query).hint_text("🔍 Search").desired_width(220.0);
            let field = ui.add(field).accessible_name("Search keys and codes");
            if std::mem::take(&mut self.is_new) {
                field.request_focus();
            }
        });
        is_closed
    }
}

fn codes(ui: &mut Ui, search: &HelpSearch) {
    Grid::new("codes").num_columns(3).spacing([16.0, 6.0]).show(ui, |ui| {
        let found = |code: &&Code| search.finds(&[&code.id(), code.title(), code.why(), code.advice()]);
        for &code in Code::ALL.iter().filter(found) {
            let (icon, color) = severity_icon(code.severity(), ui.visuals());
            ui.label(RichText::new(code.id()).monospace());
            ui.label(RichText::new(format!("{icon} {}", code.severity())).color(color));
            let hint = [code.explanation().meaning, code.why(), code.advice()].join("\n");
            ui.label(code.title()).on_hover_text(hint);
            ui.end_row();
        }
    });
}
