//! Two ways of skinning one pose: what they are, how they share the picture, and what is written over it.

mod icons;
mod labels;
mod legend;
mod numbers;
mod panel;
mod side;
mod simulator;
mod switch;
mod weights;
mod wipe;

pub use labels::paint as paint_labels;
pub use legend::ui as legend_ui;
pub use numbers::{length, ui as numbers_ui};
pub use panel::ui as panel_ui;
pub use switch::{action, ui as switch_ui};
pub use wipe::WipeHandle;

use egui::{Color32, Visuals};

use super::counts::counted;
use super::theme;
use crate::state::{AppState, WeightState};
use crate::view::{ShownPose, Side};

/// The colour that stands for a side everywhere.
pub fn side_color(side: Side) -> Color32 {
    match side {
        Side::A => theme::ORANGE,
        Side::B => theme::TEAL,
    }
}

/// A side's colour where it is read as text: darker on light ground.
pub fn side_text(side: Side, visuals: &Visuals) -> Color32 {
    theme::as_text(side_color(side), visuals)
}

/// A side's method, or what it shows in place of it: "DQS", `LBS until CoR is ready, 43 %`.
pub fn method_name(state: &AppState, side: Side) -> String {
    let label = state.skinning(side).method.label();
    if !state.awaits_centers(side) {
        return label.to_owned();
    }
    let progress = state.centers_progress.map_or(String::new(), |done| format!(", {:.0} %", done * 100.0));
    format!("{} until {label} is ready{progress}", state.shown_method(side).label())
}

/// What a side shows, in a few words: "LBS", "DQS, Closest bones", "DQS, rest pose", "LBS, 4 influences", "LBS, recomputed normals".
pub fn side_name(state: &AppState, side: Side) -> String {
    let skinning = state.skinning(side);
    let mut parts = vec![method_name(state, side)];
    parts.extend(weights_name(state, side));
    parts.extend(skinning.influences.count.map(|count| counted(count.into(), "influence")));
    parts.extend((state.open.view.sides[side].pose == ShownPose::Rest).then(|| "rest pose".to_owned()));
    parts.extend(normals_name(state, side).map(str::to_owned));
    parts.join(", ")
}

/// Weights in place of the file's: "Closest bones".
fn weights_name(state: &AppState, side: Side) -> Option<String> {
    let title = state.weight_choice(side).title();
    match state.weights(side) {
        WeightState::File | WeightState::Missing(_) => None,
        WeightState::Awaited => Some(format!("{title} on its way")),
        WeightState::Shown(_) => Some(title),
    }
}

fn normals_name(state: &AppState, side: Side) -> Option<&'static str> {
    if state.awaits_normals(side) {
        return Some("normals on their way");
    }
    state.recomputed_normals(side).map(|_| "recomputed normals")
}
