use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::autosave::Autosave;
use super::bend_thumbnails::BendThumbnailJobs;
use super::exports::{ReportExport, VideoExport, start_exporter};
use super::file_jobs::{self, FileJob};
use super::guide;
use super::loader::{Arrival, Loader};
use super::measurer::Measurer;
use super::pose_library_jobs::PoseLibraryJobs;
use super::recent_pictures::RecentPictures;
use super::scheduler::Scheduler;
use super::settings_file::SettingsFile;
use super::watcher::Watcher;
use crate::import::{ImportError, Job};
use crate::jobs::{Jobs, RunningJob, Worker};
use crate::render::RemoteScenes;
use crate::rig::Rig;
use crate::stage::{BuiltIn, Document, Source};
use crate::state::{
    Action, AfterLoad, AppState, Command, Commands, Export, ExportJob, FileList, JobResult, LoadingFile, Notice,
    NoticeKind, NoticeTopic, OngoingJobs, Request, WindowRequest, reload_changed,
};
use crate::view::{PerSide, ShownFile, Side};

/// The window lists a job once it has run for this long.
const PATIENCE: Duration = Duration::from_millis(500);

const FIGURE: Source = Source::BuiltIn(BuiltIn::Figure);

fn figure() -> Result<Document, ImportError> {
    Document::open(&FIGURE, &Job::default())
}

#[derive(Debug, Default)]
pub struct Startup {
    /// Files to open; the first one is shown. If empty, the built-in figure is shown.
    pub sources: Vec<Source>,
    pub side_b: ShownFile,
}

/// The program without its window: state, queued commands and background jobs.
pub struct HeadlessApp {
    pub state: AppState,
    pub commands: Commands,
    arrived: Vec<JobResult>,
    /// Problems with the user's data folder that have not been reported yet.
    complaints: Vec<Notice>,
    told_complaints: String,
    pub jobs: Jobs,
    fault_notices: FaultNotices,
    settings: SettingsFile,
    autosave: Autosave,
    file_jobs: Worker<FileJob, JobResult>,
    guide: Option<PathBuf>,
    exporter: Worker<ExportJob, JobResult>,
    loader: Loader,
    /// The empty rig shown until the first document is loaded.
    nothing: Option<Arc<Rig>>,
    /// A loaded document, shown once its meshes are uploaded.
    arriving: Option<(AfterLoad, Box<Document>)>,
    watcher: Watcher,
    side_watchers: PerSide<Watcher>,
    /// Why the last reload of a changed file failed; `None` if it succeeded.
    reload_problem: Option<String>,
    scheduler: Scheduler,
    pose_library_jobs: PoseLibraryJobs,
    bend_thumbnails: BendThumbnailJobs,
    recent_pictures: RecentPictures,
    /// Lets other threads draw in the window's OpenGL context.
    pub(super) scenes: RemoteScenes,
    pub pixels_per_point: f32,
    measurer: Measurer,
}

#[derive(Default)]
pub struct AppliedCommands {
    pub is_any: bool,
    /// False if only the camera or the highlight changed, so that no job has to start.
    pub may_start_jobs: bool,
    pub requests: Vec<WindowRequest>,
}

