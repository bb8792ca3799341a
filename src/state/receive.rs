use std::path::PathBuf;
use std::sync::Arc;

use super::dialogs::question::PendingAction;
use super::pose_library::LibraryDone;
use super::{
    AfterLoad, AppState, Choices, DiskJob, FileContent, JobResult, Notice, NoticeKind, NoticeTopic, OpenDocument,
    PathUse, Request, SaveJob, SavedFile, Settings, StateChange, Thumbnail,
};
use crate::stage::{ClipRefusal, DerivedResult, Document, Source};
use crate::state::document::borrowed_clips::is_akin;

impl AppState {
    /// Handles a job result, or asks the user first if it would lose unsaved work. May return a request to the program.
    pub fn receive(&mut self, arrived: JobResult) -> Option<Request> {
        match arrived {
            JobResult::Document(document, then) => return self.document_read(document, then),
            JobResult::Derived(done) => self.take_derived(done),
            JobResult::WeightsWritten { rig, choice, notice } => {
                if self.open.stage.is_open(&rig) {
                    self.open.saved.sides.a.weights = choice;
                }
                self.notices.show_notice(notice);
            }
            JobResult::Measured(plan, result) => self.open.stage.take_measured(*plan, *result),
            JobResult::PosesListed(rig, listing) => self.open.library.take_poses(&self.open.stage, &rig, listing),
            JobResult::PoseDrawn(file, thumbnail) => self.open.library.drawn(&file, thumbnail),
            JobResult::BendPoseDrawn(test, index, image) => {
                self.open.bend_thumbnails.take(&self.open.stage, &test, index, image);
            }
            JobResult::RecentPicture(path, picture) => self.take_recent_picture(path, picture),
            JobResult::FilesRead(files) => return self.files_read(files),
            JobResult::Written(writing, result) => return self.written(*writing, result),
            JobResult::FolderListed(listing) => self.paths.listed(listing),
            JobResult::PathChecked { path, replaces, kind } => {
                let command = self.paths.seen(path, replaces, kind)?;
                return self.apply(command);
            }
            JobResult::FfmpegSought { is_found } => self.video.ffmpeg_sought(is_found, &self.settings),
            JobResult::LibraryDone(done) => return self.library_done(done),
            JobResult::Notice(notice) => self.notices.show_notice(notice),
        }
        None
    }

    fn take_derived(&mut self, done: DerivedResult) {
        if !done.is_open(&self.open.stage) {
            return;
        }
        let notice = done.notice(&self.open.stage);
        let has_failed = notice.as_ref().is_some_and(|notice| notice.kind == NoticeKind::Error);
        let topic = done.topic().filter(|_| !has_failed);
        if let Some(topic) = topic {
            self.notices.settle(topic);
        }
        self.notices.show_notice(notice);
        self.open.history.take_derived(&mut self.open.stage, done);
        if topic == Some(NoticeTopic::Light) {
            self.remember(Settings::take_environment_file);
        }
    }

    /// Handles a document that was read. Ends the tour, unless the document belongs to it. Asks first if unsaved work
    /// would be lost.
    fn document_read(&mut self, document: Box<Document>, then: AfterLoad) -> Option<Request> {
        if !matches!(then, AfterLoad::Tour(_)) {
            self.leave_tour();
        }
        if then == AfterLoad::Dropped && is_akin(&self.open.stage, &document) {
            self.ask(PendingAction::Dropped(document));
            return None;
        }
        if then == AfterLoad::UseClips
            && let Some(ClipRefusal::FewMatch(sentence)) =
                document.clips_from.last().and_then(|newest| newest.refusal(false))
        {
            self.ask(PendingAction::FewMatch(document, sentence));
            return None;
        }
        let replaces = !matches!(then, AfterLoad::Reload { .. } | AfterLoad::UseClips | AfterLoad::Tour(_));
        if replaces && self.open.saved.is_edited(&self.open.stage) && !is_discarded(&self.open) {
            self.ask(PendingAction::Document(document, then));
            return None;
        }
        self.loaded(*document, then)
    }

