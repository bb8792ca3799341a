//! Left onto right: once, or with every edit.

use std::collections::HashSet;
use std::sync::Arc;

use crate::posing::{Symmetry, has_morph_partners, mirror_morphs};
use crate::rig::{NodeIndex, Pose, PosedJoint};
use crate::state::{AppState, Notice, NoticeKind, OpenDocument, PosingOptions};

/// Told where nothing pairs.
pub(in crate::state) const NO_SIDES: &str = "This rig has no left and right that could be mirrored.";

impl OpenDocument {
    fn joint_pose(&self, node: NodeIndex) -> PosedJoint {
        PosedJoint { node, user_local: *self.document.pose.user_local(node) }
    }
}

impl AppState {
    /// Switched on, the plane is known at once.
    pub(in crate::state) fn toggle_symmetry(&mut self) {
        let posing = self.settings.posing;
        self.set_posing(PosingOptions { symmetry: !posing.symmetry, ..posing });
    }

    pub(in crate::state) fn set_posing(&mut self, posing: PosingOptions) {
        let before = std::mem::replace(&mut self.settings.posing, posing);
        let is_asked = posing.mirror != before.mirror || (posing.symmetry && !before.symmetry);
        if is_asked && self.symmetry().is_none() {
            let text = "Across this plane no joint has a partner. Choose another mirror plane.".to_owned();
            self.notice = Some(Notice { kind: NoticeKind::Warning, text });
        }
    }

    /// Found once for each rig and plane, which for 10,000 joints takes a while.
    pub(in crate::state) fn symmetry(&mut self) -> Option<Arc<Symmetry>> {
        let (rig, plane) = (&self.open.document.rig, self.settings.posing.mirror);
        match &self.open.symmetry {
            Some((across, symmetry)) if *across == plane => symmetry.clone(),
            _ => {
                let symmetry = Symmetry::chosen(rig, plane).map(Arc::new);
                self.open.symmetry = Some((plane, symmetry.clone()));
                symmetry
            }
        }
    }

    /// What edits are on the other side, and what to tell where some have none.
    pub(in crate::state) fn mirrored(&mut self, edits: &[PosedJoint]) -> (Vec<PosedJoint>, Option<String>) {
        let Some(symmetry) = self.symmetry() else {
            return (Vec::new(), Some(NO_SIDES.to_owned()));
        };
        let mirrored = edits.iter().filter_map(|e| symmetry.mirrored(e.node, &e.user_local)).collect();
        let hierarchy = &self.open.document.rig.hierarchy;
        let alone: Vec<&str> = edits
            .iter()
            .filter(|edit| symmetry.partner(edit.node).is_none())
            .map(|edit| hierarchy.name(edit.node))
            .collect();
        let problem = match alone.as_slice() {
            [] => None,
            [one] => Some(format!("{one} has no partner on the other side; it was left out.")),
            [first, ..] => Some(format!(
                "{} joints have no partner on the other side and were left out: {first} and others.",
                alone.len()
            )),
        };
        (mirrored, problem)
    }

    /// What live symmetry adds to edits: those of partners that are not edited themselves. A joint in the middle keeps its edit.
    pub(in crate::state) fn other_side(&mut self, edits: &[PosedJoint]) -> Vec<PosedJoint> {
        let (mut mirrored, problem) = self.mirrored(edits);
        let edited: HashSet<NodeIndex> = edits.iter().map(|edit| edit.node).collect();
        mirrored.retain(|partner| !edited.contains(&partner.node));
        if let Some(text) = problem.filter(|_| self.notice.is_none()) {
            self.notice = Some(Notice { kind: NoticeKind::Info, text });
        }
        mirrored
    }

    /// A whole pose on the other side, joints across the plane and morph targets by name; `None` where nothing pairs.
    pub(in crate::state) fn mirrored_pose(&mut self, pose: &Pose) -> Option<Pose> {
        let symmetry = self.symmetry();
        let rig = self.open.rig();
        if symmetry.is_none() && !has_morph_partners(rig) {
            return None;
        }
        let mut mirrored = symmetry.map_or_else(|| pose.clone(), |s| s.mirrored_pose(&rig.hierarchy, pose));
        mirror_morphs(rig, &mut mirrored);
        Some(mirrored)
    }

    /// The pose of the selected joints onto the other side.
    pub(in crate::state) fn mirror_joints(&mut self) {
        let edits: Vec<_> = self.open.view.selected.iter().map(|&node| self.open.joint_pose(node)).collect();
        let (mirrored, problem) = self.mirrored(&edits);
        let mut pose = self.open.document.pose.clone();
        pose.set_joints(mirrored);
        self.open.replace_pose(pose, &format!("Mirror {}", self.open.called(&edits)));
        self.notice = problem.map(|text| Notice { kind: NoticeKind::Warning, text });
    }

    /// Left and right change their poses.
    pub(in crate::state) fn mirror_pose(&mut self) {
        let hierarchy = &self.open.document.rig.hierarchy;
        let posed = hierarchy.nodes().filter(|&node| self.open.document.pose.is_posed(node));
        let edits: Vec<PosedJoint> = posed.map(|node| self.open.joint_pose(node)).collect();
        let mut problem = if edits.is_empty() { None } else { self.mirrored(&edits).1 };
        let pose = self.open.document.pose.clone();
        match self.mirrored_pose(&pose) {
            Some(mirrored) => self.open.replace_pose(mirrored, "Mirror pose"),
            None => problem = Some(NO_SIDES.to_owned()),
        }
        self.notice = problem.map(|text| Notice { kind: NoticeKind::Warning, text });
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::import::Job;
    use crate::rig::Trs;
    use crate::stage::{BuiltIn, Document, Source};
    use crate::state::{Command, Settings};

    fn figure() -> AppState {
        let document = Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap();
        AppState::new(document, Settings::default())
    }

    fn posed(state: &AppState, name: &str, angle: f32) -> PosedJoint {
        let hierarchy = &state.open.document.rig.hierarchy;
        let node = hierarchy.nodes().find(|&n| hierarchy.name(n) == name).unwrap();
        PosedJoint { node, user_local: Trs::from_rotation(Quat::from_rotation_x(angle)) }
    }

    #[test]
    fn under_live_symmetry_a_joint_that_is_edited_itself_keeps_its_edit() {
        let mut state = figure();
        state.settings.posing.symmetry = true;
        let [left, right] = [("LeftUpperArm", 0.3), ("RightUpperArm", 0.8)].map(|(name, a)| posed(&state, name, a));
        state.apply(Command::EditMany(vec![left, right]));
        for joint in [left, right] {
            assert_eq!(*state.open.pose().user_local(joint.node), joint.user_local);
        }
    }

    #[test]
    fn copied_joints_go_onto_as_many_others_in_the_order_of_the_tree() {
        let mut state = figure();
        let from = [("LeftUpperArm", 0.3), ("LeftLowerArm", 0.8)].map(|(name, angle)| posed(&state, name, angle));
        let onto = ["RightLowerArm", "RightUpperArm"].map(|name| posed(&state, name, 0.0).node);
        state.apply(Command::EditMany(from.to_vec()));
        state.apply(Command::SelectAll(from.map(|joint| joint.node).to_vec()));
        let copied = state.open.copied_pose().unwrap();
        state.apply(Command::SelectAll(onto.to_vec()));
        state.paste(&copied, false);
        let pasted = onto.map(|node| state.open.pose().user_local(node).rotation);
        assert_eq!(pasted, [from[1], from[0]].map(|joint| joint.user_local.rotation));
    }
}
