//! The open file again: what the user did with it is carried over to what is in it now.

use super::{AppState, Document, Lint, Notice, Playback, Severity};
use crate::rig::{NodeIndex, Pose, Rig, same_nodes};

/// Names told of joints that came or went.
const MAX_NAMES: usize = 3;

impl AppState {
    /// Shows the open file as it is now. Pose, selection, undo history and clip stay by name, camera and view as they are.
    pub(super) fn show_again(&mut self, document: Document) {
        self.cancel_edit();
        let old = std::mem::replace(&mut self.document, document);
        let same = same_nodes(&old.rig.hierarchy, &self.document.rig.hierarchy);
        self.document.pose = carried_pose(&old.pose, &same, &self.document.rig);
        self.saved.pose = carried_pose(&self.saved.pose, &same, &self.document.rig);
        self.saved.limits = self.saved.limits.carried(&same);
        self.document.limits = old.limits.carried(&same);
        self.behind = None;
        self.library.forget_blend();
        let had_history = !self.history.is_empty();
        self.history = std::mem::take(&mut self.history).carried(&same).unwrap_or_default();
        let is_history_lost = had_history && self.history.is_empty();
        self.playback = carried_playback(&self.playback, &old.rig, &self.document.rig);
        self.view.selected = self.view.selected.iter().filter_map(|n| same[n.index()]).collect();
        self.carry_joint_methods(&same);
        self.pinned = self.pinned.iter().filter_map(|n| same[n.index()]).collect();
        self.view.isolated = None;
        self.symmetry = None;
        self.view.hovered = None;
        // What lint found, and the vertices that it marks, are of the old rig.
        self.lint = Lint { grave_before: self.lint.known_grave_count(), ..Lint::default() };
        self.view.marked.clear();
        self.probes.places.clear();
        self.view.camera.scene_size = self.document.rig.size();
        self.pose_changed();
        self.refresh();
        if old.scene == self.document.scene {
            let text = told(&old, &self.document, &same, is_history_lost);
            self.notice = Some(Notice { severity: Severity::Done, text });
        } else {
            // Another scene was asked for, and it may stand elsewhere.
            self.frame_all();
        }
    }
}

/// A pose of the old rig for the new one.
fn carried_pose(pose: &Pose, same: &[Option<NodeIndex>], new: &Rig) -> Pose {
    let mut carried = Pose::rest(&new.hierarchy);
    for (node, counterpart) in (0..).map(NodeIndex).zip(same) {
        if let Some(counterpart) = counterpart {
            carried.set_user_local(*counterpart, *pose.user_local(node));
        }
    }
    carried
}

/// The clip of the same name, at the same time as far as it goes on.
fn carried_playback(playback: &Playback, old: &Rig, new: &Rig) -> Playback {
    let named = |index: usize| {
        let name = &old.clips.get(index)?.name;
        // Of clips of one name, the one with the same number.
        let is_same = |c: &usize| new.clips[*c].name == *name;
        Some(index).filter(|i| *i < new.clips.len()).filter(is_same).or((0..new.clips.len()).find(is_same))
    };
    let clip = playback.clip.and_then(named);
    let mut carried = Playback { clip, is_playing: playback.is_playing && clip.is_some(), ..playback.clone() };
    carried.seek(playback.time_secs, new);
    carried
}

/// What changed, in a sentence.
fn told(old: &Document, new: &Document, same: &[Option<NodeIndex>], is_history_lost: bool) -> String {
    let mut changes = joint_changes(&old.rig, &new.rig, same);
    let (before, after) = (old.rig.vertex_count(), new.rig.vertex_count());
    if before != after {
        changes.push(format!("{before} -> {after} vertices"));
    }
    if changes.is_empty() {
        changes.push("same joints, same number of vertices".to_owned());
    }
    if is_history_lost {
        changes.push("the undo history was cleared, for it moved a joint that is gone".to_owned());
    }
    format!("{} was reloaded: {}.", new.source.name(), changes.join("; "))
}

fn joint_changes(old: &Rig, new: &Rig, same: &[Option<NodeIndex>]) -> Vec<String> {
    let mut is_known = vec![false; new.hierarchy.len()];
    let mut removed = Vec::new();
    for joint in old.hierarchy.nodes().filter(|n| counts(old, *n)) {
        match same[joint.index()].filter(|n| counts(new, *n)) {
            Some(counterpart) => is_known[counterpart.index()] = true,
            None => removed.push(old.hierarchy.name(joint)),
        }
    }
    let is_added = |n: &NodeIndex| counts(new, *n) && !is_known[n.index()];
    let added: Vec<&str> = new.hierarchy.nodes().filter(is_added).map(|n| new.hierarchy.name(n)).collect();
    [("added", added), ("removed", removed)]
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(what, names)| format!("{} {what} ({})", counted(names.len()), listed(&names)))
        .collect()
}

/// A rig without skins is posed by its nodes.
fn counts(rig: &Rig, node: NodeIndex) -> bool {
    rig.skins.is_empty() || rig.is_joint(node)
}

fn counted(joints: usize) -> String {
    if joints == 1 { "1 joint".to_owned() } else { format!("{joints} joints") }
}

fn listed(names: &[&str]) -> String {
    let more = names.len().saturating_sub(MAX_NAMES);
    let shown = names[..names.len() - more].join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}
