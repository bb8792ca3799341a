use std::collections::HashSet;
use std::sync::Arc;

use glam::Quat;

use crate::posing::{MirrorPlane, Plane, Symmetry, has_morph_partners, mirror_morphs};
use crate::rig::{NodeIndex, Pin, Pose, PosedJoint};
use crate::stage::Stage;
use crate::state::edit::clipboard::called;
use crate::state::edit::joints::JointEditor;
use crate::state::{Notice, PosingOptions};

pub(in crate::state) const NO_SIDES: &str = "This rig has no left and right joints to mirror.";

/// The rig's symmetry for the last used mirror plane. It is cached because computing it is slow for 10,000 joints.
#[derive(Debug, Default)]
pub struct RigSymmetry {
    known: Option<(MirrorPlane, Option<Arc<Symmetry>>)>,
}

impl JointEditor<'_> {
    /// Mirrors the pose of the selected joints to the other side of the body. Returns a notice about joints without a
    /// partner.
    pub(in crate::state) fn mirror_joints(&mut self) -> Option<Notice> {
        let edits: Vec<_> = self.stage.view.selected.iter().map(|&node| joint_pose(self.stage, node)).collect();
        let (mirrored, problem) = self.symmetry.mirrored(self.stage, &edits, self.posing.mirror);
        let mut pose = self.stage.document.pose.clone();
        pose.set_joints(mirrored);
        self.history.replace_pose(self.stage, pose, &format!("Mirror {}", called(self.stage, &edits)));
        problem.map(Notice::warning)
    }

    /// Mirrors the whole pose, swapping left and right. Returns a notice about joints without a partner.
    pub(in crate::state) fn mirror_pose(&mut self) -> Option<Notice> {
        let hierarchy = &self.stage.document.rig.hierarchy;
        let posed = hierarchy.nodes().filter(|&node| self.stage.document.pose.is_posed(node));
        let edits: Vec<PosedJoint> = posed.map(|node| joint_pose(self.stage, node)).collect();
        let problem =
            if edits.is_empty() { None } else { self.symmetry.mirrored(self.stage, &edits, self.posing.mirror).1 };
        let pose = self.stage.document.pose.clone();
        let Some(mirrored) = self.symmetry.mirrored_pose(self.stage, &pose, self.posing.mirror) else {
            return Some(Notice::warning(NO_SIDES));
        };
        self.history.replace_pose(self.stage, mirrored, "Mirror pose");
        problem.map(Notice::warning)
    }
}

fn joint_pose(stage: &Stage, node: NodeIndex) -> PosedJoint {
    PosedJoint { node, user_local: *stage.document.pose.user_local(node) }
}

impl RigSymmetry {
    /// Returns the mirror plane; `None` before first use or if no joint has a partner.
    pub fn plane(&self) -> Option<Plane> {
        self.known.as_ref().and_then(|(_, symmetry)| symmetry.as_ref()).map(|s| s.plane())
    }

    /// Detects the mirror plane after a change of options. Returns a notice if no joint has a partner across the plane.
    pub(in crate::state) fn update_mirror_plane(
        &mut self,
        stage: &Stage,
        before: PosingOptions,
        now: PosingOptions,
    ) -> Option<Notice> {
        let is_asked = now.mirror != before.mirror || (now.symmetry && !before.symmetry);
        let is_without = is_asked && self.across(stage, now.mirror).is_none();
        is_without.then(|| Notice::warning("No joint has a partner across this plane. Choose another mirror plane."))
    }

    fn across(&mut self, stage: &Stage, plane: MirrorPlane) -> Option<Arc<Symmetry>> {
        match &self.known {
            Some((across, symmetry)) if *across == plane => symmetry.clone(),
            _ => {
                let symmetry = Symmetry::chosen(stage.rig(), plane).map(Arc::new);
                self.known = Some((plane, symmetry.clone()));
                symmetry
            }
        }
    }

    /// Returns edits mirrored across a plane, and a notice if some joints have no partner.
    pub(in crate::state) fn mirrored(
        &mut self,
        stage: &Stage,
        edits: &[PosedJoint],
        plane: MirrorPlane,
    ) -> (Vec<PosedJoint>, Option<String>) {
        let Some(symmetry) = self.across(stage, plane) else {
            return (Vec::new(), Some(NO_SIDES.to_owned()));
        };
        let mirrored = edits.iter().filter_map(|e| symmetry.mirrored(e.node, &e.user_local)).collect();
        let hierarchy = &stage.document.rig.hierarchy;
        let alone: Vec<&str> = edits
            .iter()
            .filter(|edit| symmetry.partner(edit.node).is_none())
            .map(|edit| hierarchy.name(edit.node))
            .collect();
        let problem = match alone.as_slice() {
            [] => None,
            [one] => Some(format!("{one} has no partner on the other side and was skipped.")),
            [first, ..] => Some(format!(
                "{} joints have no partner on the other side and were skipped: {first} and others.",
                alone.len()
            )),
        };
        (mirrored, problem)
    }

