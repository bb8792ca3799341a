//! Arguments to window or subcommand to exit code.

use std::process::ExitCode;

use rigscope::{app, cli};

fn main() -> ExitCode {
    let args = match cli::parse(std::env::args_os()) {
        Ok(args) => args,
        Err(code) => return code,
    };
    let console = cli::Console::new(args.console);
    if let Some(task) = args.command {
        return task.run(&console);
    }
    if !cli::has_display() {
        return cli::run_without_display(args.files.into_iter().next(), args.memory, &console);
    }
    match app::run(args.files, args.memory.bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => cli::window_failed(&problem.to_string(), &console),
    }
}
