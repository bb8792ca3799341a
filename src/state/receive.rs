use std::path::PathBuf;
use std::sync::Arc;

use super::dialogs::question::WaitingAction;
use super::pose_library::LibraryDone;
use super::{
    AfterLoad, AppState, Arrived, Command, DiskJob, FileContent, Notice, OpenDocument, Request, SavedFile, Thumbnail,
    Topic, Writing,
};
use crate::export::PoseFile;
use crate::stage::{ComparisonFilePlan, Document, Done, EnvironmentPlan, RefusedClips, Source, WeightPlan};
use crate::state::document::borrowed_clips::is_akin;

impl AppState {
    /// Handles a result, or asks first if unsaved work would be lost. May return a request to the program.
    pub fn receive(&mut self, arrived: Arrived) -> Option<Request> {
        match arrived {
            Arrived::Document(document, then) => return self.document_read(document, then),
            Arrived::Derived(done) => {
                let topic = succeeded(&done);
                if let Some(topic) = topic {
                    self.notices.settle(topic);
                }
                self.notices.tell(self.open.take_derived(done));
                if topic == Some(Topic::Light) {
                    self.remember_environment_file();
                }
            }
            Arrived::WeightsWritten { rig, choice, notice } => {
                if self.open.stage.is_open(&rig) {
                    self.open.saved.sides.a.weights = choice;
                }
                self.notices.tell(notice);
            }
            Arrived::Measured(plan, result) => self.open.stage.take_measured(*plan, *result),
            Arrived::Tested(tested) => self.open.twist.take_tested(&self.open.stage, *tested),
            Arrived::WeightsEdited(edited) => self.notices.tell(self.open.take_edited(*edited)),
            Arrived::Ranked(rig, ranked) => self.open.twist.take_ranked(&self.open.stage, &rig, ranked),
            Arrived::Simulated(simulation) => {
                if self.open.stage.is_of_open(&simulation.rig) {
                    self.open.simulated = Some(*simulation);
                }
            }
            Arrived::PosesListed(rig, listing) => self.open.library.take_poses(&self.open.stage, &rig, listing),
            Arrived::PoseDrawn(file, thumbnail) => self.open.library.drawn(&file, thumbnail),
            Arrived::RecentPicture(path, picture) => self.take_recent_picture(path, picture),
            Arrived::PosesRead(files) => self.poses_read(files),
            Arrived::SessionRead(Ok(session)) => return self.apply(Command::OpenSession(session)),
            Arrived::SessionRead(Err(problem)) => self.notices.tell(Notice::error(problem)),
            Arrived::Written(writing, result) => return self.written(*writing, result),
            Arrived::FolderListed(listing) => self.paths.listed(listing),
            Arrived::PathSeen { path, replaces, kind } => {
                let command = self.paths.seen(path, replaces, kind)?;
                return self.apply(command);
            }
            Arrived::FfmpegSought { is_found } => self.has_ffmpeg = Some(is_found),
            Arrived::LibraryDone(done) => return self.library_done(done),
            Arrived::Notice(notice) => self.notices.tell(notice),
        }
        None
    }

    /// Handles a document that was read. Ends the tour. Asks first if unsaved work would be lost.
    fn document_read(&mut self, document: Box<Document>, then: AfterLoad) -> Option<Request> {
        if !matches!(then, AfterLoad::Tour(_)) {
            self.leave_tour();
        }
        if then == AfterLoad::Dropped && is_akin(&self.open.stage, &document) {
            self.ask(WaitingAction::Dropped(document));
            return None;
        }
        if then == AfterLoad::UseClips
            && let Some(RefusedClips::FewMatch(sentence)) =
                document.clips_from.last().and_then(|newest| newest.refusal(false))
        {
            self.ask(WaitingAction::FewMatch(document, sentence));
            return None;
        }
        let replaces = !matches!(then, AfterLoad::Reload { .. } | AfterLoad::UseClips | AfterLoad::Tour(_));
        if replaces && self.open.saved.is_edited(&self.open.stage) && !is_discarded(&self.open) {
            self.ask(WaitingAction::Document(document, then));
            return None;
        }
        self.loaded(*document, then)
    }

