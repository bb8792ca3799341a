use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::opening::load_sides;
use super::posed::RiggedArgs;
use super::suggestions::with_suggestions;
use super::{Console, MemoryArgs};
use crate::analysis::sides::MeasureError;
use crate::skinning::{Method, Skinner, Skinning};
use crate::stage::{ChoiceState, Stage};
use crate::view::{PerSide, ShownFile, ShownPose, Side};

#[derive(Args, Debug)]
pub(super) struct SecondSideArgs {
    /// Skinning method of side B [default: the session's, else dqs, or lbs if A is dqs]
    #[arg(long, value_name = "METHOD")]
    #[arg(value_parser = with_suggestions(Method::CHOICES, str::parse::<Method>), hide_possible_values = true)]
    with: Option<Method>,

    /// Use another file as side B, in the same pose and with the same method
    #[arg(long = "comparison-file", alias = "with-file", value_name = "OTHER", conflicts_with = "with")]
    with_file: Option<PathBuf>,
}

impl SecondSideArgs {
    pub(super) fn apply_to(&self, stage: &mut Stage, rigged: &RiggedArgs, console: &Console) -> Result<(), String> {
        if let Some(other) = &self.with_file {
            return compare_with(stage, other, rigged.memory, console);
        }
        // Without --with, keeps the method of a session's side B.
        let usual = || rigged.session.is_none().then(|| stage.skinning(Side::A).method.counterpart());
        if let Some(method) = self.with.or_else(usual) {
            stage.set_skinning(Side::B, Skinning::new(method)).map_err(|e| e.to_string())?;
            stage.show_pose_on(Side::B, ShownPose::Current);
            stage.refresh();
        }
        Ok(())
    }
}

/// Uses another file as side B, in the pose of the open character. Warns about elements without a counterpart.
pub(super) fn compare_with(
    stage: &mut Stage,
    other: &Path,
    memory: MemoryArgs,
    console: &Console,
) -> Result<(), String> {
    stage.compare_with(other);
    let warnings = load_sides(stage, &format!("Opening {}", other.display()), memory, console)?;
    if let ChoiceState::Missing(problem) = stage.choice::<ShownFile>(Side::B) {
        return Err(format!("{problem} ({})", other.display()));
    }
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
        let method = skinners[side].skinning().method;
        let file = stage.other_on(side).map_or(String::new(), |_| format!(" of {}", stage.shown_file(side).title()));
        let pose = if stage.view.sides[side].options.pose == ShownPose::Rest { ", rest pose" } else { "" };
        format!("{method}{file}{pose}")
    })
}
