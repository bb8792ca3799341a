use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{Console, MemoryArgs};
use crate::export::{ExportFile, MissingTextures};
use crate::import::{Job, SceneChoice};
use crate::text::counted;

#[derive(Args, Clone, Debug)]
pub(super) struct TextureFolders {
    /// Search a folder for missing textures (repeatable)
    #[arg(long = "textures", value_name = "DIR")]
    folders: Vec<PathBuf>,
}

#[derive(Args, Clone, Copy, Debug)]
pub(super) struct MissingTextureArgs {
    /// Keep references to missing textures instead of leaving them out
    #[arg(long)]
    keep_missing: bool,

    /// Write nothing and exit with 1 if a texture is missing or the output would hide errors of the file
    #[arg(long)]
    strict: bool,
}

/// How to read a rig that is written as a whole, and what to do about missing textures.
#[derive(Args, Clone, Debug)]
pub(super) struct WholeRigArgs {
    /// Scene to read, by name or number [default: the file's default scene]
    #[arg(long, value_name = "NAME|INDEX")]
    scene: Option<String>,

    #[command(flatten)]
    textures: TextureFolders,

    #[command(flatten)]
    pub missing: MissingTextureArgs,

    /// Read FBX clips from the first key to the last, ignoring the range of the take
    #[arg(long)]
    whole_timeline: bool,

    #[command(flatten)]
    memory: MemoryArgs,
}

impl WholeRigArgs {
    pub(super) fn scene(&self) -> Option<SceneChoice> {
        self.scene.clone().map(SceneChoice::Named)
    }

    pub(super) fn job(&self) -> Job {
        self.textures.job(self.memory).playing_whole_timeline(self.whole_timeline)
    }
}

impl TextureFolders {
    pub(super) fn job(&self, memory: MemoryArgs) -> Job {
        memory.job().with_texture_folders(self.folders.clone())
    }
}

impl MissingTextureArgs {
    pub(super) fn choice(self) -> MissingTextures {
        if self.keep_missing { MissingTextures::Referenced } else { MissingTextures::Omitted }
    }

    /// Reports missing textures, even with `-q`. With `--strict`, returns an exit code if nothing may be written
    /// because textures are missing or the import repaired errors. `errors` is the number of repaired errors.
    pub(super) fn refusal(self, file: &ExportFile, errors: usize, console: &Console) -> Option<ExitCode> {
        let advice = if self.keep_missing {
            ""
        } else {
            ". --textures DIR searches a folder; --keep-missing keeps the references"
        };
        file.missing_textures().iter().for_each(|sentence| console.warn_always(&format!("{sentence}{advice}")));
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