    pub(super) fn loaded(&mut self, document: Document, then: AfterLoad) -> Option<Request> {
        self.notices.settle(Topic::File);
        match then {
            AfterLoad::Reload { .. } => self.notices.tell(self.open.show_again(document, &self.settings)),
            AfterLoad::Tour(step) => self.tour_opened(step, document),
            AfterLoad::Show | AfterLoad::Dropped => self.show(document),
            AfterLoad::UseClips => self.notices.tell(self.open.show_with_clips(document)),
            AfterLoad::Compare(with) => {
                self.show(document);
                self.open.as_step(|open| open.stage.compare_with(&with));
            }
            AfterLoad::ShowMe(show_me) => {
                let left = self.open.saved.is_edited(&self.open.stage).then(|| self.open.stage.document.source.name());
                self.show(document);
                let mut notice = self.open.take_telling_pose(show_me);
                if let Some(name) = left {
                    let kept = format!("\nFile > Restore last session restores the pose of {name}.");
                    notice.text.push_str(&kept);
                }
                self.notices.tell(notice);
            }
            AfterLoad::Pose(poses) => {
                self.show(document);
                return Some(Request::Disk(DiskJob::ReadPoses(poses)));
            }
            AfterLoad::Restore(session) => {
                self.show(document);
                let notice = self.choosing_method(|open| open.go_on_with(&session));
                self.set_display(self.open.stage.view.display);
                if self.open.stage.view.environment_file.wanted.is_none() {
                    self.remember_environment_file();
                }
                self.notices.tell(notice);
            }
        }
        None
    }

    /// Stores the image of a recent file. Drops those of files that are no longer recent.
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
        let of_light = self.notices.dismiss().filter(|notice| notice.topic == Some(Topic::Light));
        self.notices.tell_only(self.open.give_way_to(document, &self.settings).or(of_light));
    }

    fn poses_read(&mut self, files: Vec<Result<PoseFile, String>>) {
        for file in files {
            match file {
                Ok(file) => self.notices.tell_only(self.open.open_pose(&file)),
                Err(problem) => self.notices.tell(Notice::error(problem)),
            }
        }
    }

    fn library_done(&mut self, done: LibraryDone) -> Option<Request> {
        let is_changed = !matches!(done, LibraryDone::Failed(_));
        if let LibraryDone::Saved { saved, .. } = &done {
            self.mark_saved(SavedFile::clone(saved), true);
        }
        self.notices.tell(self.open.library.take_library_done(done));
        is_changed.then_some(Request::ListPoses)
    }

    /// Handles a saved file, then continues with what waited for it.
    fn written(&mut self, writing: Writing, result: Result<String, String>) -> Option<Request> {
        let told = self.notices.done_or_told(result.map_err(Notice::error))?;
        self.notices.tell(Notice::done(told));
        match writing.content {
            FileContent::Pose(_) => self.mark_saved(writing.saved, true),
            FileContent::Session(_) => self.mark_saved(writing.saved, false),
            FileContent::NumberTable(_) => return None,
        }
        self.go_on()
    }

    /// Marks work as saved, also of the character behind the tour.
    fn mark_saved(&mut self, saved: SavedFile, is_pose_only: bool) {
        let behind = self.tour.as_mut().map(|tour| &mut *tour.behind);
        if let Some(open) = [&mut self.open].into_iter().chain(behind).find(|open| open.stage.is_open(saved.rig())) {
            saved.mark_saved(open, is_pose_only);
        }
    }
}

fn is_discarded(open: &OpenDocument) -> bool {
    open.discarded.as_ref().is_some_and(|discarded| discarded.has_work_of(&open.choices()))
}

fn succeeded(done: &Done) -> Option<Topic> {
    let file = done.get::<ComparisonFilePlan>().is_some_and(|(_, found)| matches!(found, Some(Ok(_))));
    let weights = done.get::<WeightPlan>().is_some_and(|(_, made)| matches!(made, Some(Ok(_))));
    let light = done.get::<EnvironmentPlan>().is_some_and(|(_, read)| matches!(read, Some(Ok(_))));
    let topics = [(file, Topic::OtherFile), (weights, Topic::Weights), (light, Topic::Light)];
    topics.into_iter().find(|(has_succeeded, _)| *has_succeeded).map(|(_, topic)| topic)
}
