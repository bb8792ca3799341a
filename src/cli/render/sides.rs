use std::path::Path;

use clap::{ArgGroup, Args};

use crate::cli::Console;
use crate::cli::MemoryArgs;
use crate::cli::named::{find_joint, find_morph};
use crate::cli::numbers;
use crate::cli::second_side::compare_with;
use crate::cli::side_b::SideBArgs;
use crate::cli::suggestions::with_suggestions;
use crate::stage::{Arrangement, CompareWith, ComparisonLayout, MeasureBench, Stage, StageTrails};
use crate::studio::measure_sides;
use crate::view::{Overlay, OverlayInput};

#[derive(Args, Clone, Debug)]
#[command(group(ArgGroup::new("shown").args(["compare", "overlay"]).multiple(true)))]
pub(super) struct ComparisonArgs {
    /// Layout of the comparison with side B
    #[arg(long, value_name = "HOW", value_parser = with_suggestions(ComparisonLayout::ALL.map(ComparisonLayout::name), str::parse::<ComparisonLayout>))]
    compare: Option<ComparisonLayout>,

    /// Method of side B, or rest for the rest pose [default: lbs, or dqs if side A is lbs]
    #[arg(long, value_name = "METHOD|rest", requires = "shown", conflicts_with_all = ["with_file", "with_points"])]
    #[arg(value_parser = with_suggestions(CompareWith::choices(), str::parse::<CompareWith>), hide_possible_values = true)]
    with: Option<CompareWith>,

    #[command(flatten)]
    side_b: SideBArgs,

    /// Heat map over the skin
    #[arg(long, value_name = "NAME", help = overlay_help())]
    #[arg(value_parser = with_suggestions(Overlay::ALL, str::parse::<Overlay>), hide_possible_values = true)]
    overlay: Option<Overlay>,

    /// Joint whose weights --overlay weight shows
    #[arg(long, value_name = "NAME", requires = "overlay")]
    joint: Option<String>,

    /// Morph target that --overlay morph shows [default: the last of --morph]
    #[arg(long, value_name = "NAME", requires = "overlay")]
    target: Option<String>,

    /// Clockwise angle of the wipe line, in degrees: 0 has side A on the left, 90 on top
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    #[arg(value_parser = numbers::within(numbers::TURNS, "degrees"))]
    wipe_angle: Option<f32>,

    /// Distance of the wipe line from the centre towards side B, as a fraction of the image height
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    #[arg(value_parser = numbers::within(-10.0..=10.0, "picture heights"))]
    wipe_offset: Option<f32>,
}

impl ComparisonArgs {
    pub(super) fn other_file(&self) -> Option<&Path> {
        self.side_b.path()
    }

    pub(super) fn apply_to(&self, stage: &mut Stage, memory: MemoryArgs, console: &Console) -> Result<(), String> {
        if let Some(name) = &self.joint {
            let joint = find_joint(stage.rig(), name)?;
            stage.view.select(Some(joint), &stage.document.rig.hierarchy);
        }
        if let Some(name) = &self.target {
            let morph = find_morph(stage.rig(), name)?;
            stage.view.choose_morph(morph, &stage.document.rig);
        }
        if let Some(file) = self.side_b.shown_file()? {
            compare_with(stage, file, memory, console)?;
        }
        self.arrangement().apply_to(stage)?;
        if stage.view.is_painted(OverlayInput::ActiveJoint) && stage.view.active_joint().is_none() {
            return Err("--overlay weight shows one joint: none is selected. Name it with --joint.".to_owned());
        }
        if stage.view.is_painted(OverlayInput::MorphTarget) && stage.view.morph.is_none() {
            return Err(
                "--overlay morph shows one morph target: none is chosen. Name it with --target or --morph.".to_owned()
            );
        }
        stage.refresh();
        console.stage("Measuring", |_| measure_sides(stage, &mut MeasureBench::default()))
    }

    fn arrangement(&self) -> Arrangement {
        let Self { compare, with, overlay, wipe_angle, wipe_offset, .. } = *self;
        Arrangement { compare, with, overlay, wipe_angle_deg: wipe_angle, wipe_offset }
    }
}

fn overlay_help() -> String {
    let [others @ .., last] = Overlay::ALL.map(|overlay| overlay.to_string());
    format!("Heat map over the skin: {} or {last}", others.join(", "))
}

#[derive(Args, Clone, Debug)]
pub(super) struct TrailArgs {
    /// Draw the path of a joint over the clip, or over the session's range (repeatable)
    #[arg(long = "trail", value_name = "JOINT")]
    joints: Vec<String>,

    /// Draw the path of the root on the ground, with the direction that the character faces
    #[arg(long)]
    root_path: bool,
}

impl TrailArgs {
    pub(super) fn apply_to(&self, stage: &mut Stage) -> Result<(), String> {
        if !self.joints.is_empty() {
            let found =
                self.joints.iter().map(|name| find_joint(stage.rig(), name)).collect::<Result<Vec<_>, String>>()?;
            // Keeps the active joint selected if an overlay shows its weights.
            let active = stage.view.active_joint().filter(|_| stage.view.is_painted(OverlayInput::ActiveJoint));
            stage.view.select(found.into_iter().chain(active), &stage.document.rig.hierarchy);
            stage.view.display.trails = true;
            let (count, max_joints) = (stage.view.selected.len(), StageTrails::MAX_JOINTS);
            if count > max_joints {
                return Err(format!("An image shows the trails of at most {max_joints} joints, not {count}"));
            }
        }
        stage.view.display.root_path |= self.root_path;
        let is_asked_for = self.root_path || !self.joints.is_empty();
        if is_asked_for && stage.playback.clip.is_none() {
            return Err("Trails need a clip. Choose one with --clip.".to_owned());
        }
        stage.refresh();
        Ok(())
    }
}
