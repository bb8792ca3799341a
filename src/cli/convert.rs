//! `rigscope convert`: a whole rig as binary glTF.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::files::source;
use super::missing_textures::{MissingTextureArgs, TextureFolders};
use super::opening::{ClipsOf, open_document, repaired_errors, warn_of_import};
use super::output::{self, refuse_to_replace};
use super::{Console, MemoryArgs};
use crate::export::{ExportFile, check_rig_name, check_vrm_name, rig_glb_with};
use crate::files::is_standard;
use crate::import::{SceneChoice, WarningScope};
use crate::stage::Source;
use crate::text::counted;

/// What to convert, and into what.
#[derive(Args, Debug)]
#[command(after_long_help = KEPT)]
pub struct ConvertArgs {
    /// A glTF, GLB, VRM or FBX file, builtin:NAME, or - for standard input
    #[arg(value_parser = source(), value_name = "FILE")]
    file: Source,

    /// Output file, ending in .glb, or in .vrm for a VRM; - is standard output
    #[arg(short, long, value_name = "OUT.glb")]
    output: PathBuf,

    /// Format, if OUT has no extension (a pipe or a device): glb
    #[arg(long, value_name = "FORMAT", value_parser = ["glb"])]
    format: Option<String>,

    /// Scene to convert, by name or number [default: the file's default scene]
    #[arg(long, value_name = "NAME|INDEX")]
    scene: Option<String>,

    #[command(flatten)]
    clips_of: ClipsOf,

    #[command(flatten)]
    textures: TextureFolders,

    #[command(flatten)]
    missing: MissingTextureArgs,

    /// Take every clip of an FBX from its first key to its last, whatever the range of its take
    #[arg(long)]
    whole_timeline: bool,

    #[command(flatten)]
    memory: MemoryArgs,
}

const KEPT: &str = "\
Kept are nodes with their names and numbers, skins, meshes with any number of influences, morph targets with names and weights, all texture coordinates and
vertex colours, attributes of names that begin with an underscore, materials
with all that is drawn of them (textures as PNG), cameras, node constraints, and clips with their interpolation. Read again, the file deforms and looks as the first one does,
and converted again it is the same to the byte.

A VRM stays one: its own extensions (VRM, VRMC_vrm, VRMC_springBone with its colliders, VRMC_materials_mtoon and the other materials of VRM) are kept as the file has
them, with the numbers of meshes, textures and images that the new file has. What of them cannot be kept is said.

A texture that is missing is left out, or with --keep-missing named as before; the checker that pictures show instead is never written. This is reported also with -q.

So that the file is valid in every detail, a skinned mesh is carried by a node without parent and transform, which move no skinned mesh anyway; a node with
shear gets a parent that has it; joints of one skin under several roots get one root above these; a clip that begins before 0 s begins at 0 s, and one
that moves nothing keeps its number by holding a node at rest.

The way in which a skin is meant to be deformed is in its extras, {\"rigscope\":{\"method\":\"rigid\"|\"dual-quaternion\"|\"blended\"}}, without which it is
linear, and each vertex's share of dual quaternion skinning in the attribute _DQ_WEIGHT.";

impl ConvertArgs {
    /// Converts and writes.
    ///
    /// *Errors*: in words for the user, with the path; then no file was replaced.
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
        let wanted = (&self.file, self.scene.map(SceneChoice::Named));
        let job = self.textures.job(self.memory).playing_whole_timeline(self.whole_timeline);
        let document = open_document(wanted, &self.clips_of, job, console)?;
        refuse_to_replace(path, document.inputs())?;
        check_vrm_name(path, &document.rig).map_err(|e| not_saved(&e))?;
        warn_of_import(console, "", &document.warnings, WarningScope::Appearance);
        let errors = repaired_errors(&document.warnings, WarningScope::Appearance);
        let missing = self.missing.choice();
        let file = console.stage("Converting", |progress| {
            rig_glb_with(&document.rig, missing, progress).map_err(|e| not_saved(&e))
        })?;
        if let Some(code) = self.missing.refusal(&file, errors, console) {
            return Ok(code);
        }
        console.stage("Writing", |_| write(&file, path))?;
        file.left_out.iter().for_each(|loss| console.note(loss));
        let rig = &document.rig;
        let joints = counted(rig.joint_count(), "joint", "joints");
        let vertices = counted(rig.vertex_count(), "vertex", "vertices");
        let clips = counted(file.clips, "clip", "clips");
        console.saved(path, &format!("{joints}, {vertices}, {clips}, {}", file.size()));
        Ok(ExitCode::SUCCESS)
    }
}

fn write(file: &ExportFile, path: &Path) -> Result<(), String> {
    if is_standard(path) || path.extension().is_none() {
        return output::write(path, &file.bytes).map_err(|e| format!("The rig was not written: {e}"));
    }
    file.write(path).map_err(|e| not_saved(&e))
}

fn not_saved(problem: &impl std::fmt::Display) -> String {
    format!("The rig was not saved: {problem}")
}
