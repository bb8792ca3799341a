//! Drags of the rotation gizmo.

use glam::{Quat, Vec2, Vec3};

use super::hit::touch;
use super::reading::PointerReading;
use super::ring::Ring;
use super::{RotateHandle, Sector};
use crate::gizmo::travel::Travel;
use crate::gizmo::{Frame, Modifiers, TypedNumber};
use crate::view::Lens;

#[cfg(test)]
mod tests;

/// A world-space rotation; the angle may exceed full turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation {
    pub axis: Vec3,
    /// Radians, unbounded.
    pub angle: f32,
}

impl Rotation {
    pub fn quat(self) -> Quat {
        Quat::from_axis_angle(self.axis, self.angle)
    }
}

/// A drag from press to release. Rotations are relative to the start, never increments.
#[derive(Clone, Debug)]
pub struct RotateDrag {
    /// Degrees; override the pointer once there is a digit.
    pub typed: TypedNumber,
    handle: RotateHandle,
    frame: Frame,
    /// Axis of the ring, or of the trackball for typed degrees; world space.
    axis: Vec3,
    /// Right and up of the view at the start, world space: axes of the trackball.
    screen: (Vec3, Vec3),
    is_far: bool,
    reading: PointerReading,
    travel: Travel,
    lens: Lens,
    pressed_at: Vec2,
    cursor: Vec2,
    /// World direction of the grabbed point on the ring before the rotation.
    grab: Vec3,
    modifiers: Modifiers,
    rotation: Rotation,
}

/// Rejects non-finite and huge coordinates.
fn is_somewhere(cursor: Vec2) -> bool {
    const FARTHEST: f32 = 1e6;
    cursor.abs().cmple(Vec2::splat(FARTHEST)).all()
}

impl RotateDrag {
    /// Starts a drag; the cursor may be off the handle, so that keys can start drags. `None` if the joint is behind the
    /// eye or the cursor is invalid.
    pub fn start(handle: RotateHandle, frame: &Frame, lens: &Lens, cursor: Vec2) -> Option<Self> {
        let ring = Ring::new(handle, frame, lens);
        let is_far = touch(&ring, lens, cursor).is_some_and(|touch| touch.is_far);
        let reading = PointerReading::new(handle, ring, is_far, frame, lens).filter(|_| is_somewhere(cursor))?;
        let mut drag = Self {
            typed: TypedNumber::default(),
            handle,
            frame: *frame,
            axis: ring.axis,
            screen: (lens.right, lens.up),
            is_far,
            reading,
            travel: Travel::default(),
            lens: *lens,
            pressed_at: cursor,
            cursor,
            grab: ring.direction(reading.held_angle(lens, cursor)),
            modifiers: Modifiers::default(),
            rotation: Rotation { axis: ring.axis, angle: 0.0 },
        };
        drag.follow(cursor);
        Some(drag)
    }

    /// Follows the pointer; returns the rotation since the start. Typed degrees override snapping, which overrides the
    /// pointer. If the view changes, the rotation is kept and continues from there.
    pub fn update(&mut self, lens: &Lens, cursor: Vec2, modifiers: Modifiers) -> Rotation {
        if self.lens != *lens {
            self.look_through(lens);
        }
        self.modifiers = modifiers;
        self.travel.set_fine(modifiers.fine);
        self.follow(cursor);
        self.settle();
        self.rotation
    }

    /// Continues with another handle and the same angle; the same handle again switches to the other space (keys X, Y,
    /// Z). A trackball rotation has no axis to keep, so the pointer's path is reread as a rotation about the new axis.
    pub fn constrain(&mut self, handle: RotateHandle) {
        if handle == self.handle {
            self.frame.swap_axes();
        }
        if self.handle == RotateHandle::Trackball
            && let Some(mut again) = Self::start(handle, &self.frame, &self.lens, self.pressed_at)
        {
            again.typed = self.typed.clone();
            let (lens, cursor, modifiers) = (self.lens, self.cursor, self.modifiers);
            again.update(&lens, cursor, modifiers);
            *self = again;
            return;
        }
        let keeps = self.handle != RotateHandle::Trackball && handle != RotateHandle::Trackball;
        let turned = if keeps { self.travel.turned() } else { Vec2::ZERO };
        self.travel = Travel::starting_at(turned);
        self.handle = handle;
        self.is_far = false;
        self.axis = handle.axis(&self.frame, &self.lens);
        let lens = self.lens;
        self.look_through(&lens);
        let held = self.reading.held_angle(&lens, self.cursor);
        self.grab = self.ring(&lens).direction(held - turned.x);
        self.settle();
    }

    pub fn handle(&self) -> RotateHandle {
        self.handle
    }

    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    pub fn rotation(&self) -> Rotation {
        self.rotation
    }

    /// Swept sector; `None` for the trackball and behind the eye.
    pub fn sector(&self, lens: &Lens) -> Option<Sector> {
        if self.handle == RotateHandle::Trackball {
            return None;
        }
        Sector::new(&self.ring(lens), self.grab, self.rotation.angle, lens)
    }

    fn ring(&self, lens: &Lens) -> Ring {
        Ring::about(self.axis, self.handle.size(), &self.frame, lens)
    }

    /// Switches to another lens, keeping the rotation; with the joint behind the eye, keeps the old reading.
    fn look_through(&mut self, lens: &Lens) {
        self.travel.release();
        self.lens = *lens;
        if let Some(reading) = PointerReading::new(self.handle, self.ring(lens), self.is_far, &self.frame, lens) {
            self.reading = reading;
        }
        self.follow(self.cursor);
    }

    /// Follows the straight path to the cursor, so that the result doesn't depend on the event rate. Near the centre,
    /// where the angle would jump by half a turn, the ring is released and grabbed again on the other side.
    fn follow(&mut self, cursor: Vec2) {
        if !is_somewhere(cursor) {
            return;
        }
        let from = std::mem::replace(&mut self.cursor, cursor);
        if let Some((enter, leave)) = self.reading.held(&self.lens, from, cursor) {
            if enter > 0.0 {
                self.take(from.lerp(cursor, enter));
            }
            self.travel.release();
            if leave >= 1.0 {
                return;
            }
            self.take(from.lerp(cursor, leave));
        }
        self.take(cursor);
    }

    fn take(&mut self, cursor: Vec2) {
        self.travel.follow(self.reading.read(&self.lens, cursor), self.reading.repeats());
    }

    fn settle(&mut self) {
        self.rotation = match self.typed.value() {
            Some(degrees) => Rotation { axis: self.axis, angle: degrees.to_radians() },
            None => self.rotation_of(self.modifiers.snapped(self.travel.turned())),
        };
    }

    fn rotation_of(&self, turned: Vec2) -> Rotation {
        if self.handle != RotateHandle::Trackball {
            return Rotation { axis: self.axis, angle: turned.x };
        }
        let (right, up) = self.screen;
        // Right rotates about up, down (y grows downwards) about right, so that the near side follows the pointer.
        let scaled = up * turned.x + right * turned.y;
        Rotation { axis: scaled.normalize_or(self.axis), angle: scaled.length() }
    }
}
