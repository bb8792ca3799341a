mod matrices;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::Console;
use super::console::cancelled;
use super::many_files::{InputArgs, OutputOption, PerFile, run_each};
use super::named::find_joint;
use super::output::refuse_to_replace;
use super::posed::PosedArgs;
use super::results::{ResultArgs, Results};
use super::second_side::{SecondSideArgs, check_size, side_names, skinners};
use super::suggestions::with_suggestions;
use crate::analysis::Topology;
use crate::analysis::diagnose::MatrixComparisonJson;
use crate::analysis::sides::measure;
use crate::analysis::twist::{RankError, RankingJson, RotationKind, SweepJson, TestRange, TwistTest, rank, sweep};
use crate::import::{Job, WarningScope};
use crate::jobs::Progress;
use crate::rig::{NodeIndex, joint_names};
use crate::rows::{Described as _, JsonDocument, UnderKey};
use crate::skinning::Skinner;
use crate::stage::{MeasurePlan, PoseNumbers, Source, Stage, WorstEquation, WorstEquationJson};
use crate::view::{PerSide, Side};

#[derive(Args, Clone, Debug)]
#[command(after_long_help = HELP)]
#[command(mut_arg("files", |arg| arg.required_unless_present_any(["files_from", "session"])))]
pub struct CompareArgs {
    #[command(flatten)]
    inputs: InputArgs,

    #[command(flatten)]
    posed: PosedArgs,

    #[command(flatten)]
    second: SecondSideArgs,

    /// Compare the matrices of another program joint by joint: skinning or world matrices, .npy or JSON
    #[arg(long, value_name = "M", conflicts_with_all = ["joint", "rank", "with", "with_file", "with_points"])]
    with_matrices: Option<PathBuf>,

    /// Twist and bend this joint in steps of 10 degrees, and measure its region
    #[arg(long, value_name = "NAME", conflicts_with_all = ["rank", "with_file", "with_points"])]
    joint: Option<String>,

    /// Only twist the joint about its bone, from -DEG to DEG
    #[arg(long, value_name = "DEG", requires = "joint", conflicts_with = "bend", value_parser = parse_angle)]
    #[arg(allow_negative_numbers = true)]
    twist: Option<f32>,

    /// Only bend the joint about its hinge, from 0 to DEG
    #[arg(long, value_name = "DEG", requires = "joint", value_parser = parse_angle)]
    #[arg(allow_negative_numbers = true)]
    bend: Option<f32>,

    /// Rank all joints by the volume that LBS loses, the largest loss first
    #[arg(long, conflicts_with_all = ["with_file", "with_points"])]
    rank: bool,

    /// Angles through which --rank rotates each joint
    #[arg(long, value_name = "RANGE", requires = "rank", default_value = TestRange::default().name())]
    #[arg(value_parser = with_suggestions(TestRange::ALL.map(TestRange::name), str::parse::<TestRange>))]
    range: TestRange,

    #[command(flatten)]
    results: ResultArgs,
}

const HELP: &str = "\
Volume is what the triangles enclose; inside-out parts count as negative. The region of a joint is
the triangles that it and its parent move, closed at the rims. The uncertainty after ± is how much
a loss could change if the rims were closed in another way. Losses that are uncertain by more than
half of themselves and by more than 5 %, and regions with less than 0.1 % of the surface or fewer
than 50 triangles, are listed apart. --rank refuses rigs whose joints and parents move more than
33,554,432 vertices, counted once per joint. Ratios are to the same method at angle 0.

If the vertices of two files cannot be matched, distances are null, and \"distances_off\" has the
reason. rigscope explain json lists the keys of the JSON.

--with-matrices takes one matrix per joint, in the order of skin.joints, and lists joints with wrong
matrices, worst first. Whether they are skinning or world matrices, by rows or by columns, is found
by fit. Translation is the distance between the places to which both matrices move the joint.

--range natural: the range of each human joint, by name, and 45 degrees either way for others; full:
twists of 180 degrees either way and bends of 150, as a stress test; limits: what the limits of a
session's joints allow; clips: what the file's clips use.

Examples:
  rigscope compare hero.glb --clip wave --time 0.5 --csv wave.csv
  rigscope compare hero.glb --joint LeftLowerArm --bend 90
  rigscope compare hero.glb --rank
  rigscope compare builtin:tube --rank --range full
  rigscope compare hero.glb --clip wave --time 0.5 --with-matrices palette.npy";

pub(super) const JSON: [JsonDocument; 4] = [
    JsonDocument { command: "compare", key: "pose", python: Some(("Pose.measure", "")), shape: PoseNumbers::shape },
    JsonDocument {
        command: "compare --joint",
        key: "sweep",
        python: Some(("Pose.twist_test", "")),
        shape: SweepJson::shape,
    },
    JsonDocument { command: "compare --rank", key: "", python: Some(("Pose.rank", "")), shape: RankingJson::shape },
    JsonDocument {
        command: "compare --with-matrices",
        key: "matrices",
        python: None,
        shape: MatrixComparisonJson::shape,
    },
];

