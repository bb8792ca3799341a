//! Two ways of skinning one pose: what they are, how they share the picture, and what is written over it.

mod colors;
mod icons;
mod labels;
mod legend_controls;
mod numbers;
mod panel;
mod side;
mod simulator;
mod suspects;
mod switch;
mod weights;
mod wipe;

pub(super) use colors::{side_color, side_text};
pub(super) use labels::paint as paint_labels;
pub(super) use legend_controls::ui as legend_ui;
pub(super) use numbers::{length, ui as numbers_ui};
pub(super) use panel::ui as panel_ui;
pub(super) use suspects::suspects_ui;
pub(super) use switch::{action, is_roomy, ui as switch_ui};
pub(super) use wipe::WipeHandle;
