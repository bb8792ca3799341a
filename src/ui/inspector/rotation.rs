use std::collections::HashMap;
use std::f32::consts::TAU;
use std::sync::{Arc, Weak};

use egui::{Label, Response, RichText, Ui};
use glam::{Quat, Vec3};

use super::fields::{AXIS_NAMES, FieldEdit, number, row};
use crate::rig::{EulerOrder, NodeIndex, Rig, Trs};
use crate::state::{AppState, Command, Commands};
use crate::ui::theme;

/// Fields for a rotation as Euler angles, quaternion, and axis and angle. Stores the displayed numbers, because a
/// rotation has many representations, and typing a number must not switch to a different representation.
#[derive(Default)]
pub(super) struct RotationFields {
    rig: Weak<Rig>,
    order: EulerOrder,
    euler: RotationMemory<Vec3>,
    axis_angle: RotationMemory<AxisAngle>,
}

struct RotationMemory<T> {
    settled: HashMap<NodeIndex, ShownRotation<T>>,
    /// Numbers displayed during the current drag. If the drag is cancelled, the numbers in `settled` are shown again.
    moving: Option<(NodeIndex, ShownRotation<T>)>,
}

#[derive(Clone, Copy)]
struct ShownRotation<T> {
    rotation: Quat,
    values: T,
}

/// Rotation as typed: an axis of any length, and an angle in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
struct AxisAngle {
    axis: Vec3,
    angle: f32,
}

impl<T> Default for RotationMemory<T> {
    fn default() -> Self {
        Self { settled: HashMap::new(), moving: None }
    }
}

impl<T: Copy> RotationMemory<T> {
    /// Returns the numbers to display: the last numbers if the rotation is unchanged, otherwise the result of `read`,
    /// which receives the numbers that it should stay close to, if any.
    fn shown(&mut self, node: NodeIndex, rotation: Quat, is_dragging: bool, read: impl Fn(Option<T>) -> T) -> T {
        let settled = self.settled.get(&node).copied();
        let moving = self.moving.take().filter(|(of, _)| *of == node).map(|(_, shown)| shown);
        let near = if is_dragging { moving.or(settled) } else { moving };
        let known = if is_dragging { [near, None] } else { [moving, settled] };
        let same = known.into_iter().flatten().find(|shown| shown.is_for(rotation));
        let shown = same.unwrap_or_else(|| ShownRotation { rotation, values: read(near.map(|shown| shown.values)) });
        self.keep(node, shown, is_dragging);
        shown.values
    }

    fn keep(&mut self, node: NodeIndex, shown: ShownRotation<T>, is_dragging: bool) {
        if is_dragging {
            self.moving = Some((node, shown));
        } else {
            self.settled.insert(node, shown);
        }
    }
}

impl<T> ShownRotation<T> {
    fn is_for(&self, rotation: Quat) -> bool {
        const SAME: f32 = 1e-6;
        self.rotation.abs_diff_eq(rotation, SAME) || self.rotation.abs_diff_eq(-rotation, SAME)
    }
}

impl RotationFields {
    pub(super) fn ui(&mut self, ui: &mut Ui, node: NodeIndex, state: &AppState, commands: &mut Commands) {
        let order = state.settings.euler_order;
        if !std::ptr::eq(self.rig.as_ptr(), Arc::as_ptr(state.open.stage.rig())) || self.order != order {
            *self = Self { rig: Arc::downgrade(state.open.stage.rig()), order, ..Self::default() };
        }
        self.euler_row(ui, node, state, commands);
        if state.open.stage.playback.sample().is_some() {
            clip_row(ui, node, state);
        }
        quaternion_row(ui, node, *state.open.stage.pose().user_local(node), commands);
        self.axis_angle_row(ui, node, state, commands);
    }

