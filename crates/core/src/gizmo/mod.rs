//! Transform gizmos: screen outlines, hit testing and drags, without egui or GPU.
//!
//! [`GizmoFrame`] positions the handles of [`rotate`], [`translate`] and [`scale`]. [`Drag`] unifies their drags,
//! [`KeyedDrag`] adds keys, and [`Targets`] applies the change to joints. Screen positions are in viewport points,
//! as in [`crate::view::Lens`].
//!
//! # Example
//! Each update rotates the transform *from the start* by the total rotation, so errors don't accumulate.
//! ```
//! use glam::Vec2;
//! use rigscope_core::gizmo::{GizmoFrame, GizmoSize, Modifiers, Orientation, rotate};
//! use rigscope_core::rig::{EulerOrder, Trs, rotate_in_world};
//! use rigscope_core::view::Camera;
//!
//! let lens = Camera::default().lens(Vec2::new(800.0, 600.0));
//! let world_before_user = glam::Affine3::IDENTITY; // `Posed::world_before_user`
//! let at_start = Trs::IDENTITY; // the pose's user local transform
//! let world_from_joint = world_before_user * at_start.to_affine();
//! let seen = (GizmoSize::default(), &lens);
//! let frame = GizmoFrame::new(Orientation::Local, EulerOrder::Xyz, &world_from_joint, &world_before_user, seen);
//!
//! let pressed_at = Vec2::new(400.0, 300.0);
//! if let Some(handle) = rotate::hit(&frame, &lens, pressed_at) {
//!     if let Some(mut drag) = rotate::RotateDrag::start(handle, &frame, &lens, pressed_at) {
//!         let rotation = drag.update(&lens, Vec2::new(430.0, 300.0), Modifiers::default());
//!         let edited = rotate_in_world(&at_start, &world_before_user, rotation.quat());
//!         assert!(edited.rotation.angle_between(at_start.rotation) > 0.1);
//!     }
//! }
//! ```

mod drag;
mod drag_input;
mod frame;
mod keyed;
mod marks;
mod modifiers;
mod orientation;
pub mod rotate;
pub mod scale;
mod targets;
mod tool;
pub mod translate;
mod travel;
mod typed;

pub use drag::{Drag, DragChange, Handle, hit};
pub use frame::{GizmoFrame, GizmoSize};
pub use keyed::{AxisLock, DragKey, DragStep, KeyedDrag};
pub use marks::{HandleMark, HandleShape};
pub use modifiers::Modifiers;
pub use orientation::Orientation;
pub use targets::Targets;
pub use tool::{GizmoOptions, Pivot, Tool};
pub use typed::TypedNumber;
