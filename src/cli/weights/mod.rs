mod against;
mod edit_options;
mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgGroup, Args};
use serde::Serialize;

use super::console::cancelled;
use super::many_files::{InPlaceArgs, InputArgs, OutputOption, PerFile, run_each};
use super::missing_textures::{MissingTextureArgs, TextureFolders};
use super::opening::{opening, warn_of_import};
use super::output::{self, refuse_to_replace};
use super::results::{ResultArgs, Results};
use super::{Console, MemoryArgs};
use crate::analysis::MAX_VERTICES;
use crate::analysis::rigging_metrics::RiggingMetricsJson;
use crate::analysis::weight_problems::{WeightProblems, WeightProblemsJson, find_weight_problems};
use crate::export::{
    ExportError, ExportFile, MissingTextures, check_rig_name, check_vrm_name, reweighted_glb, rig_glb_with,
};
use crate::files::{is_standard, open_stream, read_bounded};
use crate::import::{
    ImportError, Job, RawGltf, SceneChoice, WarningScope, import_bytes, raw_gltf_from_bytes, raw_gltf_from_path,
};
use crate::rig::{NodeIndex, Rig, WeightSet, joint_names};
use crate::rows::{self, Described as _};
use crate::stage::{Document, Source, stored_weights};
use crate::weights::{StoredWeights, WeightNumbersJson, WeightStatistics, weight_statistics};
use against::AgainstArgs;
use edit_options::WeightEditArgs;

#[derive(Args, Clone, Debug)]
#[command(after_long_help = HELP, group = ArgGroup::new("purpose").args(["output", "in_place", "problems", "against"]).multiple(true))]
pub struct WeightsArgs {
    #[command(flatten)]
    inputs: InputArgs,

    /// File of this run.
    #[arg(skip)]
    file: Option<Source>,

    #[command(flatten)]
    making: WeightEditArgs,

    /// Output file with the new weights, ending in .glb, or in .vrm for a VRM; - is standard output
    #[arg(short, long, value_name = "OUT.glb")]
    output: Option<PathBuf>,

    #[command(flatten)]
    writing: InPlaceArgs,

    /// Also list weight problems, found in random poses
    #[arg(long, alias = "suspicious")]
    problems: bool,

    #[command(flatten)]
    against: AgainstArgs,

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
Numbers describe the weights that are written, or without -o those of the file. Energy is the
Dirichlet energy of a joint's weights over the surface: C/L for a band of length L around a limb of
circumference C over which a weight falls from 1 to 0. Components are connected areas with a weight
of at least 0.01; islands are those that the joint doesn't need. Weight leaks where its joint is
much nearer in a straight line than through the body. Symmetry is the difference between a point's
weights and those of its mirror image, 0 to 2.

Weight problems, ranked by area times severity, are edges that become more than three times as long,
layers that cross, weights of a joint far away, and weights that differ from the opposite side.

--against gives the metrics of rigging papers (RigNet, Xu et al. 2020), with OTHER as the reference.
Lengths are fractions of the longest side of its bounding box at rest. By default, joints match
within half the local shape diameter: the mean distance from the joint of OTHER to its surface,
perpendicular to the bones. IoU is twice the matched joints divided by all joints. An influence is a
weight above 1e-4. Deformation is measured in ten random poses of OTHER, by linear blending.

A glTF file keeps everything but joints and weights to the letter; files beside it are embedded. FBX
is written as rigscope convert does. rigscope explain json lists the keys of the JSON.

Examples:
  rigscope weights hero.glb --problems
  rigscope weights hero.glb --compute auto -o auto.glb
  rigscope weights hero.glb --from body.glb --max-influences 4 -o new.glb
  rigscope weights hero.glb --fix -o fixed.glb
  rigscope weights models --max-influences 4 --in-place --dry-run
  rigscope weights predicted.glb --against hero.glb --json
  rigscope weights hero.glb --compute auto --against hero.glb";

pub(super) const JSON: [rows::JsonDocument; 3] = [
    rows::JsonDocument {
        command: "weights",
        key: "weights",
        python: Some(("Rig.weights", "")),
        shape: WeightNumbersJson::shape,
    },
    rows::JsonDocument {
        command: "weights --problems",
        key: "problems",
        python: Some(("Rig.weight_problems", "list")),
        shape: WeightProblemsJson::shape,
    },
    rows::JsonDocument {
        command: "weights --against",
        key: "against",
        python: Some(("Rig.rigging_metrics", "")),
        shape: RiggingMetricsJson::shape,
    },
];

/// An opened character, with its original glTF document if the document is needed for writing.
struct OpenedFile {
    document: Document,
    stored: Option<RawGltf>,
}

impl WeightsArgs {
    /// Runs the command. If it fails, existing files stay unchanged.
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        run_each(self, console)
    }

