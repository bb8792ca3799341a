//! The program with a window: runs the loop, loads beside it, applies commands, owns the renderer.

mod autosave;
mod center_finder;
mod dialogs;
mod faults;
mod kinds;
mod librarian;
mod linter;
mod loader;
mod measurer;
mod settings_file;
mod tester;
mod watcher;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use egui::{Rect, ViewportCommand};
use rfd::AsyncFileDialog;

use crate::export::PictureFormat;
use crate::files::write_atomically;
use crate::import;
use crate::jobs::Jobs;
use crate::render::{FrameInput, RenderError, Scene};
use crate::state::{
    Action, AfterLoad, AppState, BuiltIn, Command, Document, FileList, Loading, Notice, NoticeKind, Ongoing, Request,
    Source, ThemeChoice,
};
use crate::ui::{Interface, install_theme};
use crate::view::PerSide;
use autosave::Autosave;
use center_finder::CenterFinder;
use dialogs::{DialogAnswer, Dialogs};
use faults::Faults;
use librarian::Librarian;
use linter::Linter;
use loader::{Arrival, Loader};
use measurer::Measurer;
use settings_file::SettingsFile;
use tester::Tester;
use watcher::Watcher;

/// The program.
pub struct App {
    state: AppState,
    settings: SettingsFile,
    autosave: Autosave,
    /// The user has answered: nothing holds the window open any more.
    is_leaving: bool,
    interface: Interface,
    commands: Vec<Command>,
    jobs: Jobs,
    faults: Faults,
    loader: Loader,
    /// Read, and shown as soon as its meshes are on the graphics card.
    arriving: Option<(AfterLoad, Box<Document>)>,
    watcher: Watcher,
    /// Why the newest reload of a changed file failed, until one works.
    reload_problem: Option<String>,
    linter: Linter,
    center_finder: CenterFinder,
    librarian: Librarian,
    measurer: Measurer,
    tester: Tester,
    dialogs: Dialogs,
    scene: SharedScene,
    title: String,
}

/// The renderer, shared with the paint callbacks of a frame; `None` once the OpenGL context is about to go.
type SharedScene = Arc<Mutex<Option<Scene>>>;

/// Of each frame; with it a frame still lasts less than a sixtieth of a second.
const TIME_TO_UPLOAD: Duration = Duration::from_millis(8);

/// A job that ends sooner is not shown.
const PATIENCE: Duration = Duration::from_millis(500);

/// Opens the window on the first of some files, or on the built-in figure, and runs until it is closed. A file may ask for
/// `memory_limit` bytes of decoded data.
///
/// *Errors*: no window or no OpenGL 3.3 could be had.
pub fn run(sources: Vec<Source>, memory_limit: u64) -> eframe::Result {
    let viewport = egui::ViewportBuilder::default()
        .with_title("Rigscope")
        .with_app_id("rigscope")
        .with_inner_size([1440.0, 900.0])
        .with_min_inner_size([800.0, 500.0])
        .with_drag_and_drop(true);
    let viewport = match eframe::icon_data::from_png_bytes(include_bytes!("../../assets/icon.png")) {
        Ok(icon) => viewport.with_icon(icon),
        Err(_) => viewport,
    };
    let options = eframe::NativeOptions { viewport, ..eframe::NativeOptions::default() };
    eframe::run_native(
        "rigscope",
        options,
        Box::new(|creation| Ok(Box::new(App::new(creation, sources, memory_limit)?))),
    )
}

