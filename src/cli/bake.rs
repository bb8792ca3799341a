//! `rigscope bake`: the skinned meshes of a pose as a file.

use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser as _};
use clap::{Args, ValueEnum};

use super::Console;
use super::console::byte_count;
use super::posed::{PosedArgs, refuse_to_replace};
use crate::export::{ExportError, MeshFile, MeshFormat, PosedMeshes, make_finite};
use crate::import::Concern;
use crate::render::{Frame, Headless};
use crate::skinning::{Deformed, Normals, Skinner};
use crate::state::AppState;

/// What to bake, and into what.
#[derive(Args, Debug)]
pub struct BakeArgs {
    #[command(flatten)]
    posed: PosedArgs,

    /// Where the meshes go; the ending tells the format: .glb, .obj (with .mtl and .png beside it), .ply or .json
    #[arg(short, long, value_name = "OUT.{glb,obj,ply,json}")]
    #[arg(value_parser = PathBufValueParser::new().try_map(Output::new))]
    output: Output,

    /// What skins the vertices
    #[arg(long, value_enum, default_value_t = Backend::Cpu)]
    backend: Backend,
}

/// A path whose name tells a format.
#[derive(Clone, Debug)]
struct Output {
    path: PathBuf,
    format: MeshFormat,
}

impl Output {
    fn new(path: PathBuf) -> Result<Self, ExportError> {
        Ok(Self { format: MeshFormat::of(&path)?, path })
    }

    /// Beginning of the names of files beside it.
    fn stem(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// What skins the vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    /// The kernels that are the reference
    Cpu,
    /// The shaders of the viewport, read back; needs OpenGL but no display
    Gpu,
}

impl BakeArgs {
    /// Bakes and writes.
    ///
    /// *Errors*: in words for the user, with the path; then no file was replaced.
    pub fn run(self, console: &Console) -> Result<(), String> {
        let refuse = |sources: &mut dyn Iterator<Item = &Path>| {
            refuse_to_replace(&self.output.path, sources, "the meshes would be")
        };
        refuse(&mut self.posed.named_files())?;
        let state = self.posed.open(used(self.output.format), console)?;
        // A session may have named it.
        refuse(&mut state.document.source.path().into_iter())?;
        let mut deformed = console.stage("Skinning", String::new, || skinned(&state, self.backend))?;
        let odd = make_finite(&mut deformed);
        if odd > 0 {
            console.warn(&format!(
                "{odd} positions or normals are not finite; 0 was written in place of such coordinates"
            ));
        }
        if state.rig().primitives().next().is_none() {
            console.warn(&format!("{} has no meshes", state.document.source.full_name()));
        }
        let posed = PosedMeshes { rig: state.rig(), palettes: state.palettes(), deformed: &deformed };
        let problem = |e: ExportError| format!("The meshes were not saved: {e}");
        let (format, path) = (self.output.format, &self.output.path);
        let method = state.view.skinning.method;
        let file = console.stage("Writing", String::new, || {
            let file = format.file(posed, method, &self.output.stem())?;
            file.write(path).map(|()| file)
        });
        let file = file.map_err(problem)?;
        file.left_out.iter().for_each(|loss| console.note(loss));
        console.saved(path, &contents(&state, &file));
        Ok(())
    }
}

/// What of a character a format keeps.
fn used(format: MeshFormat) -> Concern {
    match format {
        MeshFormat::Json => Concern::Shape,
        MeshFormat::Ply => Concern::Colors,
        MeshFormat::Glb | MeshFormat::Obj => Concern::Looks,
    }
}

/// What was written, for people.
fn contents(state: &AppState, file: &MeshFile) -> String {
    let beside = match file.beside.len() {
        0 => String::new(),
        1 => " and a file beside it".to_owned(),
        count => format!(" and {count} files beside it"),
    };
    let bytes = file.beside.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() + file.bytes.len();
    format!("{} vertices, {}{beside}", state.rig().vertex_count(), byte_count(bytes as u64))
}

/// Positions and normals in world space by mesh instance and primitive, vertices in the file's order.
///
/// *Errors*: a way of skinning that the rig does not allow; where the graphics card skins, without OpenGL, for rigs too large for the driver, and
/// for normals made anew.
pub fn skinned(state: &AppState, backend: Backend) -> Result<Vec<Vec<Deformed>>, String> {
    let skinner = Skinner::new(state.rig(), &state.view.skinning).map_err(|e| e.to_string())?;
    match backend {
        Backend::Cpu => Ok(skinner.deform(state.posed())),
        Backend::Gpu if state.view.skinning.normals == Normals::Recomputed => {
            Err("Normals from the posed triangles are made by the CPU; leave out --backend gpu".to_owned())
        }
        Backend::Gpu => skinned_by_gpu(state, &skinner),
    }
}

fn skinned_by_gpu(state: &AppState, skinner: &Skinner) -> Result<Vec<Vec<Deformed>>, String> {
    let headless = Headless::new().map_err(|e| e.to_string())?;
    let mut scene = headless.scene().map_err(|e| e.to_string())?;
    let frame = Frame {
        rig: state.rig(),
        posed: state.posed(),
        palettes: state.palettes(),
        other: None,
        centers: skinner.centers(),
        normals: [None; 2],
        painted: [None; 2],
        pose: state.pose(),
        view: &state.view,
        size: [1, 1],
        pixels_per_point: 1.0,
        version: state.version(),
    };
    scene.skinned(&frame).map_err(|e| e.to_string())
}