    fn euler_row(&mut self, ui: &mut Ui, node: NodeIndex, state: &AppState, commands: &mut Commands) {
        let (order, user_local) = (self.order, *state.open.stage.pose().user_local(node));
        let is_dragging = state.open.stage.view.is_dragging;
        let mut degrees = self.euler.shown(node, user_local.rotation, is_dragging, |near| {
            in_degrees(order.angles_near(user_local.rotation, near.unwrap_or_default().map(f32::to_radians)))
        });
        let hint = "Intrinsic Euler angles, degrees, in the order above; Blender and Maya name orders in reverse. Type 90/2 to calculate";
        let fields = row(ui, "Euler", hint, |ui, i| {
            let name = format!("Rotation {}", AXIS_NAMES[i]);
            number(ui, &mut degrees[i], &name, 0.5, 2, "°", Some(theme::AXES[i]))
        });
        let edit = FieldEdit::new::<3>(&fields);
        let rotation = order.rotation(degrees.map(f32::to_radians));
        if edit.changed {
            self.euler.keep(node, ShownRotation { rotation, values: degrees }, is_any_dragged(&fields));
        }
        edit.emit(|| Command::Edit { node, user_local: Trs { rotation, ..user_local } }, commands);
    }

    fn axis_angle_row(&mut self, ui: &mut Ui, node: NodeIndex, state: &AppState, commands: &mut Commands) {
        let user_local = *state.open.stage.pose().user_local(node);
        let read = |near| AxisAngle::near(user_local.rotation, near);
        let AxisAngle { mut axis, angle } =
            self.axis_angle.shown(node, user_local.rotation, state.open.stage.view.is_dragging, read);
        let mut degrees = angle.to_degrees();
        let hint = "Axis x, y, z of any length, and degrees about it";
        let fields = row(ui, "Axis angle", hint, |ui, i| {
            ui.style_mut().drag_value_text_style = egui::TextStyle::Small;
            if i == 3 {
                return number(ui, &mut degrees, "Angle", 0.5, 2, "°", None);
            }
            let name = format!("Axis {}", AXIS_NAMES[i].to_lowercase());
            number(ui, &mut axis[i], &name, 0.01, 3, "", Some(theme::AXES[i]))
        });
        let edit = FieldEdit::new::<4>(&fields);
        let values = AxisAngle { axis, angle: degrees.to_radians() };
        let rotation = values.rotation();
        if edit.changed {
            self.axis_angle.keep(node, ShownRotation { rotation, values }, is_any_dragged(&fields));
        }
        edit.emit(|| Command::Edit { node, user_local: Trs { rotation, ..user_local } }, commands);
    }
}

fn is_any_dragged(fields: &[Response]) -> bool {
    fields.iter().any(Response::dragged)
}

/// Converts angles to degrees. Adding 0 turns -0 into 0.
fn in_degrees(angles: Vec3) -> Vec3 {
    angles.map(|a| a.to_degrees() + 0.0)
}

impl AxisAngle {
    fn rotation(self) -> Quat {
        self.axis.try_normalize().map_or(Quat::IDENTITY, |axis| Quat::from_axis_angle(axis, self.angle))
    }

    /// Returns the representation nearest to `near`. Without `near`, the angle is within ±180°, and the axis is either
    /// within 60° of +X or has a positive largest component. For the identity, keeps the axis of `near`.
    fn near(rotation: Quat, near: Option<Self>) -> Self {
        let near = near.unwrap_or(Self { axis: Vec3::X, angle: 0.0 });
        let (vector, w) = (rotation.xyz(), rotation.w);
        let Some(axis) = vector.try_normalize().filter(|_| vector.length() > 1e-6) else {
            return Self { angle: 0.0, ..near };
        };
        let along = axis.dot(near.axis.normalize_or_zero());
        let is_turned = if along.abs() > 0.5 { along < 0.0 } else { axis[axis.abs().max_position()] < 0.0 };
        let side = if is_turned { -1.0 } else { 1.0 };
        let angle = side * 2.0 * vector.length().atan2(w);
        Self { axis: axis * side, angle: angle + ((near.angle - angle) / TAU).round() * TAU }
    }
}

