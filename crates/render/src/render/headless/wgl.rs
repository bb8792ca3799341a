use std::ffi::{CStr, c_void};
use std::io;
use std::num::{NonZeroIsize, NonZeroU32};
use std::ptr::{null, null_mut};

use glutin::api::wgl::config::Config;
use glutin::api::wgl::context::{NotCurrentContext, PossiblyCurrentContext};
use glutin::api::wgl::display::Display;
use glutin::api::wgl::surface::Surface;
use glutin::config::ConfigTemplateBuilder;
use glutin::context::{ContextApi, ContextAttributesBuilder, GlProfile, NotCurrentGlContext, PossiblyCurrentGlContext};
use glutin::display::GlDisplay;
use glutin::error::{Error, ErrorKind};
use glutin::surface::{SurfaceAttributesBuilder, WindowSurface};
use raw_window_handle::{RawDisplayHandle, RawWindowHandle, Win32WindowHandle, WindowsDisplayHandle};
use windows_sys::Win32::Foundation::HWND;
use windows_sys::Win32::System::LibraryLoader::GetModuleHandleW;
use windows_sys::Win32::UI::WindowsAndMessaging::{CreateWindowExW, DestroyWindow, WS_POPUP};
use windows_sys::w;

/// The driver of the default graphics card. WGL creates contexts only for windows.
pub(super) struct Driver {
    display: Display,
    context: PossiblyCurrentContext,
    surface: Surface<WindowSurface>,
    /// Dropped last, because context and surface refer to it.
    _window: HiddenWindow,
}

impl Driver {
    /// Opens the driver with the first API that it supports. *Errors*: a message for the user.
    pub(super) fn open(apis: &[ContextApi]) -> Result<Self, String> {
        #[cfg(test)]
        if crate::render::gl::gl_faults::faults().stays_not_current {
            return Err("the context stays not current".to_owned());
        }
        let window = HiddenWindow::new().map_err(|e| format!("Windows creates no hidden window ({e})"))?;
        Self::on(window, apis).map_err(|e| match e.error_kind() {
            ErrorKind::NotSupported(_) | ErrorKind::BadConfig => {
                format!("the graphics driver has neither OpenGL 3.3 nor OpenGL ES 3.0 ({e})")
            }
            _ => format!("the graphics driver fails ({e})"),
        })
    }

    #[expect(unsafe_code, reason = "WGL calls")]
    fn on(window: HiddenWindow, apis: &[ContextApi]) -> Result<Self, Error> {
        let handle = window.handle();
        // SAFETY: the window outlives everything that is created for it.
        let display = unsafe { Display::new(RawDisplayHandle::Windows(WindowsDisplayHandle::new()), Some(handle))? };
        let template = ConfigTemplateBuilder::new().compatible_with_native_window(handle).build();
        // SAFETY: as above.
        let configs: Vec<Config> = unsafe { display.find_configs(template)? }.collect();
        let config = configs.first().ok_or(ErrorKind::BadConfig)?;
        let context = new_context(&display, config, handle, apis)?;
        let side = NonZeroU32::MIN;
        let attributes = SurfaceAttributesBuilder::<WindowSurface>::new().build(handle, side, side);
        // SAFETY: as above.
        let surface = unsafe { display.create_window_surface(config, &attributes)? };
        let context = context.make_current(&surface)?;
        Ok(Self { display, context, surface, _window: window })
    }

    pub(super) fn get_proc_address(&self, name: &CStr) -> *const c_void {
        self.display.get_proc_address(name)
    }

    /// Makes the context current on this thread. *Errors*: a message for the user.
    pub(super) fn make_current(&self) -> Result<(), String> {
        self.context.make_current(&self.surface).map_err(|e| e.to_string())
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if self.context.is_current()
            && let Err(problem) = self.context.make_not_current_in_place()
        {
            log::warn!("an OpenGL context stays until its thread ends: {problem}");
        }
    }
}

#[expect(unsafe_code, reason = "WGL calls")]
fn new_context(
    display: &Display,
    config: &Config,
    window: RawWindowHandle,
    apis: &[ContextApi],
) -> Result<NotCurrentContext, Error> {
    let mut refusal = Error::from(ErrorKind::NotFound);
    for &api in apis {
        let wanted =
            ContextAttributesBuilder::new().with_profile(GlProfile::Core).with_context_api(api).build(Some(window));
        // SAFETY: the window outlives the context.
        match unsafe { display.create_context(config, &wanted) } {
            Ok(context) => return Ok(context),
            Err(e) => refusal = e,
        }
    }
    Err(refusal)
}

/// A window of one pixel that is never shown. Only the thread that created it may destroy it.
struct HiddenWindow(HWND);

impl HiddenWindow {
    #[expect(unsafe_code, reason = "a call of the system")]
    fn new() -> io::Result<Self> {
        // SAFETY: the class is predefined, the strings are literals, and the other pointers may be null.
        let window = unsafe {
            let module = GetModuleHandleW(null());
            CreateWindowExW(0, w!("STATIC"), null(), WS_POPUP, 0, 0, 1, 1, null_mut(), null_mut(), module, null())
        };
        if window.is_null() { Err(io::Error::last_os_error()) } else { Ok(Self(window)) }
    }

    #[expect(unsafe_code, reason = "a call of the system")]
    fn handle(&self) -> RawWindowHandle {
        let number = |pointer: *mut c_void| NonZeroIsize::new(pointer.addr().cast_signed());
        // The fallback is never used, because `new` checks the handle.
        let mut handle = Win32WindowHandle::new(number(self.0).unwrap_or(NonZeroIsize::MIN));
        // SAFETY: null stands for the program itself.
        handle.hinstance = number(unsafe { GetModuleHandleW(null()) });
        RawWindowHandle::Win32(handle)
    }
}

impl Drop for HiddenWindow {
    #[expect(unsafe_code, reason = "a call of the system")]
    fn drop(&mut self) {
        // SAFETY: `Driver` isn't `Send`, so this thread created the window. A failure would leave it until the thread
        // ends.
        let _ = unsafe { DestroyWindow(self.0) };
    }
}
