mod report;
#[cfg(feature = "gl")]
mod sheet;

use std::path::Path;
use std::process::ExitCode;

use clap::Args;

use super::console::cancelled;
#[cfg(feature = "gl")]
use super::many_files::OutputOption;
use super::many_files::{InputArgs, PerFile, run_each};
use super::opening::{ExtraClipArgs, open_document, warn_of_import};
use super::output::refuse_to_replace;
#[cfg(feature = "gl")]
use super::render::SharedStudio;
use super::results::{ResultArgs, Results};
use super::suggestions::with_suggestions;
use super::{Console, MemoryArgs};
use crate::analysis::flex::{FlexJson, FlexLimits, FlexOptions, FlexPreset, FlexReport, flex, flex_skinner};
use crate::analysis::lint::rules::Pattern;
use crate::import::{Job, WarningScope};
use crate::project::ProjectConfigs;
use crate::rig::{NodeIndex, Rig, node_names};
use crate::rows::{Described as _, JsonDocument, UnderKey};
use crate::skinning::Method;
use crate::stage::{Document, Source};

#[derive(Args, Clone, Debug)]
#[command(after_long_help = HELP)]
pub struct FlexArgs {
    #[command(flatten)]
    inputs: InputArgs,

    /// File of this run.
    #[arg(skip)]
    file: Option<Source>,

    /// Skinning method [default: the method that the file was made for, else lbs]
    #[arg(long, value_name = "METHOD")]
    #[arg(value_parser = with_suggestions(Method::CHOICES, str::parse::<Method>), hide_possible_values = true)]
    method: Option<Method>,

    /// Joint to pose, by name or by a pattern such as '*Arm' [default: all joints, and whole-body poses]
    #[arg(long, value_name = "PATTERN")]
    joint: Option<String>,

    /// Also test the worst frame of each clip
    #[arg(long)]
    clips: bool,

    /// Limits by which poses are ordered [default: those of rigscope.toml, else stylised]
    #[arg(long, value_name = "PRESET", value_parser = with_suggestions(FlexPreset::ALL.map(FlexPreset::name), preset))]
    preset: Option<FlexPreset>,

    /// Number of poses to list, worst first
    #[arg(long, value_name = "N", default_value_t = FlexOptions::WORST)]
    worst: usize,

    #[cfg(feature = "gl")]
    #[command(flatten)]
    sheet: sheet::SheetArgs,

    #[command(flatten)]
    results: ResultArgs,

    #[command(flatten)]
    memory: MemoryArgs,
}

const HELP: &str = "\
Poses every joint that moves skin through its natural range, and the whole body in ten poses, and
measures how the skin deforms. Humanoid joints, found by name, have published anatomical ranges from
standing with hanging arms; other joints turn by up to 45 degrees. [deform] of rigscope.toml may
change ranges and limits.

Severity is the largest measure relative to its limit: above 1, check --deform fails. Loss is the
volume that the joint's region loses; pinched is skin that shrinks to less than a tenth of its area;
flipped is skin that turns over; stretch is the longest edge relative to rest; folds is skin that
passes through itself at a joint; layers is surface that passes through another layer. Limbs that
touch are contacts, which are no fault. The page \"Bend tests\" of the guide defines every measure.
rigscope explain json lists the keys of the JSON, one object per file.

Examples:
  rigscope flex hero.glb
  rigscope flex hero.glb --joint '*ForeArm' --worst 5
  rigscope flex hero.glb --sheet hero.png --sheet-poses whole-body
  rigscope flex models --sheet 'bends/{folder}/{stem}.png' -q
  rigscope flex models --json > numbers.json";

pub(super) const JSON: [JsonDocument; 1] =
    [JsonDocument { command: "flex", key: "flex", python: Some(("Rig.flex", "")), shape: FlexJson::shape }];

