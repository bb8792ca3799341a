//! `rigscope weights`: numbers of weights, and files with other weights.

mod making;
mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgGroup, Args};
use serde::Serialize;

use super::console::cancelled;
use super::files::source;
use super::missing_textures::{MissingTextureArgs, TextureFolders};
use super::opening::{opening, warn_of_import};
use super::output::{self, refuse_to_replace};
use super::results::{ResultArgs, Results};
use super::{Console, MemoryArgs};
use crate::analysis::MAX_VERTICES;
use crate::analysis::suspects::{Suspects, SuspectsJson, suspects};
use crate::export::{
    ExportError, ExportFile, MissingTextures, check_rig_name, check_vrm_name, reweighted_glb, rig_glb_with,
};
use crate::files::{is_standard, open_stream, read_bounded};
use crate::import::{ImportError, Job, SceneChoice, StoredGltf, WarningScope, import_bytes, stored_bytes, stored_file};
use crate::rig::{NodeIndex, Rig, WeightSet, joint_names};
use crate::rows::{self, Described as _};
use crate::stage::{Document, Source, stored_weights};
use crate::weights::{StoredWeights, WeightNumbers, WeightNumbersJson, numbers};
use making::MakingArgs;

/// Which weights to judge, and what to write.
#[derive(Args, Debug)]
#[command(after_long_help = HELP, group = ArgGroup::new("purpose").args(["output", "suspicious"]).multiple(true))]
pub struct WeightsArgs {
    /// A glTF, GLB, VRM or FBX file, builtin:NAME, or - for standard input
    #[arg(value_parser = source(), value_name = "FILE")]
    file: Source,

    #[command(flatten)]
    making: MakingArgs,

    /// Output file with the new weights, ending in .glb, or in .vrm for a VRM; - is standard output
    #[arg(short, long, value_name = "OUT.glb")]
    output: Option<PathBuf>,

    /// List suspicious regions too, found in random poses: stretched edges, layers that cross, joints far away, left and right that differ
    #[arg(long)]
    suspicious: bool,

    /// Scene to use, by name or number [default: the file's default scene]
    #[arg(long, value_name = "NAME|INDEX")]
    scene: Option<String>,

    #[command(flatten)]
    results: ResultArgs,

    #[command(flatten)]
    textures: TextureFolders,

    #[command(flatten)]
    missing: MissingTextureArgs,

    #[command(flatten)]
    memory: MemoryArgs,
}

const HELP: &str = "\
Numbers are those of the weights that are written, or without -o of the file's. Each vertex of the file counts once. Energy is the Dirichlet energy of a joint's
weights over the surface at bind, without a unit: a band of length L around a limb of circumference C, over which a weight falls evenly from 1 to 0, has C/L. Pieces are the
connected parts of the surface where a joint has at least 0.01; islands those of them that a joint need not have, more than one on a connected surface. Weight leaks where its joint is much nearer
in a straight line than through the body, known to within two cells of a grid that fills it. Symmetry is the sum of the
differences between the weights of a point and those of its mirror image, 0 to 2.

Weight problems are connected sets of vertices, ranked by area times severity: edges that become more than three times as long, layers that pass through what they lay over or under at
rest, vertices whose joint is much farther away than that of their surroundings, and weights that differ from those of the opposite side. They are looked for in random poses, always the
same ones: each joint turns by up to 45 degrees about any axis, alone and together with others.

A glTF file is written with nothing changed but joints and weights: all other values of its document are kept to the letter, and the bytes of its buffers. New accessors
come behind them; weights keep their type, in whole numbers that sum exactly, and joints of 8 bits stay so where that is enough. Buffers and images in files beside it are taken in. Of a primitive that
Draco compresses, joints and weights leave the compression. FBX is written as rigscope convert does.

rigscope explain json lists the keys of the JSON.";

/// What is printed as JSON.
pub(super) const JSON: [rows::Document; 2] = [
    rows::Document {
        command: "weights",
        key: "weights",
        python: Some(("Rig.weights", "")),
        shape: WeightNumbersJson::shape,
    },
    rows::Document {
        command: "weights --suspicious",
        key: "suspicious",
        python: Some(("Rig.suspicious", "list")),
        shape: SuspectsJson::shape,
    },
];

/// A character, with its file as stored where that is glTF and needed.
struct Opened {
    document: Document,
    stored: Option<StoredGltf>,
}