/// Draws the clip's rotation relative to the rest pose, in the Euler order of the fields.
fn clip_row(ui: &mut Ui, node: NodeIndex, state: &AppState) {
    let rotation = |local| Trs::from_affine(local).rotation;
    let rest = rotation(state.open.stage.rig().hierarchy.rest_local(node));
    let turn = rest.inverse() * rotation(&state.open.stage.posed().before_behaviours(node));
    let degrees = in_degrees(state.settings.euler_order.angles_near(turn.normalize(), Vec3::ZERO));
    let hint = "Rotation by the clip from rest; your rotation is added";
    row::<3>(ui, "Clip", hint, |ui, i| {
        let text = RichText::new(format!("{:.2}°", degrees[i])).weak();
        ui.add_sized([ui.spacing().interact_size.x, theme::ROW_HEIGHT], Label::new(text).truncate())
    });
}

fn quaternion_row(ui: &mut Ui, node: NodeIndex, user_local: Trs, commands: &mut Commands) {
    let mut values = user_local.rotation.to_array();
    let hint = "x, y, z, w; normalised. q and -q are the same rotation";
    let fields = row(ui, "Quat", hint, |ui, i| {
        ui.style_mut().drag_value_text_style = egui::TextStyle::Small;
        let name = format!("Quaternion {}", ["x", "y", "z", "w"][i]);
        number(ui, &mut values[i], &name, 0.005, 4, "", None)
    });
    let rotation = Quat::from_array(values);
    let edit = FieldEdit::new::<4>(&fields);
    edit.emit(|| Command::Edit { node, user_local: Trs { rotation, ..user_local } }, commands);
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
            let again = AxisAngle::near(shown.rotation(), Some(shown));
            prop_assert!(again.axis.distance(shown.axis) < 1e-4, "{again:?} for {shown:?}");
            prop_assert!((again.angle - angle).abs() < 1e-4, "{again:?} for {shown:?}");
        }
    }

    #[test]
    fn no_rotation_keeps_its_axis() {
        let shown = AxisAngle { axis: Vec3::Z, angle: 1.0 };
        assert_eq!(AxisAngle::near(Quat::IDENTITY, Some(shown)), AxisAngle { axis: Vec3::Z, angle: 0.0 });
    }

    #[test]
    fn an_axis_is_as_it_was_turned_from_the_first_moment_of_a_drag() {
        for axis in Vec3::AXES {
            let mut shown = AxisAngle::near(Quat::IDENTITY, None);
            // Starts with small jitter, as with a real pointer.
            for degrees in [-0.1_f32, 0.0, -2.0, 1.0, 74.0, 190.0] {
                shown = AxisAngle::near(Quat::from_axis_angle(axis, degrees.to_radians()), Some(shown));
                assert!((shown.angle.to_degrees() - degrees).abs() < 1e-3, "{shown:?} at {degrees}");
            }
            assert!(shown.axis.abs_diff_eq(axis, 1e-5), "{shown:?}");
        }
    }

    #[test]
    fn a_drag_goes_on_beyond_a_turn_and_what_comes_from_elsewhere_is_read_anew() {
        let mut memory = RotationMemory::<f32>::default();
        let turned = |degrees: f32| Quat::from_rotation_x(degrees.to_radians());
        let read =
            |degrees: f32| move |near: Option<f32>| degrees + ((near.unwrap_or(0.0) - degrees) / 360.0).round() * 360.0;
        let mut shown =
            |degrees: f32, is_dragging| memory.shown(NodeIndex(0), turned(degrees), is_dragging, read(degrees));
        assert_eq!(shown(10.0, false), 10.0);
        assert_eq!(
            [100.0, -170.0, -80.0, 0.0, 40.0].map(|degrees| shown(degrees, true)),
            [100.0, 190.0, 280.0, 360.0, 400.0]
        );
        assert_eq!(shown(40.0, false), 400.0, "where it was let go");
        assert_eq!(shown(10.0, false), 10.0, "undone");
        shown(200.0, true);
        assert_eq!(shown(10.0, false), 10.0, "cancelled");
    }
}
