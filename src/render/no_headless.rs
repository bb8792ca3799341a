use std::convert::Infallible;

use super::{RenderError, Scene};

/// Stand-in for a windowless OpenGL context on macOS, which has no EGL.
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

    /// Returns the name of the OpenGL device.
    pub fn renderer(&self) -> String {
        match self.0 {}
    }

    /// Creates a scene with this context.
    pub fn scene(&self) -> Result<Scene, RenderError> {
        match self.0 {}
    }
}
