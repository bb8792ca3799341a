//! Edits of joints and their pins.

use crate::rig::{Pin, PosedJoint};
use crate::stage::{Document, Stage};
use crate::state::{History, Notice, PosingOptions, RigSymmetry};

/// Edits joints as undo steps and, with live symmetry, their partners.
pub(in crate::state) struct JointEditor<'a> {
    pub stage: &'a mut Stage,
    pub history: &'a mut History,
    pub symmetry: &'a mut RigSymmetry,
    pub posing: PosingOptions,
}

impl JointEditor<'_> {
    /// Poses joints.
    pub(in crate::state) fn edit(&mut self, mut edits: Vec<PosedJoint>) -> Option<Notice> {
        edits.retain(|edit| edit.node.index() < self.stage.document.rig.hierarchy.len());
        let mut told = None;
        if self.posing.symmetry {
            let (partners, problem) = self.symmetry.other_side(self.stage, &edits, self.posing.mirror);
            edits.extend(partners);
            told = problem;
        }
        self.history.as_step(self.stage, |stage| {
            let Document { pose, limits, .. } = &mut stage.document;
            for PosedJoint { node, user_local } in edits {
                pose.set_user_local(node, limits.keep(node, user_local));
            }
            stage.pose_changed();
        });
        told
    }

    /// Applies the edits of a drag. Pinned joints take their pins along. Joints that the pins have moved start from
    /// where they are shown.
    pub(in crate::state) fn drag(&mut self, mut edits: Vec<PosedJoint>) -> Option<Notice> {
        if self.stage.document.pins.is_empty() {
            return self.edit(edits);
        }
        edits.retain(|edit| edit.node.index() < self.stage.rig().hierarchy.len());
        let drag = self.history.take_pin_drag(self.stage);
        let told = self.within_step(|editor| {
            drag.apply_to_edited(&edits, &mut editor.stage.document.pose);
            let (mut own, mut pins) = (Vec::new(), Vec::new());
            for edit in edits {
                let (edit, pin) = drag.edited(edit);
                own.push(edit);
                pins.extend(pin);
            }
            editor.move_pins(pins);
            editor.edit(own)
        });
        self.history.keep_pin_drag(drag);
        told
    }

    /// Sets the user transform of a joint. If a pin holds the joint's rotation, rotates the held rotation by the same
    /// amount.
    pub(in crate::state) fn set(&mut self, edit: PosedJoint) -> Option<Notice> {
        let Document { pose, pins, .. } = &self.stage.document;
        let (pose, pins) = self.history.before().map_or((pose, pins), |before| (&before.pose, &before.pins));
        let held = pins.iter().find(|pin| pin.node == edit.node).copied();
        let Some((pin, held)) = held.and_then(|pin| Some((pin, pin.rotation?))) else {
            return self.edit(vec![edit]);
        };
        let before = pose.user_local(edit.node).rotation;
        let rotation = (held * before.inverse() * edit.user_local.rotation).normalize();
        self.within_step(|editor| {
            editor.move_pins(vec![Pin { rotation: Some(rotation), ..pin }]);
            editor.edit(vec![edit])
        })
    }

    /// Moves pins of joints within an undo step and, with live symmetry, the pins of their partners.
    pub(super) fn move_pins(&mut self, mut pins: Vec<Pin>) {
        if self.posing.symmetry {
            let before = self.history.before().map_or(&self.stage.document.pins, |before| &before.pins);
            let partners = self.symmetry.partner_pins(self.stage, before, &pins, self.posing.mirror);
            pins.extend(partners);
        }
        for pin in pins {
            self.stage.document.set_pin(pin);
        }
    }

    /// Runs `change` as an undo step, or within the open step.
    fn within_step<T>(&mut self, change: impl FnOnce(&mut Self) -> T) -> T {
        let is_own = self.history.begin(self.stage);
        let outcome = change(self);
        self.history.end_own(self.stage, is_own);
        outcome
    }
}
