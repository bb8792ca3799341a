//! One rotation in three forms: Euler angles, quaternion, axis and angle. What is shown never jumps to other numbers for the same rotation.

use egui::Ui;
use glam::{Quat, Vec3};
use std::f32::consts::TAU;

use super::fields::{AXIS_NAMES, Edited, FieldEdit, emit, number, row};
use crate::rig::{EulerOrder, NodeIndex, Trs};
use crate::state::Command;
use crate::ui::theme;

/// The numbers as last shown. One rotation has many: typing must not jump to another of them.
#[derive(Default)]
pub struct RotationFields {
    euler: Option<ShownRotation<(EulerOrder, Vec3)>>,
    axis_angle: Option<ShownRotation<AxisAngle>>,
}

#[derive(Clone, Copy)]
struct ShownRotation<T> {
    node: NodeIndex,
    rotation: Quat,
    values: T,
}

/// The axis as typed, of any length, and the angle, radians.
#[derive(Clone, Copy, Debug, PartialEq)]
struct AxisAngle {
    axis: Vec3,
    angle: f32,
}

impl<T> ShownRotation<T> {
    fn is_of(&self, node: NodeIndex, rotation: Quat) -> bool {
        const SAME: f32 = 1e-6;
        self.node == node && (self.rotation.abs_diff_eq(rotation, SAME) || self.rotation.abs_diff_eq(-rotation, SAME))
    }
}

impl RotationFields {
    /// Draws the three rows.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        node: NodeIndex,
        user_local: Trs,
        order: EulerOrder,
        commands: &mut Vec<Command>,
    ) {
        self.euler_row(ui, node, user_local, order, commands);
        quaternion_row(ui, node, user_local, commands);
        self.axis_angle_row(ui, node, user_local, commands);
    }

    fn euler_row(
        &mut self,
        ui: &mut Ui,
        node: NodeIndex,
        user_local: Trs,
        order: EulerOrder,
        commands: &mut Vec<Command>,
    ) {
        let mut degrees = self.shown_euler(node, user_local.rotation, order);
        let hint = "Degrees about the joint's own axes, in the order above. Drag, type, or calculate: 90/2";
        let fields = row(ui, "Euler", hint, |ui, i| {
            let name = format!("Rotation {}", AXIS_NAMES[i]);
            number(ui, &mut degrees[i], &name, 0.5, 2, "°", Some(theme::AXES[i]))
        });
        let edit = FieldEdit::of::<3>(&fields);
        let rotation = order.rotation(degrees.map(f32::to_radians));
        if edit.changed {
            self.euler = Some(ShownRotation { node, rotation, values: (order, degrees) });
        }
        emit(node, Edited { value: rotation, edit }, |rotation| Trs { rotation, ..user_local }, commands);
    }

    fn shown_euler(&mut self, node: NodeIndex, rotation: Quat, order: EulerOrder) -> Vec3 {
        let last = self.euler.filter(|s| s.node == node && s.values.0 == order);
        if let Some(shown) = last.filter(|s| s.is_of(node, rotation)) {
            return shown.values.1;
        }
        let near = last.map_or(Vec3::ZERO, |s| s.values.1.map(f32::to_radians));
        // 0 and not -0: a sign that means nothing must not be shown.
        let degrees = order.angles_near(rotation, near).map(|a| a.to_degrees() + 0.0);
        self.euler = Some(ShownRotation { node, rotation, values: (order, degrees) });
        degrees
    }

    fn axis_angle_row(&mut self, ui: &mut Ui, node: NodeIndex, user_local: Trs, commands: &mut Vec<Command>) {
        let AxisAngle { mut axis, angle } = self.shown_axis_angle(node, user_local.rotation);
        let mut degrees = angle.to_degrees();
        let hint = "x, y and z of the axis and degrees about it. An axis of any length is normalised";
        let fields = row(ui, "Axis, °", hint, |ui, i| {
            ui.style_mut().drag_value_text_style = egui::TextStyle::Small;
            if i == 3 {
                return number(ui, &mut degrees, "Angle", 0.5, 2, "°", None);
            }
            number(
                ui,
                &mut axis[i],
                &format!("Axis {}", AXIS_NAMES[i].to_lowercase()),
                0.01,
                3,
                "",
                Some(theme::AXES[i]),
            )
        });
        let edit = FieldEdit::of::<4>(&fields);
        let values = AxisAngle { axis, angle: degrees.to_radians() };
        let rotation = values.rotation();
        if edit.changed {
            self.axis_angle = Some(ShownRotation { node, rotation, values });
        }
        emit(node, Edited { value: rotation, edit }, |rotation| Trs { rotation, ..user_local }, commands);
    }

    fn shown_axis_angle(&mut self, node: NodeIndex, rotation: Quat) -> AxisAngle {
        let last = self.axis_angle.filter(|s| s.node == node);
        if let Some(shown) = last.filter(|s| s.is_of(node, rotation)) {
            return shown.values;
        }
        let near = last.map_or(AxisAngle { axis: Vec3::X, angle: 0.0 }, |s| s.values);
        let values = AxisAngle::near(rotation, near);
        self.axis_angle = Some(ShownRotation { node, rotation, values });
        values
    }
}

