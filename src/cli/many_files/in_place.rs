use std::path::{Path, PathBuf};

use clap::Args;

use super::super::Console;
use super::super::output;
use crate::files::is_standard;
use crate::stage::Source;

/// Options of subcommands that can replace their input.
#[derive(Args, Clone, Debug)]
pub(in super::super) struct InPlaceArgs {
    /// Replace FILE itself, which must be .glb or .vrm
    #[arg(long, conflicts_with = "output")]
    pub in_place: bool,

    /// Report what would be written, but write nothing
    #[arg(long)]
    dry_run: bool,
}

impl InPlaceArgs {
    /// Returns the path to write: the output, or with `--in-place` the file. *Errors*: the file has no path, or its
    /// format can't be written.
    pub(in super::super) fn target(
        &self,
        output: Option<&Path>,
        file: Option<&Source>,
    ) -> Result<Option<PathBuf>, String> {
        if !self.in_place {
            return Ok(output.map(Path::to_owned));
        }
        let path = file.and_then(Source::path).filter(|path| !is_standard(path));
        let path = path.ok_or("--in-place needs a file; standard input and built-in characters have none")?;
        let is_written = ["glb", "vrm"]
            .iter()
            .any(|known| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(known)));
        if is_written {
            Ok(Some(path.to_owned()))
        } else {
            Err(format!("--in-place writes .glb and .vrm files; give -o for {}", path.display()))
        }
    }

    /// Fails if the output would overwrite an input. With `--in-place`, it overwrites the file that it is meant to
    /// replace.
    pub(in super::super) fn refuse_to_replace<'a>(
        &self,
        output: &Path,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<(), String> {
        let is_file = |input: &&Path| self.in_place && *input == output;
        output::refuse_to_replace(output, inputs.into_iter().filter(|input| !is_file(input)))
    }

    /// Writes a file with `write` and reports it, or with `--dry-run` reports what would be written.
    pub(in super::super) fn write(
        &self,
        path: &Path,
        what: &str,
        console: &Console,
        write: impl FnOnce() -> Result<(), String>,
    ) -> Result<(), String> {
        if self.dry_run {
            console.note(&format!("{} would be written ({what})", path.display()));
            return Ok(());
        }
        write()?;
        console.saved(path, what);
        Ok(())
    }
}
