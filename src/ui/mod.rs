//! Panels: they read the state, draw it, and push commands. Nothing here changes the state or touches files or the GPU.

mod actions;
mod axis_widget;
mod gizmo_view;
mod help;
mod inspector;
mod menu_bar;
mod notices;
mod outliner;
mod status_bar;
mod theme;
mod timeline;
mod viewport;

use egui::{CentralPanel, Frame, Margin, Panel, Rect, Ui};

pub use theme::install as install_theme;

use crate::state::{AppState, Command};

/// The whole interface with what it must remember from frame to frame.
#[derive(Default)]
pub struct Interface {
    outliner: outliner::Outliner,
    inspector: inspector::Inspector,
    viewport: viewport::Viewport,
    help: help::Help,
}

impl Interface {
    /// Draws everything. `paint` fills the viewport's rectangle with the 3D picture.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        state: &AppState,
        commands: &mut Vec<Command>,
        paint: &mut dyn FnMut(&mut Ui, Rect),
    ) {
        if !self.viewport.is_dragging_gizmo() {
            commands.extend(actions::pressed(ui.ctx()).into_iter().map(Command::Do));
            self.outliner.keys(ui.ctx(), state, commands);
        }
        let bar = Frame::new().fill(ui.visuals().panel_fill).inner_margin(Margin::symmetric(8, 4));
        Panel::top("menu bar").frame(bar).resizable(false).show(ui, |ui| menu_bar::ui(ui, state, commands));
        Panel::bottom("status bar").frame(bar).resizable(false).show(ui, |ui| status_bar::ui(ui, state));
        if !state.rig().clips.is_empty() {
            Panel::bottom("timeline").frame(bar).resizable(false).show(ui, |ui| timeline::ui(ui, state, commands));
        }
        let side = Frame::new().fill(ui.visuals().panel_fill).inner_margin(Margin::same(8));
        // The view keeps half of the width.
        let (left, right) = (ui.available_width() * 0.2, ui.available_width() * 0.3);
        Panel::left("outliner")
            .frame(side)
            .default_size(240.0_f32.min(left))
            .size_range(120.0_f32.min(left)..=left)
            .show(ui, |ui| {
                // A panel is as wide as the user makes it, not as its content happens to be.
                ui.take_available_width();
                self.outliner.ui(ui, state, commands);
            });
        Panel::right("inspector")
            .frame(side)
            .default_size(300.0_f32.min(right))
            .size_range(240.0_f32.min(right)..=right)
            .show(ui, |ui| {
                ui.take_available_width();
                self.inspector.ui(ui, state, commands);
            });
        CentralPanel::no_frame().show(ui, |ui| {
            self.viewport.ui(ui, state, commands, paint);
        });
        self.help.ui(ui.ctx());
        let hovered = commands.iter().rev().find_map(|c| if let Command::Hover(node) = c { *node } else { None });
        commands.retain(|c| !matches!(c, Command::Hover(_)));
        if hovered != state.view.hovered {
            commands.push(Command::Hover(hovered));
        }
    }

    /// Shows or hides the sheet of keys.
    pub fn toggle_help(&mut self) {
        self.help.is_open ^= true;
    }
}
