use std::ffi::{CStr, c_void};

use glutin::api::egl::config::Config;
use glutin::api::egl::context::{NotCurrentContext, PossiblyCurrentContext};
use glutin::api::egl::device::Device;
use glutin::api::egl::display::Display;
use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
#[cfg(test)]
use glutin::context::NotCurrentGlContext as _;
use glutin::context::{ContextApi, ContextAttributesBuilder, GlProfile, PossiblyCurrentGlContext};
use glutin::display::GlDisplay;
use glutin::error::{Error, ErrorKind};

#[cfg(test)]
use crate::render::gl::gl_faults;

/// The driver of the first device that has one of the wanted APIs.
pub(super) struct Driver {
    display: Display,
    context: PossiblyCurrentContext,
}

impl Driver {
    /// Opens the first device with one of the APIs. *Errors*: a message with the error from every device.
    pub(super) fn open(apis: &[ContextApi]) -> Result<Self, String> {
        let mut answers = Vec::new();
        let devices = Device::query_devices().map_err(|e| e.to_string())?;
        for device in devices {
            match Self::on(&device, apis) {
                Ok(driver) => return Ok(driver),
                Err(e) => answers.push(format!("{} {}", device.name().unwrap_or("a device"), answer(&e))),
            }
        }
        Err(if answers.is_empty() { "EGL lists no device".to_owned() } else { answers.join("; ") })
    }

    #[expect(unsafe_code, reason = "an EGL call")]
    fn on(device: &Device, apis: &[ContextApi]) -> Result<Self, Error> {
        // SAFETY: the device comes from the query; no raw display is passed.
        let display = unsafe { Display::with_device(device, None)? };
        let context = surfaceless_context(&display, apis)?;
        Ok(Self { display, context })
    }

    pub(super) fn get_proc_address(&self, name: &CStr) -> *const c_void {
        self.display.get_proc_address(name)
    }

    /// Makes the context current on this thread. *Errors*: a message for the user.
    pub(super) fn make_current(&self) -> Result<(), String> {
        self.context.make_current_surfaceless().map_err(|e| e.to_string())?;
        if self.context.is_current() { Ok(()) } else { Err(NOT_CURRENT.to_owned()) }
    }
}

impl Drop for Driver {
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
    if gl_faults::faults().stays_not_current {
        return check_current(context.treat_as_possibly_current());
    }
    check_current(context.make_current_surfaceless()?)
}

fn check_current(context: PossiblyCurrentContext) -> Result<PossiblyCurrentContext, Error> {
    if context.is_current() { Ok(context) } else { Err(ErrorKind::BadAccess.into()) }
}

#[cfg(test)]
mod tests {
    use glutin::display::GetGlDisplay as _;

    use super::*;
    use crate::render::gl::gl_faults::{Faults, with_faults};
    use crate::render::{Headless, RenderError};

    #[test]
    #[expect(unsafe_code, reason = "glutin checks only its own contexts")]
    fn a_context_that_is_dropped_is_not_current_any_more() {
        let headless = Headless::new().expect("Mesa's software device is enough");
        let current = headless.driver.context.display().get_proc_address(c"eglGetCurrentContext");
        // SAFETY: this is the type of the EGL function of this name.
        let current: extern "system" fn() -> *const c_void = unsafe { std::mem::transmute(current) };
        assert!(!current().is_null());
        drop(headless);
        assert!(current().is_null());
    }

    #[test]
    fn a_context_that_does_not_become_current_is_an_error_and_no_panic() {
        let faults = Faults { stays_not_current: true, ..Faults::default() };
        let refused = with_faults(faults, Headless::new);
        let Err(RenderError::NoHeadlessContext { reason }) = refused else { panic!("it is no error") };
        assert!(reason.contains(NOT_CURRENT), "{reason}");
        assert!(Headless::new().is_ok());
    }
}
