use glam::{DVec3, Mat3, Vec3};

use crate::matching::Humanoid;
use crate::rig::{NodeIndex, Pin, Pose, PosedJoint, Trs};
use crate::stage::Stage;
use crate::state::{History, Notice};

/// Pose and pins at the start of a drag.
#[derive(Clone, Debug)]
pub(in crate::state) struct PinDrag {
    /// The user's pose, without the effect of the pins.
    before: Pose,
    /// Each joint that the pins move, with a user transform `Ul_j` that includes their effect.
    applied: Vec<PosedJoint>,
    pins: Vec<PinFrame>,
    hips: Option<NodeIndex>,
}

#[derive(Clone, Debug)]
struct PinFrame {
    pin: Pin,
    /// Position of the joint, file coordinates. Differs from the pin's position if the pin is out of reach.
    joint: DVec3,
    /// Axes of `W_p * C_j`.
    axes: Mat3,
}

impl PinDrag {
    pub(super) fn new(stage: &mut Stage) -> Self {
        stage.refresh();
        let (rig, posed) = (stage.rig(), stage.posed());
        let frame = |pin: &Pin| PinFrame {
            pin: *pin,
            joint: rig.hierarchy.in_file(posed.world_from_node[pin.node.index()].translation),
            axes: posed.world_before_user(&rig.hierarchy, pin.node).matrix3,
        };
        Self {
            before: stage.pose().clone(),
            applied: posed.pinned.clone(),
            pins: stage.document.pins.iter().map(frame).collect(),
            hips: Humanoid::from_rig(rig).limbs().hips,
        }
    }

    pub(super) fn hips(&self) -> Option<NodeIndex> {
        self.hips
    }

    /// Returns the pose at the start of the drag, in which the pins are replaced by the transforms that they cause.
    pub(super) fn applied_pose(&self) -> Pose {
        let mut pose = self.before.clone();
        pose.set_joints(self.applied.iter().copied());
        pose.set_pins(None);
        pose
    }

    /// Replaces the pins by the transforms that they cause if a joint that they have moved is edited.
    pub(super) fn apply_to_edited(&self, edits: &[PosedJoint], pose: &mut Pose) {
        if edits.iter().any(|edit| self.applied(edit.node).is_some()) {
            pose.set_joints(self.applied.iter().copied());
        }
    }

    fn applied(&self, node: NodeIndex) -> Option<&Trs> {
        self.applied.iter().find(|joint| joint.node == node).map(|joint| &joint.user_local)
    }

    /// Converts an edit relative to the user's pose at the start of the drag to an edit relative to
    /// [`Self::applied_pose`]. If the joint is pinned, also returns its pin as moved by the edit.
    pub(super) fn edited(&self, edit: PosedJoint) -> (PosedJoint, Option<Pin>) {
        let before = self.before.user_local(edit.node);
        let mut user_local = edit.user_local;
        let turn = before.rotation.inverse() * user_local.rotation;
        let frame = self.pins.iter().find(|frame| frame.pin.node == edit.node);
        let pin = frame.map(|PinFrame { pin, joint, axes }| {
            let by = *axes * (user_local.translation - before.translation);
            user_local.translation = before.translation;
            let position = if by == Vec3::ZERO { pin.position } else { *joint + by.as_dvec3() };
            Pin { position, rotation: pin.rotation.map(|held| (held * turn).normalize()), ..*pin }
        });
        if let Some(applied) = self.applied(edit.node) {
            let onto = applied.rotation * before.rotation.inverse();
            user_local.rotation = (onto * user_local.rotation).normalize();
            user_local.translation = applied.translation + onto * (user_local.translation - before.translation);
        }
        (PosedJoint { user_local, ..edit }, pin)
    }
}

/// Pins the selected joints. If all are pinned already, also holds their rotations; if those are held already, unpins
/// the joints.
pub(in crate::state) fn cycle_pins(history: &mut History, stage: &mut Stage) {
    stage.refresh();
    history.as_step(stage, |stage| {
        let selected = stage.view.selected.clone();
        let has = |is_it: fn(&Pin) -> bool| selected.iter().all(|node| stage.document.pin(*node).is_some_and(is_it));
        let (are_pinned, are_turns_held) = (has(|_| true), has(|pin| pin.rotation.is_some()));
        if are_turns_held {
            stage.document.pins.retain(|pin| !selected.contains(&pin.node));
        }
        for node in selected.into_iter().filter(|_| !are_turns_held) {
            let here = Pin::new(node, are_pinned, &stage.document.rig.hierarchy, stage.posed());
            match stage.document.pin(node).copied() {
                None => stage.document.set_pin(here),
                Some(pin) if are_pinned && pin.rotation.is_none() => {
                    stage.document.set_pin(Pin { rotation: here.rotation, ..pin });
                }
                Some(_) => {}
            }
        }
        stage.pose_changed();
    });
}

/// Returns a notice if pins change the shown pose.
pub(in crate::state) fn pin_notice(pins: &[Pin]) -> Option<Notice> {
    let holds = if pins.len() == 1 { "joint stays" } else { "joints stay" };
    let text = format!("{} pinned {holds} in place. Unpin to see the pose itself.", pins.len());
    (!pins.is_empty()).then(|| Notice::info(text))
}

/// Makes the effect of the pins part of the user's pose and removes the pins.
pub(in crate::state) fn apply_pins(history: &mut History, stage: &mut Stage) {
    history.cancel_edit(stage);
    stage.refresh();
    history.as_step_called(stage, "Apply pins to pose", |stage| {
        let shown = stage.posed().without_pins(stage.pose());
        stage.document.pins.clear();
        stage.edit_pose(|pose| *pose = shown);
    });
}

#[cfg(test)]
mod tests;
