use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::Console;
use super::many_files::{InPlaceArgs, InputArgs, OutputOption, PerFile, run_each};
use super::missing_textures::WholeRigArgs;
use super::opening::{ExtraClipArgs, open_document, repaired_errors, warn_of_import};
use super::output;
use crate::export::{ExportFile, check_rig_name, check_vrm_name, rig_glb_with};
use crate::files::is_standard;
use crate::import::{Job, WarningScope};
use crate::stage::{Document, Source};
use crate::text::counted;

#[derive(Args, Clone, Debug)]
#[command(after_long_help = HELP)]
pub struct ConvertArgs {
    #[command(flatten)]
    inputs: InputArgs,

    /// File of this run.
    #[arg(skip)]
    file: Option<Source>,

    /// Output file: .glb, .vrm for a VRM, or - for standard output; {stem} is the name of FILE
    #[arg(short, long, value_name = "OUT.glb", required_unless_present = "in_place")]
    output: Option<PathBuf>,

    #[command(flatten)]
    writing: InPlaceArgs,

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
  rigscope convert hero.glb --clips-of walk.fbx -o hero_walk.glb
  rigscope convert models -o 'glb/{folder}/{stem}.glb'";

impl ConvertArgs {
    /// Runs the command. If it fails, existing files stay unchanged.
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        run_each(self, console)
    }

    /// Returns the output file of this run.
    fn target(&self) -> Result<PathBuf, String> {
        self.writing.target(self.output.as_deref(), self.file.as_ref())?.ok_or_else(|| "-o names no file".to_owned())
    }
}

impl PerFile for ConvertArgs {
    /// The character, and the file if `--strict` doesn't refuse it.
    type Prepared = (Document, Result<ExportFile, ExitCode>);
    type Shared = ();
    const DOING: &'static str = "Converting";

    fn inputs(&mut self) -> &mut InputArgs {
        &mut self.inputs
    }

    fn set_file(&mut self, file: Option<Source>) {
        self.file = file;
    }

    fn outputs(&mut self) -> Vec<OutputOption<'_>> {
        let errors = self.clips_of.clip_errors.as_mut().map(|path| ("--clip-errors", path));
        self.output.as_mut().map(|path| ("-o", path)).into_iter().chain(errors).collect()
    }

    fn job(&self) -> Job {
        self.read.job()
    }

    fn check(&self) -> Result<(), String> {
        let checked = |path: &&PathBuf| !is_standard(path) && (self.format.is_none() || path.extension().is_some());
        let Some(path) = self.output.as_ref().filter(checked) else { return Ok(()) };
        check_rig_name(path).map_err(|e| match path.extension() {
            None => not_saved(&output::without_ending(&e)),
            Some(_) => not_saved(&e),
        })
    }

    fn prepare(&self, console: &Console) -> Result<Self::Prepared, String> {
        let (path, file) = (self.target()?, self.file.as_ref().ok_or("no file was given")?);
        let clips_of = self.clips_of.clips_from.iter().filter_map(Source::path);
        self.writing.refuse_to_replace(&path, file.path().into_iter().chain(clips_of))?;
        let document = open_document((file, self.read.scene()), &self.clips_of, self.read.job(), console)?;
        self.writing.refuse_to_replace(&path, document.inputs())?;
        check_vrm_name(&path, &document.rig).map_err(|e| not_saved(&e))?;
        warn_of_import(console, "", &document.warnings, WarningScope::Appearance);
        let errors = repaired_errors(&document.warnings, WarningScope::Appearance);
        let missing = self.read.missing.choice();
        let file = console.stage("Converting", |progress| {
            rig_glb_with(&document.rig, missing, progress).map_err(|e| not_saved(&e))
        })?;
        let refusal = self.read.missing.refusal(&file, errors, console);
        Ok((document, refusal.map_or(Ok(file), Err)))
    }

    fn finish(&self, (document, file): Self::Prepared, (): &mut (), console: &Console) -> Result<ExitCode, String> {
        let (path, file) = match file {
            Ok(file) => (self.target()?, file),
            Err(code) => return Ok(code),
        };
        file.left_out.iter().for_each(|loss| console.note(loss));
        let rig = &document.rig;
        let joints = counted(rig.joint_count(), "joint", "joints");
        let vertices = counted(rig.vertex_count(), "vertex", "vertices");
        let clips = counted(file.clips, "clip", "clips");
        let what = format!("{joints}, {vertices}, {clips}, {}", file.size());
        let write = || console.stage("Writing", |_| output::save_export(&path, &file, "rig was"));
        self.writing.write(&path, &what, console, write)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn not_saved(problem: &impl std::fmt::Display) -> String {
    format!("The rig was not saved: {problem}")
}
