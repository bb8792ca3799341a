//! `rigscope completions`: what a shell offers while a command is typed.

use clap::Args;
use clap_complete::{Shell, generate};

use super::Console;

/// For which shell.
#[derive(Args, Debug)]
#[command(after_help = "For example: rigscope completions bash > ~/.local/share/bash-completion/completions/rigscope")]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl CompletionsArgs {
    /// Prints the completions of a command.
    ///
    /// *Errors*: in words for the user.
    pub fn run(self, mut command: clap::Command, console: &Console) -> Result<(), String> {
        let mut script = Vec::new();
        generate(self.shell, &mut command, "rigscope", &mut script);
        console.print_own(&script)
    }
}
