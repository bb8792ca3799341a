//! Options for how much is printed, and in which colours.

use std::time::Duration;

use anstream::ColorChoice;
use clap::{Args, ValueEnum};

use super::super::numbers::within;

/// `--quiet`, `--verbose`, `--color` and `--timeout`, which every subcommand takes.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct ConsoleArgs {
    /// Print only errors, findings and changes; JSON and other formats stay as they are
    #[arg(short, long, global = true, conflicts_with = "verbose", display_order = 900)]
    quiet: bool,

    /// List every warning and finding, and how long each stage takes
    #[arg(short, long, global = true, display_order = 901)]
    verbose: bool,

    #[arg(
        long,
        help = "Use colours; auto: on a terminal, unless NO_COLOR is set or TERM is dumb",
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        display_order = 902
    )]
    color: Color,

    /// Stop a command that takes longer, with exit code 2; finished files are kept
    #[arg(long, global = true, value_name = "SECS", display_order = 903)]
    #[arg(value_parser = |text: &str| within(text, 0.001..=1e6, "seconds"))]
    timeout: Option<f32>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// How much is printed besides results and errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verbosity {
    Quiet,
    Normal,
    Verbose,
}

impl ConsoleArgs {
    pub(super) fn verbosity(self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, true) => Verbosity::Verbose,
            (false, false) => Verbosity::Normal,
        }
    }

    /// Time limit of the command.
    pub fn timeout(self) -> Option<Duration> {
        self.timeout.map(Duration::from_secs_f32)
    }

    pub(super) fn color(self) -> ColorChoice {
        match self.color {
            // By itself, `anstream` colours dumb terminals where CI is set.
            Color::Auto if is_terminal_dumb() => ColorChoice::Never,
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        }
    }
}

/// Returns whether `TERM` names a terminal without control sequences.
pub(super) fn is_terminal_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
