//! Upper section of the Pose tab: buttons for rest, bind, clip and user pose, and a slider that blends from rest.

use egui::{Response, Slider, Ui, vec2};

use super::inspector::FieldEdit;
use crate::state::{Action, AppState, Command, Commands};

pub(super) fn ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.strong("Show");
    let size = vec2((ui.available_width() - ui.spacing().item_spacing.x) / 2.0, 28.0);
    for pair in [[Action::RestPose, Action::BindPose], [Action::ClipPose, Action::UserPose]] {
        ui.horizontal(|ui| {
            for action in pair {
                let button = egui::Button::new(action.spec().name).min_size(size);
                let response = ui.add_enabled(state.can(action), button);
                if response.on_hover_text(action.spec().hover_text(ui.ctx())).clicked() {
                    commands.push(Command::Do(action));
                }
            }
        });
    }
    ui.add_space(12.0);
    ui.strong("From rest to the current pose");
    let mut percent = state.open.user_pose.share(&state.open.stage) * 100.0;
    let (number, gap) = (ui.spacing().interact_size.x + 24.0, ui.spacing().item_spacing.x);
    ui.spacing_mut().slider_width = (ui.available_width() - number - gap).max(40.0);
    let slider = Slider::new(&mut percent, 0.0..=100.0).suffix(" %").fixed_decimals(0).trailing_fill(true);
    let is_blendable = state.open.user_pose.whole(&state.open.stage).is_any_posed();
    let response: Response = ui.add_enabled(is_blendable, slider).accessible_name("From rest");
    let edit = FieldEdit::new(std::array::from_ref(&response));
    edit.emit(|| Command::BlendPose(percent / 100.0), commands);
    response
        .on_hover_text("Blend from rest or clip (0 %) to your pose (100 %)")
        .on_disabled_hover_text("Pose a joint first");
}
