//! `rigscope motion`: both sides in every frame of clips, in numbers.

mod report;

use std::path::PathBuf;

use clap::Args;

use super::console::{cancelled, written};
use super::posed::{RiggedArgs, find_clip};
use super::second_side::{SecondSideArgs, side_names, skinners};
use super::{Console, import_warnings, numbers, output};
use crate::analysis::motion::{MotionTable, motions};
use crate::export::numbers_json;
use crate::files::{byte_count, is_standard};
use crate::import::Concern;
use crate::stage::Stage;

/// Which clips to measure, and how to say it.
#[derive(Args, Debug)]
#[command(after_long_help = JSON_HELP)]
pub struct MotionArgs {
    #[command(flatten)]
    rigged: RiggedArgs,

    #[command(flatten)]
    second: SecondSideArgs,

    /// Clip to measure, by name or number (repeatable); one alone is listed frame by frame [default: all]
    #[arg(long = "clip", value_name = "NAME|INDEX")]
    clips: Vec<String>,

    /// Frames per second [default: those that the keys of each clip lie on, else 30]
    #[arg(long, value_name = "F", value_parser = |text: &str| numbers::within(text, 0.1..=1000.0, "frames a second"))]
    fps: Option<f32>,

    /// Also write a line for each frame as CSV; with - to standard output instead of the table
    #[arg(long, value_name = "OUT.csv")]
    csv: Option<PathBuf>,

    /// Print one JSON object instead of the table
    #[arg(long)]
    json: bool,
}

const JSON_HELP: &str = "\
Each number is that of rigscope compare at the same moment. Volume loss is of the region of one joint, the triangles that it and its parent move, beside the file's rest
pose; the joint that loses most is told for each frame, without specks (see rigscope compare --help). Rigs of which the joints and their parents move more than 33,554,432
vertices, one counted for each joint, are measured without it. A triangle is flipped where it is turned over, seen along the normal that its joint would give it; area min
is that of the triangle that has shrunk most, beside the rest pose. Clips are ranked by the loss of side A in their worst frame.

Where clips have too many frames to be kept, every second is measured, or every third and so on (\"step\"); the last one always is.

JSON: {\"version\":1,\"file\":PATH,\"motion\":{\"sides\":[A,B],\"rest_volume_m3\":[A,B],[\"distances_off\":WHY,][\"joints_off\":WHY,]
  \"ranking\":[{\"clip\":NAME,\"number\":N,\"time_s\":T|null,\"joint\":NAME|null,\"volume_loss\":[A|null,B|null]},...],
  \"clips\":[{\"clip\":NAME,\"number\":N,\"fps\":F,\"step\":N,\"time_s\":[T,...],\"volume_m3\":[[A,...],[B,...]],\"max_distance_m\":[D,...]|null,\"mean_distance_m\":[D,...]|null,
    \"worst_vertex\":[{\"node\":N,\"mesh\":M,\"primitive\":P,\"vertex\":V,\"joint\":NAME|null}|null,...],\"least_area_ratio\":[[A,...],[B,...]],
    \"flipped_triangles\":[[A,...],[B,...]],\"worst_joint\":[[NAME|null,...],[NAME|null,...]],\"volume_loss\":[[A|null,...],[B|null,...]]},...]}}
Lists of a clip have one entry for each frame, those of both sides first A's and then B's.";

impl MotionArgs {
    /// Measures and prints.
    ///
    /// *Errors*: in words for the user. A reader of the table that goes away ends it quietly.
    pub fn run(self, console: &Console) -> Result<(), String> {
        let is_csv_shown = self.csv.as_deref().is_some_and(is_standard);
        if is_csv_shown && self.json {
            return Err("Only one of --json and --csv can go to standard output".to_owned());
        }
        let mut stage = self.rigged.open(self.csv.as_deref(), console)?;
        import_warnings::warn(console, "", &stage.document.warnings, Concern::Shape);
        self.second.apply_to(&mut stage, &self.rigged, console)?;
        let clips = self.chosen(&stage)?;
        let skinners = skinners(&stage)?;
        let sides = side_names(&stage, &skinners);
        let job = stage.motion_job(skinners, clips, self.fps);
        let found = console.stage("Measuring", |progress| motions(&job, progress).ok_or_else(cancelled))?;
        let table = MotionTable::new(&job, &found);
        if let Some(path) = &self.csv {
            let csv = table.csv();
            output::write(path, csv.as_bytes())
                .map_err(|e| format!("The numbers were not saved: {e} ({})", path.display()))?;
            console.saved(path, &byte_count(csv.len() as u64));
        }
        if is_csv_shown {
            return Ok(());
        }
        let file = stage.document.source.full_name();
        let printed = if self.json {
            console.print_json(&numbers_json(&file, [("motion", table.json(sides))]))
        } else {
            console.print(report::lines(&file, &sides, &found, &table, !self.clips.is_empty()))
        };
        written(printed, "The numbers")
    }

    /// The clips that are asked for, each once.
    ///
    /// *Errors*: a clip that there is not, and a file without any.
    fn chosen(&self, stage: &Stage) -> Result<Vec<usize>, String> {
        let all = stage.rig().clips.len();
        if all == 0 && self.clips.is_empty() {
            return Err("There is nothing to measure: this file has no clips".to_owned());
        }
        if self.clips.is_empty() {
            return Ok((0..all).collect());
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
