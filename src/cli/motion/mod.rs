mod report;

use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;

use super::console::cancelled;
use super::many_files::{InputArgs, OutputOption, PerFile, run_each};
use super::named::{find_clip, find_joint};
use super::opening::warn_of_import;
use super::posed::RiggedArgs;
use super::results::{ResultArgs, Results};
use super::second_side::{SecondSideArgs, check_size, side_names, skinners};
use super::{Console, numbers};
use crate::analysis::feet::{ClipFeetJson, clip_feet, feet};
use crate::analysis::motion::{MotionJson, motions};
use crate::analysis::seams::{SeamJson, seams};
use crate::import::{Job, WarningScope};
use crate::jobs::Progress;
use crate::rows::{Described as _, JsonDocument, UnderKey};
use crate::skinning::Skinner;
use crate::stage::{Source, Stage};
use crate::view::Side;

#[derive(Args, Clone, Debug)]
#[command(after_long_help = HELP)]
#[command(mut_arg("files", |arg| arg.required_unless_present_any(["files_from", "session"])))]
pub struct MotionArgs {
    #[command(flatten)]
    inputs: InputArgs,

    #[command(flatten)]
    rigged: RiggedArgs,

    #[command(flatten)]
    second: SecondSideArgs,

    /// Clip to measure, by name or number (repeatable); a single one is listed by frame [default: all]
    #[arg(long = "clip", value_name = "NAME|INDEX")]
    clips: Vec<String>,

    /// Frames per second [default: the rate of each clip's keys, else 30]
    #[arg(long, value_name = "FPS", value_parser = numbers::frame_rate())]
    fps: Option<f32>,

    /// Measure how clips loop: gaps, jumps across the seam, spikes, spare keys
    #[arg(long, conflicts_with_all = ["with", "with_file", "with_points"])]
    seams: bool,

    /// Measure how feet slide, sink and float, and the ground speed that they imply
    #[arg(long, conflicts_with_all = ["with", "with_file", "with_points", "seams"])]
    feet: bool,

    /// Joint that is a foot (repeatable) [default: found by name]
    #[arg(long = "foot", value_name = "NAME", requires = "feet")]
    chosen_feet: Vec<String>,

    #[command(flatten)]
    results: ResultArgs,
}

const HELP: &str = "\
Values are those of rigscope compare at the same time. Clips are ranked by the loss of side A in
their worst frame. CSV has a row per frame, with --seams per clip, with --feet per foot and clip.