impl App {
    fn new(
        creation: &eframe::CreationContext<'_>,
        sources: Vec<Source>,
        memory_limit: u64,
    ) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let ctx = &creation.egui_ctx;
        install_theme(ctx);
        let settings = SettingsFile::open();
        set_theme(ctx, settings.known().theme);
        let gl = creation.gl.clone().ok_or("the window has no OpenGL context")?;
        let mut scene = Scene::new(gl)?;
        scene.limit_uploads(TIME_TO_UPLOAD);
        let woken = ctx.clone();
        scene.wake_by(move || woken.request_repaint());
        let figure = Document::open(&Source::BuiltIn(BuiltIn::Figure), &import::Job::default())?;
        let folder = eframe::storage_dir("rigscope").map(|folder| folder.join("sessions"));
        let woken = ctx.clone();
        let jobs = Jobs::new(move || woken.request_repaint());
        let (autosave, found) = Autosave::start(folder, sources.first(), &jobs);
        let mut app = Self {
            autosave,
            is_leaving: false,
            state: AppState::new(figure, settings.known().clone()),
            settings,
            interface: Interface::default(),
            commands: Vec::new(),
            loader: Loader::new(memory_limit),
            arriving: None,
            watcher: Watcher::default(),
            reload_problem: None,
            linter: Linter::default(),
            center_finder: CenterFinder::default(),
            librarian: Librarian::default(),
            measurer: Measurer::start(&jobs),
            tester: Tester::default(),
            dialogs: Dialogs::default(),
            jobs,
            faults: Faults::default(),
            scene: Arc::new(Mutex::new(Some(scene))),
            title: String::new(),
        };
        app.state.keep_poses_in(eframe::storage_dir("rigscope").map(|folder| folder.join("poses")));
        app.linter.start(&app.state.open.document, &app.jobs);
        match found {
            Some(session) => {
                app.state.files = FileList::new(sources);
                app.commands.push(Command::OpenSession(Box::new(session)));
            }
            None if sources.is_empty() => {}
            None => app.commands.push(Command::OpenAll(sources)),
        }
        Ok(app)
    }

    /// Carries out everything that was asked for since the last time; true where something was.
    fn apply_commands(&mut self, ctx: &egui::Context) -> bool {
        let commands = std::mem::take(&mut self.commands);
        let is_any = !commands.is_empty();
        let is_change = commands.iter().any(|c| !matches!(c, Command::Hover(_)));
        for command in commands {
            if matches!(command, Command::Answer(crate::state::Answer::Discard)) {
                self.autosave.keep(self.state.snapshot());
            }
            if let Some(request) = self.state.apply(command) {
                self.fulfil(request, ctx);
            }
        }
        self.state.refresh();
        // The session is what the user has open, and not what a tour shows.
        if is_change && !self.state.is_touring() {
            self.autosave.save(self.state.is_edited().then(|| self.state.snapshot()));
        }
        is_any
    }

    fn fulfil(&mut self, request: Request, ctx: &egui::Context) {
        match request {
            Request::Load { source, scene, then } => self.load(source, scene, then),
            Request::FindSession => match self.autosave.newest_kept() {
                Some(session) => self.commands.push(Command::OpenSession(Box::new(session))),
                None => self.tell(NoticeKind::Info, "There is no earlier session whose pose was not saved.".to_owned()),
            },
            Request::CancelLoad => {
                self.arriving = None;
                self.loader.cancel();
            }
            Request::Lint => self.linter.start(&self.state.open.document, &self.jobs),
            Request::ListPoses => self.librarian.list_again(),
            Request::TestTwist(plan) => self.tester.test(*plan, &self.jobs),
            Request::RankJoints(from) => self.tester.rank(from, &self.jobs),
            Request::PickNumbersTarget(numbers, name) => self.dialogs.save(
                &self.jobs,
                AsyncFileDialog::new().set_title("Save the numbers, .csv or .json").set_file_name(name),
                move |path| DialogAnswer::Command(Command::WriteNumbers(numbers, path)),
            ),
            Request::Simulate(plan) => self.tester.simulate(*plan, &self.jobs),
            Request::CancelTest => self.tester.cancel(),
            Request::CancelJob(id) => self.jobs.cancel(id),
            Request::PickFile => self.dialogs.pick(
                &self.jobs,
                AsyncFileDialog::new()
                    .set_title("Open a rig")
                    .add_filter(import::format::names(), &import::format::endings()),
                |path| DialogAnswer::Command(Command::Open(Source::File(path))),
            ),
            Request::PickPose => self.dialogs.pick(
                &self.jobs,
                AsyncFileDialog::new().set_title("Open a pose").add_filter("Pose", &["json"]),
                |path| DialogAnswer::Command(Command::LoadPose(path)),
            ),
            Request::PickPoseTarget(name) => {
                self.dialogs.save(
                    &self.jobs,
                    AsyncFileDialog::new().set_title("Save the pose").set_file_name(name),
                    |path| DialogAnswer::Command(Command::WritePose(path)),
                );
            }
            Request::PickSession => self.dialogs.pick(
                &self.jobs,
                AsyncFileDialog::new().set_title("Open a session").add_filter("Session", &["json"]),
                |path| DialogAnswer::Command(Command::LoadSession(path)),
            ),
            Request::PickSessionTarget(name) => self.dialogs.save(
                &self.jobs,
                AsyncFileDialog::new().set_title("Save the session").set_file_name(name),
                |path| DialogAnswer::Command(Command::WriteSession(path)),
            ),
            Request::PickPictureTarget(name) => self.dialogs.save(
                &self.jobs,
                AsyncFileDialog::new().set_title("Save the picture").set_file_name(name),
                DialogAnswer::SavePicture,
            ),
            Request::TogglePalette => self.interface.toggle_palette(),
            Request::Copy(text) => ctx.copy_text(text),
            Request::Paste { is_mirrored } => {
                self.interface.await_paste(ctx, is_mirrored);
                ctx.send_viewport_cmd(ViewportCommand::RequestPaste);
            }
            Request::ToggleHelp => self.interface.toggle_help(),
            Request::SetTheme(theme) => set_theme(ctx, theme),
            Request::Quit => {
                self.is_leaving = true;
                ctx.send_viewport_cmd(ViewportCommand::Close);
            }
        }
    }

    fn fail(&mut self, text: String) {
        self.tell(NoticeKind::Error, text);
    }

    fn tell(&mut self, kind: NoticeKind, text: String) {
        self.commands.push(Command::Notify(Notice { kind, text }));
    }

    fn load(&mut self, source: Source, scene: Option<usize>, then: AfterLoad) {
        if let (AfterLoad::Restore(_), Some(path)) = (&then, source.path().filter(|p| !p.exists())) {
            return self.fail(format!(
                "The session was not opened: {} does not exist any more. Put it back, then choose File > Restore last session.",
                path.display()
            ));
        }
        self.arriving = None;
        self.loader.start(source, scene, then, &self.jobs);
    }

    fn arrive(&mut self, Arrival { then, result }: Arrival) {
        let is_asked = then.is_asked();
        let problem = match result {
            // Half of a file may have been written: the other half is a change of its own.
            Ok(document) if !is_asked && document.missing.is_some() && self.state.open.document.missing.is_none() => {
                let missing = document.missing.unwrap_or_default();
                format!("{missing}\n{} was not reloaded; what was open still is.", document.source.full_name())
            }
            Ok(document) => {
                self.reload_problem = None;
                return self.arriving = Some((then, document));
            }
            Err(problem) => problem,
        };
        if is_asked || self.reload_problem.as_ref() != Some(&problem) {
            self.fail(problem.clone());
        }
        self.reload_problem = Some(problem).filter(|_| !is_asked);
    }

    fn reload_on_change(&mut self, ctx: &egui::Context) {
        let is_on = self.state.settings.reload_on_change;
        if let Err(text) = self.watcher.follow(&self.state.open.document, is_on, &self.jobs) {
            self.commands.push(Command::Notify(Notice { kind: NoticeKind::Warning, text }));
        }
        // What the user asked for goes first, also while it waits to be shown.
        let is_asked = self.arriving.as_ref().is_some_and(|(then, _)| then.is_asked());
        if !is_asked && !self.loader.is_opening() && self.watcher.take_change() {
            let request = self.state.reload_changed();
            self.fulfil(request, ctx);
        }
    }

    /// What came from other threads and from outside the window.
    fn receive(&mut self, ctx: &egui::Context) {
        if let Some(arrival) = self.loader.poll() {
            self.arrive(arrival);
        }
        if ctx.input(|i| i.viewport().close_requested())
            && !self.is_leaving
            && (self.state.is_touring() || self.state.is_edited())
        {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            self.commands.push(Command::Do(Action::Quit));
        }
        self.reload_on_change(ctx);
        self.commands.extend(self.linter.poll());
        // An answer that came during a tour was of no use.
        if !self.state.is_touring()
            && self.state.open.lint.is_awaited()
            && !self.linter.is_running()
            && self.commands.is_empty()
        {
            self.linter.start(&self.state.open.document, &self.jobs);
        }
        self.commands.extend(self.center_finder.poll());
        self.librarian.follow(&self.state, &self.jobs);
        self.commands.extend(self.librarian.results());
        self.commands.extend(self.measurer.poll());
        self.commands.extend(self.tester.poll(&mut self.state, &self.jobs));
        self.state.loading = self.loader.progress().or(self.state.loading.take().filter(|_| self.arriving.is_some()));
        if self.state.loading.is_some() {
            ctx.request_repaint_after(Duration::from_millis(50));
        }
        self.show_jobs(ctx);
        for answer in self.dialogs.answers() {
            match answer {
                DialogAnswer::Command(command) => self.commands.push(command),
                DialogAnswer::SavePicture(path) => self.save_picture(&path),
            }
        }
        let dropped = ctx.input(|i| i.raw.dropped_files.iter().map(|f| f.path().to_owned()).collect());
        self.commands.extend(opened_by_drop(dropped));
        let is_dark = ctx.theme() == egui::Theme::Dark;
        let display = self.state.open.view.display;
        if display.is_dark != is_dark {
            self.commands.push(Command::SetDisplay(crate::view::Display { is_dark, ..display }));
        }
    }

    /// What runs, and what died.
    fn show_jobs(&mut self, ctx: &egui::Context) {
        let shown = |job: crate::jobs::RunningJob| Ongoing {
            id: job.id,
            does: job.kind.does.into_owned(),
            so_far: job.progress.so_far(),
            fraction: job.progress.fraction(),
        };
        self.state.jobs = self.jobs.running(PATIENCE).into_iter().map(shown).collect();
        if !self.jobs.running(Duration::ZERO).is_empty() {
            ctx.request_repaint_after(Duration::from_millis(100));
        }
        let news = self.faults.news(&self.jobs, self.state.rig());
        self.commands.extend(news.into_iter().map(Command::Notify));
    }

    fn save_picture(&mut self, path: &Path) {
        let scene = self.scene.lock().unwrap_or_else(PoisonError::into_inner);
        let pixels = scene.as_ref().map_or(Err(RenderError::NoPicture), Scene::pixels);
        drop(scene);
        let saved = self.state.open.document.refuse_to_replace(path).and_then(|()| {
            let format = PictureFormat::of(path).map_err(|e| e.to_string())?;
            let bytes = format.encode(&pixels.map_err(|e| e.to_string())?).map_err(|e| e.to_string())?;
            write_atomically(path, &bytes).map_err(|e| format!("{e} ({})", path.display()))
        });
        if let Err(problem) = saved {
            self.fail(format!("The picture was not saved: {problem}"));
        }
    }

    /// Draws the scene offscreen, if anything in it changed.
    fn draw_scene(&mut self, viewport: Rect, ctx: &egui::Context) {
        let pixels_per_point = ctx.pixels_per_point();
        let size = (viewport.size() * pixels_per_point).round();
        let frame = FrameInput {
            rig: self.state.rig(),
            sides: PerSide::from_fn(|side| self.state.shown(side)),
            centers: self.state.centers(),
            pose: self.state.pose(),
            view: &self.state.open.view,
            size: [size.x as u32, size.y as u32],
            pixels_per_point,
            version: self.state.version(),
        };
        let mut scene = self.scene.lock().unwrap_or_else(PoisonError::into_inner);
        let drawn = scene.as_mut().map(|s| s.draw(&frame));
        let is_interrupted = scene.as_ref().is_some_and(Scene::is_interrupted);
        drop(scene);
        if is_interrupted {
            ctx.request_repaint();
        }
        if let Some(Err(problem)) = drawn {
            let text = format!("The picture could not be drawn. {problem}");
            if self.state.notice.as_ref().is_none_or(|n| n.text != text) {
                self.fail(text);
            }
        }
    }

    /// Uploads a part of the document that is to be shown next; what is shown stays until its meshes are there.
    fn upload_arriving(&mut self, ctx: &egui::Context) {
        if self.arriving.is_none() {
            // It was cancelled, or could not be drawn.
            let mut scene = self.scene.lock().unwrap_or_else(PoisonError::into_inner);
            return scene.as_mut().map_or((), Scene::drop_prepared);
        }
        // A drag is not torn away; it ends soon.
        let Some((then, document)) =
            self.arriving.take_if(|_| !self.state.open.view.is_dragging && self.state.question.is_none())
        else {
            return;
        };
        ctx.request_repaint();
        let mut scene = self.scene.lock().unwrap_or_else(PoisonError::into_inner);
        let prepared = scene.as_mut().map_or(Ok(1.0), |s| s.prepare(&document.rig));
        drop(scene);
        match prepared {
            Err(problem) => {
                let name = document.source.full_name();
                self.fail(format!("{name} cannot be drawn. {problem}\nWhat was open still is."));
            }
            Ok(1.0..) => self.commands.push(Command::Loaded(document, then)),
            Ok(progress) => {
                let (name, stage) = (document.source.name(), "Uploading meshes".to_owned());
                self.state.loading = Some(Loading { name, stage, fraction: Some(progress) });
                self.arriving = Some((then, document));
            }
        }
    }

    fn update_title(&mut self, ctx: &egui::Context) {
        let posed = if self.state.pose().is_any_posed() { " · posed" } else { "" };
        let title = format!("{}{posed} - Rigscope", self.state.open.document.source.name());
        if title != self.title {
            ctx.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &egui::Context, _: &mut eframe::Frame) {
        self.receive(ctx);
        self.apply_commands(ctx);
        if self.state.open.playback.is_playing {
            // A frame that took long must not throw the clip far ahead.
            self.state.advance(ctx.input(|i| i.stable_dt).min(0.1));
            self.state.refresh();
            ctx.request_repaint();
        }
        self.center_finder.follow(&mut self.state, &self.jobs);
        self.measurer.follow(&self.state);
        self.update_title(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        let mut viewport = None;
        let scene = &self.scene;
        self.interface.ui(ui, &self.state, &mut self.commands, &mut |ui, rect| {
            viewport = Some(rect);
            ui.painter().add(paint_callback(scene, rect));
        });
        drop_hint(&ctx);
        if self.apply_commands(&ctx) {
            // Numbers, bones and skin follow in the same frame: the panels are laid out again with the new state.
            ctx.request_discard("the state changed");
            ctx.request_repaint();
        }
        if let Some(viewport) = viewport.filter(|_| !ctx.will_discard()) {
            self.draw_scene(viewport, &ctx);
            self.upload_arriving(&ctx);
        }
    }

    fn on_exit(&mut self, _: Option<&eframe::glow::Context>) {
        // What is on the graphics card must go while its context is still there.
        self.scene.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.autosave.finish();
    }

    fn save(&mut self, _: &mut dyn eframe::Storage) {
        self.settings.save(&self.state.settings);
    }
}

/// Copies the drawn picture into the window.
fn paint_callback(scene: &SharedScene, rect: Rect) -> egui::PaintCallback {
    let scene = Arc::clone(scene);
    let callback = eframe::egui_glow::CallbackFn::new(move |info, _| {
        let v = info.viewport_in_pixels();
        if let Some(scene) = scene.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            scene.paint([v.left_px, v.from_bottom_px, v.width_px, v.height_px]);
        }
    });
    egui::PaintCallback { rect, callback: Arc::new(callback) }
}