    /// True if the command writes a file with new weights.
    fn writes(&self) -> bool {
        self.output.is_some() || self.writing.in_place
    }

    /// Returns the output file of this run, if any.
    fn target(&self) -> Result<Option<PathBuf>, String> {
        self.writing.target(self.output.as_deref(), self.file.as_ref())
    }

    /// Fails if an output would overwrite an input that the command line names.
    fn check_paths(&self, target: Option<&Path>) -> Result<(), String> {
        let file = || self.file.as_ref().and_then(Source::path);
        let others = || self.making.other().into_iter().chain(self.against.path());
        if let Some(target) = target {
            refuse_to_replace(target, others())?;
            self.writing.refuse_to_replace(target, file())?;
        }
        self.results.csv().map_or(Ok(()), |csv| refuse_to_replace(csv, file().into_iter().chain(others())))
    }

    fn measured(&self, console: &Console) -> Result<Result<MeasuredFile, ExitCode>, String> {
        let target = self.target()?;
        self.check_paths(target.as_deref())?;
        let OpenedFile { document, stored } = self.open(console)?;
        if let Some(csv) = self.results.csv() {
            refuse_to_replace(csv, document.inputs())?;
        }
        if let Some(path) = &target {
            self.writing.refuse_to_replace(path, document.inputs())?;
            check_vrm_name(path, &document.rig).map_err(|e| not_saved(&e))?;
        }
        warn_of_import(console, "", &document.warnings, WarningScope::Shape);
        let weights =
            if self.making.is_asked_for() { Some(self.making.weights(&document, self.memory, console)?) } else { None };
        let file = match &weights {
            Some(weights) if target.is_some() => {
                Some(written_file(stored, &document.rig, (weights, self.missing.choice()), console)?)
            }
            _ => None,
        };
        if let Some(code) = file.as_ref().and_then(|file| self.missing.refusal(file, 0, console)) {
            return Ok(Err(code));
        }
        let (rig, stored) = match &weights {
            Some(weights) => (
                Arc::new(document.rig.with_weights(weights)),
                edit_options::remaining_stored_faults(&document, weights),
            ),
            None => (Arc::clone(&document.rig), stored_weights(&document.warnings)),
        };
        let found = statistics(&rig, stored, console)?;
        let problems = if self.problems { Some(weight_problems(&document, &rig, console)?) } else { None };
        let against = self.against.metrics(&rig, self.memory, console)?;
        let results = results(&document, (&found, problems.as_ref(), against));
        let saved = file.zip(weights).map(|(file, weights)| (file, weights.iter().count()));
        Ok(Ok(MeasuredFile { results, saved }))
    }

    fn open(&self, console: &Console) -> Result<OpenedFile, String> {
        let job = self.textures.job(self.memory).with_scene(self.scene.clone().map(SceneChoice::Named));
        let file = self.file.as_ref().ok_or("no file was given")?;
        opening(file, job, console, |job| self.opened(file, job).map_err(|e| format!("{e} ({})", file.full_name())))
    }

    fn opened(&self, file: &Source, job: &Job) -> Result<OpenedFile, ImportError> {
        let of_bytes = |bytes: &[u8]| {
            let imported = import_bytes(bytes, job)?;
            let document = Document::new(file.clone(), imported.rig, imported.warnings);
            let stored = if self.writes() { raw_gltf_from_bytes(bytes, job)? } else { None };
            Ok(OpenedFile { document, stored })
        };
        match file {
            Source::File(path) if job.reads_as_stream(path) => {
                let read = open_stream(path).and_then(|stream| read_bounded(stream, self.memory.bytes()));
                of_bytes(&read.map_err(ImportError::Stream)?)
            }
            Source::File(path) => {
                let document = Document::open(file, job)?;
                let stored = if self.writes() { raw_gltf_from_path(path, job)? } else { None };
                Ok(OpenedFile { document, stored })
            }
            Source::BuiltIn(built_in) => of_bytes(built_in.bytes()),
        }
    }
}

/// Numbers of a file, and the file with new weights, if any, with the number of its primitives that have some.
pub(super) struct MeasuredFile {
    results: Results,
    saved: Option<(ExportFile, usize)>,
}

