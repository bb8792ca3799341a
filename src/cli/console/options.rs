use std::time::Duration;

use clap::{Args, ColorChoice};

use super::super::numbers::within;

#[derive(Args, Clone, Copy, Debug, Default)]
pub struct ConsoleArgs {
    /// Print only errors, findings and changes; JSON and other formats stay as they are
    #[arg(short, long, global = true, conflicts_with = "verbose", display_order = 900)]
    pub(super) quiet: bool,

    /// List every warning and finding, and how long each stage takes
    #[arg(short, long, global = true, display_order = 901)]
    pub(super) verbose: bool,

    #[arg(
        long,
        help = "Use colours; auto: on a terminal, unless NO_COLOR is set or TERM is dumb",
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        display_order = 902
    )]
    color: ColorChoice,

    /// Stop a command that takes longer, with exit code 2; finished files are kept
    #[arg(long, global = true, value_name = "SECS", display_order = 903)]
    #[arg(value_parser = within(0.001..=1e6, "seconds"))]
    timeout: Option<f32>,
}

impl ConsoleArgs {
    pub fn timeout(self) -> Option<Duration> {
        self.timeout.map(Duration::from_secs_f32)
    }

    pub(super) fn color(self) -> anstream::ColorChoice {
        match self.color {
            // Needed because `anstream` uses colours on dumb terminals if the variable `CI` is set.
            ColorChoice::Auto if is_terminal_dumb() => anstream::ColorChoice::Never,
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        }
    }
}

/// True if `TERM` names a terminal that doesn't support control sequences.
pub(super) fn is_terminal_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
