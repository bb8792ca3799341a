//! The whole program without its window: state, jobs, files, panels and image. It accesses only one folder.

use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use egui::{Context, OutputCommand, Rect, Ui, ViewportCommand, ViewportId};
use egui_kittest::Harness;
use rigscope::app::{HeadlessApp, Startup, opened_by_drop};
use rigscope::jobs::Jobs;
use rigscope::render::{FrameInput, Headless, Scene};
use rigscope::state::{Action, Command, PathCommand, PathQuestion, ThemeChoice, WindowRequest};
use rigscope::ui::{Interface, install_theme};
use rigscope::view::{Display, PerSide};

/// Maximum decoded data per file, bytes.
const MEMORY_LIMIT: u64 = 1 << 30;

/// Maximum processor time of a frame in a debug build.
const MAX_FRAME: Duration = Duration::from_secs(4);

/// Time after which a job is cancelled, because some videos take minutes.
const PATIENCE: Duration = Duration::from_secs(4);

/// Maximum time in which a cancelled job must end.
const MAX_JOB: Duration = Duration::from_mins(1);

/// Size of the image as a fraction of the window's size, so that all render passes run but take less time.
const IMAGE_FRACTION: f32 = 0.2;

/// The program without a window.
pub struct Program {
    pub engine: HeadlessApp,
    interface: Interface,
    // Dropped before its OpenGL context.
    scene: Scene,
    _gl: Headless,
    news: Receiver<()>,
    /// The only folder that files are read from and written to.
    pub folder: PathBuf,
    /// Text in the clipboard.
    pub copied: String,
    /// True once the program has asked to close.
    pub is_over: bool,
    /// Number of frames drawn.
    pub frames: u64,
    viewport: Option<Rect>,
    /// Short texts of the last applied commands.
    applied: Vec<String>,
}

impl Program {
    /// Creates the program with the built-in figure. Settings and sessions are stored in `folder`.
    pub fn new(folder: &Path) -> Self {
        let (bell, news) = channel();
        let jobs = Jobs::new(move || _ = bell.send(()));
        let data = folder.join("data");
        let mut engine = HeadlessApp::new(jobs, Some(&data), Startup::default(), MEMORY_LIMIT).unwrap();
        // Disables reloading, because the system reports changes of files in no fixed order.
        engine.state.settings.reload_on_change = false;
        let gl = Headless::new().expect("the tests draw without a window; Mesa's software device is enough");
        let scene = gl.scene().unwrap();
        Self {
            engine,
            interface: Interface::default(),
            scene,
            _gl: gl,
            news,
            folder: folder.to_owned(),
            copied: String::new(),
            is_over: false,
            frames: 0,
            viewport: None,
            applied: Vec::new(),
        }
    }

    /// Creates a window of the given size, points.
    pub fn harness(self, size: [f32; 2]) -> Harness<'static, Self> {
        let builder = Harness::builder().allow_missing_glyphs().with_context_setup(install_theme).with_size(size);
        builder.build_ui_state(|ui, program: &mut Self| program.frame(ui), self)
    }

    /// Does everything that a window does in one pass of a frame.
    fn frame(&mut self, ui: &mut Ui) {
        let start = processor_time();
        let ctx = ui.ctx().clone();
        if ctx.current_pass_index() == 0 {
            self.frames += 1;
            self.receive(&ctx);
            self.apply(&ctx);
            self.play(&ctx);
            self.engine.follow();
        }
        let mut viewport = None;
        let Self { interface, engine, .. } = self;
        interface.ui(ui, &engine.state, &mut engine.commands, &mut |_, rect| viewport = Some(rect));
        if self.apply(&ctx) {
            ctx.request_discard("the state changed");
            ctx.request_repaint();
        }
        if !ctx.will_discard() {
            self.viewport = viewport;
            self.draw();
        }
        ctx.output(|output| {
            for command in &output.commands {
                if let OutputCommand::CopyText(text) = command {
                    self.copied.clone_from(text);
                }
            }
        });
        let took = processor_time().saturating_sub(start);
        assert!(took < MAX_FRAME, "a frame took {took:?}");
    }

    fn receive(&mut self, ctx: &Context) {
        if ctx.input(|i| i.viewport().close_requested()) {
            self.is_over |= self.engine.may_close();
        }
        let faults = self.engine.jobs.take_faults();
        assert!(faults.is_empty(), "{}", faults[0]);
        self.engine.exchange();
        let dropped = ctx.input(|i| i.raw.dropped_files.iter().map(|f| f.path().to_owned()).collect());
        self.engine.commands.extend(opened_by_drop(dropped));
        let is_dark = ctx.theme() == egui::Theme::Dark;
        let display = self.engine.state.open.stage.view.display;
        if display.is_dark != is_dark {
            self.engine.commands.push(Command::SetDisplay(Display { is_dark, ..display }));
        }
    }

    fn apply(&mut self, ctx: &Context) -> bool {
        let folder = &self.folder;
        self.engine.commands.retain(|command| is_harmless(command, folder));
        let told = |command: &Command| format!("{command:?}").chars().take(120).collect();
        if !self.engine.commands.is_empty() {
            self.applied = self.engine.commands.iter().map(told).collect();
        }
        let applied = self.engine.apply();
        for request in applied.requests {
            self.fulfil(request, ctx);
        }
        applied.is_any
    }

    fn fulfil(&mut self, request: WindowRequest, ctx: &Context) {
        match request {
            // Behaves like a desktop without dialogs.
            WindowRequest::PickPath(question) => {
                let question = PathQuestion { folder: self.folder.clone(), ..question };
                self.engine.commands.push(Command::Path(PathCommand::Ask(question)));
            }
            WindowRequest::SaveImage(_) | WindowRequest::CopyImage => self.draw_large(),
            WindowRequest::TogglePalette => self.interface.toggle_palette(),
            WindowRequest::ToggleHelp => self.interface.toggle_help(),
            WindowRequest::TogglePreferences => self.interface.toggle_preferences(),
            WindowRequest::ToggleAbout => self.interface.toggle_about(),
            WindowRequest::SetScale(scale) => ctx.set_zoom_factor(scale),
            WindowRequest::FilterJoints => self.interface.filter_joints(),
            WindowRequest::Copy(text) => self.copied = text,
            WindowRequest::Paste { is_mirrored } => self.interface.await_paste(ctx, is_mirrored),
            WindowRequest::SetTheme(theme) => ctx.set_theme(match theme {
                ThemeChoice::Dark => egui::ThemePreference::Dark,
                ThemeChoice::Light => egui::ThemePreference::Light,
                ThemeChoice::System => egui::ThemePreference::System,
            }),
            WindowRequest::ToggleFullScreen => ctx.send_viewport_cmd(ViewportCommand::Fullscreen(true)),
            WindowRequest::Quit => self.is_over = true,
        }
    }

    fn play(&mut self, ctx: &Context) {
        let open = &mut self.engine.state.open;
        if open.stage.playback.is_playing || open.stage.springs.are_moving(&open.stage.document) {
            self.engine.state.advance(ctx.input(|i| i.stable_dt).min(0.1));
            ctx.request_repaint();
        }
    }

    fn draw(&mut self) {
        let Some(viewport) = self.viewport else { return };
        let size = (viewport.size() * IMAGE_FRACTION).round().max(egui::Vec2::ZERO);
        let Self { engine, scene, .. } = self;
        scene.draw(&input(engine, [size.x as u32, size.y as u32])).expect("a picture");
        engine.upload(|document| {
            if let Some(document) = document {
                return scene.prepare(&document.rig);
            }
            scene.drop_prepared();
            Ok(1.0)
        });
    }

    fn draw_large(&mut self) {
        let Self { engine, scene, .. } = self;
        scene.picture(&input(engine, [320, 200]), engine.state.settings.transparent_images).expect("a picture");
    }

    /// True while a job runs for which the user waits, or while its result has not been received.
    fn is_busy(&self) -> bool {
        !self.engine.jobs.running(Duration::ZERO).is_empty() || self.is_opening()
    }

    fn is_opening(&self) -> bool {
        self.engine.state.loading.is_some() || !self.engine.commands.is_empty()
    }
}

