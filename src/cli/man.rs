use std::path::{Path, PathBuf};

use clap::Args;
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::Console;
use crate::files::write_atomically;

#[derive(Args, Debug)]
pub struct ManArgs {
    /// Write the man pages of the program and its commands into a folder instead of printing one
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl ManArgs {
    pub fn run(self, command: clap::Command, console: &Console) -> Result<(), String> {
        let mut command = command.disable_help_subcommand(true);
        command.build();
        match &self.out {
            None => console.print_own(&page(command)?.1),
            Some(folder) => write_all(&command, folder, console),
        }
    }
}

fn page(command: clap::Command) -> Result<(String, Vec<u8>), String> {
    let man = Man::new(command);
    let mut text = Vec::new();
    man.render(&mut text).map_err(|e| format!("The man page could not be created: {e}"))?;
    Ok((man.get_filename(), text))
}

fn write_all(program: &clap::Command, folder: &Path, console: &Console) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("The folder was not created: {e} ({})", folder.display()))?;
    let commands: Vec<clap::Command> = std::iter::once(program).chain(program.get_subcommands()).cloned().collect();
    let count = commands.len();
    for command in commands {
        let (name, text) = page(command)?;
        let path = folder.join(name);
        write_atomically(&path, &text).map_err(|e| format!("The page was not saved: {e} ({})", path.display()))?;
    }
    console.saved(folder, &format!("{count} pages"));
    Ok(())
}

#[derive(Args, Debug)]
#[command(after_help = "Example:\n  rigscope completions bash > ~/.local/share/bash-completion/completions/rigscope")]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl CompletionsArgs {
    pub fn run(self, mut command: clap::Command, console: &Console) -> Result<(), String> {
        let mut script = Vec::new();
        generate(self.shell, &mut command, "rigscope", &mut script);
        console.print_own(&script)
    }
}
