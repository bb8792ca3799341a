use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::Resettable;
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::Console;
use crate::files::write_atomically;

/// Heading of the examples at the end of a command's help.
pub(super) const EXAMPLES: &str = "\nExamples:\n";

#[derive(Args, Debug)]
pub struct ManArgs {
    /// Write the man pages of the program and its commands into a folder instead of printing one
    #[arg(short, long, alias = "out", value_name = "DIR")]
    output: Option<PathBuf>,
}

impl ManArgs {
    pub fn run(self, command: clap::Command, console: &Console) -> Result<(), String> {
        let mut command = command.disable_help_subcommand(true);
        command.build();
        match &self.output {
            None => console.print_own(&page(command)?.1),
            Some(folder) => write_all(&command, folder, console),
        }
    }
}

fn page(command: clap::Command) -> Result<(String, Vec<u8>), String> {
    let notes = command.get_after_long_help().or_else(|| command.get_after_help()).map(ToString::to_string);
    let man = Man::new(command.after_help(Resettable::Reset).after_long_help(Resettable::Reset));
    let mut text = Vec::new();
    let written = man.render(&mut text).and_then(|()| sections(&notes.unwrap_or_default()).to_writer(&mut text));
    written.map_err(|e| format!("The man page could not be created: {e}"))?;
    Ok((man.get_filename(), text))
}

/// Returns the text below a command's help as two sections. Lines of examples stay as they are.
fn sections(notes: &str) -> Roff {
    let notes = format!("\n{notes}");
    let (notes, examples) = notes.split_once(EXAMPLES).unwrap_or((&notes, ""));
    let mut page = Roff::new();
    for (title, text) in
        [("NOTES", notes), ("EXAMPLES", examples)].into_iter().filter(|(_, text)| !text.trim().is_empty())
    {
        page.control("SH", [title]);
        if title == "EXAMPLES" {
            page.control("nf", []);
        }
        for line in text.trim_matches('\n').lines() {
            page.text([roman(line)]);
        }
        page.control("fi", []);
    }
    page
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
#[command(after_help = "Examples:\n  rigscope completions bash > ~/.local/share/bash-completion/completions/rigscope")]
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
