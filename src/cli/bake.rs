use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::many_files::{InputArgs, OutputOption, PerFile, run_each};
use super::missing_textures::MissingTextureArgs;
use super::opening::repaired_errors;
use super::posed::PosedArgs;
use super::suggestions::with_suggestions;
use super::{Console, output};
use crate::export::{ExportError, ExportFile, MeshFormat, make_finite, not_finite};
use crate::files::is_standard;
use crate::import::{Job, WarningScope};
use crate::skinning::{Deformed, Normals, Skinner};
use crate::stage::{Document, Source, Stage};
use crate::view::Side;

#[derive(Args, Clone, Debug)]
#[command(after_long_help = HELP)]
#[command(mut_arg("files", |arg| arg.required_unless_present_any(["files_from", "session"])))]
pub struct BakeArgs {
    #[command(flatten)]
    inputs: InputArgs,

    #[command(flatten)]
    posed: PosedArgs,

    /// Output file: .glb, .obj (with .mtl and .png files), .ply or .json, or - for standard output
    #[arg(short, long, value_name = "OUT.{glb,obj,ply,json}")]
    output: PathBuf,

    /// Format if OUT has no extension: glb, obj, ply or json [default: glb]
    #[arg(long, value_name = "FORMAT", value_parser = with_suggestions(MeshFormat::ALL.map(MeshFormat::extension), parse_format))]
    #[arg(hide_possible_values = true)]
    format: Option<MeshFormat>,

    #[command(flatten)]
    missing: MissingTextureArgs,

    /// Device that skins the vertices
    #[arg(long, value_enum, default_value_t = Backend::Cpu)]
    backend: Backend,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    /// The reference
    Cpu,
    /// The shaders of the viewport; needs OpenGL but no display
    Gpu,
}

const HELP: &str = "\
Positions and normals are in world space, in metres, +Y up. OBJ and PLY have no skeleton or clips.

Examples:
  rigscope bake hero.glb --clip walk --time 0.3 -o walk.obj
  rigscope bake hero.glb --pose fist.json --method dqs -o fist.ply";

impl BakeArgs {
    /// Runs the command. If it fails, existing files stay unchanged.
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        run_each(self, console)
    }

    fn file_format(&self) -> Result<MeshFormat, String> {
        output::format(&self.output, MeshFormat::from_path(&self.output), self.format, MeshFormat::Glb)
    }

    fn write(&self, file: &ExportFile, document: &Document) -> Result<(), String> {
        let path = &self.output;
        if !is_standard(path) {
            let mut beside = file.paths_beside(path).into_iter();
            beside.try_for_each(|path| output::refuse_to_replace(&path, self.posed.rigged.inputs(document)))?;
        } else if !file.beside.is_empty() {
            return Err(
                "An OBJ with its materials is several files, and standard output is one; give OUT a name".to_owned()
            );
        }
        output::save_export(path, file, "meshes were")
    }
}

impl PerFile for BakeArgs {
    /// The posed character, and the file if `--strict` doesn't refuse it.
    type Prepared = (Stage, Result<ExportFile, ExitCode>);
    type Shared = ();
    const DOING: &'static str = "Baking";

    fn inputs(&mut self) -> &mut InputArgs {
        &mut self.inputs
    }

    fn set_file(&mut self, file: Option<Source>) {
        self.posed.rigged.file = file;
    }

