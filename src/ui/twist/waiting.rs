use egui::{ProgressBar, RichText, Ui};

use crate::state::{Command, Commands};

pub(super) fn progress(ui: &mut Ui, what: &str, fraction: f32, commands: &mut Commands) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(what).small().weak());
        ui.add(ProgressBar::new(fraction).desired_height(4.0).desired_width(120.0));
        commands.push_if(ui.small_button("Cancel").clicked(), Command::CancelTest);
    });
}

pub(super) fn empty(ui: &mut Ui, text: &str) {
    ui.add_space(12.0);
    ui.weak(text);
}
