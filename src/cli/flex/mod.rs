mod report;
#[cfg(feature = "gl")]
mod sheet;

use std::path::Path;
use std::process::ExitCode;

use clap::Args;

use super::console::cancelled;
use super::files::{InputFiles, source};
use super::opening::{ExtraClipArgs, open_document, warn_of_import};
use super::output::refuse_to_replace;
use super::results::{ResultArgs, Results};
use super::suggestions::with_suggestions;
use super::{Console, MemoryArgs};
use crate::analysis::flex::{FlexJson, FlexOptions, FlexPreset, FlexReport, flex, flex_skinner};
use crate::analysis::lint::rules::Pattern;
use crate::import::WarningScope;
use crate::project::ProjectConfigs;
use crate::rig::{NodeIndex, Rig, node_names};
use crate::rows::{Described as _, JsonDocument, UnderKey};
use crate::skinning::Method;
use crate::stage::Source;

#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct FlexArgs {
    /// glTF, GLB, VRM or FBX files, folders of them, or builtin:NAME
    #[arg(required = true, value_parser = source(), value_name = "FILE")]
    files: Vec<Source>,

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
  rigscope flex models --json > numbers.json";

pub(super) const JSON: [JsonDocument; 1] =
    [JsonDocument { command: "flex", key: "flex", python: Some(("Rig.flex", "")), shape: FlexJson::shape }];

impl FlexArgs {
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        #[cfg(feature = "gl")]
        self.sheet.check()?;
        self.results.check(self.sheet_path().map(|path| ("--sheet", path)))?;
        if let Some(option) = self.option_for_one_file().filter(|_| self.files.len() > 1) {
            return Err(format!("{option} is for one file. Name one file, or use --json for several."));
        }
        let mut files = InputFiles::new(self.files.clone());
        let configs = ProjectConfigs::nearest(self.memory.job());
        let (mut has_failed, mut tested) = (false, 0);
        while let Some(input) = files.next_in_time(console) {
            let done = input.map_err(|(name, problem)| format!("{problem} ({name})")).and_then(|source| {
                tested += 1;
                if let Some(option) = self.option_for_one_file().filter(|_| tested > 1) {
                    return Err(format!("{option} is for one file; {} was left out", source.full_name()));
                }
                self.file(&source, &configs, tested > 1, console)
            });
            if let Err(problem) = done {
                console.error(&problem);
                has_failed = true;
            }
            if console.is_closed() {
                break;
            }
        }
        files.check_all_begun(console)?;
        Ok(if has_failed { ExitCode::from(2) } else { ExitCode::SUCCESS })
    }

    fn file(&self, source: &Source, configs: &ProjectConfigs, is_next: bool, console: &Console) -> Result<(), String> {
        let job = self.memory.job();
        let document = open_document((source, None), &ExtraClipArgs::default(), job, console)?;
        for out in self.results.csv().into_iter().chain(self.sheet_path()) {
            refuse_to_replace(out, document.inputs())?;
        }
        warn_of_import(console, "", &document.warnings, WarningScope::Shape);
        let config = configs.config(source.path())?;
        let options = self.options(config.deform.clone().unwrap_or_default().options);
        let skinner = flex_skinner(&document.rig, self.method)?;
        let found = console.stage("Testing", |progress| flex(&skinner, &options, progress).ok_or_else(cancelled))?;
        if let Some(pattern) = self.joint.as_ref().filter(|_| found.poses.is_empty()) {
            return Err(format!("No tested joint fits \"{pattern}\" ({})", source.full_name()));
        }
        self.results.write(self.numbers(source, &document.rig, &found, is_next), self.sheet_path(), console)?;
        #[cfg(feature = "gl")]
        self.sheet.save(document, (&found, &options.limits), skinner.skinning().method, console)?;
        Ok(())
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

    /// Returns an option that writes one file per input, if one is given.
    fn option_for_one_file(&self) -> Option<&'static str> {
        let sheet = self.sheet_path().map(|_| "--sheet");
        sheet.or(self.results.csv().map(|_| "--csv"))
    }

    fn options(&self, mut options: FlexOptions) -> FlexOptions {
        options.joints = self.joint.as_ref().map(|pattern| Pattern::new(pattern));
        options.has_clips |= self.clips;
        if let Some(preset) = self.preset {
            options.limits.preset = preset;
        }
        options
    }

    fn numbers(&self, source: &Source, rig: &Rig, found: &FlexReport, is_next: bool) -> Results {
        let names = node_names(&rig.hierarchy);
        let name = |node: NodeIndex| names[node.index()].clone();
        let row = FlexJson::new(found, self.worst, &name);
        let file = source.full_name();
        let csv = self.results.csv().map(|_| FlexJson::new(found, usize::MAX, &name).csv()).unwrap_or_default();
        Results::new(&file, &UnderKey("flex", &row), csv, report::lines(&file, &row, is_next))
    }
}

fn preset(name: &str) -> Result<FlexPreset, String> {
    let found = FlexPreset::ALL.into_iter().find(|preset| preset.name() == name);
    found.ok_or_else(|| format!("there is no preset \"{name}\""))
}
