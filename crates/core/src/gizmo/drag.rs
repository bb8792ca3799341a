use glam::{Vec2, Vec3};

use super::drag_input::DragInput;
use super::rotate::{RotateDrag, RotateHandle};
use super::scale::{ScaleDrag, ScaleHandle};
use super::translate::{MoveDrag, MoveHandle};
use super::{GizmoFrame, Modifiers, Tool, TypedNumber, rotate, scale, translate};
use crate::view::Lens;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    Rotate(RotateHandle),
    Move(MoveHandle),
    Scale(ScaleHandle),
}

/// Change of the active joint since the start of a drag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DragChange {
    Rotate {
        rotation: rotate::AxisRotation,
        /// Index of the rotation axis in the frame, 0 to 2; `None` for the view axis and the trackball.
        axis: Option<usize>,
    },
    Move {
        /// World space, metres.
        by: Vec3,
        /// False if the move is in the view plane.
        follows_axes: bool,
    },
    /// Scale factors along the joint's own axes.
    Scale(Vec3),
}

#[derive(Clone, Debug)]
pub enum Drag {
    Rotate(RotateDrag),
    Move(MoveDrag),
    Scale(ScaleDrag),
}

/// Returns the handle under `cursor`, a position in viewport points.
pub fn hit(tool: Tool, frame: &GizmoFrame, lens: &Lens, cursor: Vec2) -> Option<Handle> {
    match tool {
        Tool::Rotate => rotate::hit(frame, lens, cursor).map(Handle::Rotate),
        Tool::Move => translate::hit(frame, lens, cursor).map(Handle::Move),
        Tool::Scale => scale::hit(frame, lens, cursor).map(Handle::Scale),
    }
}

impl Tool {
    pub fn free_handle(self) -> Handle {
        match self {
            Self::Rotate => Handle::Rotate(RotateHandle::View),
            Self::Move => Handle::Move(MoveHandle::View),
            Self::Scale => Handle::Scale(ScaleHandle::Uniform),
        }
    }
}

impl Drag {
    /// Returns `None` if the joint is behind the eye or the cursor is not finite.
    pub fn start(handle: Handle, frame: &GizmoFrame, lens: &Lens, cursor: Vec2) -> Option<Self> {
        match handle {
            Handle::Rotate(handle) => RotateDrag::start(handle, frame, lens, cursor).map(Self::Rotate),
            Handle::Move(handle) => MoveDrag::start(handle, frame, lens, cursor).map(Self::Move),
            Handle::Scale(handle) => ScaleDrag::start(handle, frame, lens, cursor).map(Self::Scale),
        }
    }

    pub fn update(&mut self, lens: &Lens, cursor: Vec2, modifiers: Modifiers) -> DragChange {
        match self {
            Self::Rotate(drag) => _ = drag.update(lens, cursor, modifiers),
            Self::Move(drag) => _ = drag.update(lens, cursor, modifiers),
            Self::Scale(drag) => _ = drag.update(cursor, modifiers),
        }
        self.change()
    }

    pub fn change(&self) -> DragChange {
        match self {
            Self::Rotate(drag) => {
                let axis = RotateHandle::RINGS.iter().position(|h| *h == drag.handle()).filter(|i| *i < 3);
                DragChange::Rotate { rotation: drag.rotation(), axis }
            }
            Self::Move(drag) => {
                DragChange::Move { by: drag.translation(), follows_axes: drag.handle() != MoveHandle::View }
            }
            Self::Scale(drag) => DragChange::Scale(drag.factors()),
        }
    }

    fn input(&self) -> &DragInput {
        match self {
            Self::Rotate(drag) => &drag.input,
            Self::Move(drag) => &drag.input,
            Self::Scale(drag) => &drag.input,
        }
    }

    pub fn typed(&self) -> &TypedNumber {
        &self.input().typed
    }

    pub fn typed_mut(&mut self) -> &mut TypedNumber {
        match self {
            Self::Rotate(drag) => &mut drag.input.typed,
            Self::Move(drag) => &mut drag.input.typed,
            Self::Scale(drag) => &mut drag.input.typed,
        }
    }

    pub fn frame(&self) -> &GizmoFrame {
        &self.input().frame
    }

    /// Constrains the drag to an axis, 0 to 2.
    pub fn constrain(&mut self, axis: usize) {
        match self {
            Self::Rotate(drag) => drag.constrain(RotateHandle::RINGS[axis]),
            Self::Move(drag) => drag.constrain(MoveHandle::AXES[axis]),
            Self::Scale(drag) => drag.constrain(ScaleHandle::AXES[axis]),
        }
    }

    pub fn free(&mut self) {
        match self {
            Self::Rotate(drag) => drag.constrain(RotateHandle::View),
            Self::Move(drag) => drag.constrain(MoveHandle::View),
            Self::Scale(drag) => drag.constrain(ScaleHandle::Uniform),
        }
    }
}
