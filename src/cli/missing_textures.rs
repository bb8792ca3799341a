//! Options on textures that the model's file names and that cannot be read.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{Console, MemoryArgs};
use crate::export::{ExportFile, MissingTextures};
use crate::import::Job;
use crate::text::counted;

/// Where else textures are searched for.
#[derive(Args, Clone, Debug)]
pub(super) struct TextureFolders {
    /// Search a folder for textures that are not where the file says (repeatable)
    #[arg(long = "textures", value_name = "DIR")]
    folders: Vec<PathBuf>,
}

/// What is written where a texture is missing.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct MissingTextureArgs {
    /// Refer to missing texture files as before, instead of leaving the textures out
    #[arg(long)]
    keep_missing: bool,

    /// Write nothing and exit with 1 where a texture is missing, or where check finds errors in the file that the output would hide
    #[arg(long)]
    strict: bool,
}

impl TextureFolders {
    /// An import job that searches these folders.
    pub(super) fn job(&self, memory: MemoryArgs) -> Job {
        memory.job().with_texture_folders(self.folders.clone())
    }
}

impl MissingTextureArgs {
    pub(super) fn choice(self) -> MissingTextures {
        if self.keep_missing { MissingTextures::Referenced } else { MissingTextures::LeftOut }
    }

    /// Reports missing textures, also with `-q`. Returns the exit code with which to end before anything is written: with `--strict`, where textures are
    /// missing or import repaired `errors` faults.
    pub(super) fn refusal(self, file: &ExportFile, errors: usize, console: &Console) -> Option<ExitCode> {
        let advice = if self.keep_missing {
            ""
        } else {
            ". --textures DIR searches a folder; --keep-missing keeps the references"
        };
        file.missing_textures().iter().for_each(|sentence| console.insist(&format!("{sentence}{advice}")));
        let is_refused = self.strict && (errors > 0 || !file.missing.is_empty());
        is_refused.then(|| {
            let hidden = match errors {
                0 => String::new(),
                _ => format!(
                    "; {} of the file, which rigscope check lists, would be hidden",
                    counted(errors, "error", "errors")
                ),
            };
            console.error(&format!("Nothing was written, because of --strict{hidden}"));
            ExitCode::from(1)
        })
    }
}
