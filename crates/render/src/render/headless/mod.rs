#[cfg(not(any(windows, target_os = "macos")))]
mod egl;
#[cfg(target_os = "macos")]
mod none;
#[cfg(windows)]
mod wgl;

use std::ffi::{CStr, c_void};
use std::sync::Arc;

use glutin::context::{ContextApi, Version};
use three_d::context::Context;

use super::{RenderError, Scene};
use crate::render::gl::driver::renderer;
#[cfg(test)]
use crate::render::gl::{gl_calls, gl_faults};
#[cfg(not(any(windows, target_os = "macos")))]
use egl::Driver;
#[cfg(target_os = "macos")]
use none::Driver;
#[cfg(windows)]
use wgl::Driver;

/// Test builds use a different version, which counts OpenGL calls and simulates failures.
#[cfg(not(test))]
fn entry_point(_name: &CStr, function: *const c_void) -> *const c_void {
    function
}

#[cfg(test)]
fn entry_point(name: &CStr, function: *const c_void) -> *const c_void {
    gl_faults::entry_point(name, gl_calls::entry_point(name, function))
}

/// Lowest desktop version for which timer queries are used. Requested first, because some drivers return exactly the
/// requested version.
const TIMED: ContextApi = ContextApi::OpenGl(Some(Version::new(4, 5)));
const DESKTOP: ContextApi = ContextApi::OpenGl(Some(Version::new(3, 3)));
const EMBEDDED: ContextApi = ContextApi::Gles(Some(Version::new(3, 0)));

/// A windowless OpenGL context for the thread that created it. Uses EGL without a surface or display server and tries
/// graphics cards before Mesa's software device; on Windows, uses WGL and a window that is never shown.
///
/// The type isn't `Send`, because a context is current on one thread. If a thread has several contexts, the one that
/// created the newest [`Scene`] is current. Drop scenes before their context. The crate's front page has an example.
pub struct Headless {
    gl: Arc<Context>,
    driver: Driver,
}

impl Headless {
    /// Opens the first device with OpenGL 3.3 or OpenGL ES 3.0.
    ///
    /// *Errors*: [`RenderError::NoHeadlessContext`] with the error from every device.
    pub fn new() -> Result<Self, RenderError> {
        Self::with(&[TIMED, DESKTOP, EMBEDDED])
    }

    /// Opens the first device with OpenGL ES 3.0, which some windows use; for tests. *Errors*: see [`Self::new`].
    pub fn embedded() -> Result<Self, RenderError> {
        Self::with(&[EMBEDDED])
    }

    #[expect(unsafe_code, reason = "OpenGL entry points are unsafe to load")]
    fn with(apis: &[ContextApi]) -> Result<Self, RenderError> {
        let driver = Driver::open(apis).map_err(no_context)?;
        // SAFETY: the context is current, and the loader returns the entry points of this context.
        let gl = unsafe {
            Context::from_loader_function_cstr(|name: &CStr| entry_point(name, driver.get_proc_address(name)))
        };
        Ok(Self { gl: Arc::new(gl), driver })
    }

    /// Returns the context, as a window has one, for [`SceneHost`](super::SceneHost).
    pub fn context(&self) -> Arc<Context> {
        Arc::clone(&self.gl)
    }

    /// Returns the name of the OpenGL device.
    pub fn renderer(&self) -> String {
        renderer(&self.gl)
    }

    /// Creates a scene and makes its context current. *Errors*: the driver is too old or fails.
    pub fn scene(&self) -> Result<Scene, RenderError> {
        self.driver.make_current().map_err(no_context)?;
        Scene::new(Arc::clone(&self.gl))
    }
}

fn no_context(reason: String) -> RenderError {
    RenderError::NoHeadlessContext { reason }
}
