//! What only a window can do for the state: dialogs, the clipboard, the window itself.

use egui::ViewportCommand;

use super::{App, set_theme};
use crate::state::Request;

impl App {
    /// Does what only a window can.
    pub(super) fn fulfil(&mut self, request: Request, ctx: &egui::Context) {
        match request {
            Request::PickPath(question) => self.dialogs.ask(&self.engine.jobs, question),
            Request::SavePicture(path) => self.save_picture(path),
            Request::CopyPicture => self.copy_picture(ctx),
            Request::ToggleFullScreen => {
                let is_full = ctx.input(|i| i.viewport().fullscreen.unwrap_or(false));
                ctx.send_viewport_cmd(ViewportCommand::Fullscreen(!is_full));
            }
            Request::TogglePalette => self.interface.toggle_palette(),
            Request::Copy(text) => ctx.copy_text(text),
            Request::Paste { is_mirrored } => {
                self.interface.await_paste(ctx, is_mirrored);
                ctx.send_viewport_cmd(ViewportCommand::RequestPaste);
            }
            Request::ToggleHelp => self.interface.toggle_help(),
            Request::SetTheme(theme) => set_theme(ctx, theme),
            Request::Quit => {
                self.is_leaving = true;
                ctx.send_viewport_cmd(ViewportCommand::Close);
            }
            // The engine has done all others.
            _ => {}
        }
    }
}
