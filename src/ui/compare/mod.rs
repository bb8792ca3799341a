//! User interface for comparing two sides: settings, layout, labels and legends.

mod bend_test;
mod icons;
mod legend_controls;
mod numbers;
mod panel;
mod points;
mod side;
mod simulator;
mod skeleton;
mod switch;
mod weight_problems;
mod weights;
mod wipe;

pub(super) use bend_test::BendTestList;
pub(super) use legend_controls::{paint_labels, ui as legend_ui};
pub(super) use numbers::{length, ui as numbers_ui};
pub(super) use panel::ui as panel_ui;
pub(super) use switch::{action, has_room_for_extras, ui as switch_ui};
pub(super) use weight_problems::weight_problems_ui;
pub(super) use wipe::WipeHandle;
