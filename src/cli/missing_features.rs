//! Stand-ins for subcommands in builds that lack the features they need.

use std::process::ExitCode;

use super::Console;

/// Reports that this build has no window, and suggests other commands.
pub fn window_left_out(console: &Console) -> ExitCode {
    let instead = if cfg!(feature = "gl") {
        "rigscope render FILE -o OUT.png draws a picture"
    } else {
        "check, info, compare and bake work without one"
    };
    console.error(&format!(
        "This rigscope was built without its window: build it with default features to have one; {instead}."
    ));
    ExitCode::from(2)
}

#[cfg(not(feature = "gl"))]
#[derive(clap::Args, Debug)]
pub struct RenderArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<std::ffi::OsString>,
}

#[cfg(not(feature = "gl"))]
impl RenderArgs {
    pub fn run(self, _console: &Console) -> Result<ExitCode, String> {
        let _ = self.words;
        Err("This rigscope was built without OpenGL and draws no pictures: build it with --features gl".to_owned())
    }
}
