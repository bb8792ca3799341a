//! Two ways of skinning one pose: what they are, how they share the picture, and what is written over it.

mod colors;
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

pub(super) use colors::{side_color, side_text};
pub(crate) use labels::paint as paint_labels;
pub(crate) use legend::ui as legend_ui;
pub(crate) use numbers::{length, ui as numbers_ui};
pub(crate) use panel::ui as panel_ui;
pub(crate) use switch::{action, ui as switch_ui};
pub(crate) use wipe::WipeHandle;
