//! `rigscope motion`: both sides in every frame of clips, in numbers.

mod report;

use std::sync::Arc;

use clap::Args;

use super::console::cancelled;
use super::named::{find_clip, find_joint};
use super::opening::warn_of_import;
use super::posed::RiggedArgs;
use super::results::{ResultArgs, Results};
use super::second_side::{SecondSideArgs, check_size, side_names, skinners};
use super::{Console, numbers};
use crate::analysis::feet::{ClipFeetJson, clip_feet, feet};
use crate::analysis::motion::{MotionJson, motions};
use crate::analysis::seams::{SeamJson, seams};
use crate::import::WarningScope;
use crate::jobs::Progress;
use crate::rows::{Described as _, Document, Under};
use crate::skinning::Skinner;
use crate::stage::Stage;
use crate::view::Side;

/// Which clips to measure, and how to say it.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct MotionArgs {
    #[command(flatten)]
    rigged: RiggedArgs,

    #[command(flatten)]
    second: SecondSideArgs,

    /// Clip to measure, by name or number (repeatable); one alone is listed frame by frame [default: all]
    #[arg(long = "clip", value_name = "NAME|INDEX")]
    clips: Vec<String>,

    /// Frames per second [default: those that the keys of each clip lie on, else 30]
    #[arg(long, value_name = "F", value_parser = |text: &str| numbers::within(text, 0.1..=1000.0, "frames per second"))]
    fps: Option<f32>,

    /// Measure instead how clips loop and where they jerk, by side A: gaps, jumps of velocity across the seam, spikes, keys that say nothing
    #[arg(long, conflicts_with_all = ["with", "with_file"])]
    seams: bool,

    /// Measure instead how feet stand on the floor, by side A: how far they slide, sink and float, and the speed that they imply
    #[arg(long, conflicts_with_all = ["with", "with_file", "seams"])]
    feet: bool,

    /// Joint that is a foot (repeatable) [default: the feet of a human by name, else the uppermost joints called foot, paw or hoof]
    #[arg(long = "foot", value_name = "NAME", requires = "feet")]
    chosen_feet: Vec<String>,

    #[command(flatten)]
    results: ResultArgs,
}

const HELP: &str = "\
Each number is that of rigscope compare at the same moment. Volume loss is of the region of one joint, the triangles that it and its parent move, beside the file's rest
pose; the joint that loses most is named for each frame, without specks and what is too thin to tell (see rigscope compare --help). Rigs of which the joints and their parents move more than 33,554,432
vertices, one counted for each joint, are measured without it. A triangle is flipped where it is turned over, seen along the normal that its joint would give it; area min
is that of the triangle that has shrunk most, beside the rest pose. Clips are ranked by the loss of side A in their worst frame. Joints
that are too thin to tell in some frame are listed apart, each where it seems to lose most.

