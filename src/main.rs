//! Parses arguments, opens the window or runs a subcommand, and returns the exit code.

use std::process::ExitCode;

use rigscope::cli::{self, Args, Console};

fn main() -> ExitCode {
    let mut args = match cli::parse(std::env::args_os()) {
        Ok(args) => args,
        Err(code) => return code,
    };
    let console = Console::new(args.console);
    match args.command.take() {
        Some(task) => task.run(&console),
        None => open_window(args, &console),
    }
}

#[cfg(feature = "window")]
fn open_window(args: Args, console: &Console) -> ExitCode {
    let side_b = match args.side_b.shown_file() {
        Ok(side_b) => side_b.unwrap_or_default(),
        Err(problem) => return window_failed(&problem, console),
    };
    let opened = rigscope::app::Startup { sources: args.files, side_b };
    if args.reuse && rigscope::app::hand_over(&opened) {
        return ExitCode::SUCCESS;
    }
    if !cli::has_display() {
        return cli::run_without_display(opened.sources.into_iter().next(), args.memory, args.device, console);
    }
    match rigscope::app::run(opened, args.memory.bytes(), args.device.device) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => window_failed(&problem.to_string(), console),
    }
}

#[cfg(feature = "window")]
fn window_failed(problem: &str, console: &Console) -> ExitCode {
    rigscope::app::show_problem(&cli::window_failed(problem, console));
    ExitCode::from(2)
}

#[cfg(not(feature = "window"))]
fn open_window(_: Args, console: &Console) -> ExitCode {
    cli::window_left_out(console)
}
