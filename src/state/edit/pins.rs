use glam::{DVec3, Mat3, Vec3};

use crate::matching::Humanoid;
use crate::rig::{NodeIndex, Pin, Pose, PosedJoint, Trs};
use crate::stage::Stage;
use crate::state::{Notice, OpenDocument, PosingOptions};

/// Pose and pins at the start of a drag.
pub(in crate::state) struct PinDrag {
    /// The user's pose, without the effect of the pins.
    before: Pose,
    /// Each joint that the pins move, with a user transform `Ul_j` that includes their effect.
    applied: Vec<PosedJoint>,
    pins: Vec<PinFrame>,
    hips: Option<NodeIndex>,
}

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

    fn applied(&self, node: NodeIndex) -> Option<&Trs> {
        self.applied.iter().find(|joint| joint.node == node).map(|joint| &joint.user_local)
    }

    /// Converts an edit relative to the user's pose at the start of the drag to an edit relative to
    /// [`Self::applied_pose`]. If the joint is pinned, also returns its pin as moved by the edit.
    fn edited(&self, edit: PosedJoint) -> (PosedJoint, Option<Pin>) {
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

impl OpenDocument {
    /// Pins the selected joints. If all are pinned already, also holds their rotations; if those are held already,
    /// unpins the joints.
    pub(in crate::state) fn cycle_pins(&mut self) {
        self.stage.refresh();
        self.as_step(|open| {
            let stage = &mut open.stage;
            let selected = stage.view.selected.clone();
            let has =
                |is_it: fn(&Pin) -> bool| selected.iter().all(|node| stage.document.pin(*node).is_some_and(is_it));
            if has(|pin| pin.rotation.is_some()) {
                stage.document.pins.retain(|pin| !selected.contains(&pin.node));
            } else if has(|_| true) {
                for node in selected {
                    let rotation = Pin::new(node, true, &stage.document.rig.hierarchy, stage.posed()).rotation;
                    if let Some(pin) = stage.document.pin(node).copied().filter(|pin| pin.rotation.is_none()) {
                        stage.document.set_pin(Pin { rotation, ..pin });
                    }
                }
            } else {
                for node in selected {
                    if stage.document.pin(node).is_none() {
                        stage.document.set_pin(Pin::new(node, false, &stage.document.rig.hierarchy, stage.posed()));
                    }
                }
            }
            stage.pose_changed();
        });
    }

    /// Returns a notice if pins change the shown pose.
    pub(in crate::state) fn pin_notice(&self) -> Option<Notice> {
        let pinned = self.stage.document.pins.len();
        let holds = if pinned == 1 { "joint stays" } else { "joints stay" };
        let text = format!("{pinned} pinned {holds} in place. Unpin to see the pose itself.");
        (pinned > 0).then(|| Notice::info(text))
    }

    /// Makes the effect of the pins part of the user's pose and removes the pins.
    pub(in crate::state) fn apply_pins(&mut self) {
        self.cancel_edit();
        self.stage.refresh();
        self.as_step_called("Apply pins to pose", |open| {
            let shown = open.stage.posed().without_pins(open.stage.pose());
            open.stage.document.pins.clear();
            open.stage.edit_pose(|pose| *pose = shown);
        });
    }

    /// Applies the edits of a drag. Pinned joints take their pins along. Joints that the pins have moved start from
    /// where they are shown.
    pub(in crate::state) fn drag_joints(
        &mut self,
        mut edits: Vec<PosedJoint>,
        posing: PosingOptions,
    ) -> Option<Notice> {
        if self.stage.document.pins.is_empty() {
            return self.edit_joints(edits, posing);
        }
        edits.retain(|edit| edit.node.index() < self.stage.rig().hierarchy.len());
        let drag = self.take_pin_drag();
        let told = self.as_step(|open| {
            if edits.iter().any(|edit| drag.applied(edit.node).is_some()) {
                open.stage.document.pose.set_joints(drag.applied.iter().copied());
            }
            let (mut own, mut pins) = (Vec::new(), Vec::new());
            for edit in edits {
                let (edit, pin) = drag.edited(edit);
                own.push(edit);
                pins.extend(pin);
            }
            open.move_pins(pins, posing);
            open.edit_joints(own, posing)
        });
        self.keep_pin_drag(drag);
        told
    }

    /// Moves pins of joints within an undo step and, with live symmetry, the pins of their partners.
    pub(super) fn move_pins(&mut self, mut pins: Vec<Pin>, posing: PosingOptions) {
        if posing.symmetry {
            let before = self.history.pins_before().unwrap_or(&self.stage.document.pins);
            let partners = self.symmetry.partner_pins(&self.stage, before, &pins, posing.mirror);
            pins.extend(partners);
        }
        for pin in pins {
            self.stage.document.set_pin(pin);
        }
    }

    pub(super) fn take_pin_drag(&mut self) -> PinDrag {
        self.pin_drag.take().unwrap_or_else(|| PinDrag::new(&mut self.stage))
    }

    pub(super) fn keep_pin_drag(&mut self, drag: PinDrag) {
        self.pin_drag = self.history.is_open().then_some(drag);
    }

    /// Sets the user transform of a joint. If a pin holds the joint's rotation, rotates the held rotation by the same
    /// amount.
    pub(in crate::state) fn set_joint(&mut self, edit: PosedJoint, posing: PosingOptions) -> Option<Notice> {
        let pins = self.history.pins_before().unwrap_or(&self.stage.document.pins);
        let held = pins.iter().find(|pin| pin.node == edit.node).copied();
        let Some((pin, held)) = held.and_then(|pin| Some((pin, pin.rotation?))) else {
            return self.edit_joints(vec![edit], posing);
        };
        let before = self.history.pose_before().unwrap_or(&self.stage.document.pose).user_local(edit.node).rotation;
        let rotation = (held * before.inverse() * edit.user_local.rotation).normalize();
        self.as_step(|open| {
            open.move_pins(vec![Pin { rotation: Some(rotation), ..pin }], posing);
            open.edit_joints(vec![edit], posing)
        })
    }
}

#[cfg(test)]
mod tests;
