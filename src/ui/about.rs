use egui::{Context, Id, Modal, RichText};

use super::actions::button;
use super::preferences::driver_ui;
use crate::state::{Action, AppState, Commands};

/// Dialog with version, licence and graphics driver.
#[derive(Default)]
pub(super) struct About {
    is_open: bool,
}

impl About {
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
        let modal = Modal::new(Id::unique("about")).show(ctx, |ui| {
            ui.set_width((ctx.content_rect().width() - 48.0).min(420.0));
            ui.label(RichText::new(concat!("Rigscope ", env!("CARGO_PKG_VERSION"))).heading().strong());
            ui.label(env!("CARGO_PKG_DESCRIPTION"));
            ui.add_space(8.0);
            ui.label(concat!("Licence: ", env!("CARGO_PKG_LICENSE")));
            for link in [env!("CARGO_PKG_HOMEPAGE"), env!("CARGO_PKG_REPOSITORY")] {
                if !link.is_empty() {
                    ui.hyperlink(link);
                }
            }
            ui.add_space(8.0);
            driver_ui(ui, state);
            ui.add_space(8.0);
            ui.horizontal(|ui| {
                button(ui, Action::OpenGuide, state, commands);
                ui.button("Close").on_hover_text("Esc").clicked()
            })
            .inner
        });
        if modal.inner || modal.should_close() {
            self.is_open = false;
        }
    }
}