    pub(super) fn loaded(&mut self, document: Document, then: AfterLoad) -> Option<Request> {
        self.notices.settle(NoticeTopic::File);
        match then {
            AfterLoad::Reload { .. } => self.notices.show_notice(self.open.show_reloaded(document, &self.settings)),
            AfterLoad::Tour(step) => self.tour_opened(step, document),
            AfterLoad::Show | AfterLoad::Dropped => self.show(document),
            AfterLoad::UseClips => self.notices.show_notice(self.open.show_with_clips(document)),
            AfterLoad::Compare(with) => {
                self.show(document);
                self.open.history.as_step(&mut self.open.stage, |stage| stage.compare_with(with));
            }
            AfterLoad::ShowMe(show_me) => {
                let left = self.open.saved.is_edited(&self.open.stage).then(|| self.open.stage.document.source.name());
                self.show(document);
                let mut notice = self.open.show_demo(show_me);
                if let Some(name) = left {
                    let kept = format!("\nFile > Restore last session restores the pose of {name}.");
                    notice.text.push_str(&kept);
                }
                self.notices.show_notice(notice);
            }
            AfterLoad::Pose(poses) => {
                self.show(document);
                return Some(Request::Disk(DiskJob::Read(PathUse::OpenPose, poses)));
            }
            AfterLoad::Restore(session) => {
                self.show(document);
                let before = self.open.stage.view.sides.a.skinning.method;
                self.notices.show_notice(self.open.restore_session(&session));
                self.remember(|settings, view| {
                    settings.display = view.display;
                    if view.sides.a.skinning.method != before {
                        settings.take_method(view);
                    }
                    if view.environment_file.wanted.is_none() {
                        settings.take_environment_file(view);
                    }
                });
            }
        }
        None
    }

    /// Stores the image of a recent file. Drops images of files that are no longer recent.
    fn take_recent_picture(&mut self, path: PathBuf, picture: Option<Arc<Thumbnail>>) {
        let recent = &self.settings.recent_files;
        self.recent_pictures.retain(|known, _| *known != path && recent.contains(known));
        self.recent_pictures.extend(picture.filter(|_| recent.contains(&path)).map(|picture| (path, picture)));
    }

    fn show(&mut self, document: Document) {
        if let Source::File(path) = &document.source {
            self.settings.remember(path);
        }
        self.question = None;
        self.paths.prompt = None;
        let of_light = self.notices.dismiss().filter(|notice| notice.topic == Some(NoticeTopic::Light));
        self.notices.replace_notice(self.open.replace_document(document, &self.settings).or(of_light));
    }

    fn files_read(&mut self, files: Vec<Result<StateChange, String>>) -> Option<Request> {
        let mut request = None;
        for file in files {
            match file {
                Ok(change) => request = change.apply(self).or(request),
                Err(problem) => self.notices.show_notice(Notice::error(problem)),
            }
        }
        request
    }

    fn library_done(&mut self, done: LibraryDone) -> Option<Request> {
        let is_changed = !matches!(done, LibraryDone::Failed(_));
        if let LibraryDone::Saved { saved, .. } = &done {
            self.mark_saved(SavedFile::clone(saved), true);
        }
        self.notices.show_notice(self.open.library.take_library_done(done));
        is_changed.then_some(Request::ListPoses)
    }

    /// Handles the result of saving a file, then continues with the command that waited for it.
    fn written(&mut self, writing: SaveJob, result: Result<String, String>) -> Option<Request> {
        let told = self.notices.ok_or_notify(result.map_err(Notice::error))?;
        self.notices.show_notice(Notice::done(told));
        match writing.content {
            FileContent::Pose(_) => self.mark_saved(writing.saved, true),
            FileContent::Session(_) => self.mark_saved(writing.saved, false),
            FileContent::NumberTable(_) => return None,
        }
        self.go_on()
    }

    /// Marks work as saved, even while the tour shows another character.
    fn mark_saved(&mut self, saved: SavedFile, is_pose_only: bool) {
        let behind = self.tour.as_mut().map(|tour| &mut *tour.behind);
        if let Some(open) = [&mut self.open].into_iter().chain(behind).find(|open| open.stage.is_open(saved.rig())) {
            saved.mark_saved(open, is_pose_only);
        }
    }
}

fn is_discarded(open: &OpenDocument) -> bool {
    open.discarded.as_ref().is_some_and(|discarded| discarded.has_work_of(&Choices::from_stage(&open.stage)))
}
