use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::Console;
use super::console::{BOLD, Line, cancelled};
use super::output::{self, refuse_to_replace, refuse_two_on_stdout};
use super::posed::{FileArg, PosedArgs};
use super::side_b::PointsArgs;
use super::text_table::TextTable;
use crate::analysis::diagnose::{
    Diagnosis, DiagnosisInput, DiagnosisJson, Explanation, MatricesInput, MatricesJson, MatrixDiagnosis, diagnose,
    diagnose_matrices, fraction_text, suggested_pose,
};
use crate::export::{PoseFile, numbers_json};
use crate::import::{WarningScope, matrices_from_path, points_from_path};
use crate::rig::PointFrame;
use crate::rows::{Described as _, JsonDocument};
use crate::stage::Stage;
use crate::text::counted;

#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct DiagnoseArgs {
    #[command(flatten)]
    input: FileArg,

    #[command(flatten)]
    posed: PosedArgs,

    /// Points of your program: bake JSON, glTF, OBJ, PLY, CSV, .npy, .npz, PC2 or raw float32
    #[arg(long, value_name = "P")]
    points: PathBuf,

    /// Points of your program in the rest pose, to match vertices by position instead of by order
    #[arg(long, value_name = "P")]
    points_rest: Option<PathBuf>,

    #[command(flatten)]
    read: PointsArgs,

    /// Skinning or world matrices of the joints of a skin, in the order of skin.joints: .npy or JSON
    #[arg(long, value_name = "M")]
    matrices: Option<PathBuf>,

    /// Frame of a file with several frames, by its number or from 0 [default: the clip's frame at --time, else the first]
    #[arg(long, value_name = "N")]
    points_frame: Option<u32>,

    /// Write a pose in which mistakes differ that give the same points in this one
    #[arg(long, value_name = "OUT.json")]
    suggest_pose: Option<PathBuf>,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const HELP: &str = "\
Tries the known mistakes of skinning, alone and in pairs, and names the one that gives exactly your
points. Distances are fractions of the size, the diagonal of the bounding box. Points are matched by
node and primitive in the JSON of rigscope bake, else by count and order. Another unit or up axis
than metres and +Y is a mistake, unless it is stated. rigscope explain ID explains a mistake. The
method is lbs or dqs: what the points should show.

Exit codes: 0 if the points are right, 1 if a mistake or nothing explains them, 2 on failure.

Examples:
  rigscope diagnose hero.glb --pose fist.json --points mine.npy
  rigscope diagnose hero.glb --clip walk --time 0.5 --points dump.bin --points-layout xyzw --json";

pub(super) const JSON: [JsonDocument; 1] =
    [JsonDocument { command: "diagnose", key: "", python: Some(("Pose.diagnose", "")), shape: DiagnosisJson::shape }];

/// Number of explanations in the text.
const SHOWN: usize = 6;

