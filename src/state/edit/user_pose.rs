//! Shows the rest, bind or clip pose, or a blend from the rest pose, without losing the user's pose.

use crate::posing::blend;
use crate::rig::{FittedPose, Pose, Rig, bind_pose, evaluate};
use crate::stage::Stage;
use crate::state::{Notice, OpenDocument};
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

impl OpenDocument {
    /// Blends from rest (0) to the current pose (1).
    pub(in crate::state) fn blend_pose(&mut self, share: f32) {
        let hierarchy = &self.stage.document.rig.hierarchy;
        let (user, whole) = (self.user_pose.get(&self.stage).clone(), self.user_pose.whole(&self.stage).clone());
        let shown = blend(hierarchy, &Pose::rest(hierarchy), &whole, share);
        self.as_step(|open| {
            open.stage.document.pose = shown.clone();
            open.user_pose.behind = Some(Box::new(HiddenUserPose { shown, user, whole, share: share.clamp(0.0, 1.0) }));
            open.stage.pose_changed();
        });
    }

    pub(in crate::state) fn show_rest_pose(&mut self) {
        self.stage.set_clip(None);
        self.show_unposed("Rest pose");
    }

    /// Shows the clip's pose without the user's pose. If no clip is chosen, chooses the first one, paused.
    pub(in crate::state) fn show_clip_pose(&mut self) {
        if self.stage.playback.clip.is_none() && !self.stage.document.rig.clips.is_empty() {
            self.stage.set_clip(Some(0));
            self.stage.playback.is_playing = false;
        }
        self.show_unposed("Clip pose");
    }

    fn show_unposed(&mut self, label: &str) {
        let (user, whole) = (self.user_pose.get(&self.stage).clone(), self.user_pose.whole(&self.stage).clone());
        let shown = Pose::rest(&self.stage.document.rig.hierarchy);
        self.replace_pose(shown.clone(), label);
        self.user_pose.behind = Some(Box::new(HiddenUserPose { shown, user, whole, share: 0.0 }));
    }

    pub(in crate::state) fn show_user_pose(&mut self) {
        let user = self.user_pose.get(&self.stage).clone();
        self.replace_pose(user, "User pose");
    }

    /// Shows the bind pose, defined by the inverse bind matrices, without a clip. Returns a notice about joints that
    /// cannot match their bind pose.
    pub(in crate::state) fn show_bind_pose(&mut self) -> Option<Notice> {
        self.stage.set_clip(None);
        self.stage.refresh();
        let rig = self.stage.document.rig.clone();
        let FittedPose { pose, inexact } = fitted_bind_pose(&self.stage, &rig);
        let user = self.user_pose.get(&self.stage).clone();
        self.replace_pose(pose.clone(), "Bind pose");
        self.user_pose.behind = Some(Box::new(HiddenUserPose { shown: pose.clone(), user, whole: pose, share: 1.0 }));
        let first = inexact.first()?;
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

    pub(in crate::state) fn step_label(&self, stage: &Stage) -> Option<String> {
        let is_part = self.behind(stage).is_some_and(|b| !b.shown.has_edits_of(&b.user) || b.share < 1.0);
        is_part.then(|| format!("Blend from rest to {:.0} %", self.share(stage) * 100.0))
    }
}
