//! Draws posed rigs with OpenGL, in a window's context or without a window.
//!
//! ```
//! use std::sync::Arc;
//!
//! use glam::Vec3;
//! use rigscope_core::actor::{Actor, SharedPose};
//! use rigscope_core::rig::{
//!     Hierarchy, Mesh, MeshInstance, NodeDescription, NodeIndex, Pose, Primitive, Rig, RigData, bounds, evaluate,
//! };
//! use rigscope_core::view::View;
//! use rigscope_render::render::{FrameInput, Headless};
//!
//! let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
//! let triangle = Primitive { positions: corners, indices: vec![0, 1, 2], ..Primitive::default() };
//! let rig = Arc::new(Rig::new(RigData {
//!     hierarchy: Hierarchy::new(&[NodeDescription::default()])?,
//!     meshes: vec![Mesh { primitives: vec![triangle], ..Mesh::default() }],
//!     instances: vec![MeshInstance { node: NodeIndex(0), mesh: 0, skin: None, morph_weights: Vec::new() }],
//!     ..RigData::default()
//! }));
//!
//! let pose = Pose::rest(&rig.hierarchy);
//! let posed = evaluate(&rig, None, &pose);
//! let mut view = View::default();
//! view.camera.frame(bounds(&rig, &posed), 1.0);
//! let actor = Actor::new(&rig, SharedPose::new(&rig, posed));
//!
//! let headless = Headless::new()?;
//! let mut scene = headless.scene()?;
//! scene.draw(&FrameInput::for_actor(&actor, (&pose, &view), [64, 64]))?;
//! let image = scene.pixels()?;
//! assert_ne!(image.get_pixel(32, 32), image.get_pixel(0, 32), "the triangle covers the centre");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Map
//! A module imports only from the modules in its third column; `tests/project/architecture.rs` checks this.
//!
//! | module | responsibility | imports |
//! | --- | --- | --- |
//! | [`render`] | images of actors in panes, with or without a window; the only user of three-d | `rig`, `skinning`, `environment`, `view`, `actor` |

#![warn(unreachable_pub)]

pub mod render;