impl WeightsArgs {
    /// Judges, computes and writes weights.
    ///
    /// *Errors*: in words for the user; then no file was replaced.
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        self.check()?;
        let Opened { document, stored } = self.open(console)?;
        for out in self.output.as_deref().into_iter().chain(self.results.csv()) {
            refuse_to_replace(out, document.inputs())?;
        }
        if let Some(path) = &self.output {
            check_vrm_name(path, &document.rig).map_err(|e| not_saved(&e))?;
        }
        warn_of_import(console, "", &document.warnings, WarningScope::Shape);
        let weights =
            if self.making.is_asked_for() { Some(self.making.weights(&document, self.memory, console)?) } else { None };
        let file = match &weights {
            Some(weights) if self.output.is_some() => {
                Some(written_file(stored, &document.rig, (weights, self.missing.choice()), console)?)
            }
            _ => None,
        };
        if let Some(code) = file.as_ref().and_then(|file| self.missing.refusal(file, 0, console)) {
            return Ok(code);
        }
        let (rig, stored) = match &weights {
            Some(weights) => (Arc::new(document.rig.with_weights(weights)), making::left_in_file(&document, weights)),
            None => (Arc::clone(&document.rig), stored_weights(&document.warnings)),
        };
        let save = || match (&self.output, &file, &weights) {
            (Some(path), Some(file), Some(weights)) => save(path, file, weights, console),
            _ => Ok(()),
        };
        let (saved, found) = rayon::join(save, || judged(&rig, stored, console));
        saved?;
        let found = found?;
        let doubted = if self.suspicious { Some(doubted(&document, &rig, console)?) } else { None };
        self.print(&document, &found, doubted.as_ref(), console).map(|()| ExitCode::SUCCESS)
    }

    /// Checks combinations of options that the parser cannot.
    fn check(&self) -> Result<(), String> {
        if self.output.is_some() && !self.making.is_asked_for() {
            return Err("Nothing is to be written; add --compute METHOD, --from OTHER, --fix or what refines weights, or leave out -o".to_owned());
        }
        if let Some(path) = self.output.as_ref().filter(|path| !is_standard(path)) {
            check_rig_name(path).map_err(|e| not_saved(&e))?;
        }
        self.results.check(self.output.as_deref())?;
        for out in self.output.as_deref().into_iter().chain(self.results.csv()) {
            refuse_to_replace(out, self.file.path().into_iter().chain(self.making.other()))?;
        }
        Ok(())
    }

    fn open(&self, console: &Console) -> Result<Opened, String> {
        let job = self.textures.job(self.memory).with_scene(self.scene.clone().map(SceneChoice::Named));
        opening(&self.file, job, console, |job| {
            self.opened(job).map_err(|e| format!("{e} ({})", self.file.full_name()))
        })
    }

    fn opened(&self, job: &Job) -> Result<Opened, ImportError> {
        let of_bytes = |bytes: &[u8]| {
            let imported = import_bytes(bytes, job)?;
            let document = Document::new(self.file.clone(), imported.rig, imported.warnings);
            let stored = if self.output.is_some() { stored_bytes(bytes, job)? } else { None };
            Ok(Opened { document, stored })
        };
        match &self.file {
            Source::File(path) if job.reads_as_stream(path) => {
                let read = open_stream(path).and_then(|stream| read_bounded(stream, self.memory.bytes()));
                of_bytes(&read.map_err(ImportError::Stream)?)
            }
            Source::File(path) => {
                let document = Document::open(&self.file, job)?;
                let stored = if self.output.is_some() { stored_file(path, job)? } else { None };
                Ok(Opened { document, stored })
            }
            Source::BuiltIn(built_in) => of_bytes(built_in.bytes()),
        }
    }

    fn print(
        &self,
        document: &Document,
        found: &WeightNumbers,
        doubted: Option<&Suspects>,
        console: &Console,
    ) -> Result<(), String> {
        let hierarchy = &document.rig.hierarchy;
        let joints: Vec<NodeIndex> = found.joints.iter().map(|row| row.joint).collect();
        let weights = WeightNumbersJson::new(found, joint_names(hierarchy, &joints));
        let suspicious = doubted.map(|doubted| {
            let names = joint_names(hierarchy, &hierarchy.nodes().collect::<Vec<_>>());
            SuspectsJson::new(doubted, &document.rig, &|node| names[node.index()].clone())
        });
        let file = document.source.full_name();
        let mut lines = text::lines(&file, &weights);
        lines.extend(doubted.iter().flat_map(|doubted| text::suspicious(doubted, &document.rig)));
        let csv = weights.csv();
        let results = Results::new(&file, &Numbers { suspicious, weights }, csv, lines);
        self.results.write(results, self.output.as_deref(), console)
    }
}

/// The numbers that are printed as JSON.
#[derive(Serialize)]
struct Numbers {
    #[serde(skip_serializing_if = "Option::is_none")]
    suspicious: Option<SuspectsJson>,
    weights: WeightNumbersJson,
}

fn save(path: &Path, file: &ExportFile, weights: &WeightSet, console: &Console) -> Result<(), String> {
    if is_standard(path) {
        output::write(path, &file.bytes).map_err(|e| format!("The file was not written: {e}"))?;
    } else {
        file.write(path).map_err(|e| not_saved(&e))?;
    }
    file.left_out.iter().for_each(|loss| console.note(loss));
    console.saved(path, &format!("weights of {} primitives, {}", weights.iter().count(), file.size()));
    Ok(())
}

/// Weight problems of a document with the weights of a rig.
///
/// *Errors*: the rig is too large; the time is over.
fn doubted(document: &Document, rig: &Arc<Rig>, console: &Console) -> Result<Suspects, String> {
    if rig.vertex_count() > MAX_VERTICES {
        let drawn = rig.vertex_count();
        return Err(format!(
            "Weight problems are looked for in up to {MAX_VERTICES} vertices; this file draws {drawn}"
        ));
    }
    console.stage("Finding weight problems", |progress| suspects(rig, &document.limits, progress).ok_or_else(cancelled))
}

fn judged(rig: &Rig, stored: StoredWeights, console: &Console) -> Result<WeightNumbers, String> {
    console.stage("Judging weights", |progress| numbers(rig, stored, progress).ok_or_else(cancelled))
}

/// The stored file with other weights or, without a stored file, the whole rig.
fn written_file(
    stored: Option<StoredGltf>,
    rig: &Rig,
    (weights, missing): (&WeightSet, MissingTextures),
    console: &Console,
) -> Result<ExportFile, String> {
    if stored.is_none() {
        console.note("The file is no glTF: the whole rig is written, as rigscope convert does.");
    }
    console.stage("Writing", |progress| {
        let written = match stored {
            Some(stored) => reweighted_glb(stored, rig, weights, progress),
            None => rig_glb_with(&rig.with_weights(weights), missing, progress),
        };
        written.map_err(|e| not_saved(&e))
    })
}

fn not_saved(problem: &ExportError) -> String {
    format!("The file was not saved: {problem}")
}
