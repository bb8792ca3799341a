//! Simulates driver failures on the current thread, for tests.

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

use three_d::context::{LINK_STATUS, MAX_TEXTURE_SIZE, OUT_OF_MEMORY};

use super::gl_state::CONTEXT_LOST;

#[derive(Clone, Copy, Default)]
pub(crate) struct Faults {
    /// Maximum texture size that the driver reports.
    pub max_texture_side: Option<i32>,
    /// Every program fails to link.
    pub refuses_programs: bool,
    /// Buffer allocation fails with one `OUT_OF_MEMORY` error per attempt.
    pub has_no_memory: bool,
    /// Every program fails to link and every error query returns `CONTEXT_LOST`.
    pub is_lost: bool,
    /// Contexts silently stay not current.
    pub stays_not_current: bool,
}

thread_local! {
    static FAULTS: Cell<Faults> = Cell::default();
    static IS_OUT_OF_MEMORY: Cell<bool> = const { Cell::new(false) };
}

pub(crate) fn with_faults<T>(faults: Faults, work: impl FnOnce() -> T) -> T {
    let before = FAULTS.replace(faults);
    let done = work();
    FAULTS.set(before);
    done
}

/// Returns the failures of the current thread.
pub(in crate::render) fn faults() -> Faults {
    FAULTS.get()
}

static BUFFER_DATA: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
static GET_ERROR: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
static GET_INTEGER: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
static GET_PROGRAM: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

/// Returns a failing wrapper for some functions, and the driver's function for all others.
pub(crate) fn entry_point(name: &CStr, function: *const c_void) -> *const c_void {
    let (original, failing) = match name.to_bytes() {
        b"glBufferData" => (&BUFFER_DATA, buffer_data as *const c_void),
        b"glGetError" => (&GET_ERROR, get_error as *const c_void),
        b"glGetIntegerv" => (&GET_INTEGER, get_integer as *const c_void),
        b"glGetProgramiv" => (&GET_PROGRAM, get_program as *const c_void),
        _ => return function,
    };
    original.store(function.cast_mut(), Ordering::Relaxed);
    failing
}

#[expect(unsafe_code, reason = "OpenGL's own functions are")]
unsafe extern "system" fn buffer_data(target: u32, bytes: isize, data: *const c_void, usage: u32) {
    if FAULTS.get().has_no_memory {
        return IS_OUT_OF_MEMORY.set(true);
    }
    // SAFETY: `entry_point` stores the function before this one can be called.
    unsafe {
        let original: unsafe extern "system" fn(u32, isize, *const c_void, u32) =
            std::mem::transmute(BUFFER_DATA.load(Ordering::Relaxed));
        original(target, bytes, data, usage);
    }
}

#[expect(unsafe_code, reason = "OpenGL's own functions are")]
unsafe extern "system" fn get_error() -> u32 {
    // SAFETY: as above.
    let error = unsafe {
        let original: unsafe extern "system" fn() -> u32 = std::mem::transmute(GET_ERROR.load(Ordering::Relaxed));
        original()
    };
    match (FAULTS.get().is_lost, IS_OUT_OF_MEMORY.take()) {
        (true, _) => CONTEXT_LOST,
        (_, true) => OUT_OF_MEMORY,
        _ => error,
    }
}

#[expect(unsafe_code, reason = "OpenGL's own functions are")]
unsafe extern "system" fn get_integer(name: u32, values: *mut i32) {
    // SAFETY: as above; the limit is one integer, for which the caller has room.
    unsafe {
        let original: unsafe extern "system" fn(u32, *mut i32) =
            std::mem::transmute(GET_INTEGER.load(Ordering::Relaxed));
        original(name, values);
        if let (MAX_TEXTURE_SIZE, Some(limit)) = (name, FAULTS.get().max_texture_side) {
            *values = limit;
        }
    }
}

#[expect(unsafe_code, reason = "OpenGL's own functions are")]
unsafe extern "system" fn get_program(program: u32, name: u32, values: *mut i32) {
    // SAFETY: as above; the status is one integer, for which the caller has room.
    unsafe {
        let original: unsafe extern "system" fn(u32, u32, *mut i32) =
            std::mem::transmute(GET_PROGRAM.load(Ordering::Relaxed));
        original(program, name, values);
        let Faults { refuses_programs, is_lost, .. } = FAULTS.get();
        if name == LINK_STATUS && (refuses_programs || is_lost) {
            *values = 0;
        }
    }
}
