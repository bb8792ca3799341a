//! OpenGL without a window: EGL on a device, no surface, no display server.

use std::ffi::CStr;
use std::sync::Arc;

use glutin::api::egl::config::Config;
use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::device::Device;
use glutin::api::egl::display::Display;
use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::{ContextApi, ContextAttributesBuilder, GlProfile, Version};
use glutin::display::GlDisplay;
use three_d::context::Context;

use super::{RenderError, Scene};

/// An OpenGL context for the thread that made it. Graphics cards are tried first, then Mesa's software device.
///
/// A context is current on one thread, so this type stays on its own; other threads make theirs. Of two on one thread, the one that
/// gave the newest [`Scene`] is current. Scenes must go before the context that they were made from.
pub struct Headless {
    gl: Arc<Context>,
    context: PossiblyCurrentContext,
    device: String,
}

impl Headless {
    /// Opens the first device that has OpenGL 3.3 or OpenGL ES 3.0.
    ///
    /// *Errors*: [`RenderError::NoHeadlessContext`] with what every device answered.
    pub fn new() -> Result<Self, RenderError> {
        let mut answers = Vec::new();
        let devices = Device::query_devices().map_err(|e| no_context(&[e.to_string()]))?;
        for device in devices {
            match Self::on(&device) {
                Ok(headless) => return Ok(headless),
                Err(e) => answers.push(e.to_string()),
            }
        }
        Err(no_context(&answers))
    }

    #[expect(unsafe_code, reason = "EGL and OpenGL entry points are unsafe to load")]
    fn on(device: &Device) -> Result<Self, glutin::error::Error> {
        // SAFETY: the device comes from the query and no raw display is passed.
        let display = unsafe { Display::with_device(device, None)? };
        let context = surfaceless_context(&display)?;
        // SAFETY: the context is current, and the loader gives its own entry points.
        let gl = unsafe { Context::from_loader_function_cstr(|name: &CStr| display.get_proc_address(name)) };
        Ok(Self { gl: Arc::new(gl), context, device: device.name().unwrap_or("unnamed device").to_owned() })
    }

    /// What EGL calls the device.
    pub fn device(&self) -> &str {
        &self.device
    }

    /// A scene that draws with this context, which becomes current.
    ///
    /// *Errors*: an old or broken driver.
    pub fn scene(&self) -> Result<Scene, RenderError> {
        self.context.make_current_surfaceless().map_err(|e| no_context(&[e.to_string()]))?;
        Scene::new(Arc::clone(&self.gl))
    }
}

fn no_context(answers: &[String]) -> RenderError {
    let reason = if answers.is_empty() { "EGL lists no device".to_owned() } else { answers.join("; ") };
    RenderError::NoHeadlessContext { reason }
}

/// A current context: OpenGL 3.3 where there is one, else OpenGL ES 3.0.
#[expect(unsafe_code, reason = "EGL calls")]
fn surfaceless_context(display: &Display) -> Result<PossiblyCurrentContext, glutin::error::Error> {
    let template = ConfigTemplateBuilder::new().with_surface_type(ConfigSurfaceTypes::empty()).build();
    // SAFETY: the template names no native window.
    let config: Config = unsafe { display.find_configs(template)? }
        .next()
        .ok_or_else(|| glutin::error::Error::from(glutin::error::ErrorKind::BadConfig))?;
    let desktop = ContextAttributesBuilder::new()
        .with_profile(GlProfile::Core)
        .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
        .build(None);
    let embedded =
        ContextAttributesBuilder::new().with_context_api(ContextApi::Gles(Some(Version::new(3, 0)))).build(None);
    // SAFETY: the configuration is the display's own and no native window is passed.
    let context =
        unsafe { display.create_context(&config, &desktop).or_else(|_| display.create_context(&config, &embedded))? };
    context.make_current_surfaceless()
}
