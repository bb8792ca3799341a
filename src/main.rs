//! Arguments to window or subcommand to exit code.

use std::process::ExitCode;

use clap::Parser as _;
use rigscope::{app, cli};

fn main() -> ExitCode {
    let args = cli::Args::parse();
    if let Some(task) = args.command {
        return task.run();
    }
    if !cli::has_display() {
        return cli::run_without_display(args.files.into_iter().next(), args.memory);
    }
    match app::run(args.files, args.memory.bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => cli::window_failed(&problem.to_string()),
    }
}
