//! Stand-in for a windowless OpenGL context on macOS, which has no EGL.

use std::convert::Infallible;

use super::{RenderError, Scene};

/// An OpenGL context without a window, which cannot be created on this system.
pub struct Headless(Infallible);

impl Headless {
    /// Always fails. *Errors*: [`RenderError::NoHeadlessContext`].
    pub fn new() -> Result<Self, RenderError> {
        Err(RenderError::NoHeadlessContext { reason: "macOS has no EGL".to_owned() })
    }

    /// Always fails, as [`Self::new`]. *Errors*: [`RenderError::NoHeadlessContext`].
    pub fn embedded() -> Result<Self, RenderError> {
        Self::new()
    }

    /// Name of the device that draws, as OpenGL calls it.
    pub fn renderer(&self) -> String {
        match self.0 {}
    }

    /// A scene that draws with this context.
    ///
    /// *Errors*: none, since there is no context.
    pub fn scene(&self) -> Result<Scene, RenderError> {
        match self.0 {}
    }
}
