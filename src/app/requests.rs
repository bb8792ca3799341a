//! What only a window can do for the state: dialogs, the clipboard, the window itself.

use std::path::PathBuf;

use egui::ViewportCommand;
use rfd::AsyncFileDialog;

use super::dialogs::DialogAnswer;
use super::{App, set_theme};
use crate::import;
use crate::state::{Command, Request, Source};

impl App {
    /// Does what only a window can.
    pub(super) fn fulfil(&mut self, request: Request, ctx: &egui::Context) {
        match request {
            Request::PickFile => self.pick(
                AsyncFileDialog::new()
                    .set_title("Open a rig")
                    .add_filter(import::format::names(), &import::format::endings()),
                |path| Command::Open(Source::File(path)),
            ),
            Request::PickPose => {
                self.pick(
                    AsyncFileDialog::new().set_title("Open a pose").add_filter("Pose", &["json"]),
                    Command::LoadPose,
                );
            }
            Request::PickSession => self.pick(
                AsyncFileDialog::new().set_title("Open a session").add_filter("Session", &["json"]),
                Command::LoadSession,
            ),
            Request::PickPoseTarget(name) => self.place("Save the pose", name, Command::WritePose),
            Request::PickSessionTarget(name) => self.place("Save the session", name, Command::WriteSession),
            Request::PickNumbersTarget(numbers, name) => {
                self.place("Save the numbers, .csv or .json", name, move |path| Command::WriteNumbers(numbers, path));
            }
            Request::PickPictureTarget(name) => {
                let dialog = AsyncFileDialog::new().set_title("Save the picture").set_file_name(name);
                self.dialogs.save(&self.engine.jobs, dialog, DialogAnswer::SavePicture);
            }
            Request::PickMeshTarget(side, name) => {
                self.place("Export the posed mesh, .glb, .obj, .ply or .json", name, move |path| {
                    Command::ExportMesh(side, path)
                });
            }
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

    fn pick(&mut self, dialog: AsyncFileDialog, command: impl FnOnce(PathBuf) -> Command + Send + 'static) {
        self.dialogs.pick(&self.engine.jobs, dialog, |path| DialogAnswer::Command(command(path)));
    }

    fn place(&mut self, title: &str, name: String, command: impl FnOnce(PathBuf) -> Command + Send + 'static) {
        let dialog = AsyncFileDialog::new().set_title(title).set_file_name(name);
        self.dialogs.save(&self.engine.jobs, dialog, |path| DialogAnswer::Command(command(path)));
    }
}