impl HeadlessApp {
    /// Starts opening the first file, the session of a killed window, or the built-in figure. `data` is the user's
    /// folder for settings, sessions and poses. *Errors*: the built-in figure cannot be read.
    pub fn new(
        jobs: Jobs,
        data: Option<&Path>,
        opened: Startup,
        memory_limit: u64,
    ) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let (settings, unreadable) = SettingsFile::open(data, &jobs);
        let folder = |name: &str| data.map(|data| data.join(name));
        let Startup { sources, side_b } = opened;
        let (autosave, found) = Autosave::start(folder("sessions"), sources.first(), &jobs);
        let is_awaited = found.is_some() || !sources.is_empty();
        let first = if is_awaited { Document::new(FIGURE, Rig::default(), Vec::new()) } else { figure()? };
        let mut app = Self {
            nothing: is_awaited.then(|| Arc::clone(&first.rig)),
            state: AppState::new(first, settings.known().clone()),
            commands: Commands::default(),
            arrived: Vec::new(),
            complaints: unreadable.into_iter().collect(),
            told_complaints: String::new(),
            fault_notices: FaultNotices::default(),
            settings,
            autosave,
            file_jobs: file_jobs::start(&jobs),
            guide: folder("guide"),
            exporter: start_exporter(&jobs, memory_limit),
            loader: Loader::new(memory_limit),
            arriving: None,
            watcher: Watcher::default(),
            side_watchers: PerSide::default(),
            reload_problem: None,
            scheduler: Scheduler::new(memory_limit),
            pose_library_jobs: PoseLibraryJobs::default(),
            bend_thumbnails: BendThumbnailJobs::default(),
            recent_pictures: RecentPictures::default(),
            scenes: RemoteScenes::default(),
            pixels_per_point: 1.0,
            measurer: Measurer::start(&jobs),
            jobs,
        };
        let open = &mut app.state.open;
        open.library.set_user_folder(folder("poses"), &open.stage.document.source);
        match found {
            Some(session) => {
                app.state.files = FileList::new(sources);
                app.commands.push(Command::OpenSession(Box::new(session.beside(side_b))));
            }
            None if sources.is_empty() && side_b.is_open() => {}
            None if sources.is_empty() => app.commands.push(Command::CompareWith(side_b)),
            None => {
                let then = if side_b.is_open() { AfterLoad::Show } else { AfterLoad::Compare(side_b) };
                app.commands.push(Command::OpenAll(sources, then));
            }
        }
        Ok(app)
    }

    pub fn apply(&mut self) -> AppliedCommands {
        let (arrived, commands) = (std::mem::take(&mut self.arrived), std::mem::take(&mut *self.commands));
        let is_change = !arrived.is_empty() || commands.iter().any(|c| !matches!(c, Command::Hover(_)));
        let is_look = |command: &Command| {
            matches!(command, Command::Hover(_) | Command::Orbit { .. } | Command::Pan { .. } | Command::Zoom { .. })
        };
        let version = self.state.open.stage.characters.version();
        let mut applied = AppliedCommands {
            is_any: !arrived.is_empty() || !commands.is_empty(),
            may_start_jobs: !arrived.is_empty() || !commands.iter().all(is_look),
            requests: Vec::new(),
        };
        for result in arrived {
            let request = self.state.receive(result);
            applied.requests.extend(request.and_then(|r| self.fulfil(r)));
        }
        for command in commands {
            if command.ends_tour() {
                self.state.leave_tour();
            }
            if command.leaves_edited_pose(&self.state.open) {
                self.autosave.keep(self.state.open.snapshot());
            }
            let request = self.state.apply(command);
            applied.requests.extend(request.and_then(|r| self.fulfil(r)));
        }
        self.state.open.stage.refresh();
        // The gaze may follow the camera.
        applied.may_start_jobs |= self.state.open.stage.characters.version() != version;
        // The session contains the user's file and not the tour, so nothing is saved during the tour.
        if is_change && self.state.tour.is_none() {
            self.autosave
                .save(self.state.open.saved.is_edited(&self.state.open.stage).then(|| self.state.open.snapshot()));
        }
        self.settings.follow(&self.state.settings);
        applied
    }

    pub(super) fn export(&self, what: impl Export + 'static, path: PathBuf) {
        self.exporter.send(ExportJob { what: Arc::new(what), path, inputs: self.state.inputs() });
    }

    /// Performs a request. Returns the request if it needs a window.
    fn fulfil(&mut self, request: Request) -> Option<WindowRequest> {
        match request {
            Request::Load { source, scene, clips_from, then } => {
                self.arriving = None;
                self.loader.start(source, scene, clips_from, then, &self.jobs);
            }
            Request::CancelLoad => {
                self.arriving = None;
                self.loader.cancel();
            }
            Request::Disk(job) => self.work_with_files(Box::new(move || job.run())),
            Request::Export(saving) => self.exporter.send(saving),
            Request::SaveVideo(plan, path) => {
                self.export(
                    VideoExport::new(self.state.open.stage.still(), plan, &self.state.settings, self.scenes.clone()),
                    path,
                );
            }
            Request::SaveReport { path, has_bend_test } => {
                let (stage, scenes) = (self.state.open.stage.still(), self.scenes.clone());
                self.export(ReportExport { stage, has_bend_test, scenes }, path);
            }
            Request::FindSession => self.work_with_files(self.autosave.search()),
            Request::ListPoses => self.pose_library_jobs.list_again(),
            Request::CancelJob(id) => self.jobs.cancel(id),
            Request::OpenGuide(place) => self.work_with_files(guide::file_job(self.guide.clone(), place)),
            Request::Window(request) => return Some(request),
        }
        None
    }

    pub(super) fn work_with_files(&self, file_job: FileJob) {
        self.file_jobs.send(file_job);
    }

    pub(super) fn tell(&mut self, kind: NoticeKind, text: String) {
        self.arrived.push(JobResult::Notice(Notice::new(kind, text)));
    }

    pub fn exchange(&mut self) {
        if let Some(arrival) = self.loader.poll() {
            self.arrive(arrival);
        }
        self.show_figure_instead();
        self.reload_on_change();
        self.arrived.extend(self.scheduler.poll());
        self.pose_library_jobs.follow(&self.state, self.pixels_per_point, (&self.jobs, &self.scenes));
        self.arrived.extend(self.pose_library_jobs.results());
        self.bend_thumbnails.follow(&self.state, self.pixels_per_point, (&self.jobs, &self.scenes));
        self.arrived.extend(self.bend_thumbnails.results());
        self.recent_pictures.follow(&self.state, (&self.jobs, &self.scenes));
        self.arrived.extend(self.recent_pictures.results());
        self.arrived.extend(self.measurer.poll());
        self.arrived.extend(self.file_jobs.results());
        self.arrived.extend(self.exporter.results());
        self.state.loading = self.loader.progress().or(self.state.loading.take().filter(|_| self.arriving.is_some()));
        let shown = |job: RunningJob| OngoingJobs {
            id: job.id,
            does: job.kind.activity.into_owned(),
            so_far: job.progress.status_text(),
            fraction: job.progress.fraction(),
        };
        self.state.jobs = self.jobs.running(PATIENCE).into_iter().map(shown).collect();
        let news = self.fault_notices.news(&self.jobs, self.state.open.stage.rig());
        self.arrived.extend(news.into_iter().map(JobResult::Notice));
        self.complain();
    }

    /// Reports all problems with the data folder in one notice. Does nothing while a file is loading, because loading
    /// clears notices.
    fn complain(&mut self) {
        self.complaints.extend(self.settings.problems());
        self.complaints.extend(self.autosave.problems());
        if self.complaints.is_empty() || self.is_opening() {
            return;
        }
        // Extends an earlier report if it is still shown.
        let is_shown = self.state.notices.newest().is_some_and(|notice| notice.text == self.told_complaints);
        let told = if is_shown { std::mem::take(&mut self.told_complaints) } else { String::new() };
        let all =
            Some(told).filter(|told| !told.is_empty()).into_iter().chain(self.complaints.drain(..).map(|n| n.text));
        self.told_complaints = all.collect::<Vec<_>>().join("\n");
        self.tell(NoticeKind::Warning, self.told_complaints.clone());
    }

    /// Starts the jobs that the state needs. Returns the time until the next call, if another call is needed.
    pub fn follow(&mut self) -> Option<Duration> {
        self.scheduler.follow(&mut self.state, &self.jobs);
        self.measurer.follow(self.state.wanted_measurement(), Instant::now())
    }

    /// Returns true if the window may close. During the tour or with unsaved work, asks the user and returns false.
    pub fn may_close(&mut self) -> bool {
        let may = self.state.tour.is_none() && !self.state.open.saved.is_edited(&self.state.open.stage);
        if !may {
            self.commands.push(Command::Do(Action::Quit));
        }
        may
    }

    fn arrive(&mut self, Arrival { then, result }: Arrival) {
        let is_asked = then.is_asked();
        let problem = match result {
            // Ignores a version with missing files: another program is still writing, and another change will follow.
            Ok(document)
                if !is_asked && document.missing.is_some() && self.state.open.stage.document.missing.is_none() =>
            {
                let missing = document.missing.unwrap_or_default();
                format!("{missing}\n{} was not reloaded. {}", document.source.full_name(), self.what_stays())
            }
            Ok(document) => {
                self.reload_problem = None;
                return self.arriving = Some((then, document));
            }
            Err(problem) => format!("{problem} {}", self.what_stays()),
        };
        if is_asked || self.reload_problem.as_ref() != Some(&problem) {
            self.arrived.push(JobResult::Notice(Notice::error(problem.clone()).about(NoticeTopic::File)));
        }
        self.reload_problem = Some(problem).filter(|_| !is_asked);
    }

    fn what_stays(&self) -> String {
        match &self.state.open.stage.document.source {
            Source::File(_) => "The current file stays open.".to_owned(),
            Source::BuiltIn(_) if self.nothing.is_some() => "The built-in figure is shown in its place.".to_owned(),
            Source::BuiltIn(built_in) => format!("The built-in {} stays.", built_in.name()),
        }
    }

    /// Shows the built-in figure if no file could be opened at startup.
    fn show_figure_instead(&mut self) {
        let Some(nothing) = &self.nothing else { return };
        let has_come = !Arc::ptr_eq(nothing, self.state.open.stage.rig()) && self.state.tour.is_none();
        if has_come {
            self.nothing = None;
        } else if !self.is_opening() && Arc::ptr_eq(nothing, self.state.open.stage.rig()) {
            self.nothing = None;
            match figure() {
                Ok(figure) => self.arrived.insert(0, JobResult::Document(Box::new(figure), AfterLoad::Show)),
                Err(problem) => self.tell(NoticeKind::Error, problem.to_string()),
            }
        }
    }

    fn is_opening(&self) -> bool {
        let has_arrived = self.arrived.iter().any(|arrived| matches!(arrived, JobResult::Document(..)));
        self.loader.is_opening() || self.arriving.is_some() || has_arrived || !self.commands.is_empty()
    }

    fn reload_on_change(&mut self) {
        let is_on = self.state.settings.reload_on_change;
        let document = &self.state.open.stage.document;
        let read = is_on.then_some((&document.rig, &document.files[..]));
        if let Err(text) = self.watcher.follow(read, &self.jobs) {
            self.tell(NoticeKind::Warning, text);
        }
        for side in Side::ALL {
            let file = self.state.open.stage.other_on(side).filter(|_| is_on).and_then(|other| other.file.as_ref());
            let read = file.map(|file| (&file.rig, &file.files[..]));
            let followed = self.side_watchers[side].follow(read, &self.jobs);
            if self.side_watchers[side].take_change() {
                self.scheduler.begin_anew(&self.state.open.stage.view.sides[side].file);
                self.state.open.stage.others.read_again(&self.state.open.stage.view.sides[side].file);
            }
            if let Err(text) = followed {
                self.tell(NoticeKind::Warning, text);
            }
        }
        // A document that the user requested has priority over a reload, even while the document waits to be shown.
        let is_asked = self.arriving.as_ref().is_some_and(|(then, _)| then.is_asked());
        if !is_asked && !self.loader.is_opening() && self.watcher.take_change() {
            self.fulfil(reload_changed(&self.state.open.stage));
        }
    }

    /// Uploads part of the next document's meshes. `upload` receives the document, if there is one, and returns its
    /// progress, 0 to 1. Returns false if there was nothing to upload, or if the upload has to wait.
    pub fn upload<E: std::fmt::Display>(&mut self, upload: impl FnOnce(Option<&Document>) -> Result<f32, E>) -> bool {
        // Waits until the user has finished a drag or answered a question.
        let is_free = !self.state.open.stage.view.is_dragging && self.state.question.is_none();
        if self.arriving.is_some() && !is_free {
            return false;
        }
        let prepared = upload(self.arriving.as_ref().map(|(_, document)| &**document));
        let Some((then, document)) = self.arriving.take() else { return false };
        match prepared {
            Err(problem) => {
                let name = document.source.full_name();
                self.tell(NoticeKind::Error, format!("{name} cannot be drawn. {problem}\n{}", self.what_stays()));
            }
            Ok(1.0..) => self.arrived.push(JobResult::Document(document, then)),
            Ok(progress) => {
                let (name, stage) = (document.source.name(), "Uploading meshes".to_owned());
                self.state.loading = Some(LoadingFile { name, stage, fraction: Some(progress) });
                self.arriving = Some((then, document));
            }
        }
        true
    }

    /// Returns a closure that keeps unsaved work. Another thread calls it before a signal ends the program.
    pub(super) fn ender(&self) -> Option<impl FnMut() + Send + 'static> {
        self.autosave.ender()
    }

    pub fn finish(&mut self) {
        self.file_jobs.finish();
        self.exporter.finish();
        self.settings.finish();
        self.autosave.finish();
    }
}

#[cfg(test)]
mod tests;

/// Job faults that have already been reported for the open character.
#[derive(Default)]
struct FaultNotices {
    of: Option<Arc<Rig>>,
    told: Vec<String>,
}

impl FaultNotices {
    fn news(&mut self, jobs: &Jobs, rig: &Arc<Rig>) -> Vec<Notice> {
        if self.of.as_ref().is_none_or(|of| !Arc::ptr_eq(of, rig)) {
            *self = Self { of: Some(Arc::clone(rig)), told: Vec::new() };
        }
        let mut news = Vec::new();
        for text in jobs.take_faults().iter().map(ToString::to_string) {
            if !self.told.contains(&text) {
                self.told.push(text.clone());
                news.push(Notice::new(NoticeKind::Error, text));
            }
        }
        news
    }
}