/// Poses are applied, to the character that is dropped with them if there is one; characters are opened. What lies beside a character, as its textures do, may be dropped with it.
fn opened_by_drop(dropped: Vec<PathBuf>) -> Vec<Command> {
    let is_pose = |path: &PathBuf| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    let (poses, others): (Vec<_>, Vec<_>) = dropped.into_iter().partition(is_pose);
    let (rigs, strange): (Vec<_>, Vec<_>) = others.into_iter().partition(|p| import::format::has_known_ending(p));
    // A name may have any ending: the content decides.
    let opened = if rigs.is_empty() { strange } else { rigs };
    let sources: Vec<Source> = opened.into_iter().map(Source::File).collect();
    match (sources.len(), poses.len()) {
        (0, _) => poses.into_iter().map(Command::LoadPose).collect(),
        (1, 0) => sources.into_iter().map(Command::Open).collect(),
        (_, 0) => vec![Command::OpenAll(sources)],
        _ => vec![Command::OpenPosed { sources, poses }],
    }
}

/// While a file is held over the window.
fn drop_hint(ctx: &egui::Context) {
    if ctx.input(|i| i.raw.hovered_files.is_empty()) {
        return;
    }
    let layer = egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop hint"));
    let painter = ctx.layer_painter(layer);
    let screen = ctx.content_rect();
    painter.rect_filled(screen, 0.0, egui::Color32::from_black_alpha(150));
    let font = egui::FontId::proportional(20.0);
    painter.text(screen.center(), egui::Align2::CENTER_CENTER, "Drop to open", font, egui::Color32::WHITE);
}

