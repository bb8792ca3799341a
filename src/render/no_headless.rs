//! Stand-in for [`Headless`] on macOS, which has no EGL.

use std::convert::Infallible;

use super::{RenderError, Scene};

/// A windowless OpenGL context, not available on this system.
pub struct Headless(Infallible);

impl Headless {
    /// Always fails. *Errors*: [`RenderError::NoHeadlessContext`].
    pub fn new() -> Result<Self, RenderError> {
        Err(RenderError::NoHeadlessContext { reason: "macOS has no EGL".to_owned() })
    }

    /// Always fails. *Errors*: [`RenderError::NoHeadlessContext`].
    pub fn embedded() -> Result<Self, RenderError> {
        Self::new()
    }

    /// Name of the OpenGL device.
    pub fn renderer(&self) -> String {
        match self.0 {}
    }

    /// Creates a scene with this context.
    pub fn scene(&self) -> Result<Scene, RenderError> {
        match self.0 {}
    }
}