fn input(engine: &HeadlessApp, size: [u32; 2]) -> FrameInput<'_> {
    let open = &engine.state.open;
    let sides = PerSide::from_fn(|side| open.stage.shown(side));
    let frame = FrameInput::for_sides(open.stage.rig(), sides, (open.stage.pose(), &open.stage.view), size);
    FrameInput { version: open.stage.characters.version(), ..frame }
}

/// False for commands that would access files outside the folder or start another program.
fn is_harmless(command: &Command, folder: &Path) -> bool {
    let is_inside = |path: &Path| path.starts_with(folder) && path.components().all(|c| c != Component::ParentDir);
    match command {
        Command::OpenGuide(_) | Command::Do(Action::OpenGuide) => false,
        Command::Path(PathCommand::List(path) | PathCommand::Choose { path, .. }) => is_inside(path),
        _ => true,
    }
}

/// Returns the processor time of this thread, which excludes other programs. Zero if the system doesn't report it.
fn processor_time() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(told.split(' ').next().and_then(|nanos| nanos.parse().ok()).unwrap_or(0))
}

/// Draws frames until no job runs and no frame is requested, or until a clip plays. Cancels long jobs.
pub fn settle(harness: &mut Harness<'_, Program>) {
    let start = Instant::now();
    let mut is_cancelled = false;
    let mut quiet = 0;
    while quiet < 2 {
        harness.step();
        let delay = harness.output().viewport_output[&ViewportId::ROOT].repaint_delay;
        let program = harness.state_mut();
        let open = &program.engine.state.open;
        let is_moving = open.stage.playback.is_playing || open.stage.springs.are_moving(&open.stage.document);
        let is_busy = program.is_busy() || (delay.is_zero() && !is_moving);
        let has_news = program.news.recv_timeout(Duration::from_millis(if is_busy { 20 } else { 1 })).is_ok();
        while program.news.try_recv().is_ok() {}
        // While a clip plays, its frames are measured continuously.
        let is_at_rest = if is_moving { !program.is_opening() } else { !is_busy && !has_news };
        quiet = if is_at_rest { quiet + 1 } else { 0 };
        let waited = start.elapsed();
        if waited > PATIENCE && !is_cancelled {
            is_cancelled = true;
            let jobs = program.engine.jobs.running(Duration::ZERO);
            program.engine.commands.extend(jobs.iter().map(|job| Command::CancelJob(job.id)));
        }
        if waited > MAX_JOB {
            let jobs: Vec<_> =
                program.engine.jobs.running(Duration::ZERO).into_iter().map(|job| job.kind.activity).collect();
            let loading = program.engine.state.loading.clone();
            let (applied, wanted_by) = (program.applied.clone(), harness.ctx.repaint_causes());
            panic!(
                "after {waited:?} it is not at rest. Jobs: {jobs:?}, loading: {loading:?}, commands last applied: {applied:?}, \
                 frames wanted by {wanted_by:?}"
            );
        }
    }
}
