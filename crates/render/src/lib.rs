//! Draws posed rigs with OpenGL, in a window's context or without a window.
//!
//! ```no_run
//! use rigscope_render::render::{Headless, RenderError};
//!
//! let headless = Headless::new()?;
//! println!("{}", headless.renderer());
//! let scene = headless.scene()?;
//! # Ok::<(), RenderError>(())
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
