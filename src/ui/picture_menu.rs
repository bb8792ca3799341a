//! Menu of images and videos.

use egui::{DragValue, Ui};

use super::actions::{menu_items, menu_radio, menu_toggle};
use crate::state::{Action, AppState, Command, Commands, PictureSize};
use crate::studio::ImageOptions;

const SIZES: [(PictureSize, Action); 3] = [
    (PictureSize::Viewport, Action::PictureSizeViewport),
    (PictureSize::Double, Action::PictureSizeDouble),
    (PictureSize::FourK, Action::PictureSizeFourK),
];
/// Width that is offered before the user has chosen one, pixels.
const USUAL_WIDTH: u32 = 1920;

pub(super) fn ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    menu_items(ui, &[Action::SavePicture, Action::CopyPicture, Action::SaveVideo], state, commands);
    ui.separator();
    ui.menu_button("Size", |ui| sizes(ui, state, commands));
    menu_toggle(ui, Action::ToggleBonesInPictures, state.settings.bones_in_pictures, commands);
    menu_toggle(ui, Action::ToggleCaptionedPictures, state.settings.captioned_pictures, commands);
    menu_toggle(ui, Action::ToggleTransparentPictures, state.settings.transparent_pictures, commands);
}

fn sizes(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let chosen = state.settings.picture_size;
    for (size, action) in SIZES {
        menu_radio(ui, action, chosen == size, commands);
    }
    let mut width = if let PictureSize::Width(width) = chosen { width } else { USUAL_WIDTH };
    ui.horizontal(|ui| {
        let is_chosen = matches!(chosen, PictureSize::Width(_));
        let radio = ui.radio(is_chosen, "Width").on_hover_text("Choose the width; the height follows the viewport");
        let field = DragValue::new(&mut width).range(16..=ImageOptions::MAX_SIDE).speed(8.0).suffix(" pixels");
        let is_changed = ui.add(field).accessible_name("Image width").changed();
        commands.push_if(radio.clicked() || is_changed, Command::SetPictureSize(PictureSize::Width(width)));
    });
}
