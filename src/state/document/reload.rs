//! Reloading the open file, with a message about the changes.

use std::sync::Arc;

use crate::stage::{Document, Stage, reload_message};
use crate::state::compare::authored::follow_file;
use crate::state::{AfterLoad, Notice, NoticeKind, OpenDocument, Request, Settings};

impl OpenDocument {
    /// Continues with the reloaded file. Returns a notice about the changes.
    pub(in crate::state) fn show_reloaded(&mut self, document: Document, settings: &Settings) -> Option<Notice> {
        self.history.cancel_edit(&mut self.stage);
        let (before, scene) = (Arc::clone(&self.stage.document.rig), self.stage.document.scene);
        let authored = self.stage.authored;
        let is_followed = self.stage.view.sides.a.skinning.method == authored.unwrap_or_default();
        *self = self.after_reload(document);
        let is_same_scene = scene == self.stage.document.scene;
        if settings.keeps_version_before && is_same_scene {
            self.history.as_step(&mut self.stage, |stage| {
                stage.before = Some(Arc::clone(&before));
                stage.show_previous();
            });
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