At most 65,536 frames of all clips are measured, fewer of rigs with many joints or vertices. Of clips with more, every second is measured, or every
third and so on (\"step\"); the last one always is. Springs are at rest in clips that are too long to simulate them; rigscope check names those.

--seams: clips are measured as they are in the file, without a pose on top, by side A, from their first key on. The gap is how far a joint and a vertex are at the end from where they began, after the way of the root over the
floor and its turn about the vertical, where the clip travels: by a tenth of the rig's height or by 20 degrees. The jump is the difference between the first step of the clip
and the last, of a vertex in metres a second, of a joint in degrees a second; ratio is the largest jump of a vertex over the median, over all frames, of the largest change of a
vertex's velocity: 1 for a seam like any other frame. A spike is a frame of the clip's own keys, whatever --fps says, that a vertex goes to and comes back from: a change of velocity of more than 6 times that median, more than 3 times that of the
frames two before and two after, more than twice as fast as the vertex moves a frame before and a frame after, and off the middle of its neighbours by more than a thousandth of the rig's size. The same is
looked for in how joints turn beside the nodes that carry them, from 0.1 radians on. Constant channels have several keys of one value. Spare keys are those that linear interpolation between the others makes, to 0.1 mm and
0.006 degrees, and all but one of a constant channel. Clips of fewer than three frames are left out.

--feet: clips are measured as they are in the file, without a pose on top, by side A. The sole of a foot is the vertices that follow it, within the lowest tenth of its height at rest. The floor is
where soles are at rest, if slow feet come within H of that for a tenth of the clip, else the lower quartile of their heights; H is 2.5 cm for a leg of 0.9 m, in proportion for others. From frame to
frame a foot stands on the vertices of its sole within H / 5 of the lowest. It is in contact while it is low and slow: entered below H over the floor and below 0.4 m/s (for a leg of 0.9 m) or a tenth
of the speed of a swing, left beyond half as much again, for at least 0.05 s; steps at the ends that already rise and hurry are left out. Of a foot that is never lifted height alone counts. A contact
across the seam of a loop is one. The slide is the length of the path over the ground of what the foot stands on in one contact: the mean of all, and the worst one with the time at which it begins.
The ground stands still in a clip that travels or in which no foot is lifted; in one in place it moves as one of the feet does in its contacts, whichever explains those of all feet best, so that a walk
on a treadmill does not slide and the foot that does is named. Of two that explain them as well it is the faster. Skate is another measure, of all steps in which vertices stay within H of the floor,
standing or not: v * clamp(2 - 2^(h/H), 0, 1), v their mean horizontal speed beside the ground's, h their mean height (Zhang and others 2018); the sliding share is that of these steps with more than 0.1 m/s, for a
leg of 0.9 m. A sole sinks below where it is at rest, and floats over the floor in contact, the mean.
A clip is doubtful where the shares of contact of all its feet sum to less than 0.3, or where a foot is low but not in contact for more than 0.6 of the clip.

rigscope explain json lists the keys of the JSON.";

/// What is printed as JSON.
pub(super) const JSON: [Document; 3] = [
    Document { command: "motion", key: "motion", python: Some(("Rig.motion", "")), shape: MotionJson::shape },
    Document {
        command: "motion --seams",
        key: "seams",
        python: Some(("Rig.seams", "")),
        shape: <Vec<SeamJson>>::shape,
    },
    Document {
        command: "motion --feet",
        key: "feet",
        python: Some(("Rig.feet", "")),
        shape: <Vec<ClipFeetJson>>::shape,
    },
];

impl MotionArgs {
    /// Measures and prints.
    ///
    /// *Errors*: in words for the user. A reader of the table that goes away ends it quietly.
    pub fn run(self, console: &Console) -> Result<(), String> {
        self.results.check(None)?;
        let mut stage = self.rigged.open(self.results.csv(), console)?;
        warn_of_import(console, "", &stage.document.warnings, WarningScope::Shape);
        let clips = self.chosen(&stage)?;
        let results = if self.seams {
            self.seams(&stage, &clips, console)?
        } else if self.feet {
            self.feet(&stage, &clips, console)?
        } else {
            self.over_time(&mut stage, clips, console)?
        };
        self.results.write(results, None, console)
    }

    /// Both sides frame by frame.
    fn over_time(&self, stage: &mut Stage, clips: Vec<usize>, console: &Console) -> Result<Results, String> {
        self.second.apply_to(stage, &self.rigged, console)?;
        let skinners = skinners(stage)?;
        let sides = side_names(stage, &skinners);
        let job = stage.motion_job(skinners, clips, self.fps);
        let found = console.stage("Measuring", |progress| motions(&job, progress).ok_or_else(cancelled))?;
        let (row, file) = (MotionJson::new(&job, &found, sides), stage.document.source.full_name());
        let lines = report::lines(&file, &row, !self.clips.is_empty());
        Ok(Results::new(&file, &Under("motion", &row), row.csv(), lines))
    }

    /// How clips loop, by side A.
    fn seams(&self, stage: &Stage, clips: &[usize], console: &Console) -> Result<Results, String> {
        let skinner = skinner_of_a(stage)?;
        let measured = |progress: &Arc<Progress>| seams(&skinner, clips, self.fps, progress).ok_or_else(cancelled);
        let found = console.stage("Measuring", measured)?;
        let (rows, file) = (SeamJson::rows(skinner.rig(), &found), stage.document.source.full_name());
        let lines = report::seam_lines(&file, &rows, found.len());
        Ok(Results::new(&file, &Under("seams", &rows), SeamJson::csv(&rows), lines))
    }

    /// How feet stand on the floor, by side A.
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
        Ok(Results::new(&file, &Under("feet", &rows), ClipFeetJson::csv(&rows), lines))
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

/// The open character as side A skins it.
///
/// *Errors*: in words for the user.
fn skinner_of_a(stage: &Stage) -> Result<Skinner, String> {
    check_size(stage)?;
    Skinner::new(stage.open_on(Side::A), stage.skinning(Side::A)).map_err(|problem| problem.to_string())
}
