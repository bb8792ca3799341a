//! Reloading the open file, with a message about the changes.

use std::sync::Arc;

use crate::matching::NodeMatch;
use crate::rig::{NodeIndex, Rig};
use crate::stage::{Document, Stage};
use crate::state::compare::authored::follow_file;
use crate::state::{AfterLoad, Notice, NoticeKind, OpenDocument, Request, Settings};
use crate::text::{counted, listed};

const MAX_NAMES: usize = 3;

impl OpenDocument {
    /// Continues with the reloaded file. Returns a notice about the changes.
    pub(in crate::state) fn show_reloaded(&mut self, document: Document, settings: &Settings) -> Option<Notice> {
        self.cancel_edit();
        let (before, scene) = (Arc::clone(&self.stage.document.rig), self.stage.document.scene);
        let authored = self.stage.authored;
        let is_followed = self.stage.view.sides.a.skinning.method == authored.unwrap_or_default();
        *self = self.after_reload(document);
        let is_same_scene = scene == self.stage.document.scene;
        if settings.keeps_version_before && is_same_scene {
            self.as_step(|open| open.stage.compare_with_before(Arc::clone(&before)));
        }
        if is_followed {
            follow_file(&mut self.stage, authored, settings.method);
        }
        self.stage.refresh();
        if !is_same_scene {
            // Frames the new scene, because it may be at another position.
            self.stage.frame_all();
            return None;
        }
        let document = &self.stage.document;
        let told = reload_message(&document.source.name(), &before, &document.rig, !self.lost_work.is_empty());
        let lines: Vec<&str> = [&*told].into_iter().chain(document.lost_clips()).collect();
        let kind = if lines.len() == 1 { NoticeKind::Done } else { NoticeKind::Warning };
        Some(Notice::new(kind, lines.join("\n")))
    }
}

pub(in crate::state) fn reload_request(stage: &Stage, scene: Option<usize>, is_asked: bool) -> Request {
    let document = &stage.document;
    let clips_from = document.clips_from.iter().map(|clips| clips.source.clone()).collect();
    Request::Load { source: document.source.clone(), scene, clips_from, then: AfterLoad::Reload { is_asked } }
}

/// Returns the request to reload this file after another program changed it.
pub fn reload_changed(stage: &Stage) -> Request {
    reload_request(stage, stage.document.scene, false)
}

/// Returns a sentence about the changes in a file.
pub(in crate::state) fn reload_message(name: &str, old: &Rig, new: &Rig, has_lost_work: bool) -> String {
    let mut changes = joint_changes(old, new, &NodeMatch::between(old, new));
    let (before, after) = (old.vertex_count(), new.vertex_count());
    if before != after {
        changes.push(format!("{before} -> {after} vertices"));
    }
    if changes.is_empty() {
        changes.push("same joints, same number of vertices".to_owned());
    }
    if has_lost_work {
        changes.push("edits of missing joints and morph targets return with them".to_owned());
    }
    format!("{name} was reloaded: {}.", changes.join("; "))
}

fn joint_changes(old: &Rig, new: &Rig, same: &NodeMatch) -> Vec<String> {
    let mut is_known = vec![false; new.hierarchy.len()];
    let (mut removed, mut renamed) = (Vec::new(), Vec::new());
    for joint in old.hierarchy.nodes().filter(|n| counts(old, *n)) {
        match same.new_of(joint).filter(|n| counts(new, *n)) {
            Some(counterpart) => {
                is_known[counterpart.index()] = true;
                let (was, now) = (old.hierarchy.name(joint), new.hierarchy.name(counterpart));
                let is_named = !old.hierarchy.is_unnamed(joint) || !new.hierarchy.is_unnamed(counterpart);
                renamed.extend((was != now && is_named).then(|| format!("{was} to {now}")));
            }
            None => removed.push(old.hierarchy.name(joint).to_owned()),
        }
    }
    let is_added = |n: &NodeIndex| counts(new, *n) && !is_known[n.index()];
    let added = new.hierarchy.nodes().filter(is_added).map(|n| new.hierarchy.name(n).to_owned()).collect();
    [("added", added), ("removed", removed), ("renamed", renamed)]
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(what, names)| {
            format!("{} {what} ({})", counted(names.len(), "joint", "joints"), listed(&names, MAX_NAMES))
        })
        .collect()
}

/// True if the message counts the node: a joint, or any node of a rig without skins.
fn counts(rig: &Rig, node: NodeIndex) -> bool {
    rig.skins.is_empty() || rig.is_joint(node)
}
