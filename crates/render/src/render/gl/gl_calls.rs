//! Counts this thread's OpenGL calls by name, to measure cost without a clock.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_void};

thread_local! {
    static CALLS: RefCell<BTreeMap<&'static str, usize>> = const { RefCell::new(BTreeMap::new()) };
}

pub(crate) fn count_calls(work: impl FnOnce()) -> BTreeMap<&'static str, usize> {
    CALLS.take();
    work();
    CALLS.take()
}

macro_rules! counted {
    ($($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        #[expect(non_upper_case_globals, reason = "as OpenGL names them")]
        mod originals {
            use std::ffi::c_void;
            use std::sync::atomic::AtomicPtr;

            $(pub(super) static $name: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());)*
        }

        #[expect(non_snake_case, unsafe_code, reason = "as OpenGL names them")]
        mod counting {
            use std::ffi::c_void;
            use std::sync::atomic::Ordering;

            use super::{CALLS, originals};

            $(pub(super) unsafe extern "system" fn $name($($argument: $type),*) $(-> $result)? {
                type Original = unsafe extern "system" fn($($type),*) $(-> $result)?;
                CALLS.with_borrow_mut(|calls| *calls.entry(stringify!($name)).or_default() += 1);
                // SAFETY: `entry_point` stores the function of this name before this one can be called.
                unsafe {
                    let original: Original = std::mem::transmute(originals::$name.load(Ordering::Relaxed));
                    original($($argument),*)
                }
            })*
        }

        /// Returns a counting wrapper for a listed function, and the driver's function for any other.
        pub(crate) fn entry_point(name: &CStr, function: *const c_void) -> *const c_void {
            use std::sync::atomic::Ordering;
            match name.to_str() {
                _ if function.is_null() => function,
                $(Ok(stringify!($name)) => {
                    originals::$name.store(function.cast_mut(), Ordering::Relaxed);
                    counting::$name as *const c_void
                })*
                _ => function,
            }
        }
    };
}

counted! {
    glActiveTexture(unit: u32);
    glBeginTransformFeedback(mode: u32);
    glBindBuffer(target: u32, id: u32);
    glBindBufferBase(target: u32, index: u32, id: u32);
    glBindFramebuffer(target: u32, id: u32);
    glBindTexture(target: u32, id: u32);
    glBindVertexArray(id: u32);
    glBlendEquationSeparate(rgb: u32, alpha: u32);
    glBlendFuncSeparate(a: u32, b: u32, c: u32, d: u32);
    glBlitFramebuffer(a: i32, b: i32, c: i32, d: i32, e: i32, f: i32, g: i32, h: i32, mask: u32, filter: u32);
    glBufferData(target: u32, bytes: isize, data: *const c_void, usage: u32);
    glBufferSubData(target: u32, start: isize, bytes: isize, data: *const c_void);
    glClear(mask: u32);
    glClearColor(r: f32, g: f32, b: f32, a: f32);
    glClientWaitSync(fence: *const c_void, flags: u32, nanos: u64) -> u32;
    glColorMask(r: u8, g: u8, b: u8, a: u8);
    glCullFace(mode: u32);
    glDeleteBuffers(count: i32, ids: *const u32);
    glDeleteSync(fence: *const c_void);
    glDeleteTextures(count: i32, ids: *const u32);
    glDeleteVertexArrays(count: i32, ids: *const u32);
    glDepthFunc(function: u32);
    glDepthMask(flag: u8);
    glDisable(what: u32);
    glDisableVertexAttribArray(location: u32);
    glDispatchCompute(x: u32, y: u32, z: u32);
    glDrawArrays(mode: u32, first: i32, count: i32);
    glDrawArraysInstanced(mode: u32, first: i32, count: i32, instances: i32);
    glDrawElements(mode: u32, count: i32, kind: u32, indices: *const c_void);
    glEnable(what: u32);
    glEnableVertexAttribArray(location: u32);
    glEndTransformFeedback();
    glFenceSync(condition: u32, flags: u32) -> *const c_void;
    glGenBuffers(count: i32, ids: *mut u32);
    glGenFramebuffers(count: i32, ids: *mut u32);
    glGenTextures(count: i32, ids: *mut u32);
    glGenVertexArrays(count: i32, ids: *mut u32);
    glGetError() -> u32;
    glGetIntegerv(name: u32, values: *mut i32);
    glGetUniformLocation(program: u32, name: *const c_void) -> i32;
    glIsEnabled(what: u32) -> u8;
    glLinkProgram(program: u32);
    glMemoryBarrier(bits: u32);
    glScissor(x: i32, y: i32, width: i32, height: i32);
    glUniform1f(at: i32, x: f32);
    glUniform1fv(at: i32, count: i32, values: *const f32);
    glUniform1i(at: i32, x: i32);
    glUniform1iv(at: i32, count: i32, values: *const i32);
    glUniform2fv(at: i32, count: i32, values: *const f32);
    glUniform2iv(at: i32, count: i32, values: *const i32);
    glUniform3fv(at: i32, count: i32, values: *const f32);
    glUniform4fv(at: i32, count: i32, values: *const f32);
    glUniformMatrix3fv(at: i32, count: i32, transpose: u8, values: *const f32);
    glUniformMatrix4fv(at: i32, count: i32, transpose: u8, values: *const f32);
    glUseProgram(program: u32);
    glVertexAttribDivisor(location: u32, divisor: u32);
    glVertexAttribPointer(location: u32, size: i32, kind: u32, normalized: u8, stride: i32, start: *const c_void);
    glViewport(x: i32, y: i32, width: i32, height: i32);
}
