use glam::Vec2;

use super::travel::Travel;
use super::{GizmoFrame, Modifiers, TypedNumber};
use crate::view::Lens;

/// State that drags of all tools share: pointer, view, modifiers and typed number.
#[derive(Clone, Debug)]
pub(super) struct DragInput {
    /// Overrides the pointer once it has a digit.
    pub typed: TypedNumber,
    pub frame: GizmoFrame,
    pub lens: Lens,
    /// Viewport points.
    pub pressed_at: Vec2,
    /// Viewport points.
    pub cursor: Vec2,
    pub travel: Travel,
    pub modifiers: Modifiers,
}

impl DragInput {
    /// `None` if the joint is behind the eye or the cursor is not finite.
    pub(super) fn new(frame: &GizmoFrame, lens: &Lens, cursor: Vec2) -> Option<Self> {
        frame.center(lens).filter(|_| cursor.is_finite())?;
        Some(Self {
            typed: TypedNumber::default(),
            frame: *frame,
            lens: *lens,
            pressed_at: cursor,
            cursor,
            travel: Travel::default(),
            modifiers: Modifiers::default(),
        })
    }

    pub(super) fn set_modifiers(&mut self, modifiers: Modifiers) {
        self.modifiers = modifiers;
        self.travel.set_fine(modifiers.fine);
    }

    /// Moves the drag to the cursor. `read` converts the cursor's position to the tool's unit; while it returns `None`,
    /// the drag pauses.
    pub(super) fn follow(&mut self, cursor: Vec2, read: impl Fn(&Self, Vec2) -> Option<Vec2>) {
        if !cursor.is_finite() {
            return;
        }
        self.cursor = cursor;
        if let Some(reading) = read(self, cursor) {
            self.travel.follow(reading, false);
        }
    }

    /// Recomputes the motion since the start of the drag with a different `read`.
    pub(super) fn restart(&mut self, read: impl Fn(&Self, Vec2) -> Option<Vec2>) {
        self.travel = Travel::default();
        let cursor = self.cursor;
        self.follow(self.pressed_at, &read);
        self.follow(cursor, &read);
    }
}
