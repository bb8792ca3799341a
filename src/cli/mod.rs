//! The command line. Results go to stdout or into a file, messages to stderr.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line program speaks through them")]

mod bake;
mod check;
mod compare;
mod memory;
mod numbers;
mod output;
mod posed;
mod render;
mod sides;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use bake::{Backend, BakeArgs, skinned};
pub use check::CheckArgs;
pub use compare::CompareArgs;
pub use memory::MemoryArgs;
pub use posed::PosedArgs;
pub use render::{RenderArgs, render_without_display};

use crate::state::Source;

/// See and measure what a skinning method does to a rigged character.
#[derive(Debug, Parser)]
#[command(version, about, args_conflicts_with_subcommands = true)]
pub struct Args {
    /// glTF or GLB files, or builtin:figure, builtin:tube; without any the built-in figure. The first is shown, the others a key away
    #[arg(value_parser = Source::parse, value_name = "FILE")]
    pub files: Vec<Source>,

    /// For all of the files.
    #[command(flatten)]
    pub memory: MemoryArgs,

    /// Something to do without a window
    #[command(subcommand)]
    pub command: Option<Task>,
}

/// What the program does without a window.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// Say what is odd in rigs: findings with a code, a place and what to do
    Check(CheckArgs),
    /// Draw a picture of a rig, with no window and no display server
    Render(RenderArgs),
    /// Write the skinned meshes of a pose, in world space, as GLB, OBJ, PLY or JSON
    Bake(BakeArgs),
    /// Measure two skinning methods beside each other: volume, area and distance, at one pose or while a joint twists and bends
    Compare(CompareArgs),
}

impl Task {
    /// Does it.
    pub fn run(self) -> ExitCode {
        let done = match self {
            Self::Check(args) => args.run(),
            Self::Render(args) => args.run().map(|()| ExitCode::SUCCESS),
            Self::Bake(args) => args.run().map(|()| ExitCode::SUCCESS),
            Self::Compare(args) => args.run().map(|()| ExitCode::SUCCESS),
        };
        match done {
            Ok(code) => code,
            Err(problem) => {
                eprintln!("rigscope: {problem}");
                ExitCode::from(2)
            }
        }
    }
}

/// True where a window could be shown: some display server is named in the environment.
pub fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    !cfg!(all(unix, not(target_os = "macos"))) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// In place of the window, where there is no display: says so in one line and draws a picture instead.
pub fn run_without_display(source: Option<Source>, memory: MemoryArgs) -> ExitCode {
    let source = source.unwrap_or(Source::BuiltIn(crate::state::BuiltIn::Figure));
    match render_without_display(&source, memory) {
        Ok(path) => {
            println!("No display was found, so the picture is in {} instead of a window.", path.display());
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("rigscope: No display was found, and no picture could be drawn instead. {problem}");
            ExitCode::from(2)
        }
    }
}

/// Says why the window did not open.
pub fn window_failed(problem: &str) -> ExitCode {
    // What comes before the last colon is where in whose sources it happened.
    let reason = problem.rsplit(": ").next().unwrap_or(problem).trim_end_matches('.');
    eprintln!(
        "rigscope: The window could not be opened: {reason}. It needs an X11 or Wayland display and OpenGL 3.3; \
         rigscope render FILE -o OUT.png works without them."
    );
    ExitCode::from(2)
}

/// A place for a picture that nobody named: beside the user's other temporary files.
fn default_picture_path(source: &Source) -> PathBuf {
    let name = source.name();
    let stem = std::path::Path::new(&name).file_stem().map_or_else(|| "picture".into(), std::ffi::OsStr::to_os_string);
    let mut file = std::ffi::OsString::from("rigscope-");
    file.push(stem);
    file.push(".png");
    std::env::temp_dir().join(file)
}
