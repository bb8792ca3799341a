use std::convert::Infallible;
use std::ffi::{CStr, c_void};

use glutin::context::ContextApi;

/// Stand-in for a driver on macOS, which has no EGL.
pub(super) struct Driver(Infallible);

impl Driver {
    /// Always fails.
    pub(super) fn open(_apis: &[ContextApi]) -> Result<Self, String> {
        Err("macOS has no EGL".to_owned())
    }

    pub(super) fn get_proc_address(&self, _name: &CStr) -> *const c_void {
        match self.0 {}
    }

    pub(super) fn make_current(&self) -> Result<(), String> {
        match self.0 {}
    }
}
