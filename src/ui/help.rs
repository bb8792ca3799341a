//! The sheet of keys and mouse, made from the same table as the key map; and the codes of lint.

use egui::{Context, Grid, RichText, ScrollArea, Ui, Window};

use super::actions::MOUSE;
use super::shortcut_editor::Editor;
use super::theme::severity_look;
use super::viewport::camera_drags;
use crate::analysis::lint::Code;
use crate::state::{AppState, Command};

/// Whether the sheet is open, and where.
#[derive(Default)]
pub struct Help {
    pub is_open: bool,
    page: Page,
    editor: Editor,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Page {
    #[default]
    Keys,
    Codes,
}

impl Help {
    /// True while the next key is not a command.
    pub fn takes_keys(&self) -> bool {
        self.is_open && self.editor.takes_keys()
    }

    /// Draws the sheet, if open.
    pub fn ui(&mut self, ctx: &Context, state: &AppState, commands: &mut Vec<Command>) {
        if !self.is_open || self.page != Page::Keys {
            self.editor.stop();
        }
        let (page, editor) = (&mut self.page, &mut self.editor);
        Window::new("Keys and codes")
            .open(&mut self.is_open)
            .collapsible(false)
            .resizable(false)
            .pivot(egui::Align2::CENTER_CENTER)
            .default_pos(ctx.content_rect().center())
            .show(ctx, |ui| {
                ui.horizontal(|ui| {
                    ui.selectable_value(page, Page::Keys, "Keys");
                    ui.selectable_value(page, Page::Codes, "Codes of lint");
                });
                ui.separator();
                let height = ctx.content_rect().height() * 0.7;
                ScrollArea::vertical().id_salt(*page == Page::Keys).min_scrolled_height(height).show(
                    ui,
                    |ui| match page {
                        Page::Keys => keys(ui, editor, state, commands),
                        Page::Codes => codes(ui),
                    },
                );
            });
    }
}

fn keys(ui: &mut Ui, editor: &mut Editor, state: &AppState, commands: &mut Vec<Command>) {
    Grid::new("mouse").num_columns(2).spacing([24.0, 6.0]).show(ui, |ui| {
        for (what, how) in camera_drags(state.settings.shortcuts.preset).iter().chain(MOUSE) {
            ui.label(*what);
            ui.label(RichText::new(*how).weak());
            ui.end_row();
        }
    });
    ui.separator();
    editor.ui(ui, state, commands);
}

/// The table of lint, with why and what to do on hover.
fn codes(ui: &mut Ui) {
    Grid::new("codes").num_columns(3).spacing([16.0, 6.0]).show(ui, |ui| {
        for &code in Code::ALL {
            let (icon, color) = severity_look(code.severity(), ui.visuals());
            ui.label(RichText::new(code.id()).monospace());
            ui.label(RichText::new(format!("{icon} {}", code.severity())).color(color));
            ui.label(code.title()).on_hover_text(format!("{}\n{}", code.why(), code.advice()));
            ui.end_row();
        }
    });
}
