//! Two ways of skinning one pose: what they are, how they share the picture, and what is written over it.

mod icons;
mod labels;
mod panel;
mod side;
mod switch;
mod wipe;

pub use labels::paint as paint_labels;
pub use panel::ui as panel_ui;
pub use switch::{LAYOUTS, action, ui as switch_ui};
pub use wipe::WipeHandle;

use egui::Color32;

use super::status_bar::counted;
use super::theme;
use crate::state::AppState;
use crate::view::Side;

/// The colour that stands for a side everywhere.
pub fn side_color(side: Side) -> Color32 {
    match side {
        Side::A => theme::ORANGE,
        Side::B => theme::TEAL,
    }
}

/// What a side shows, in a few words: "LBS", "DQS, rest pose", "LBS, 4 influences".
pub fn side_name(state: &AppState, side: Side) -> String {
    let skinning = state.skinning(side);
    let mut parts = vec![skinning.method.label().to_owned()];
    parts.extend(skinning.influences.count.map(|count| counted(count.into(), "influence")));
    parts.extend((side == Side::B && state.view.compare.b_is_rest).then(|| "rest pose".to_owned()));
    parts.join(", ")
}
