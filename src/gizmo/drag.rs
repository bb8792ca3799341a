//! A drag with any of the tools.

use glam::{Vec2, Vec3};

use super::rotate::{RotateDrag, RotateHandle};
use super::scale::{ScaleDrag, ScaleHandle};
use super::translate::{MoveDrag, MoveHandle};
use super::{Frame, Modifiers, Tool, TypedNumber, rotate, scale, translate};
use crate::view::Lens;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    /// A handle of the rotation gizmo.
    Rotate(RotateHandle),
    /// A handle of the move gizmo.
    Move(MoveHandle),
    /// A handle of the scale gizmo.
    Scale(ScaleHandle),
}

/// Change to the active joint since the drag started.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DragChange {
    /// Rotation in world space.
    Rotate {
        /// Axis and angle of the turn.
        rotation: rotate::Rotation,
        /// Index of the frame's axis that is turned about; `None` for another axis.
        axis: Option<usize>,
    },
    /// Translation in world space.
    Move {
        /// Displacement, world space, metres.
        by: Vec3,
        /// True where the move follows the axes of the frame, false where it follows the picture plane.
        follows_axes: bool,
    },
    /// Factors along the joint's own axes.
    Scale(Vec3),
}

/// A drag from press to release.
#[derive(Clone, Debug)]
pub enum Drag {
    Rotate(RotateDrag),
    Move(MoveDrag),
    Scale(ScaleDrag),
}

/// The handle under the cursor (viewport points) of a tool's gizmo.
pub fn hit(tool: Tool, frame: &Frame, lens: &Lens, cursor: Vec2) -> Option<Handle> {
    match tool {
        Tool::Rotate => rotate::hit(frame, lens, cursor).map(Handle::Rotate),
        Tool::Move => translate::hit(frame, lens, cursor).map(Handle::Move),
        Tool::Scale => scale::hit(frame, lens, cursor).map(Handle::Scale),
    }
}

impl Tool {
    /// Handle of the tool that is bound to no axis.
    pub fn free_handle(self) -> Handle {
        match self {
            Self::Rotate => Handle::Rotate(RotateHandle::View),
            Self::Move => Handle::Move(MoveHandle::View),
            Self::Scale => Handle::Scale(ScaleHandle::Uniform),
        }
    }
}

impl Drag {
    /// Starts a drag of a handle; `None` where the joint is behind the eye.
    pub fn start(handle: Handle, frame: &Frame, lens: &Lens, cursor: Vec2) -> Option<Self> {
        match handle {
            Handle::Rotate(handle) => RotateDrag::start(handle, frame, lens, cursor).map(Self::Rotate),
            Handle::Move(handle) => MoveDrag::start(handle, frame, lens, cursor).map(Self::Move),
            Handle::Scale(handle) => ScaleDrag::start(handle, frame, lens, cursor).map(Self::Scale),
        }
    }

    /// Continues the drag with the pointer at `cursor`.
    pub fn update(&mut self, lens: &Lens, cursor: Vec2, modifiers: Modifiers) -> DragChange {
        match self {
            Self::Rotate(drag) => _ = drag.update(lens, cursor, modifiers),
            Self::Move(drag) => _ = drag.update(lens, cursor, modifiers),
            Self::Scale(drag) => _ = drag.update(cursor, modifiers),
        }
        self.change()
    }

    /// Change as of the last update.
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

    /// The number typed during the drag so far.
    pub fn typed_so_far(&self) -> &TypedNumber {
        match self {
            Self::Rotate(drag) => &drag.typed,
            Self::Move(drag) => &drag.typed,
            Self::Scale(drag) => &drag.typed,
        }
    }

    /// The number typed during the drag: degrees, metres or a factor.
    pub fn typed(&mut self) -> &mut TypedNumber {
        match self {
            Self::Rotate(drag) => &mut drag.typed,
            Self::Move(drag) => &mut drag.typed,
            Self::Scale(drag) => &mut drag.typed,
        }
    }

    /// Constrains the drag to an axis, 0 to 2, as the keys X, Y and Z do.
    pub fn constrain(&mut self, axis: usize) {
        match self {
            Self::Rotate(drag) => drag.constrain(RotateHandle::RINGS[axis]),
            Self::Move(drag) => drag.constrain(MoveHandle::AXES[axis]),
            Self::Scale(drag) => drag.constrain(ScaleHandle::AXES[axis]),
        }
    }

    /// Frees the drag of any axis: about the line of sight, in the picture plane, or along all three axes alike.
    pub fn free(&mut self) {
        match self {
            Self::Rotate(drag) => drag.constrain(RotateHandle::View),
            Self::Move(drag) => drag.constrain(MoveHandle::View),
            Self::Scale(drag) => drag.constrain(ScaleHandle::Uniform),
        }
    }

    /// The frame, frozen when the drag started.
    pub fn frame(&self) -> &Frame {
        match self {
            Self::Rotate(drag) => drag.frame(),
            Self::Move(drag) => drag.frame(),
            Self::Scale(drag) => drag.frame(),
        }
    }
}
