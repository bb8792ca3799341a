//! Shows the rest, bind or clip pose, or a blend from the rest pose, without losing the user's pose.

use crate::posing::blend;
use crate::rig::{FittedPose, Pose, Rig, bind_pose, evaluate};
use crate::stage::Stage;
use crate::state::edit::pins::pin_notice;
use crate::state::{History, Notice};
use crate::text::counted;

#[derive(Clone, Debug)]
struct HiddenUserPose {
    shown: Pose,
    /// Pose last set by the user.
    user: Pose,
    /// Pose at the end of the blend from rest.
    whole: Pose,
    share: f32,
}

/// The user's pose, even while another pose is shown.
#[derive(Default)]
pub struct UserPose {
    behind: Option<Box<HiddenUserPose>>,
}

impl UserPose {
    /// Blends from rest (0) to the current pose (1).
    pub(in crate::state) fn blend(&mut self, history: &mut History, stage: &mut Stage, share: f32) {
        let hierarchy = &stage.document.rig.hierarchy;
        let (user, whole) = (self.get(stage).clone(), self.whole(stage).clone());
        let shown = blend(hierarchy, &Pose::rest(hierarchy), &whole, share);
        let share = share.clamp(0.0, 1.0);
        let is_part = share < 1.0 || !shown.has_edits_of(&user);
        let label = is_part.then(|| format!("Blend from rest to {:.0} %", share * 100.0));
        history.show_pose(stage, shown.clone(), label);
        self.behind = Some(Box::new(HiddenUserPose { shown, user, whole, share }));
    }

    /// Shows the rest pose. Returns a notice if pins change it.
    pub(in crate::state) fn show_rest(&mut self, history: &mut History, stage: &mut Stage) -> Option<Notice> {
        stage.set_clip(None);
        self.show_unposed(history, stage, "Rest pose")
    }

    /// Shows the clip's pose without the user's pose. If no clip is chosen, chooses the first one, paused.
    /// Returns a notice if pins change the pose.
    pub(in crate::state) fn show_clip(&mut self, history: &mut History, stage: &mut Stage) -> Option<Notice> {
        if stage.playback.clip.is_none() && !stage.document.rig.clips.is_empty() {
            stage.set_clip(Some(0));
            stage.playback.is_playing = false;
        }
        self.show_unposed(history, stage, "Clip pose")
    }

    fn show_unposed(&mut self, history: &mut History, stage: &mut Stage, label: &str) -> Option<Notice> {
        let (user, whole) = (self.get(stage).clone(), self.whole(stage).clone());
        let shown = Pose::rest(&stage.document.rig.hierarchy);
        history.replace_pose(stage, shown.clone(), label);
        self.behind = Some(Box::new(HiddenUserPose { shown, user, whole, share: 0.0 }));
        pin_notice(&stage.document.pins)
    }

    /// Shows the bind pose, defined by the inverse bind matrices, without a clip. Returns a notice about joints that
    /// cannot match their bind pose, or about pins.
    pub(in crate::state) fn show_bind(&mut self, history: &mut History, stage: &mut Stage) -> Option<Notice> {
        stage.set_clip(None);
        stage.refresh();
        let rig = stage.document.rig.clone();
        let FittedPose { pose, inexact } = fitted_bind_pose(stage, &rig);
        let user = self.get(stage).clone();
        history.replace_pose(stage, pose.clone(), "Bind pose");
        self.behind = Some(Box::new(HiddenUserPose { shown: pose.clone(), user, whole: pose, share: 1.0 }));
        let Some(first) = inexact.first() else { return pin_notice(&stage.document.pins) };
        Some(Notice::warning(format!(
            "{} of the bind pose would need shear: {} and similar joints have the right position and the nearest rotation.",
            counted(inexact.len(), "joint", "joints"),
            rig.hierarchy.name(*first),
        )))
    }
}

/// Returns the bind pose, taking active constraints into account.
fn fitted_bind_pose(stage: &Stage, rig: &Rig) -> FittedPose {
    /// Maximum length of a constraint chain for which the pose is exact.
    const MAX_IN_A_ROW: usize = 8;
    let rest = Pose::rest(&rig.hierarchy).without(stage.document.switched_off);
    let mut local = stage.posed().clip_local.clone();
    let mut fitted = bind_pose(rig, &local, &rest);
    for _ in 0..MAX_IN_A_ROW {
        let posed = evaluate(rig, None, &fitted.pose);
        if posed.clip_local == local {
            break;
        }
        local = posed.clip_local;
        fitted = bind_pose(rig, &local, &rest);
    }
    fitted
}

impl UserPose {
    fn behind(&self, stage: &Stage) -> Option<&HiddenUserPose> {
        self.behind.as_deref().filter(|b| b.shown.has_edits_of(&stage.document.pose))
    }

    /// Returns the user's own pose, even if a rest, bind, clip or blended pose is shown.
    pub fn get<'a>(&'a self, stage: &'a Stage) -> &'a Pose {
        self.behind(stage).map_or(&stage.document.pose, |b| &b.user)
    }

    /// Returns the shown fraction of the blend from rest, 0 to 1.
    pub fn share(&self, stage: &Stage) -> f32 {
        self.behind(stage).map_or(1.0, |b| b.share)
    }

    /// Returns the pose at the end of the blend from rest.
    pub fn whole<'a>(&'a self, stage: &'a Stage) -> &'a Pose {
        self.behind(stage).map_or(&stage.document.pose, |b| &b.whole)
    }
}