At most 65,536 frames are measured, fewer for large rigs; of longer clips every second, third ...
frame and the last (\"step\"). Springs are at rest in clips that are too long to simulate.

--seams and --feet measure clips as they are in the file, without a pose, by side A. Ends are
compared after the movement over the floor is removed, if the root moves by more than a tenth of
the height or 20 degrees. A foot is in contact while it is within 2.5 cm of the floor (for a leg of
0.9 m) and slow. If feet are in contact for less than 0.3 of the clip in total, or one is low but
not in contact for more than 0.6 of it, the clip is doubtful. The page \"Checking clips\" of the guide
defines every column. rigscope explain json lists the keys of the JSON.

Examples:
  rigscope motion hero.glb --clip wave --csv wave.csv
  rigscope motion hero.glb --with dqs --json
  rigscope motion hero.glb --feet --clip walk";

pub(super) const JSON: [JsonDocument; 3] = [
    JsonDocument { command: "motion", key: "motion", python: Some(("Rig.motion", "")), shape: MotionJson::shape },
    JsonDocument {
        command: "motion --seams",
        key: "seams",
        python: Some(("Rig.seams", "")),
        shape: <Vec<SeamJson>>::shape,
    },
    JsonDocument {
        command: "motion --feet",
        key: "feet",
        python: Some(("Rig.feet", "")),
        shape: <Vec<ClipFeetJson>>::shape,
    },
];

impl MotionArgs {
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        run_each(self, console)
    }

    /// Returns `None` if the file has no clips and none was named.
    fn measured_file(&self, console: &Console) -> Result<Option<Results>, String> {
        let mut stage = self.rigged.open(self.results.csv(), console)?;
        warn_of_import(console, "", &stage.document.warnings, WarningScope::Shape);
        let clips = self.chosen(&stage)?;
        if clips.is_empty() {
            return Ok(None);
        }
        let results = if self.seams {
            self.seams(&stage, &clips, console)
        } else if self.feet {
            self.feet(&stage, &clips, console)
        } else {
            self.over_time(&mut stage, clips, console)
        };
        results.map(Some)
    }

    fn over_time(&self, stage: &mut Stage, clips: Vec<usize>, console: &Console) -> Result<Results, String> {
        self.second.apply_to(stage, &self.rigged, console)?;
        if let Some(problem) = stage.points_without_clip(&clips) {
            return Err(problem);
        }
        let skinners = skinners(stage)?;
        let sides = side_names(stage, &skinners);
        let job = stage.motion_job(skinners, clips, self.fps);
        let found = console.stage("Measuring", |progress| motions(&job, progress).ok_or_else(cancelled))?;
        let (row, file) = (MotionJson::new(&job, &found, sides), stage.document.source.full_name());
        let lines = report::lines(&file, &row, !self.clips.is_empty());
        Ok(Results::new(&file, &UnderKey("motion", &row), row.csv(), lines))
    }

    /// Measures how well clips loop, with side A's skinning.
    fn seams(&self, stage: &Stage, clips: &[usize], console: &Console) -> Result<Results, String> {
        let skinner = skinner_of_a(stage)?;
        let measured = |progress: &Arc<Progress>| seams(&skinner, clips, self.fps, progress).ok_or_else(cancelled);
        let found = console.stage("Measuring", measured)?;
        let (rows, file) = (SeamJson::rows(skinner.rig(), &found), stage.document.source.full_name());
        let lines = report::seam_lines(&file, &rows, found.len());
        Ok(Results::new(&file, &UnderKey("seams", &rows), SeamJson::csv(&rows), lines))
    }

    /// Measures how feet touch the floor, with side A's skinning.
    fn feet(&self, stage: &Stage, clips: &[usize], console: &Console) -> Result<Results, String> {
        let skinner = skinner_of_a(stage)?;
        let rig = skinner.rig();
        let named = self.chosen_feet.iter().map(|name| find_joint(rig, name)).collect::<Result<Vec<_>, _>>()?;
        let feet = if named.is_empty() { feet(rig) } else { named };
        if feet.is_empty() {
            return Err("No joint looks like a foot by its name; name the feet by --foot NAME".to_owned());
        }
        let measured =
            |progress: &Arc<Progress>| clip_feet(&skinner, &feet, clips, self.fps, progress).ok_or_else(cancelled);
        let found = console.stage("Measuring", measured)?;
        let (rows, file) = (ClipFeetJson::rows(rig, &found), stage.document.source.full_name());
        let lines = report::feet_lines(&file, &rows);
        Ok(Results::new(&file, &UnderKey("feet", &rows), ClipFeetJson::csv(&rows), lines))
    }

    fn chosen(&self, stage: &Stage) -> Result<Vec<usize>, String> {
        if self.clips.is_empty() {
            return Ok((0..stage.rig().clips.len()).collect());
        }
        let mut chosen = Vec::new();
        for name in &self.clips {
            let clip = find_clip(stage.rig(), name)?;
            if !chosen.contains(&clip) {
                chosen.push(clip);
            }
        }
        Ok(chosen)
    }
}

impl PerFile for MotionArgs {
    type Prepared = Option<Results>;
    type Shared = ();
    const DOING: &'static str = "Measuring clips";

    fn inputs(&mut self) -> &mut InputArgs {
        &mut self.inputs
    }

    fn set_file(&mut self, file: Option<Source>) {
        self.rigged.file = file;
    }

    fn outputs(&mut self) -> Vec<OutputOption<'_>> {
        self.rigged.outputs().collect()
    }

    fn results(&mut self) -> Option<&mut ResultArgs> {
        Some(&mut self.results)
    }

    fn job(&self) -> Job {
        self.rigged.memory.job()
    }

    fn check(&self) -> Result<(), String> {
        self.results.check(None)
    }

    fn prepare(&self, console: &Console) -> Result<Option<Results>, String> {
        self.measured_file(console)
    }

    /// Models without clips are no failure in a folder that also has them.
    fn finish(&self, results: Option<Results>, (): &mut (), console: &Console) -> Result<ExitCode, String> {
        match results {
            Some(results) => self.results.write(results, None, console)?,
            None => console.note(NO_CLIPS),
        }
        Ok(ExitCode::SUCCESS)
    }

    fn run_single(&self, console: &Console) -> Result<ExitCode, String> {
        let results = self.prepare(console)?.ok_or(NO_CLIPS)?;
        self.finish(Some(results), &mut (), console)
    }
}

const NO_CLIPS: &str = "There is nothing to measure: this file has no clips";

fn skinner_of_a(stage: &Stage) -> Result<Skinner, String> {
    check_size(stage)?;
    Skinner::new(stage.open_on(Side::A), &stage.view.sides.a.skinning).map_err(|problem| problem.to_string())
}