    fn outputs(&mut self) -> Vec<OutputOption<'_>> {
        self.posed.rigged.outputs().chain([("-o", &mut self.output)]).collect()
    }

    fn job(&self) -> Job {
        self.posed.rigged.memory.job()
    }

    fn check(&self) -> Result<(), String> {
        self.file_format().map(drop)
    }

    fn prepare(&self, console: &Console) -> Result<Self::Prepared, String> {
        let (path, format) = (&self.output, self.file_format()?);
        let stage = self.posed.open(used(format), Some(path), console)?;
        let mut deformed = console.stage("Skinning", |_| skinned(&stage, self.backend))?;
        let odd = make_finite(&mut deformed);
        if odd > 0 {
            console.warn(&not_finite(odd));
        }
        if stage.rig().primitives().next().is_none() {
            console.warn(&format!("{} has no meshes", stage.document.source.full_name()));
        }
        if stage.other_on(Side::A).is_some() {
            let (shown, open) = (stage.view.sides.a.file.title(), stage.document.source.name());
            console.warn(&format!("Side A of the session shows {shown}; what is baked is {open}"));
        }
        let problem = |e: ExportError| format!("The meshes were not saved: {e}");
        // Prefix for file names of materials and textures.
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let missing = self.missing.choice();
        let errors = repaired_errors(&stage.document.warnings, used(format));
        let file = console.stage("Baking", |progress| {
            stage.export_posed_meshes(&deformed, (format, &stem), missing, progress).map_err(problem)
        })?;
        let refusal = self.missing.refusal(&file, errors, console);
        Ok((stage, refusal.map_or(Ok(file), Err)))
    }

    fn finish(&self, (stage, file): Self::Prepared, (): &mut (), console: &Console) -> Result<ExitCode, String> {
        let file = match file {
            Ok(file) => file,
            Err(code) => return Ok(code),
        };
        console.stage("Writing", |_| self.write(&file, &stage.document))?;
        file.left_out.iter().for_each(|loss| console.note(loss));
        console.saved(&self.output, &format!("{} vertices, {}", stage.rig().vertex_count(), file.size()));
        Ok(ExitCode::SUCCESS)
    }
}

fn parse_format(ending: &str) -> Result<MeshFormat, String> {
    MeshFormat::from_path(Path::new(&format!("meshes.{ending}")))
        .map_err(|_unknown| "a format is glb, obj, ply or json".to_owned())
}

/// Returns the scope of import warnings about data that the format stores.
fn used(format: MeshFormat) -> WarningScope {
    match format {
        MeshFormat::Json => WarningScope::Shape,
        MeshFormat::Ply => WarningScope::Colors,
        MeshFormat::Glb | MeshFormat::Obj => WarningScope::Appearance,
    }
}

/// Returns skinned positions and normals in world space, by mesh instance and primitive. Vertices are in the file's
/// order.
///
/// *Errors*: the method doesn't support the rig. On the GPU also: OpenGL is missing, the rig is too large for the
/// driver, or the normals must be recomputed.
pub fn skinned(stage: &Stage, backend: Backend) -> Result<Vec<Vec<Deformed>>, String> {
    let skinner = Skinner::new(stage.open_on(Side::A), &stage.view.sides.a.skinning).map_err(|e| e.to_string())?;
    match backend {
        Backend::Cpu => Ok(skinner.deform(stage.posed())),
        Backend::Gpu if stage.view.sides.a.skinning.normals == Normals::Recomputed => {
            Err("Normals from the posed triangles are made by the CPU; leave out --backend gpu".to_owned())
        }
        Backend::Gpu => skinned_by_gpu(stage, &skinner),
    }
}

#[cfg(not(feature = "gl"))]
fn skinned_by_gpu(_: &Stage, _: &Skinner) -> Result<Vec<Vec<Deformed>>, String> {
    Err("This rigscope was built without OpenGL: leave out --backend gpu, or build it with --features gl".to_owned())
}

#[cfg(feature = "gl")]
fn skinned_by_gpu(stage: &Stage, skinner: &Skinner) -> Result<Vec<Vec<Deformed>>, String> {
    use crate::actor::Actor;
    use crate::render::{FrameInput, Headless, SkinningDevice};

    let headless = Headless::new().map_err(|e| e.to_string())?;
    let mut scene = headless.scene().map_err(|e| e.to_string())?;
    scene.set_skinning_device(SkinningDevice::Gpu);
    let actor = Actor::new(skinner.rig(), stage.characters.pose().clone());
    let mut frame = FrameInput::for_actor(&actor, (stage.pose(), &stage.view), [1, 1]);
    frame.actors[0].centers = skinner.centers();
    scene.skinned(&frame).map_err(|e| e.to_string())
}
