use glam::{Quat, Vec2, Vec3};

use super::hit::touch;
use super::reading::PointerReading;
use super::ring::Ring;
use super::{RotateHandle, Sector};
use crate::gizmo::drag_input::DragInput;
use crate::gizmo::travel::Travel;
use crate::gizmo::{GizmoFrame, Modifiers};
use crate::view::Lens;

#[cfg(test)]
mod tests;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisRotation {
    pub axis: Vec3,
    /// Radians; may exceed a full turn.
    pub angle: f32,
}

impl AxisRotation {
    pub fn quat(self) -> Quat {
        Quat::from_axis_angle(self.axis, self.angle)
    }
}

/// A drag from press to release. Rotations are relative to the start, in world space.
#[derive(Clone, Debug)]
pub struct RotateDrag {
    /// Typed numbers are in degrees.
    pub(in crate::gizmo) input: DragInput,
    handle: RotateHandle,
    /// World axis of the ring. For the trackball, the axis about which typed angles rotate.
    axis: Vec3,
    /// The view's right and up vectors at the start, world space: the trackball's axes.
    screen: (Vec3, Vec3),
    is_far: bool,
    reading: PointerReading,
    /// World direction from the centre to the grabbed point on the ring, before the rotation.
    grab: Vec3,
    rotation: AxisRotation,
}

fn is_valid(cursor: Vec2) -> bool {
    const MAX: f32 = 1e6;
    cursor.abs().cmple(Vec2::splat(MAX)).all()
}

impl RotateDrag {
    /// Starts a drag; the cursor may be off the handle. `None` if the joint is behind the eye or the cursor is invalid.
    pub fn start(handle: RotateHandle, frame: &GizmoFrame, lens: &Lens, cursor: Vec2) -> Option<Self> {
        let ring = Ring::new(handle, frame, lens);
        let is_far = touch(&ring, lens, cursor).is_some_and(|touch| touch.is_far);
        let reading = PointerReading::new(handle, ring, is_far, frame, lens).filter(|_| is_valid(cursor))?;
        let mut drag = Self {
            input: DragInput::new(frame, lens, cursor)?,
            handle,
            axis: ring.axis,
            screen: (lens.right, lens.up),
            is_far,
            reading,
            grab: ring.direction(reading.held_angle(lens, cursor)),
            rotation: AxisRotation { axis: ring.axis, angle: 0.0 },
        };
        drag.follow(cursor);
        Some(drag)
    }

    /// Returns the rotation since the start. Uses typed degrees, if any; otherwise the pointer motion, snapped if
    /// requested. After a view change, the drag continues from the same rotation.
    pub fn update(&mut self, lens: &Lens, cursor: Vec2, modifiers: Modifiers) -> AxisRotation {
        if self.input.lens != *lens {
            self.change_lens(lens);
        }
        self.input.set_modifiers(modifiers);
        self.follow(cursor);
        self.update_rotation();
        self.rotation
    }

    /// Continues with another handle and the same angle; passing the current handle switches to the frame's other axes.
    /// A trackball rotation has no single axis, so the pointer motion since the start is converted to a rotation about
    /// the new axis.
    pub fn constrain(&mut self, handle: RotateHandle) {
        if handle == self.handle {
            self.input.frame.swap_axes();
        }
        if self.handle == RotateHandle::Trackball
            && let Some(mut again) = Self::start(handle, &self.input.frame, &self.input.lens, self.input.pressed_at)
        {
            again.input.typed = self.input.typed.clone();
            again.update(&self.input.lens, self.input.cursor, self.input.modifiers);
            *self = again;
            return;
        }
        let keeps = self.handle != RotateHandle::Trackball && handle != RotateHandle::Trackball;
        let turned = if keeps { self.input.travel.turned() } else { Vec2::ZERO };
        self.input.travel = Travel::starting_at(turned);
        self.handle = handle;
        self.is_far = false;
        self.axis = handle.axis(&self.input.frame, &self.input.lens);
        let lens = self.input.lens;
        self.change_lens(&lens);
        let held = self.reading.held_angle(&lens, self.input.cursor);
        self.grab = self.ring(&lens).direction(held - turned.x);
        self.update_rotation();
    }

    pub fn handle(&self) -> RotateHandle {
        self.handle
    }

    pub fn rotation(&self) -> AxisRotation {
        self.rotation
    }

    /// Returns the swept sector; `None` for the trackball or if the joint is behind the eye.
    pub fn sector(&self, lens: &Lens) -> Option<Sector> {
        if self.handle == RotateHandle::Trackball {
            return None;
        }
        Sector::new(&self.ring(lens), self.grab, self.rotation.angle, lens)
    }

    fn ring(&self, lens: &Lens) -> Ring {
        Ring::about(self.axis, self.handle.size(), &self.input.frame, lens)
    }

    /// Changes the view but keeps the rotation. If the joint is behind the eye, also keeps the old reading.
    fn change_lens(&mut self, lens: &Lens) {
        self.input.travel.release();
        self.input.lens = *lens;
        if let Some(reading) = PointerReading::new(self.handle, self.ring(lens), self.is_far, &self.input.frame, lens) {
            self.reading = reading;
        }
        self.follow(self.input.cursor);
    }

    /// Follows the straight path to the cursor, so that the result doesn't depend on the event rate. Near the
    /// centre, where the angle would jump by half a turn, it releases the ring and grabs it again on the other side.
    fn follow(&mut self, cursor: Vec2) {
        if !is_valid(cursor) {
            return;
        }
        let from = std::mem::replace(&mut self.input.cursor, cursor);
        if let Some((enter, leave)) = self.reading.held(&self.input.lens, from, cursor) {
            if enter > 0.0 {
                self.read(from.lerp(cursor, enter));
            }
            self.input.travel.release();
            if leave >= 1.0 {
                return;
            }
            self.read(from.lerp(cursor, leave));
        }
        self.read(cursor);
    }

    fn read(&mut self, cursor: Vec2) {
        self.input.travel.follow(self.reading.read(&self.input.lens, cursor), self.reading.repeats());
    }

    fn update_rotation(&mut self) {
        self.rotation = match self.input.typed.value() {
            Some(degrees) => AxisRotation { axis: self.axis, angle: degrees.to_radians() },
            None => self.rotation_by(self.input.modifiers.snapped(self.input.travel.turned())),
        };
    }

    fn rotation_by(&self, turned: Vec2) -> AxisRotation {
        if self.handle != RotateHandle::Trackball {
            return AxisRotation { axis: self.axis, angle: turned.x };
        }
        let (right, up) = self.screen;
        // Moving right rotates about up, and moving down about right, so that the near side follows the pointer.
        let scaled = up * turned.x + right * turned.y;
        AxisRotation { axis: scaled.normalize_or(self.axis), angle: scaled.length() }
    }
}
