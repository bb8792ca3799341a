//! Menu of images and videos.

use egui::{DragValue, Ui};

use super::actions::{menu_items, menu_radio, menu_toggle};
use crate::state::{Action, AppState, Command, Commands, ImageSize};

const SIZES: [(ImageSize, Action); 3] = [
    (ImageSize::Viewport, Action::ImageSizeViewport),
    (ImageSize::Double, Action::ImageSizeDouble),
    (ImageSize::FourK, Action::ImageSizeFourK),
];
/// Width that is offered before the user has chosen one, pixels.
const USUAL_WIDTH: u32 = 1920;

pub(super) fn ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    menu_items(ui, &[Action::SaveImage, Action::CopyImage, Action::SaveVideo], state, commands);
    ui.separator();
    options(ui, state, commands);
}

/// Draws the options of saved and copied images.
pub(super) fn options(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.menu_button("Size", |ui| sizes(ui, state, commands));
    menu_toggle(ui, Action::ToggleBonesInImages, state.settings.bones_in_images, commands);
    menu_toggle(ui, Action::ToggleCaptionedImages, state.settings.captioned_images, commands);
    menu_toggle(ui, Action::ToggleTransparentImages, state.settings.transparent_images, commands);
}

fn sizes(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let chosen = state.settings.image_size;
    for (size, action) in SIZES {
        menu_radio(ui, action, chosen == size, commands);
    }
    let mut width = if let ImageSize::Width(width) = chosen { width } else { USUAL_WIDTH };
    ui.horizontal(|ui| {
        let is_chosen = matches!(chosen, ImageSize::Width(_));
        let radio = ui.radio(is_chosen, "Width").on_hover_text("Choose the width; the height follows the viewport");
        let field = DragValue::new(&mut width).range(ImageSize::WIDTHS).speed(8.0).suffix(" pixels");
        let is_changed = ui.add(field).accessible_name("Image width").changed();
        commands.push_if(radio.clicked() || is_changed, Command::SetImageSize(ImageSize::Width(width)));
    });
}
