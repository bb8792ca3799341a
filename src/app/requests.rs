//! Performs requests that need a window, such as dialogs and clipboard access.

use egui::ViewportCommand;

use super::{App, set_theme};
use crate::state::WindowRequest;

impl App {
    pub(super) fn fulfil(&mut self, request: WindowRequest, ctx: &egui::Context) {
        match request {
            WindowRequest::PickPath(question) => self.dialogs.ask(&self.headless.jobs, question),
            WindowRequest::SavePicture(path) => self.save_picture(path),
            WindowRequest::CopyPicture => self.copy_picture(ctx),
            WindowRequest::ToggleFullScreen => {
                let is_full = ctx.input(|i| i.viewport().fullscreen.unwrap_or(false));
                ctx.send_viewport_cmd(ViewportCommand::Fullscreen(!is_full));
            }
            WindowRequest::TogglePalette => self.interface.toggle_palette(),
            WindowRequest::Copy(text) => ctx.copy_text(text),
            WindowRequest::Paste { is_mirrored } => {
                self.interface.await_paste(ctx, is_mirrored);
                ctx.send_viewport_cmd(ViewportCommand::RequestPaste);
            }
            WindowRequest::ToggleHelp => self.interface.toggle_help(),
            WindowRequest::FilterJoints => self.interface.filter_joints(),
            WindowRequest::SetTheme(theme) => set_theme(ctx, theme),
            WindowRequest::Quit => {
                self.is_leaving = true;
                ctx.send_viewport_cmd(ViewportCommand::Close);
            }
        }
    }
}
