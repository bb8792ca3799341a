//! `rigscope-window.exe`: starts `rigscope.exe` without a console, for the Start menu and for file types.
//!
//! `rigscope.exe` itself is a console program, so that shells wait for its commands and see their exit codes.
#![windows_subsystem = "windows"]

use std::env::{args_os, current_exe};
use std::os::windows::process::CommandExt;
use std::process::{Command, ExitCode};

const CREATE_NO_WINDOW: u32 = 0x0800_0000;

fn main() -> ExitCode {
    let Ok(launcher) = current_exe() else { return ExitCode::FAILURE };
    let program = launcher.with_file_name("rigscope.exe");
    match Command::new(program).args(args_os().skip(1)).creation_flags(CREATE_NO_WINDOW).spawn() {
        Ok(_) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