fn set_theme(ctx: &egui::Context, theme: ThemeChoice) {
    ctx.set_theme(match theme {
        ThemeChoice::Dark => egui::ThemePreference::Dark,
        ThemeChoice::Light => egui::ThemePreference::Light,
        ThemeChoice::System => egui::ThemePreference::System,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dropped(names: &[&str]) -> String {
        let told = |c: &Command| match c {
            Command::Open(source) => format!("open {}", source.full_name()),
            Command::OpenAll(sources) => {
                format!("open all {}", sources.iter().map(Source::full_name).collect::<Vec<_>>().join(" "))
            }
            Command::LoadPose(path) => format!("pose {}", path.display()),
            Command::OpenPosed { sources, poses } => format!(
                "open {} posed {}",
                sources.iter().map(Source::full_name).collect::<Vec<_>>().join(" "),
                poses.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(" ")
            ),
            other => format!("{other:?}"),
        };
        opened_by_drop(names.iter().map(PathBuf::from).collect()).iter().map(told).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn what_is_dropped_together_belongs_together() {
        assert_eq!(dropped(&["a.glb"]), "open a.glb");
        assert_eq!(dropped(&["a.glb", "b.GLTF", "c.vrm"]), "open all a.glb b.GLTF c.vrm");
        assert_eq!(dropped(&["skin.png", "a.gltf", "a.bin"]), "open a.gltf");
        assert_eq!(dropped(&["pose.json"]), "pose pose.json");
        assert_eq!(dropped(&["pose.json", "a.glb", "b.glb"]), "open a.glb b.glb posed pose.json");
        assert_eq!(dropped(&["model"]), "open model");
        assert_eq!(dropped(&[]), "");
    }
}
