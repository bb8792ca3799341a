use std::path::Path;
use std::sync::Arc;

use clap::Args;

use super::opening::load_sides;
use super::posed::RiggedArgs;
use super::side_b::SideBArgs;
use super::suggestions::with_suggestions;
use super::{Console, MemoryArgs};
use crate::analysis::sides::MeasureError;
use crate::skinning::{Method, Skinner, Skinning};
use crate::stage::{ChoiceState, RigChoice, Stage};
use crate::view::{PerSide, ShownFile, ShownPose, Side};

#[derive(Args, Clone, Debug)]
pub(super) struct SecondSideArgs {
    /// Skinning method of side B [default: the session's, else dqs, or lbs if A is dqs]
    #[arg(long, value_name = "METHOD", conflicts_with_all = ["with_file", "with_points"])]
    #[arg(value_parser = with_suggestions(Method::CHOICES, str::parse::<Method>), hide_possible_values = true)]
    with: Option<Method>,

    #[command(flatten)]
    side_b: SideBArgs,
}

impl SecondSideArgs {
    pub(super) fn apply_to(&self, stage: &mut Stage, rigged: &RiggedArgs, console: &Console) -> Result<(), String> {
        if let Some(file) = self.side_b.shown_file()? {
            return compare_with(stage, file, rigged.memory, console);
        }
        // Without --with, keeps the method of a session's side B.
        let usual = || rigged.session.is_none().then(|| stage.view.sides.a.skinning.method.counterpart());
        if let Some(method) = self.with.or_else(usual) {
            stage.set_skinning(Side::B, Skinning::new(method)).map_err(|e| e.to_string())?;
            stage.view.sides.b.options.pose = ShownPose::Current;
            stage.refresh();
        }
        Ok(())
    }
}

/// Uses another file or points as side B, in the pose of the open character. Warns about elements without a
/// counterpart.
pub(super) fn compare_with(
    stage: &mut Stage,
    file: ShownFile,
    memory: MemoryArgs,
    console: &Console,
) -> Result<(), String> {
    let path = file.file().map(Path::to_owned).unwrap_or_default();
    stage.compare_with(file);
    let warnings = load_sides(stage, &format!("Opening {}", path.display()), memory, console)?;
    if let ChoiceState::Missing(problem) = ShownFile::state(stage, Side::B) {
        let is_named = problem.contains(&*path.to_string_lossy());
        return Err(if is_named { problem.to_owned() } else { format!("{problem} ({})", path.display()) });
    }
    let info = stage.points_on(Side::B).into_iter().flat_map(|points| &points.info);
    info.for_each(|info| console.note(info));
    for warning in &warnings {
        console.warn(warning);
    }
    Ok(())
}

/// Returns the skinners of both sides. Fails if a side is too large to measure.
pub(super) fn skinners(stage: &Stage) -> Result<PerSide<Arc<Skinner>>, String> {
    check_size(stage)?;
    let skinner = |side| Skinner::new(&stage.actor(side).rig, &stage.skinning_on(side)).map(Arc::new);
    PerSide::try_from_fn(skinner).map_err(|problem| problem.to_string())
}

pub(super) fn check_size(stage: &Stage) -> Result<(), String> {
    let mut sides = Side::ALL.into_iter();
    sides.try_for_each(|side| MeasureError::check(&stage.actor(side).rig)).map_err(|e| e.to_string())
}

/// Returns a name for each side, made up of method, file and pose.
pub(super) fn side_names(stage: &Stage, skinners: &PerSide<Arc<Skinner>>) -> [String; 2] {
    Side::ALL.map(|side| {
        if stage.points_on(side).is_some() {
            return format!("points of {}", stage.view.sides[side].file.title());
        }
        let method = skinners[side].skinning().method;
        let file =
            stage.other_on(side).map_or(String::new(), |_| format!(" of {}", stage.view.sides[side].file.title()));
        let pose = if stage.view.sides[side].options.pose == ShownPose::Rest { ", rest pose" } else { "" };
        format!("{method}{file}{pose}")
    })
}
