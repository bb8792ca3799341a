//! A drag of the rotation gizmo: frozen where it starts, from there to the whole turn so far.

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

/// A world rotation as axis and angle; the angle tells how many times around.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation {
    /// Unit length, world space.
    pub axis: Vec3,
    /// Radians, unbounded.
    pub angle: f32,
}

impl Rotation {
    /// The rotation as a unit quaternion.
    pub fn quat(self) -> Quat {
        Quat::from_axis_angle(self.axis, self.angle)
    }
}

/// A drag from press to release. All of its results are rotations since the start, never increments.
#[derive(Clone, Debug)]
pub struct RotateDrag {
    /// Degrees typed so far; once there is a digit they take the place of the pointer's angle.
    pub typed: TypedNumber,
    handle: RotateHandle,
    frame: Frame,
    /// Axis of a ring, and of the trackball where degrees are typed; world space.
    axis: Vec3,
    /// The picture's right and up where the drag started: what the trackball rolls about.
    screen: (Vec3, Vec3),
    is_far: bool,
    reading: PointerReading,
    travel: Travel,
    lens: Lens,
    /// Cursor where the drag started.
    pressed_at: Vec2,
    cursor: Vec2,
    /// World direction of the point of the ring that is held, as it was before the turn.
    grab: Vec3,
    modifiers: Modifiers,
    rotation: Rotation,
}

/// False for coordinates that are no numbers, or so large that no pointer means them and no arithmetic bears them.
fn is_somewhere(cursor: Vec2) -> bool {
    const FARTHEST: f32 = 1e6;
    cursor.abs().cmple(Vec2::splat(FARTHEST)).all()
}

impl RotateDrag {
    /// Takes a handle; the cursor may be off it, so that a key can start a drag too.
    ///
    /// `None` where the joint is behind the eye, or the cursor at no real place.
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

    /// Follows the pointer and tells the rotation since the start. Typed degrees go before snapping, snapping before the pointer.
    ///
    /// The view may change during the drag: the turn then holds, and goes on from there.
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

    /// Goes on with another handle, the turn so far now about its axis; the one that is held again takes the other space.
    ///
    /// What the keys X, Y and Z do. A turn of the trackball has no axis to keep: the way of the pointer is read again from its start, as a turn about the new one.
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

    /// The frame as frozen at the start: what to draw the rings of while the drag is on.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Rotation by the last update.
    pub fn rotation(&self) -> Rotation {
        self.rotation
    }

    /// Sector that the turn has passed; `None` for the trackball and behind the eye.
    pub fn sector(&self, lens: &Lens) -> Option<Sector> {
        if self.handle == RotateHandle::Trackball {
            return None;
        }
        Sector::new(&self.ring(lens), self.grab, self.rotation.angle, lens)
    }

    /// The ring in use, about the frozen axis.
    fn ring(&self, lens: &Lens) -> Ring {
        Ring::about(self.axis, self.handle.size(), &self.frame, lens)
    }

    /// Reads the pointer anew, from the present turn on; a joint gone behind the eye keeps the old reading.
    fn look_through(&mut self, lens: &Lens) {
        self.travel.release();
        self.lens = *lens;
        if let Some(reading) = PointerReading::new(self.handle, self.ring(lens), self.is_far, &self.frame, lens) {
            self.reading = reading;
        }
        self.follow(self.cursor);
    }

    /// Follows the straight way to the cursor, so that the result does not depend on how often the pointer is reported.
    ///
    /// Past the centre the ring is let go and taken again on the other side: there, half a turn would be a jump.
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

    /// Reads one place of the pointer.
    fn take(&mut self, cursor: Vec2) {
        self.travel.follow(self.reading.read(&self.lens, cursor), self.reading.repeats());
    }

    /// Settles the rotation that is told: by the typed angle, else the snapped one.
    fn settle(&mut self) {
        self.rotation = match self.typed.value() {
            Some(degrees) => Rotation { axis: self.axis, angle: degrees.to_radians() },
            None => self.rotation_of(self.modifiers.snapped(self.travel.turned())),
        };
    }

    /// A turn of the pointer as a rotation.
    fn rotation_of(&self, turned: Vec2) -> Rotation {
        if self.handle != RotateHandle::Trackball {
            return Rotation { axis: self.axis, angle: turned.x };
        }
        let (right, up) = self.screen;
        // To the right turns about up, down (y grows downwards) about right: the near side follows the pointer.
        let scaled = up * turned.x + right * turned.y;
        Rotation { axis: scaled.normalize_or(self.axis), angle: scaled.length() }
    }
}