impl CompareArgs {
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        run_each(self, console)
    }

    fn measured_file(&self, console: &Console) -> Result<Results, String> {
        if let (Some(path), Some(csv)) = (&self.with_matrices, self.results.csv()) {
            refuse_to_replace(csv, [path.as_path()])?;
        }
        let mut stage = self.posed.open(WarningScope::Shape, self.results.csv(), console)?;
        self.second.apply_to(&mut stage, &self.posed.rigged, console)?;
        if let Some(path) = &self.with_matrices {
            return matrices::results(&stage, path, &self.posed.rigged.memory.job());
        }
        console.stage("Measuring", |progress| self.measured(&stage, progress))
    }

    fn measured(&self, stage: &Stage, progress: &Progress) -> Result<Results, String> {
        check_size(stage)?;
        if self.rank {
            RankError::check(stage.rig()).map_err(|e| e.to_string())?;
            return ranked(stage, self.range, progress);
        }
        let Some(name) = &self.joint else { return at_pose(stage, progress) };
        self.swept(stage, find_joint(stage.rig(), name)?, progress)
    }

    fn swept(&self, stage: &Stage, joint: NodeIndex, progress: &Progress) -> Result<Results, String> {
        // Measures the open character even if the side shows another file, because the joint belongs to the open
        // character.
        let skinner = |side| Skinner::new(stage.open_on(side), &stage.view.sides[side].skinning);
        let PerSide { a, b } = PerSide::try_from_fn(skinner).map_err(|problem| problem.to_string())?;
        let (rig, posed, pose) = (stage.rig(), stage.posed(), stage.pose());
        let mut test = TwistTest::full(rig, posed, pose, joint);
        let only = self.twist.map(|end| (RotationKind::Twist, end)).or(self.bend.map(|end| (RotationKind::Bend, end)));
        if let Some((motion, degrees)) = only {
            test.turns = TwistTest::range(motion, degrees.to_radians());
        }
        let sweep = sweep(&[&a, &b], &Topology::new(rig), posed, pose, &test, progress).ok_or_else(cancelled)?;
        let sweep = Some(sweep).filter(|s| s.triangles > 0).ok_or_else(|| {
            format!("Nothing to measure: no triangle follows \"{}\" or the joint above it", rig.hierarchy.name(joint))
        })?;
        let sweep = SweepJson::new(&sweep, joint_names(&rig.hierarchy, &[joint]).concat());
        let file = stage.document.source.full_name();
        Ok(Results::new(&file, &UnderKey("sweep", &sweep), sweep.csv(), report::sweep_lines(&file, &sweep)))
    }
}

impl PerFile for CompareArgs {
    type Prepared = Results;
    type Shared = ();
    const DOING: &'static str = "Comparing";

    fn inputs(&mut self) -> &mut InputArgs {
        &mut self.inputs
    }

    fn set_file(&mut self, file: Option<Source>) {
        self.posed.rigged.file = file;
    }

    fn outputs(&mut self) -> Vec<OutputOption<'_>> {
        self.posed.rigged.outputs().collect()
    }

    fn results(&mut self) -> Option<&mut ResultArgs> {
        Some(&mut self.results)
    }

    fn job(&self) -> Job {
        self.posed.rigged.memory.job()
    }

    fn check(&self) -> Result<(), String> {
        self.results.check(None)
    }

    fn prepare(&self, console: &Console) -> Result<Results, String> {
        self.measured_file(console)
    }

    fn finish(&self, results: Results, (): &mut (), console: &Console) -> Result<ExitCode, String> {
        self.results.write(results, None, console).map(|()| ExitCode::SUCCESS)
    }
}

fn ranked(stage: &Stage, range: TestRange, progress: &Progress) -> Result<Results, String> {
    let rig = stage.open_on(Side::A);
    let ranges = (range, &stage.document.limits);
    let ranked = rank(rig, &Topology::new(rig), (stage.posed(), stage.pose()), ranges, progress);
    let ranked = ranked.ok_or_else(cancelled)?;
    let joints: Vec<NodeIndex> = ranked.iter().map(|r| r.joint).collect();
    let (names, file) = (joint_names(&rig.hierarchy, &joints), stage.document.source.full_name());
    let (json, csv) = (RankingJson::new(range, &ranked, &names), RankingJson::csv(&ranked, &names));
    Ok(Results::new(&file, &json, csv, report::rank_lines(&file, &names, &ranked)))
}

fn at_pose(stage: &Stage, progress: &Progress) -> Result<Results, String> {
    let skinners = skinners(stage)?;
    let methods = side_names(stage, &skinners);
    let measured = measure(&MeasurePlan::new(stage).job(skinners, 0), progress).ok_or_else(cancelled)?;
    let (rig, file) = (stage.rig(), stage.document.source.full_name());
    let name = |joint| joint_names(&rig.hierarchy, &[joint]).concat();
    let equation = WorstEquation::new(stage, &measured.distance);
    let equation = equation.map(|equation| WorstEquationJson::new(rig, &equation, &name));
    let pose = PoseNumbers::new(rig, methods, &measured, equation);
    Ok(Results::new(&file, &UnderKey("pose", &pose), pose.csv(), report::pose_lines(&file, &pose)))
}

/// Parses an angle in degrees, up to a full turn in either direction.
fn parse_angle(text: &str) -> Result<f32, String> {
    let angle = text.parse().ok().filter(|a: &f32| a.abs() <= 360.0 && *a != 0.0);
    angle.ok_or_else(|| "an angle is a number of degrees, up to 360 and not 0".to_owned())
}
