//! The sheet of keys and mouse, made from the same table as the key map.

use egui::{Context, Grid, RichText, ScrollArea, Ui, Window};

use super::actions::{ACTIONS, MOUSE, shortcut_text};
use super::theme::severity_look;
use crate::analysis::lint::Code;

/// Whether the sheet is open, and where.
#[derive(Default)]
pub struct Help {
    pub is_open: bool,
    page: Page,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Page {
    #[default]
    Keys,
    Codes,
}

impl Help {
    /// Draws the sheet, if open.
    pub fn ui(&mut self, ctx: &Context) {
        let page = &mut self.page;
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
                        Page::Keys => keys(ui),
                        Page::Codes => codes(ui),
                    },
                );
            });
    }
}

fn keys(ui: &mut Ui) {
    Grid::new("mouse").num_columns(2).spacing([24.0, 6.0]).show(ui, |ui| {
        for (what, how) in MOUSE {
            ui.label(*what);
            ui.label(RichText::new(*how).weak());
            ui.end_row();
        }
    });
    ui.separator();
    Grid::new("keys").num_columns(3).spacing([24.0, 6.0]).show(ui, |ui| {
        for info in ACTIONS.iter().filter(|i| !i.keys.is_empty()) {
            ui.label(info.name);
            let keys: Vec<String> = info.keys.iter().copied().map(shortcut_text).collect();
            ui.label(RichText::new(keys.join("  ")).monospace());
            ui.label(RichText::new(info.hint).weak());
            ui.end_row();
        }
    });
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
