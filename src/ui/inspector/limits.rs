use egui::{Align, Layout, RichText, Ui, vec2};
use std::f32::consts::{FRAC_PI_2, PI};

use super::fields::{AXIS_NAMES, FieldEdit, chooser, number};
use crate::posing::{AxisLimit, JointLimits};
use crate::rig::NodeIndex;
use crate::state::{AppState, Command, Commands};
use crate::ui::theme;

pub(super) const HINT: &str = "Limits of your rotation's Euler angles about the joint's own axes";

pub(super) fn ui(ui: &mut Ui, state: &AppState, node: NodeIndex, commands: &mut Commands) {
    let rotation = state.open.stage.pose().user_local(node).rotation;
    let order = state.settings.euler_order;
    let before =
        state.open.stage.document.limits.get(node).copied().unwrap_or(JointLimits { order, ..JointLimits::default() });
    let mut limits = before;
    let angles = limits.order.angles(rotation);
    let mut edit = FieldEdit::default();
    for axis in 0..3 {
        axis_row(ui, axis, &mut limits.axes[axis], angles[axis], &mut edit);
    }
    if limits.order != order {
        let text = format!("These angles are in order {}.", limits.order.name());
        ui.weak(text);
    }
    if !before.allows(rotation) {
        let text = "The joint exceeds its limits; the next edit clamps it.";
        ui.label(RichText::new(text).color(ui.visuals().warn_fg_color));
    }
    edit.changed = limits != before;
    edit.emit(|| Command::SetLimits { node, limits }, commands);
}

fn axis_row(ui: &mut Ui, axis: usize, freedom: &mut AxisLimit, angle: f32, edit: &mut FieldEdit) {
    let name = AXIS_NAMES[axis];
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.allocate_ui_with_layout(vec2(14.0, theme::ROW_HEIGHT), Layout::left_to_right(Align::Center), |ui| {
            ui.label(name);
        });
        kind_chooser(ui, name, freedom, angle);
        ui.spacing_mut().interact_size.x = ((ui.available_width() - 4.0) / 2.0).max(24.0);
        let mut field = |ui: &mut Ui, what: &str, radians: &mut f32| {
            let mut degrees = radians.to_degrees();
            let stripe = Some(theme::AXES[axis]);
            let response = number(ui, &mut degrees, &format!("{what} {name}"), 0.5, 1, "°", stripe);
            *edit = edit.and(&response);
            if response.changed() {
                *radians = degrees.to_radians().clamp(-PI, PI);
            }
        };
        match freedom {
            AxisLimit::Free => {}
            AxisLimit::Limited { min, max } => {
                field(ui, "Min", min);
                *max = max.max(*min);
                field(ui, "Max", max);
                *min = min.min(*max);
            }
            AxisLimit::Locked(angle) => field(ui, "Locked at", angle),
        }
    });
}

fn kind_chooser(ui: &mut Ui, name: &str, freedom: &mut AxisLimit, angle: f32) {
    let kinds = [
        ("Free", "Any angle", AxisLimit::Free),
        ("Limited", "Between a minimum and a maximum angle", limited_around(angle)),
        ("Locked", "Only the current angle", AxisLimit::Locked(angle)),
    ];
    let is_current = |kind: &AxisLimit| std::mem::discriminant(kind) == std::mem::discriminant(freedom);
    if let Some(kind) = chooser(ui, &format!("Freedom {name}"), 84.0, kinds, is_current) {
        *freedom = kind;
    }
}

/// Returns limits of ±90°, extended if necessary to include the current angle.
fn limited_around(angle: f32) -> AxisLimit {
    AxisLimit::Limited { min: angle.min(-FRAC_PI_2), max: angle.max(FRAC_PI_2) }
}
