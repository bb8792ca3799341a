use glam::Vec3;

use crate::posing::{IkChain, SolverInputs, rest_bend};
use crate::rig::{NodeIndex, Pin, Pose, PosedJoint, Trs, world_from_node};
use crate::stage::Stage;
use crate::state::Notice;
use crate::state::edit::joints::JointEditor;

impl JointEditor<'_> {
    /// Pulls the chain that ends at `node` to a target. Starts from the pose before the drag, so that errors don't
    /// accumulate. If the joint is pinned, moves the pin. If no chain ends at the joint, as for the hips, moves the
    /// joint itself.
    pub(in crate::state) fn pull(&mut self, node: NodeIndex, target: Vec3) -> Option<Notice> {
        if node.index() >= self.stage.rig().hierarchy.len() || !self.history.is_open() {
            return None;
        }
        if let Some(pin) = self.stage.document.pin(node).copied() {
            let position = self.stage.rig().hierarchy.in_file(target);
            self.move_pins(vec![Pin { position, ..pin }]);
            self.stage.pose_changed();
            return None;
        }
        let drag = self.history.take_pin_drag(self.stage);
        let pose = drag.applied_pose();
        let hierarchy = &self.stage.document.rig.hierarchy;
        let is_pinned = |n: NodeIndex| self.stage.document.pin(n).is_some();
        let chain = IkChain::new(hierarchy, node, self.posing.chain_bones, is_pinned);
        let (edits, label) = match chain.filter(|_| drag.hips() != Some(node)) {
            Some(chain) => {
                let bend = rest_bend(hierarchy, chain.joints(), 1e-3, self.stage.rig().front());
                let clip_local = &self.stage.posed().clip_local_without_pins();
                let stand = SolverInputs { hierarchy, clip_local, bend };
                let keep = |node: NodeIndex, user_local: Trs| self.stage.document.limits.keep(node, user_local);
                (chain.solve_toward(stand, &pose, target, keep), Some(format!("IK {}", hierarchy.name(node))))
            }
            None => (vec![moved_to(self.stage, &pose, node, target)], None),
        };
        self.history.set_pose_label(label);
        let mut applied = pose;
        applied.set_pins(self.stage.pose().pins().cloned());
        if edits.iter().any(|edit| self.stage.posed().pinned.iter().any(|joint| joint.node == edit.node)) {
            self.stage.document.pose = applied;
        }
        let told = self.edit(edits);
        self.history.keep_pin_drag(drag);
        told
    }
}

/// Returns the edit that moves a joint to a point in world space. `pose` must not have pins.
fn moved_to(stage: &Stage, pose: &Pose, node: NodeIndex, target: Vec3) -> PosedJoint {
    let hierarchy = &stage.rig().hierarchy;
    let clip_local = stage.posed().clip_local_without_pins();
    let now = world_from_node(hierarchy, &clip_local, pose, node).translation;
    let axes = clip_local[node.index()].matrix3;
    let axes = match hierarchy.parent(node) {
        Some(parent) => world_from_node(hierarchy, &clip_local, pose, parent).matrix3 * axes,
        None => axes,
    };
    let by = axes.inverse() * (target - now);
    let user_local = *pose.user_local(node);
    let translation = user_local.translation + if by.is_finite() { by } else { Vec3::ZERO };
    PosedJoint { node, user_local: Trs { translation, ..user_local } }
}
