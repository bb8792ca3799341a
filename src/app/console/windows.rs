use windows_sys::Win32::System::Console::{FreeConsole, GetConsoleProcessList};

/// Closes the console that Windows opened for this process, if any. A console from which the program was started stays.
#[expect(unsafe_code, reason = "a call of the system")]
pub(in crate::app) fn release() {
    if is_alone() {
        // SAFETY: no other requirements. This fails if there is no console.
        let _ = unsafe { FreeConsole() };
    }
}

/// Shows a problem in a dialog if there is no console where it can be read.
pub fn show_problem(text: &str) {
    if is_alone() {
        let dialog = rfd::MessageDialog::new().set_level(rfd::MessageLevel::Error).set_title("Rigscope");
        dialog.set_description(text).show();
    }
}

/// Returns whether no other process has this process's console, or there is none.
#[expect(unsafe_code, reason = "a call of the system")]
fn is_alone() -> bool {
    let mut ids = [0; 2];
    // SAFETY: the array has the length that is passed.
    let count = unsafe { GetConsoleProcessList(ids.as_mut_ptr(), ids.len() as u32) };
    count <= 1
}