impl AxisAngle {
    fn rotation(self) -> Quat {
        self.axis.try_normalize().map_or(Quat::IDENTITY, |axis| Quat::from_axis_angle(axis, self.angle))
    }

    /// The axis and angle of a rotation on the side of others; no rotation keeps the axis that was.
    fn near(rotation: Quat, near: Self) -> Self {
        let (vector, w) = (rotation.xyz(), rotation.w);
        let Some(axis) = vector.try_normalize().filter(|_| vector.length() > 1e-6) else {
            return Self { angle: 0.0, ..near };
        };
        let side = if axis.dot(near.axis) < 0.0 { -1.0 } else { 1.0 };
        let angle = side * 2.0 * vector.length().atan2(w);
        Self { axis: axis * side, angle: angle + ((near.angle - angle) / TAU).round() * TAU }
    }
}

fn quaternion_row(ui: &mut Ui, node: NodeIndex, user_local: Trs, commands: &mut Vec<Command>) {
    let mut values = user_local.rotation.to_array();
    let hint = "x, y, z, w, of unit length: what you type is normalised. q and -q are the same rotation";
    let fields = row(ui, "Quat", hint, |ui, i| {
        ui.style_mut().drag_value_text_style = egui::TextStyle::Small;
        let name = format!("Quaternion {}", ["x", "y", "z", "w"][i]);
        number(ui, &mut values[i], &name, 0.005, 4, "", None)
    });
    let rotation = Quat::from_array(values);
    let edit = FieldEdit::of::<4>(&fields);
    emit(node, Edited { value: rotation, edit }, |rotation| Trs { rotation, ..user_local }, commands);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn axis_and_angle_stay_as_they_are_shown(axis in prop::array::uniform3(-1.0_f32..1.0), angle in -12.0_f32..12.0) {
            let axis = Vec3::from(axis);
            prop_assume!(axis.length() > 0.1 && (angle / TAU - (angle / TAU).round()).abs() > 1e-2);
            let shown = AxisAngle { axis: axis.normalize_or_zero(), angle };
            let again = AxisAngle::near(shown.rotation(), shown);
            prop_assert!(again.axis.distance(shown.axis) < 1e-4, "{again:?} for {shown:?}");
            prop_assert!((again.angle - angle).abs() < 1e-4, "{again:?} for {shown:?}");
        }
    }

    #[test]
    fn no_rotation_keeps_its_axis() {
        let shown = AxisAngle { axis: Vec3::Z, angle: 1.0 };
        assert_eq!(AxisAngle::near(Quat::IDENTITY, shown), AxisAngle { axis: Vec3::Z, angle: 0.0 });
    }
}
