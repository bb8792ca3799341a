use std::ffi::{CStr, c_void};
use std::sync::Arc;

use glutin::api::egl::config::Config;
use glutin::api::egl::context::{NotCurrentContext, PossiblyCurrentContext};
use glutin::api::egl::device::Device;
use glutin::api::egl::display::Display;
use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
#[cfg(test)]
use glutin::context::NotCurrentGlContext as _;
use glutin::context::{ContextApi, ContextAttributesBuilder, GlProfile, PossiblyCurrentGlContext, Version};
use glutin::display::GlDisplay;
use glutin::error::{Error, ErrorKind};
use three_d::context::Context;

use super::{RenderError, Scene};
use crate::render::gl::driver::renderer;
#[cfg(test)]
use crate::render::gl::{gl_calls, gl_faults};

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

/// A windowless OpenGL context for the thread that created it. Uses EGL without a surface or display server. Tries
/// graphics cards before Mesa's software device.
///
/// The type isn't `Send`, because a context is current on one thread. If a thread has several contexts, the one that
/// created the newest [`Scene`] is current. Drop scenes before their context.
///
/// ```no_run
/// # use rigscope::render::{FrameInput, Headless, RenderError};
/// # fn picture(frame: &FrameInput<'_>) -> Result<image::RgbaImage, RenderError> {
/// let headless = Headless::new()?;
/// let mut scene = headless.scene()?;
/// scene.draw(frame)?;
/// scene.pixels()
/// # }
/// ```
pub struct Headless {
    gl: Arc<Context>,
    context: PossiblyCurrentContext,
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

    fn with(apis: &[ContextApi]) -> Result<Self, RenderError> {
        let mut answers = Vec::new();
        let devices = Device::query_devices().map_err(|e| no_context(&[e.to_string()]))?;
        for device in devices {
            match Self::on(&device, apis) {
                Ok(headless) => return Ok(headless),
                Err(e) => answers.push(format!("{} {}", device.name().unwrap_or("a device"), answer(&e))),
            }
        }
        Err(no_context(&answers))
    }

    #[expect(unsafe_code, reason = "EGL and OpenGL entry points are unsafe to load")]
    fn on(device: &Device, apis: &[ContextApi]) -> Result<Self, Error> {
        // SAFETY: the device comes from the query; no raw display is passed.
        let display = unsafe { Display::with_device(device, None)? };
        let context = surfaceless_context(&display, apis)?;
        // SAFETY: the context is current, and the loader returns the entry points of this context.
        let gl = unsafe {
            Context::from_loader_function_cstr(|name: &CStr| entry_point(name, display.get_proc_address(name)))
        };
        Ok(Self { gl: Arc::new(gl), context })
    }

    #[cfg(test)]
    pub(crate) fn context_for_tests(&self) -> Arc<Context> {
        Arc::clone(&self.gl)
    }

    /// Returns the name of the OpenGL device.
    pub fn renderer(&self) -> String {
        renderer(&self.gl)
    }

    /// Creates a scene and makes its context current. *Errors*: the driver is too old or fails.
    pub fn scene(&self) -> Result<Scene, RenderError> {
        self.context.make_current_surfaceless().map_err(|e| no_context(&[e.to_string()]))?;
        if !self.context.is_current() {
            return Err(no_context(&[NOT_CURRENT.to_owned()]));
        }
        Scene::new(Arc::clone(&self.gl))
    }
}

impl Drop for Headless {
    /// Releases the context. Otherwise EGL keeps it, with all its memory, until the thread ends.
    fn drop(&mut self) {
        if self.context.is_current()
            && let Err(problem) = self.context.make_not_current_in_place()
        {
            log::warn!("an OpenGL context stays until its thread ends: {problem}");
        }
    }
}

const NOT_CURRENT: &str = "makes no context current while another one is";

fn answer(error: &Error) -> String {
    match error.error_kind() {
        // EGL's error for an unsupported version.
        ErrorKind::BadMatch => "has neither OpenGL 3.3 nor OpenGL ES 3.0".to_owned(),
        ErrorKind::BadAccess => NOT_CURRENT.to_owned(),
        _ => format!("fails ({error})"),
    }
}

fn no_context(answers: &[String]) -> RenderError {
    let reason = if answers.is_empty() { "EGL lists no device".to_owned() } else { answers.join("; ") };
    RenderError::NoHeadlessContext { reason }
}

#[expect(unsafe_code, reason = "EGL calls")]
fn surfaceless_context(display: &Display, apis: &[ContextApi]) -> Result<PossiblyCurrentContext, Error> {
    let template = ConfigTemplateBuilder::new().with_surface_type(ConfigSurfaceTypes::empty()).build();
    // SAFETY: the template names no native window.
    let configs: Vec<Config> = unsafe { display.find_configs(template)? }.collect();
    let config = configs.first().ok_or(ErrorKind::BadConfig)?;
    let mut refusal = Error::from(ErrorKind::NotFound);
    for &api in apis {
        let wanted = ContextAttributesBuilder::new().with_profile(GlProfile::Core).with_context_api(api).build(None);
        // SAFETY: the configuration belongs to the display; no native window is passed.
        match unsafe { display.create_context(config, &wanted) } {
            Ok(context) => return made_current(context),
            Err(e) => refusal = e,
        }
    }
    Err(refusal)
}

/// Makes a context current and verifies this, because NVIDIA's driver fails silently if a GLX context is current on
/// another thread.
fn made_current(context: NotCurrentContext) -> Result<PossiblyCurrentContext, Error> {
    #[cfg(test)]
    if testing::STAYS_NOT_CURRENT.get() {
        return check_current(context.treat_as_possibly_current());
    }
    check_current(context.make_current_surfaceless()?)
}

fn check_current(context: PossiblyCurrentContext) -> Result<PossiblyCurrentContext, Error> {
    if context.is_current() { Ok(context) } else { Err(ErrorKind::BadAccess.into()) }
}

#[cfg(test)]
pub(crate) mod testing {
    use std::cell::Cell;

    thread_local! {
        /// True to simulate a driver that silently fails to make contexts current on this thread.
        pub(crate) static STAYS_NOT_CURRENT: Cell<bool> = const { Cell::new(false) };
    }
}

#[cfg(test)]
mod tests {
    use glutin::display::GetGlDisplay as _;

    use super::*;

    #[test]
    #[expect(unsafe_code, reason = "glutin checks only its own contexts")]
    fn a_context_that_is_dropped_is_not_current_any_more() {
        let headless = Headless::new().expect("Mesa's software device is enough");
        let current = headless.context.display().get_proc_address(c"eglGetCurrentContext");
        // SAFETY: this is the type of the EGL function of this name.
        let current: extern "system" fn() -> *const c_void = unsafe { std::mem::transmute(current) };
        assert!(!current().is_null());
        drop(headless);
        assert!(current().is_null());
    }

    #[test]
    fn a_context_that_does_not_become_current_is_an_error_and_no_panic() {
        testing::STAYS_NOT_CURRENT.set(true);
        let refused = Headless::new();
        testing::STAYS_NOT_CURRENT.set(false);
        let Err(RenderError::NoHeadlessContext { reason }) = refused else { panic!("it is no error") };
        assert!(reason.contains(NOT_CURRENT), "{reason}");
        assert!(Headless::new().is_ok());
    }
}