    /// Returns the mirrored edits that live symmetry adds. Excludes joints that are edited themselves, including joints
    /// on the mirror plane, which are their own partners.
    pub(in crate::state) fn other_side(
        &mut self,
        stage: &Stage,
        edits: &[PosedJoint],
        plane: MirrorPlane,
    ) -> (Vec<PosedJoint>, Option<Notice>) {
        let (mut mirrored, problem) = self.mirrored(stage, edits, plane);
        let edited: HashSet<NodeIndex> = edits.iter().map(|edit| edit.node).collect();
        mirrored.retain(|partner| !edited.contains(&partner.node));
        (mirrored, problem.map(Notice::info))
    }

    /// Returns the pins of the partners of moved pins, moved by the mirror image of the motion since `before`. Excludes
    /// pins that are moved themselves.
    pub(in crate::state) fn partner_pins(
        &mut self,
        stage: &Stage,
        before: &[Pin],
        moved: &[Pin],
        plane: MirrorPlane,
    ) -> Vec<Pin> {
        let Some(symmetry) = self.across(stage, plane) else { return Vec::new() };
        let (plane, pin) = (symmetry.plane(), |node| before.iter().find(|pin| pin.node == node));
        let partner = |now: &Pin| {
            let partner = symmetry.partner(now.node).filter(|node| moved.iter().all(|pin| pin.node != *node))?;
            let (was, partner) = (pin(now.node)?, pin(partner)?);
            let by = plane.mirrored_vector((now.position - was.position).as_vec3());
            let turn = now.rotation.zip(was.rotation).map_or(Quat::IDENTITY, |(now, was)| now * was.inverse());
            let turned = |held: Quat| (plane.mirrored_rotation(turn) * held).normalize();
            Some(Pin { position: partner.position + by.as_dvec3(), rotation: partner.rotation.map(turned), ..*partner })
        };
        moved.iter().filter_map(partner).collect()
    }

    /// Returns a pose mirrored by joint symmetry and morph target names. `None` if neither joints nor morph targets
    /// have partners.
    pub(in crate::state) fn mirrored_pose(&mut self, stage: &Stage, pose: &Pose, plane: MirrorPlane) -> Option<Pose> {
        let symmetry = self.across(stage, plane);
        let rig = stage.rig();
        if symmetry.is_none() && !has_morph_partners(rig) {
            return None;
        }
        let mut mirrored = symmetry.map_or_else(|| pose.clone(), |s| s.mirrored_pose(&rig.hierarchy, pose));
        mirror_morphs(rig, &mut mirrored);
        Some(mirrored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::rig::Trs;
    use crate::stage::{BuiltIn, Document};
    use crate::state::edit::clipboard::copied_pose;
    use crate::state::{AppState, Command, Settings};

    fn figure() -> AppState {
        let document = Document::built_in(BuiltIn::Figure);
        AppState::new(document, Settings::default())
    }

    fn posed(state: &AppState, name: &str, angle: f32) -> PosedJoint {
        let hierarchy = &state.open.stage.document.rig.hierarchy;
        let node = hierarchy.node_named(name).unwrap();
        PosedJoint { node, user_local: Trs::from_rotation(Quat::from_rotation_x(angle)) }
    }

    #[test]
    fn under_live_symmetry_a_joint_that_is_edited_itself_keeps_its_edit() {
        let mut state = figure();
        state.settings.posing.symmetry = true;
        let [left, right] = [("LeftUpperArm", 0.3), ("RightUpperArm", 0.8)].map(|(name, a)| posed(&state, name, a));
        state.apply(Command::EditMany(vec![left, right]));
        for joint in [left, right] {
            assert_eq!(*state.open.stage.pose().user_local(joint.node), joint.user_local);
        }
    }

    #[test]
    fn copied_joints_go_onto_as_many_others_in_the_order_of_the_tree() {
        let mut state = figure();
        let from = [("LeftUpperArm", 0.3), ("LeftLowerArm", 0.8)].map(|(name, angle)| posed(&state, name, angle));
        let onto = ["RightLowerArm", "RightUpperArm"].map(|name| posed(&state, name, 0.0).node);
        state.apply(Command::EditMany(from.to_vec()));
        state.apply(Command::SelectAll(from.map(|joint| joint.node).to_vec()));
        let copied = copied_pose(&state.open.stage).unwrap();
        state.apply(Command::SelectAll(onto.to_vec()));
        state.apply(Command::Paste { text: copied, is_mirrored: false });
        let pasted = onto.map(|node| state.open.stage.pose().user_local(node).rotation);
        assert_eq!(pasted, [from[1], from[0]].map(|joint| joint.user_local.rotation));
    }
}
