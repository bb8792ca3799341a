use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::Console;
use super::files::source;
use super::missing_textures::WholeRigArgs;
use super::opening::{ExtraClipArgs, open_document, repaired_errors, warn_of_import};
use super::output::{self, refuse_to_replace};
use crate::export::{check_rig_name, check_vrm_name, rig_glb_with};
use crate::files::is_standard;
use crate::import::WarningScope;
use crate::stage::Source;
use crate::text::counted;

#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct ConvertArgs {
    /// A glTF, GLB, VRM or FBX file, builtin:NAME, or - for standard input
    #[arg(value_parser = source(), value_name = "FILE")]
    file: Source,

    /// Output file: .glb, .vrm for a VRM, or - for standard output
    #[arg(short, long, value_name = "OUT.glb")]
    output: PathBuf,

    /// Format if OUT has no extension: glb
    #[arg(long, value_name = "FORMAT", value_parser = ["glb"])]
    format: Option<String>,

    #[command(flatten)]
    clips_of: ExtraClipArgs,

    #[command(flatten)]
    read: WholeRigArgs,
}

const HELP: &str = "\
The output has nodes with names and numbers, skins, meshes with all influences, morph targets,
texture coordinates, vertex colours, materials, cameras, constraints and clips. It deforms and looks
like the input, and converting it again gives the same bytes. A VRM keeps its extensions. A missing
texture is left out, or with --keep-missing referenced as before. What cannot be kept is reported.

To be valid, the output may have additional nodes, and clips start at 0 s. The skinning method of
a skin is stored in its extras, DQ blend weights in the attribute _DQ_WEIGHT. The page
\"File formats\" of the guide has the details.

Examples:
  rigscope convert hero.fbx -o hero.glb
  rigscope convert hero.fbx --textures ../textures --strict -o hero.glb
  rigscope convert hero.glb --clips-of walk.fbx -o hero_walk.glb";

impl ConvertArgs {
    /// Runs the command. If it fails, existing files stay unchanged.
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        let path = &self.output;
        if !is_standard(path) && (self.format.is_none() || path.extension().is_some()) {
            check_rig_name(path).map_err(|e| match path.extension() {
                None => not_saved(&output::without_ending(&e)),
                Some(_) => not_saved(&e),
            })?;
        }
        refuse_to_replace(
            path,
            self.file.path().into_iter().chain(self.clips_of.clips_from.iter().filter_map(Source::path)),
        )?;
        let wanted = (&self.file, self.read.scene());
        let document = open_document(wanted, &self.clips_of, self.read.job(), console)?;
        refuse_to_replace(path, document.inputs())?;
        check_vrm_name(path, &document.rig).map_err(|e| not_saved(&e))?;
        warn_of_import(console, "", &document.warnings, WarningScope::Appearance);
        let errors = repaired_errors(&document.warnings, WarningScope::Appearance);
        let missing = self.read.missing.choice();
        let file = console.stage("Converting", |progress| {
            rig_glb_with(&document.rig, missing, progress).map_err(|e| not_saved(&e))
        })?;
        if let Some(code) = self.read.missing.refusal(&file, errors, console) {
            return Ok(code);
        }
        console.stage("Writing", |_| output::save_export(path, &file, "rig was"))?;
        file.left_out.iter().for_each(|loss| console.note(loss));
        let rig = &document.rig;
        let joints = counted(rig.joint_count(), "joint", "joints");
        let vertices = counted(rig.vertex_count(), "vertex", "vertices");
        let clips = counted(file.clips, "clip", "clips");
        console.saved(path, &format!("{joints}, {vertices}, {clips}, {}", file.size()));
        Ok(ExitCode::SUCCESS)
    }
}

fn not_saved(problem: &impl std::fmt::Display) -> String {
    format!("The rig was not saved: {problem}")
}
