use std::process::ExitCode;

use super::console::Line;
use super::{Console, DeviceArgs, MemoryArgs, render_without_display};
use crate::stage::{BuiltIn, Source};

/// Returns true if an environment variable names a display server. Always true on macOS and on non-Unix systems.
pub fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    !cfg!(all(unix, not(target_os = "macos"))) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// Draws an image instead of opening a window, and prints its path.
pub fn run_without_display(
    source: Option<Source>,
    memory: MemoryArgs,
    device: DeviceArgs,
    console: &Console,
) -> ExitCode {
    let source = source.unwrap_or(Source::BuiltIn(BuiltIn::Figure));
    match render_without_display(&source, memory, device, console) {
        Ok(path) => {
            let place = path.display();
            let said = format!("No display found: wrote an image to {place} instead of opening a window.");
            // Ignores errors, because the image exists even if printing fails.
            let _ = console.print([Line::plain(&said)]);
            ExitCode::SUCCESS
        }
        Err(problem) => {
            console.error(&format!("No display was found, and no picture could be drawn instead. {problem}"));
            ExitCode::from(2)
        }
    }
}

/// Prints why the window could not be opened, and what to do. Returns this text.
pub fn window_failed(problem: &str, console: &Console) -> String {
    // Uses the text after the last colon: libraries put the cause there.
    let reason = problem.rsplit(": ").next().unwrap_or(problem).trim_end_matches('.');
    let advice = if cfg!(any(windows, target_os = "macos")) {
        "It needs OpenGL 3.3; newer drivers may have it."
    } else {
        "It needs an X11 or Wayland display and OpenGL 3.3; rigscope render FILE -o OUT.png works without them."
    };
    let text = format!("The window could not be opened: {reason}. {advice}");
    console.error(&text);
    text
}
