use clap::Args;

use crate::cli::named::find_joint;
use crate::stage::{Stage, StageTrails};
use crate::view::OverlayInput;

#[derive(Args, Debug)]
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
            // Keeps the active joint if an overlay shows its weights.
            let active = stage.view.active_joint().filter(|_| stage.is_painted(OverlayInput::ActiveJoint));
            stage.select(found.into_iter().chain(active));
            stage.view.display.trails = true;
            let (count, most) = (stage.view.selected.len(), StageTrails::MAX_JOINTS);
            if count > most {
                return Err(format!("An image shows the trails of at most {most} joints, not {count}"));
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