impl PerFile for WeightsArgs {
    /// The numbers, unless `--strict` refuses the file.
    type Prepared = Result<MeasuredFile, ExitCode>;
    type Shared = ();
    const DOING: &'static str = "Measuring weights";

    fn inputs(&mut self) -> &mut InputArgs {
        &mut self.inputs
    }

    fn set_file(&mut self, file: Option<Source>) {
        self.file = file;
    }

    fn outputs(&mut self) -> Vec<OutputOption<'_>> {
        self.output.as_mut().map(|path| ("-o", path)).into_iter().collect()
    }

    fn results(&mut self) -> Option<&mut ResultArgs> {
        Some(&mut self.results)
    }

    fn job(&self) -> Job {
        self.memory.job()
    }

    /// Checks combinations of options that clap can't check.
    fn check(&self) -> Result<(), String> {
        if self.writes() && !self.making.is_asked_for() {
            let option = if self.writing.in_place { "--in-place" } else { "-o" };
            return Err(format!(
                "{option} has nothing to write: no option changes weights. Add --compute METHOD, --from OTHER, --fix or an option that refines weights, or leave out {option}."
            ));
        }
        if let Some(path) = self.output.as_ref().filter(|path| !is_standard(path)) {
            check_rig_name(path).map_err(|e| not_saved(&e))?;
        }
        self.results.check(self.output.as_deref().map(|output| ("-o", output)))
    }

    fn prepare(&self, console: &Console) -> Result<Self::Prepared, String> {
        self.measured(console)
    }

    fn finish(&self, measured: Self::Prepared, (): &mut (), console: &Console) -> Result<ExitCode, String> {
        let MeasuredFile { results, saved } = match measured {
            Ok(measured) => measured,
            Err(code) => return Ok(code),
        };
        if let Some((path, (file, primitives))) = self.target()?.zip(saved) {
            file.left_out.iter().for_each(|loss| console.note(loss));
            let what = format!("weights of {primitives} primitives, {}", file.size());
            self.writing.write(&path, &what, console, || output::save_export(&path, &file, "file was"))?;
        }
        self.results.write(results, self.output.as_deref(), console).map(|()| ExitCode::SUCCESS)
    }
}

fn results(
    document: &Document,
    (found, problems, against): (&WeightStatistics, Option<&WeightProblems>, Option<RiggingMetricsJson>),
) -> Results {
    let hierarchy = &document.rig.hierarchy;
    let joints: Vec<NodeIndex> = found.joints.iter().map(|row| row.joint).collect();
    let weights = WeightNumbersJson::new(found, joint_names(hierarchy, &joints));
    let table = problems.map(|problems| {
        let names = joint_names(hierarchy, &hierarchy.nodes().collect::<Vec<_>>());
        WeightProblemsJson::new(problems, &document.rig, &|node| names[node.index()].clone())
    });
    let file = document.source.full_name();
    let mut lines = text::lines(&file, &weights);
    lines.extend(problems.iter().flat_map(|problems| text::weight_problems(problems, &document.rig)));
    lines.extend(against.iter().flat_map(against::lines));
    let csv = weights.csv();
    Results::new(&file, &Numbers { problems: table, weights, against }, csv, lines)
}

#[derive(Serialize)]
struct Numbers {
    #[serde(skip_serializing_if = "Option::is_none")]
    problems: Option<WeightProblemsJson>,
    weights: WeightNumbersJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<RiggingMetricsJson>,
}

fn weight_problems(document: &Document, rig: &Arc<Rig>, console: &Console) -> Result<WeightProblems, String> {
    if rig.vertex_count() > MAX_VERTICES {
        let drawn = rig.vertex_count();
        return Err(format!("Weight problems are found in up to {MAX_VERTICES} vertices; this file draws {drawn}"));
    }
    console.stage("Finding weight problems", |progress| {
        find_weight_problems(rig, &document.limits, progress).ok_or_else(cancelled)
    })
}

fn statistics(rig: &Rig, stored: StoredWeights, console: &Console) -> Result<WeightStatistics, String> {
    console.stage("Measuring weights", |progress| weight_statistics(rig, stored, progress).ok_or_else(cancelled))
}

/// Returns the stored file with new weights, or an export of the whole rig if there is no stored file.
fn written_file(
    stored: Option<RawGltf>,
    rig: &Rig,
    (weights, missing): (&WeightSet, MissingTextures),
    console: &Console,
) -> Result<ExportFile, String> {
    if stored.is_none() {
        console.note("The file is not glTF: the whole rig is written, as rigscope convert does.");
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