impl DiagnoseArgs {
    pub fn run(mut self, console: &Console) -> Result<ExitCode, String> {
        self.posed.rigged.file = self.input.file.take();
        let stage = self.posed.open(WarningScope::Shape, self.suggest_pose.as_deref(), console)?;
        if let Some(path) = &self.suggest_pose {
            let others = [&self.points_rest, &self.matrices].into_iter().flatten();
            refuse_to_replace(path, others.chain([&self.points]).map(PathBuf::as_path))?;
            refuse_two_on_stdout([path.as_path()], true, "--suggest-pose and the answer")?;
        }
        let read = |path: &Path| {
            let job = self.posed.rigged.memory.job();
            let frames = console.stage("Reading points", |_| {
                points_from_path(path, self.read.layout(), &job).map_err(|e| e.to_string())
            });
            frames
                .map(|frames| frames.into_iter().map(|frame| self.read.stated_space().frame(frame)).collect::<Vec<_>>())
        };
        let frames = read(&self.points)?;
        let points = self.frame(&frames, &stage)?;
        let at_rest = self.points_rest.as_deref().map(read).transpose()?;
        let matrices = self
            .matrices
            .as_deref()
            .map(|path| matrices_from_path(path, &self.posed.rigged.memory.job()).map_err(|e| e.to_string()));
        let matrices = matrices.transpose()?;
        let input = DiagnosisInput {
            rig: stage.rig(),
            pose: stage.pose(),
            posed: stage.posed(),
            moment: stage.playback.sample(),
            skinning: &stage.view.sides.a.skinning,
            points,
            points_at_rest: at_rest.as_ref().and_then(|frames| frames.first()),
        };
        let diagnosis = console.stage("Diagnosing", |progress| diagnose(&input, progress)?.ok_or_else(cancelled))?;
        let matrices =
            matrices.map(|matrices| diagnose_matrices(&MatricesInput::from(&input), &matrices)).transpose()?;
        if let Some(path) = &self.suggest_pose {
            suggest(path, &input, &diagnosis, console)?;
        }
        if self.json {
            let file = stage.document.source.full_name();
            let matrices = matrices.as_ref().map(MatricesJson::from);
            let json = DiagnosisJson { matrices, ..DiagnosisJson::from(&diagnosis) };
            console.print_json(&numbers_json(&file, &json))?;
        } else {
            console.print(matrices.iter().flat_map(matrix_lines).chain(lines(&diagnosis)))?;
        }
        Ok(if diagnosis.is_right() { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }

    /// Returns the frame of `--points-frame`, else that of the clip at `--time`, else the first one. Frames are counted
    /// from 0 unless the file numbers them.
    fn frame<'a>(&self, frames: &'a [PointFrame], stage: &Stage) -> Result<&'a PointFrame, String> {
        let count = frames.len();
        let of_clip = || {
            let moment = stage.playback.sample().filter(|_| count > 1)?;
            Some(i64::from(stage.rig().frame_rate(moment.clip).frame(moment.time_secs)))
        };
        let Some(wanted) = self.points_frame.map(i64::from).or_else(of_clip) else {
            return frames.first().ok_or_else(|| format!("{} has no frames", self.points.display()));
        };
        PointFrame::numbered(frames, wanted).ok_or_else(|| {
            let last = frames.last().and_then(|frame| frame.number);
            format!(
                "{} has {}{}, and no frame {wanted}; choose one with --points-frame",
                self.points.display(),
                counted(count, "frame", "frames"),
                last.map_or_else(String::new, |last| format!(", the last with the number {last}"))
            )
        })
    }
}

fn suggest(path: &Path, input: &DiagnosisInput<'_>, diagnosis: &Diagnosis, console: &Console) -> Result<(), String> {
    if diagnosis.tied().next().is_none() {
        console.note("No other mistake gives the same points; no pose was written");
        return Ok(());
    }
    if let Some(pose) = suggested_pose(input, diagnosis) {
        let text = PoseFile::from_pose(input.rig, &pose).to_json();
        return output::save(path, text.as_bytes(), "pose was", console);
    }
    console.warn("No pose was found in which these mistakes differ");
    Ok(())
}

fn lines(diagnosis: &Diagnosis) -> Vec<Line> {
    let mut lines = vec![Line::default().styled(BOLD, &diagnosis.summary())];
    lines.extend(diagnosis.remarks().iter().map(|remark| Line::plain(remark)));
    if !diagnosis.is_right() {
        let table = TextTable::<Explanation>::new()
            .right(9, "largest", |row| fraction_text(row.residual.max))
            .right(9, "mean", |row| fraction_text(row.residual.mean))
            .right(9, "vertices", |row| row.residual.vertices.to_string())
            .left(0, "mistake", Explanation::title);
        lines.extend([Line::default(), table.head()]);
        lines.extend(diagnosis.explanations.iter().take(SHOWN).map(|row| table.row(row)));
    }
    lines
}

fn matrix_lines(found: &MatrixDiagnosis) -> Vec<Line> {
    let joints: Vec<String> =
        found.joints.iter().map(|(joint, max)| format!("{joint} {}", fraction_text(*max))).collect();
    let joints = (!joints.is_empty()).then(|| Line::plain(&format!("Largest differences: {}.", joints.join(", "))));
    [Some(Line::plain(&found.summary())), joints].into_iter().flatten().collect()
}