impl FlexArgs {
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        run_each(self, console)
    }

    fn tested(&self, console: &Console) -> Result<TestedFile, String> {
        let source = self.file.as_ref().ok_or("no file was given")?;
        let job = self.memory.job();
        let document = open_document((source, None), &ExtraClipArgs::default(), job, console)?;
        for out in self.results.csv().into_iter().chain(self.sheet_path()) {
            refuse_to_replace(out, document.inputs())?;
        }
        warn_of_import(console, "", &document.warnings, WarningScope::Shape);
        let config = ProjectConfigs::nearest(self.memory.job()).config(source.path())?;
        let options = self.options(config.deform.clone().unwrap_or_default().options);
        let skinner = flex_skinner(&document.rig, self.method)?;
        let report = console.stage("Testing", |progress| flex(&skinner, &options, progress).ok_or_else(cancelled))?;
        if let Some(pattern) = self.joint.as_ref().filter(|_| report.poses.is_empty()) {
            return Err(format!("No tested joint fits \"{pattern}\" ({})", source.full_name()));
        }
        Ok(TestedFile { document, report, limits: options.limits, method: skinner.skinning().method })
    }

    #[cfg(feature = "gl")]
    fn sheet_path(&self) -> Option<&Path> {
        self.sheet.path()
    }

    #[cfg(not(feature = "gl"))]
    #[expect(clippy::unused_self, reason = "a program without images draws no sheet")]
    fn sheet_path(&self) -> Option<&Path> {
        None
    }

    fn options(&self, mut options: FlexOptions) -> FlexOptions {
        options.joints = self.joint.as_ref().map(|pattern| Pattern::new(pattern));
        options.has_clips |= self.clips;
        if let Some(preset) = self.preset {
            options.limits.preset = preset;
        }
        options
    }

    fn numbers(&self, source: &Source, rig: &Rig, found: &FlexReport) -> Results {
        let names = node_names(&rig.hierarchy);
        let name = |node: NodeIndex| names[node.index()].clone();
        let row = FlexJson::new(found, self.worst, &name);
        let file = source.full_name();
        let csv = if self.results.wants_csv() { FlexJson::new(found, usize::MAX, &name).csv() } else { String::new() };
        Results::new(&file, &UnderKey("flex", &row), csv, report::lines(&file, &row))
    }
}

/// A file with the results of its bend test.
pub(super) struct TestedFile {
    document: Document,
    report: FlexReport,
    limits: FlexLimits,
    method: Method,
}

impl PerFile for FlexArgs {
    type Prepared = TestedFile;
    #[cfg(feature = "gl")]
    type Shared = SharedStudio;
    #[cfg(not(feature = "gl"))]
    type Shared = ();
    const DOING: &'static str = "Testing";

    fn inputs(&mut self) -> &mut InputArgs {
        &mut self.inputs
    }

    fn set_file(&mut self, file: Option<Source>) {
        self.file = file;
    }

    #[cfg(feature = "gl")]
    fn outputs(&mut self) -> Vec<OutputOption<'_>> {
        self.sheet.output().into_iter().collect()
    }

    fn results(&mut self) -> Option<&mut ResultArgs> {
        Some(&mut self.results)
    }

    fn job(&self) -> Job {
        self.memory.job()
    }

    fn check(&self) -> Result<(), String> {
        #[cfg(feature = "gl")]
        self.sheet.check()?;
        self.results.check(self.sheet_path().map(|path| ("--sheet", path)))
    }

    fn prepare(&self, console: &Console) -> Result<TestedFile, String> {
        self.tested(console)
    }

    fn finish(&self, tested: TestedFile, shared: &mut Self::Shared, console: &Console) -> Result<ExitCode, String> {
        let TestedFile { document, report, limits, method } = tested;
        let numbers = self.numbers(&document.source, &document.rig, &report);
        self.results.write(numbers, self.sheet_path(), console)?;
        #[cfg(feature = "gl")]
        self.sheet.save(document, (&report, &limits, method), shared, console)?;
        #[cfg(not(feature = "gl"))]
        let ((), _) = (*shared, (limits, method));
        Ok(ExitCode::SUCCESS)
    }
}

fn preset(name: &str) -> Result<FlexPreset, String> {
    let found = FlexPreset::ALL.into_iter().find(|preset| preset.name() == name);
    found.ok_or_else(|| format!("there is no preset \"{name}\""))
}
